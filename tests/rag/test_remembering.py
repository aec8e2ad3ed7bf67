"""Whole turns that remember: what people report of other memories, each kind in the four languages."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest

from languages import load
from languages.remembering import remembering
from memory import Catalog, Heard, NameIndex
from memory.errors import StoreBusy
from memory.knowledge.listening import listen
from memory.memory import EntityMemory
from rag.answer.smalltalk import only_states
from rag.pipeline import Pipeline
from tests.rag.conftest import Desk, ScriptedModel


class Script:
    """A listener that hears what it is told for a message, and nothing in any other."""

    def __init__(self, **heard: tuple[Heard, ...]) -> None:
        self.heard: dict[str, tuple[Heard, ...]] = dict(heard)
        self.asked: list[tuple[str, str, tuple[str, ...]]] = []

    def __call__(self, message: str, *, language: str, catalog: Catalog | None, focus: str) -> tuple[Heard, ...]:
        named = catalog.find(message) if catalog else ()
        self.asked.append((message, language, tuple(match.name.name for match in named)))
        return self.heard.get(message, ())


def of_self(key: str, value: str, act: str = "states", **more: object) -> Heard:
    return Heard("", key, value, 0, 0, act, **more)  # type: ignore[arg-type]


def pipeline(desk: Desk, listener: Script, model: ScriptedModel | None = None) -> Pipeline:
    desk.memory = EntityMemory(desk.database, listener=listener)
    return desk.pipeline(model)


def told(desk: Desk, key: str, person: str = "someone") -> list[str]:
    return [fact.value for fact in desk.memory.facts(person) if fact.key == key]


HALO = "Norda Halo"
GREETINGS = [
    ("en", "Please call me Alex.", "How much does the Norda Halo cost?"),
    ("fr", "Appelle-moi Alex.", "Combien coûte le Norda Halo ?"),
    ("de", "Nenn mich bitte Alex.", "Was kostet der Norda Halo?"),
    ("ar", "نادني Alex.", "كم سعر Norda Halo؟"),
]


@pytest.mark.parametrize(("language", "said", "question"), GREETINGS)
def test_this_very_prompt_knows_what_is_just_being_said(
    tmp_path: Path, language: str, said: str, question: str
) -> None:
    desk, model = Desk(tmp_path, language), ScriptedModel(("Alex: 840 [1]",))
    message = f"{said} {question}"
    listener = Script(**{message: (of_self("call_name", "Alex"),)})
    first, _ = desk.talk(message, question, language=language, pipeline=pipeline(desk, listener, model))
    assert first.language == language
    label = remembering(language).key("call_name")
    for prompt in model.asked[:2]:
        assert f"{label}: Alex" in prompt[1].content or "Alex" in prompt[1].content.split(label)[1][:20]
        assert load(language).text("label.profile") in prompt[1].content
    assert told(desk, "call_name") == ["Alex"]


def test_another_conversation_knows_it_too_in_its_own_language(tmp_path: Path) -> None:
    desk, model = Desk(tmp_path, "de", "fr"), ScriptedModel(("840 Euro [1]",))
    said = "Mein Budget liegt bei 900 Euro."
    heard = of_self("budget", "900 Euro", amount=900.0, unit="EUR")
    answering = pipeline(desk, Script(**{said: (heard,)}), model)
    desk.talk(said, language="de", pipeline=answering)
    desk.talk("Combien coûte le Norda Halo ?", language="fr", pipeline=answering)
    prompt = model.asked[-1][1].content
    assert f"{remembering('fr').key('budget')}\u00a0: 900 Euro" in prompt
    assert load("fr").text("label.profile") in prompt
    again = Script(**{"Je confirme : 900 €.": (of_self("budget", "900 €", amount=900.0, unit="EUR"),)})
    desk.talk("Je confirme : 900 €.", language="fr", pipeline=pipeline(desk, again))
    assert [(fact.value, fact.said) for fact in desk.memory.facts("someone")] == [("900 Euro", 2)]


def test_model_numbers_are_two_things_and_neither_has_the_others_figure(desk: Desk) -> None:
    for question in ("Compare the Tavira Kestrel 12 and the Norda Halo.", "The Kestrel 14 has 32 GB."):
        heard = (Heard("Kestrel 14", "memory", "32 GB", 0, 0),) if "32" in question else ()
        desk.talk(question, language="en", pipeline=pipeline(desk, Script(**{question: heard})))
    assert [fact.value for fact in desk.memory.facts("someone", "Kestrel 14")] == ["32 GB"]
    assert desk.memory.facts("someone", "Tavira Kestrel 12") == ()
    assert {"Tavira Kestrel 12", "Kestrel 14"} <= {entity.name for entity in desk.memory.entities("someone")}
    assert ("Tavira Kestrel 12", "COMPARES_TO", "Norda Halo") in desk.memory.get_triples("someone")


@pytest.mark.parametrize(
    ("spellings", "shown"),
    [
        (("أسماء", "اسماء", "أَسْمَاء"), "أسماء"),
        (("Brüggemann", "BRÜGGEMANN", unicodedata.normalize("NFD", "Brüggemann")), "Brüggemann"),
        (("Élodie", "ELODIE", "Elodie"), "Élodie"),
        (("Zoë", "Zoe", "ZOË"), "Zoë"),
    ],
)
def test_spellings_of_one_name_are_one_value_said_several_times(
    desk: Desk, spellings: tuple[str, ...], shown: str
) -> None:
    messages = [f"I am called {name} ({number})." for number, name in enumerate(spellings)]
    heard = {message: (of_self("call_name", name),) for message, name in zip(messages, spellings, strict=True)}
    desk.talk(*messages, language="en", pipeline=pipeline(desk, Script(**heard)))
    assert [(fact.value, fact.said) for fact in desk.memory.facts("someone")] == [(shown, 3)]


@pytest.mark.parametrize(
    ("language", "first", "then"),
    [
        ("de", "Du kannst mich Kathi nennen.", "Seit gestern bitte Frau Sommer."),
        ("fr", "Tu peux m'appeler Kathi.", "Depuis hier, c'est Madame Sommer."),
        ("en", "You can call me Kathi.", "Since yesterday it is Ms Sommer, please."),
        ("ar", "يمكنك أن تناديني Kathi.", "منذ أمس نادني Frau Sommer من فضلك."),
    ],
)
def test_a_new_name_replaces_the_old_one_which_stays_in_the_history(
    desk: Desk, language: str, first: str, then: str
) -> None:
    heard = {first: (of_self("call_name", "Kathi"),), then: (of_self("call_name", "Sommer", "corrects"),)}
    desk.talk(first, then, language=language, pipeline=pipeline(desk, Script(**heard)))
    assert told(desk, "call_name") == ["Sommer"]
    assert [(f.value, f.retired_at is None) for f in desk.memory.history("someone")] == [
        ("Kathi", False),
        ("Sommer", True),
    ]


def test_what_is_added_leaves_the_rest_as_it_was(desk: Desk) -> None:
    first, then = "Samir is an accountant at Olive.", "Samir also runs the licences of Olive."
    heard = {
        first: (Heard("Samir", "job", "accountant", 0, 0), Heard("Samir", "employer", "Olive", 0, 0)),
        then: (Heard("Samir", "job", "runs the licences", 0, 0, "adds"),),
    }
    desk.talk(first, then, language="en", pipeline=pipeline(desk, Script(**heard)))
    assert {fact.value for fact in desk.memory.facts("someone", "Samir")} == {
        "accountant",
        "Olive",
        "runs the licences",
    }


def test_one_name_of_two_kinds_is_two_things(desk: Desk) -> None:
    desk.memory = EntityMemory(desk.database)
    from memory.memory import Said
    from memory.store.entities import Named

    pairs = (("Olive", "ORGANIZATION", "FRUIT"), ("Pascal", "PERSON", "PRODUCT"), ("زيتونة", "LOCATION", "PERSON"))
    for name, one, other in pairs:
        desk.memory.remember("someone", Said("c", name, (Named(name, one), Named(name, other), Named(name, one))))
    kept = {(entity.name, entity.type): entity.mentions for entity in desk.memory.entities("someone")}
    assert kept == {(n, t): m for n, one, other in pairs for t, m in ((one, 2), (other, 1))}


def test_the_assistants_words_state_nothing_of_the_person(desk: Desk) -> None:
    model = ScriptedModel(("You could take the Tavira Kestrel 12 [1]. Your budget is 5 €.",))
    listener = Script()
    desk.talk(f"How heavy is the {HALO}?", "ok thanks", language="en", pipeline=pipeline(desk, listener, model))
    assert desk.memory.history("someone") == ()
    assert [message for message, *_ in listener.asked] == [f"How heavy is the {HALO}?", "ok thanks"], (
        "only the person is heard"
    )
    roles = {row["role"] for row in desk.memory.export("someone")["mentions"] if "Kestrel 12" in row["text"]}
    assert roles == {"assistant"}
    assert desk.memory.get_triples("someone") == ()


def test_a_fact_lands_on_what_it_refers_to(desk: Desk) -> None:
    listener = Script()
    desk.talk(f"How much does the {HALO} cost?", "Is it heavy?", language="en", pipeline=pipeline(desk, listener))
    assert listener.asked[1] == (f"Is the {HALO} heavy?", "en", (HALO,))


def test_what_a_fragment_takes_over_is_not_stated_again(desk: Desk) -> None:
    listener = Script()
    answering = pipeline(desk, listener)
    desk.talk(f"I own a {HALO}. How heavy is it?", "And the Veltara 13?", language="en", pipeline=answering)
    assert listener.asked[1][0] == "And the Veltara 13?"


def test_two_people_in_turns_are_never_mixed(desk: Desk) -> None:
    heard = {f"I am {name}.": (of_self("name", name),) for name in ("Ada", "Ben")}
    answering = pipeline(desk, Script(**heard))
    for name in ("Ada", "Ben", "Ada"):
        desk.talk(f"I am {name}.", f"How much is the {HALO}?", language="en", person=name.lower(), pipeline=answering)
    for name in ("Ada", "Ben"):
        assert told(desk, "name", name.lower()) == [name]
    assert [entity.mentions for entity in desk.memory.entities("ada")] == [4]


def test_a_stopped_turn_keeps_what_the_person_said(desk: Desk) -> None:
    said = "I am Ada. How heavy is the Norda Halo?"
    answering = pipeline(desk, Script(**{said: (of_self("name", "Ada"),)}), ScriptedModel(("It ", "weighs ", "a lot.")))
    conversation = desk.conversations.create("someone", "en")
    events = answering.stream(said, "", user="someone", conversation=conversation, turn_id="t")
    next(events)
    next(events)
    events.close()  # type: ignore[attr-defined]
    assert told(desk, "name") == ["Ada"]
    (turn,) = desk.conversations.turns(conversation, "someone")
    assert turn.stopped


def test_a_turn_sent_twice_is_learnt_once(desk: Desk) -> None:
    said = f"I am Ada. How heavy is the {HALO}?"
    answering = pipeline(desk, Script(**{said: (of_self("name", "Ada"),)}))
    conversation = desk.conversations.create("someone", "en")
    for _ in range(2):
        answering.turn(said, "", user="someone", conversation=conversation, turn_id="t")
    assert [(fact.value, fact.said) for fact in desk.memory.facts("someone")] == [("Ada", 1)]


def test_a_turn_taken_otherwise_is_learnt_otherwise(desk: Desk) -> None:
    first, second = "How much does the Tavira Kestrel 12 cost?", f"How much does the {HALO} cost?"
    wrong, right = f"And the {HALO}'s warranty?", "And the Tavira Kestrel 12's warranty?"

    class ByName(Script):
        def __call__(self, message: str, *, language: str, catalog: Catalog | None, focus: str) -> tuple[Heard, ...]:
            named = catalog.find(message) if catalog else ()
            self.asked.append((message, language, ()))
            return (of_self("likes", named[0].name.name),) if "warranty" in message and named else ()

    answering = pipeline(desk, ByName())
    *_, turn = desk.talk(first, second, "And its warranty?", language="en", pipeline=answering)
    assert told(desk, "likes") == [HALO], (wrong, right)
    conversation = turn.id.rpartition("-")[0]
    list(answering.correct(turn.id, 0, "Tavira Kestrel 12", user="someone", conversation=conversation))
    assert told(desk, "likes") == ["Tavira Kestrel 12"]
    assert [fact.value for fact in desk.memory.history("someone") if fact.withdrawn] == [HALO]


def test_what_was_talked_about_is_told_under_a_heading_in_the_questions_language(tmp_path: Path) -> None:
    desk, model = Desk(tmp_path, "fr"), ScriptedModel(("840 [1]",))
    said = "Mon Norda Halo fait du bruit."
    answering = pipeline(desk, Script(), model)
    desk.talk(said, language="fr", pipeline=answering)
    desk.talk("Combien coûte le Norda Halo ?", language="fr", pipeline=answering)
    prompt = model.asked[-1][1].content
    assert remembering("fr").context.replace("{entity}", HALO).rstrip(" :\u00a0") in prompt
    assert said in prompt


def test_a_failing_store_is_never_read_as_nothing_known(desk: Desk) -> None:
    class Fails(EntityMemory):
        def remember(self, *given: object, **named: object) -> tuple[()]:
            raise StoreBusy("found it locked; expected it free; try again")

    desk.memory = Fails(desk.database)
    with pytest.raises(StoreBusy):
        desk.talk("Hello, my name is Ada.", language="en", pipeline=desk.pipeline())


def test_without_a_memory_a_turn_is_answered_as_well(desk: Desk) -> None:
    bare = Pipeline(desk.conversations, desk.library, embedder=desk.embedder)
    (turn,) = desk.talk(f"How much does the {HALO} cost?", language="en", pipeline=bare)
    assert turn.answer is not None
    assert turn.answer.answered
    assert desk.memory.entities("someone") == ()


@pytest.mark.parametrize(
    ("language", "first", "then"),
    [
        ("en", "My budget is 700 euros.", "No, I meant 900 euros."),
        ("fr", "Mon budget est de 700 euros.", "Non, je voulais dire 900 euros."),
        ("de", "Mein Budget liegt bei 700 Euro.", "Nein, ich meinte 900 Euro."),
        ("ar", "ميزانيتي 700 يورو.", "لا، أقصد 900 يورو."),
    ],
)
def test_the_rules_of_each_language_are_heard_and_corrected(desk: Desk, language: str, first: str, then: str) -> None:
    desk.memory = EntityMemory(desk.database, listener=listen)
    desk.talk(first, then, language=language)
    (fact,) = [fact for fact in desk.memory.facts("someone") if fact.key == "budget"]
    assert fact.amount == 900
    assert [old.amount for old in desk.memory.history("someone") if old.key == "budget"] == [700, 900]


@pytest.mark.parametrize(
    ("language", "message"),
    [
        ("en", "I'm 34 and my budget is £130."),
        ("fr", "J’ai deux enfants."),
        ("de", "Ich bin 34 und mein Budget sind 130 Euro."),
        ("ar", "عمري 34 سنة وميزانيتي 130 دينار."),
    ],
)
def test_what_is_only_stated_is_noted_and_not_searched_for(desk: Desk, language: str, message: str) -> None:
    (turn,) = desk.talk(message, language=language, pipeline=pipeline(desk, listen))
    assert turn.answer is not None
    assert turn.answer.answered
    assert turn.answer.citations == ()


@pytest.mark.parametrize(
    "message",
    [
        "My budget is £130. Which headset fits?",
        "I'm 34. Tell me the price of the Norda Halo.",
        "I'm looking for a headset under 300 euros.",
    ],
)
def test_who_states_and_asks_is_answered(message: str) -> None:
    assert not only_states(message, "en", listen(message, language="en", catalog=NameIndex.of([])))
