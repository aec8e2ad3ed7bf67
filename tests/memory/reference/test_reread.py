"""The other readings that a link carries, and a question read anew by one of them or left as it stands."""

from __future__ import annotations

import pytest

from memory import Discourse, Link, Name, NameIndex, Pending, Resolution, replay, reread, resolve
from memory.errors import ReadingNotOffered
from tests.memory.reference.talking import after
from tests.memory.reference.test_learned import Told

NAMES = tuple(Name(name, "PRODUCT") for name in ("Corvo 6", "Talla 15", "Brio 7"))
KNOWN = NameIndex.of(NAMES)

# Language, what was said, the question, what it is taken for, the other readings, and the first of them written.
TABLE = [
    ("en", ("How heavy is the Brio 7?", "900 g.", "How heavy is the Talla 15?", "1.2 kg.", "And the Corvo 6?", "2 kg."),
     "How much does it cost?", "Corvo 6", ("Talla 15", "Brio 7"), "How much does the Talla 15 cost?"),
    ("en", ("How heavy is the Talla 15?", "1.2 kg.", "And the Corvo 6?", "2 kg."),
     "And the warranty?", "Corvo 6", ("Talla 15",), "And the warranty of the Talla 15?"),
    ("en", ("Compare the Talla 15 and the Corvo 6.", "Both weigh 2 kg."),
     "How much is the second one?", "Corvo 6", ("Talla 15",), "How much is the Talla 15?"),
    ("en", ("How heavy is the Talla 15?", "1.2 kg.", "And the Corvo 6?", "2 kg."),
     "Is it lighter than the Talla 15?", "Corvo 6", (), ""),
    ("fr", ("Quel est le poids du Talla 15 ?", "1,2 kg.", "Et celui du Corvo 6 ?", "2 kg."),
     "Et sa garantie ?", "Corvo 6", ("Talla 15",), "Et la garantie du Talla 15 ?"),
    ("fr", ("Quel est le poids du Talla 15 ?", "1,2 kg.", "Et celui du Corvo 6 ?", "2 kg."),
     "Combien coûte-t-il ?", "Corvo 6", ("Talla 15",), "Combien le Talla 15 coûte-t-il ?"),
    ("de", ("Wie schwer ist das Talla 15?", "1,2 kg.", "Und was wiegt das Corvo 6?", "2 kg."),
     "Was kostet es?", "Corvo 6", ("Talla 15",), "Was kostet das Talla 15?"),
    ("de", ("Wie schwer ist das Talla 15?", "1,2 kg.", "Und was wiegt das Corvo 6?", "2 kg."),
     "Und seine Garantie?", "Corvo 6", ("Talla 15",), "Und die Garantie des Talla 15?"),
    ("ar", ("كم وزن Talla 15؟", "1.2 كغ", "وكم يزن Corvo 6؟", "2 كغ"),
     "وكم مدة ضمانه؟", "Corvo 6", ("Talla 15",), "وكم مدة ضمان Talla 15؟"),
]  # fmt: skip

# One thing alone is known: there is nothing else to mean.
ALONE = [
    ("en", ("How heavy is the Talla 15?", "1.2 kg."), "And its warranty?"),
    ("fr", ("Quel est le poids du Talla 15 ?", "1,2 kg."), "Et sa garantie ?"),
    ("de", ("Wie schwer ist das Talla 15?", "1,2 kg."), "Was kostet es?"),
    ("ar", ("كم وزن Talla 15؟", "1.2 كغ"), "وكم مدة ضمانه؟"),
]


def read(language: str, said: tuple[str, ...], question: str) -> tuple[Resolution, Discourse]:
    discourse = after(language, said, KNOWN)
    return resolve(question, discourse, catalog=KNOWN, language=language), discourse


@pytest.mark.parametrize(("language", "said", "question", "meant", "others", "written"), TABLE)
def test_a_link_carries_the_other_readings_that_agreed_and_any_is_written(
    language: str, said: tuple[str, ...], question: str, meant: str, others: tuple[str, ...], written: str
) -> None:
    found, discourse = read(language, said, question)
    (link,) = found.links
    assert (link.entities, link.alternatives) == ((meant,), others)
    if not others:
        return
    again = reread(found, 0, others[0], discourse=discourse, catalog=KNOWN)
    assert again.standalone == written == replay(question, again.links)
    assert again.status == "resolved"
    assert again.entities == (others[0],)
    assert again.links[0].alternatives == (meant, *others[1:])
    back = reread(again, 0, meant, discourse=discourse, catalog=KNOWN)
    assert (back.standalone, back.links[0].alternatives) == (found.standalone, others)


@pytest.mark.parametrize(("language", "said", "question"), ALONE)
def test_where_one_thing_is_known_there_is_no_other_reading(
    language: str, said: tuple[str, ...], question: str
) -> None:
    found, _ = read(language, said, question)
    assert [link.alternatives for link in found.links] == [()]


@pytest.mark.parametrize(("language", "said", "question"), ALONE)
def test_a_question_left_as_it_stands_can_be_read_as_before(
    language: str, said: tuple[str, ...], question: str
) -> None:
    found, discourse = read(language, said, question)
    left = reread(found, 0, None, discourse=discourse, catalog=KNOWN)
    assert (left.standalone, left.status, left.entities) == (question, "unchanged", ())
    assert left.links[0].alternatives == ("Talla 15",)
    assert reread(left, 0, "Talla 15", discourse=discourse, catalog=KNOWN).standalone == found.standalone


def test_the_likelier_reading_comes_first_and_three_are_offered() -> None:
    names = [Name(f"Corvo {number}", "PRODUCT") for number in range(1, 7)]
    catalog = NameIndex.of(names)
    said = [text for name in names for text in (f"How heavy is the {name.name}?", "Light.")]
    found = resolve("What does it cost?", after("en", said, catalog), catalog=catalog, language="en")
    assert found.links[0].entities == ("Corvo 6",)
    assert found.links[0].alternatives == ("Corvo 5", "Corvo 4", "Corvo 3")


def test_the_scorer_leaves_what_agreed_beside_what_it_points_at() -> None:
    said = ("How heavy is the Talla 15?", "1.2 kg.", "And what does the Corvo 6 weigh?", "2 kg.")
    discourse = after("en", said, KNOWN)
    scorer = Told((0.97, 0.02, 0.01), refers=("it",), meant="Talla 15")
    found = resolve("Is it in stock?", discourse, catalog=KNOWN, language="en", scorer=scorer)
    assert (found.links[0].entities, found.links[0].alternatives) == (("Talla 15",), ("Corvo 6",))


def test_a_later_pronoun_goes_with_the_one_that_is_corrected() -> None:
    said = ("How heavy is the Talla 15?", "1.2 kg.", "And what does the Corvo 6 weigh?", "2 kg.")
    found, discourse = read("en", said, "Is it light and how much does it cost?")
    assert [link.alternatives for link in found.links] == [("Talla 15",), ()]
    again = reread(found, 0, "Talla 15", discourse=discourse, catalog=KNOWN)
    assert again.standalone == "Is the Talla 15 light and how much does it cost?"
    assert [link.entities for link in again.links] == [("Talla 15",), ("Talla 15",)]
    left = reread(found, 0, None, discourse=discourse, catalog=KNOWN)
    assert [link.entities for link in left.links] == [()]


def test_what_was_asked_back_about_can_be_answered_otherwise() -> None:
    catalog = NameIndex.of([Name("Orlo Finch 14", "PRODUCT"), Name("Orlo Finch 14 Pro", "PRODUCT")])
    asked = resolve("How much is the Orlo Finch?", Discourse(), catalog=catalog, language="en")
    assert asked.status == "ambiguous"
    discourse = Discourse(
        messages=2, language="en",
        pending=Pending(asked.question, 16, 26, tuple(candidate.name for candidate in asked.candidates)),
    )  # fmt: skip
    found = resolve("Orlo Finch 14 Pro", discourse, catalog=catalog, language="en")
    assert found.links[0].alternatives == ("Orlo Finch 14",)
    again = reread(found, 0, "Orlo Finch 14", discourse=discourse, catalog=catalog)
    assert again.standalone == "How much is the Orlo Finch 14?"


@pytest.mark.parametrize(("place", "name"), [(0, "Brio 7"), (1, "Talla 15"), (-1, None), (1, None)])
def test_a_reading_that_is_not_offered_is_refused(place: int, name: str | None) -> None:
    said = ("How heavy is the Talla 15?", "1.2 kg.", "And what does the Corvo 6 weigh?", "2 kg.")
    found, discourse = read("en", said, "What does it cost?")
    with pytest.raises(ReadingNotOffered):
        reread(found, place, name, discourse=discourse, catalog=KNOWN)


def test_only_the_rest_of_a_question_stays_as_it_was_taken() -> None:
    link = Link("it", (3, 5), ("Corvo 6",), 3, 5, "the Corvo 6", ("subject_pronoun",), ("Talla 15",))
    other = Link("there", (9, 14), ("Brio 7",), 9, 14, "at the Brio 7", ("place",))
    question = "Is it ok there?"
    found = Resolution(question, replay(question, (link, other)), "resolved", (link, other), language="en")
    again = reread(found, 0, "Talla 15", discourse=Discourse(), catalog=KNOWN)
    assert again.links[1] is other
    assert again.standalone == "Is Talla 15 ok at the Brio 7?"
