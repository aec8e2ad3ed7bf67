"""What people report of other memories, each kind in the four languages, heard by the rules of the language."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from languages import codes
from memory import NameIndex
from memory.knowledge.listening import listen
from memory.memory import EntityMemory, Said
from memory.store.database import Database, open_database
from memory.types import Name
from tests.rag.conftest import Desk

THINGS = NameIndex.of((Name("Tavira Kestrel 12", "PRODUCT"), Name("Tavira Kestrel 14", "PRODUCT")))


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    opened = open_database(tmp_path / "data")
    yield opened
    opened.close()


def heard(database: Database, language: str, *messages: str) -> EntityMemory:
    """Return a memory that has heard *messages*, a turn each."""
    memory = EntityMemory(database, listener=listen)
    for number, message in enumerate(messages):
        facts = memory.listen(message, language=language, catalog=THINGS)
        memory.remember("someone", Said("c", str(number), heard=facts))
    return memory


def values(memory: EntityMemory, key: str, subject: str = "") -> list[str]:
    return [fact.value for fact in memory.facts("someone", subject) if fact.key == key]


PRONOUNS = {
    "en": ("How much does the Norda Halo cost?", "And its warranty?"),
    "fr": ("Combien coûte le Norda Halo ?", "Et sa garantie ?"),
    "de": ("Was kostet der Norda Halo?", "Und seine Garantie?"),
    "ar": ("كم سعر Norda Halo؟", "وما ضمانه؟"),
}


@pytest.mark.parametrize("language", codes())
def test_a_pronoun_keeps_its_thing_and_the_turn_its_language(tmp_path: Path, language: str) -> None:
    *_, turn = Desk(tmp_path, language).talk(*PRONOUNS[language], language=language)
    assert turn.language == language
    assert "Norda Halo" in turn.resolution.standalone


MODEL_NUMBERS = {
    "en": "The Kestrel 14 has 32 GB of memory.",
    "fr": "Le Kestrel 14 a 32 Go de mémoire.",
    "de": "Das Kestrel 14 hat 32 GB Arbeitsspeicher.",
    "ar": "الذاكرة في Kestrel 14 هي 32 غيغابايت.",
}


@pytest.mark.parametrize("language", codes())
def test_a_figure_of_one_model_is_never_the_others(database: Database, language: str) -> None:
    memory = heard(database, language, MODEL_NUMBERS[language])
    assert [value[:2] for value in values(memory, "memory", "Tavira Kestrel 14")] == ["32"]
    assert memory.facts("someone", "Tavira Kestrel 12") == memory.facts("someone") == ()


NICKNAMES = {
    "en": ("Call me Romy.", "You can call me Romy.", "Please call me Ms Sommer."),
    "fr": ("Appelle-moi Romy.", "Tu peux m'appeler Romy.", "Appelez-moi Madame Sommer."),
    "de": ("Nenn mich Romy.", "Du kannst mich Romy nennen.", "Nennen Sie mich Frau Sommer."),
    "ar": ("نادني رومي.", "يمكنك أن تناديني رومي.", "نادني سومر."),
}


@pytest.mark.parametrize("language", codes())
def test_a_name_said_again_is_one_and_a_new_one_replaces_it(database: Database, language: str) -> None:
    first, again, other = NICKNAMES[language]
    memory = heard(database, language, first, again)
    assert [(fact.key, fact.said) for fact in memory.facts("someone")] == [("call_name", 2)]
    (old,) = values(memory, "call_name")
    memory = heard(database, language, other)
    (new,) = values(memory, "call_name")
    assert new != old
    assert [fact.value for fact in memory.history("someone") if fact.retired_at] == [old]


UNSTATED = {
    "en": ("Would Planwerk suit my friends?", "If I lived in Harlow, what would it cost?", "ok thanks"),
    "fr": (
        "Est-ce que Planwerk conviendrait à mes amis ?",
        "Si j'habitais à Auray, combien ça coûterait ?",
        "ok merci",
    ),
    "de": ("Würde Planwerk zu meinen Freunden passen?", "Wenn ich in Soltau wohnte, was würde es kosten?", "ok danke"),
    "ar": ("هل يناسب Planwerk أصدقائي؟", "لو كنت أسكن في إربد كم كان سيكلف؟", "طيب شكرا"),
}


@pytest.mark.parametrize("language", codes())
def test_questions_suppositions_and_thanks_store_nothing(database: Database, language: str) -> None:
    assert heard(database, language, *UNSTATED[language]).history("someone") == ()


ADDED = {
    "en": ("I own a Kestrel 12.", "I also own a Kestrel 14."),
    "fr": ("J'ai un Kestrel 12.", "J'ai aussi un Kestrel 14."),
    "de": ("Ich habe ein Kestrel 12.", "Ich habe auch ein Kestrel 14."),
    "ar": ("عندي Kestrel 12.", "عندي أيضا Kestrel 14."),
}


@pytest.mark.parametrize("language", codes())
def test_what_is_added_retires_nothing(database: Database, language: str) -> None:
    owned = values(heard(database, language, *ADDED[language]), "owns")
    assert [value[-2:] for value in owned] == ["12", "14"]


CORRECTED = {
    "en": ("I live in Harlow.", "No, I meant I live in Wexcombe."),
    "fr": ("J'habite à Auray.", "Non, je voulais dire que j'habite à Vannes."),
    "de": ("Ich wohne in Soltau.", "Nein, ich meinte, ich wohne in Uelzen."),
    "ar": ("أسكن في إربد.", "لا، أقصد أسكن في صيدا."),
}


@pytest.mark.parametrize("language", codes())
def test_a_correction_leaves_one_value_and_the_other_in_the_history(database: Database, language: str) -> None:
    memory = heard(database, language, *CORRECTED[language])
    assert len(values(memory, "place")) == 1
    assert len([fact for fact in memory.history("someone") if fact.key == "place"]) == 2
