"""The assistant speaks as a pilot has set it, and says what it looked at where the documents do not answer."""

from __future__ import annotations

from pathlib import Path

import pytest

from languages import codes, load
from languages.familiar import SMALL_TALK, familiar
from languages.pack import placeholders
from rag.answer.absence import explain
from rag.answer.manner import Manner
from rag.answer.questions import patterns
from rag.answer.wording import LONGEST
from rag.build import limits
from rag.errors import SettingsInvalid
from rag.events import Answer, Hit, Passage
from rag.limits import Limits
from rag.settings import Settings, read_settings
from tests.rag.conftest import Desk, ScriptedModel

FAMILIAR = Manner(formality="familiar")
PLAIN = {code: load(code).text("not_found.general") for code in codes()}
TELEPHONE = {
    "en": "Ring 555 0100.",
    "fr": "Appelez le 555 0100.",
    "de": "Rufen Sie 555 0100 an.",
    "ar": "اتصل بالرقم 5550100.",
}
UNKNOWN = {
    "en": "How many watts does the Norda Halo draw?",
    "fr": "Combien de watts consomme le Norda Halo ?",
    "de": "Wie viel Watt verbraucht der Norda Halo?",
    "ar": "كم واط يستهلك Norda Halo؟",
}


@pytest.mark.parametrize("code", [code for code in codes() if familiar(code)])
def test_all_that_is_said_on_familiar_terms_is_told_by_its_polite_form(code: str) -> None:
    polite = dict(load(code).texts) | {f"{SMALL_TALK}{sort}": said for sort, said in patterns(code).replies.items()}
    for key, text in familiar(code).items():
        values = {name: f"A {name}, B" for name in placeholders(text)}
        given = {f"{{{name}}}": value for name, value in values.items()}
        formal, wanted = polite[key], text
        for place, value in given.items():
            formal, wanted = formal.replace(place, value), wanted.replace(place, value)
        if key != "manner.greeting":  # said where the assistant has a name
            assert FAMILIAR.say(formal, code) == wanted, key
        assert Manner().say(formal, code) == formal, key


def test_polite_words_are_left_in_none_of_the_familiar_texts() -> None:
    assert familiar("de")
    assert familiar("fr")
    for text in familiar("de").values():
        assert not {"Sie", "Ihr", "Ihre", "Ihnen"} & set(text.split()), text
    for text in familiar("fr").values():
        assert not {"vous", "votre", "vos"} & set(text.casefold().split()), text


def test_what_a_document_says_is_never_reworded() -> None:
    quoted = "Sie haben 30 Tage Zeit. [1]"
    assert FAMILIAR.say(quoted, "de") == quoted


@pytest.mark.parametrize("code", codes())
def test_a_name_is_in_the_greeting_and_in_the_rules(code: str) -> None:
    greeting = Manner(name="Mira").say(patterns(code).replies["greeting"], code)
    assert "Mira" in greeting
    assert "Mira" in Manner(name="Mira").rules(code)
    assert "{" not in greeting
    assert Manner().say(patterns(code).replies["greeting"], code) == patterns(code).replies["greeting"]


def test_name_and_familiar_terms_go_together() -> None:
    said = Manner(name="Mira", formality="familiar").say(patterns("de").replies["greeting"], "de")
    assert "Mira" in said
    assert "du" in said.split()


@pytest.mark.parametrize("code", codes())
def test_the_rules_of_a_prompt_say_how_to_speak(tmp_path: Path, code: str) -> None:
    desk = Desk(tmp_path, code)
    model = ScriptedModel((PLAIN[code],))
    manner = Manner("Mira", "warm", "familiar", {})
    desk.talk(UNKNOWN[code], language=code, pipeline=desk.pipeline(model, Limits(manner=manner)))
    system = model.asked[0][0].content
    texts = load(code)
    assert system.startswith(texts.prompts.system)
    for key in ("familiar", "warm"):
        assert texts.text(f"manner.{key}") in system
    assert texts.text("manner.formal") not in system
    assert texts.text("manner.name", {"name": "Mira"}) in system


@pytest.mark.parametrize("code", codes())
@pytest.mark.parametrize("spoken", [False, True], ids=["quoted", "by a model"])
def test_what_was_searched_the_nearest_and_whom_to_turn_to(tmp_path: Path, code: str, spoken: bool) -> None:
    desk = Desk(tmp_path, code)
    model = ScriptedModel((PLAIN[code],)) if spoken else None
    pipeline = desk.pipeline(model, Limits(manner=Manner(escalation=TELEPHONE)))
    (turn,) = desk.talk(UNKNOWN[code], language=code, pipeline=pipeline)
    assert turn.answer is not None
    assert not turn.answer.answered
    texts = load(code)
    said = turn.answer.text
    assert texts.text("not_found.searched", {"count": "3"}) in said
    assert turn.hits[0].passage.document in said
    assert said.endswith(TELEPHONE[code])
    assert len(said.removesuffix(TELEPHONE[code])) <= LONGEST + 2
    assert '["assistant",""]' in turn.discourse, "nothing of it is spoken of next"


def test_an_answer_has_none_of_it(desk: Desk) -> None:
    pipeline = desk.pipeline(limits=Limits(manner=Manner(escalation=TELEPHONE)))
    (turn,) = desk.talk("How much does the Norda Halo cost?", language="en", pipeline=pipeline)
    assert turn.answer is not None
    assert turn.answer.answered
    assert "searched" not in turn.answer.text
    assert TELEPHONE["en"] not in turn.answer.text


def hit(document: str, heading: str) -> Hit:
    return Hit(Passage("p", document, "text", heading=heading), 1.0)


def said(*hits: Hit, text: str = "The documents don’t say.", documents: int = 7, escalation: str = "") -> str:
    return explain(Answer(text, answered=False), hits, language="en", documents=documents, escalation=escalation)


def test_the_nearest_is_named_by_its_own_heading() -> None:
    assert said(hit("shop.md", "Shop > Prices")) == (
        "7 documents were searched. The closest passage: “Prices” (shop.md)."
    )
    assert said(hit("shop.csv", "")) == "7 documents were searched. The closest document: shop.csv."
    assert said(documents=0, escalation="Call us.") == "Call us."
    assert said() == ""


def test_a_name_in_a_document_does_nothing_and_is_cut() -> None:
    hostile = said(hit("![x](http://h.example/?q).md", "Say > <img src=x> [1] [a](http://h.example)\u202e"))
    assert "](" not in hostile
    assert "<img" not in hostile
    assert "[1]" not in hostile
    assert "\u202e" not in hostile
    assert len(said(hit("d" * 500, "h" * 500))) < LONGEST


def test_what_does_not_fit_is_left_out() -> None:
    long = "x" * (LONGEST - 40)
    assert said(hit("shop.md", "Prices"), text=long) == "7 documents were searched."
    assert said(hit("shop.md", "Prices"), text="x" * LONGEST) == ""
    assert said(hit("shop.md", "Prices"), text="x" * LONGEST, escalation="Call us.") == "Call us."


def test_settings_say_how_to_speak(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REFERENT_ASSISTANT_NAME", " Mira ")
    monkeypatch.setenv("REFERENT_TONE", "brief")
    monkeypatch.setenv("REFERENT_FORMALITY", "familiar")
    monkeypatch.setenv("REFERENT_ESCALATION", '{"de": "Ruf uns an."}')
    assert limits(read_settings()).manner == Manner("Mira", "brief", "familiar", {"de": "Ruf uns an."})
    assert limits(Settings()).shelves == ("shared", "demo")
    monkeypatch.setenv("REFERENT_ESCALATION", '{"xx": "?"}')
    with pytest.raises(SettingsInvalid, match=r"REFERENT_ESCALATION.*'xx'"):
        read_settings()
