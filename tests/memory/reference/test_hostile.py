"""Messages that nobody means well: nothing raises, nothing is lost, and all come to an end."""

from __future__ import annotations

import random
import unicodedata

import pytest

from benchmarks import hostile
from languages import codes
from memory import Discourse, Name, NameIndex, Resolution, observe, replay, resolve
from tests.memory.reference.talking import after

pytestmark = pytest.mark.timeout(120)

_CATALOG = NameIndex.of((Name("Velda 12", "PRODUCT"), Name("Velda 14", "PRODUCT"), Name("Brontor", "ORGANIZATION")))
_CHOICE = {
    "en": "Is the cheaper one in stock?",
    "fr": "La moins chère est disponible ?",
    "de": "Ist die günstigere auf Lager?",
    "ar": "هل الأرخص متوفر؟",
}
_TALK = {
    "en": ("How much is the Velda 12?", "The Velda 12 is $40 and the Velda 14 is $50."),
    "fr": ("Combien coûte la Velda 12 ?", "La Velda 12 coûte 40 € et la Velda 14 50 €."),
    "de": ("Was kostet die Velda 12?", "Die Velda 12 kostet 40 € und die Velda 14 50 €."),
    "ar": ("كم سعر Velda 12؟", "سعر Velda 12 هو 40 ريالًا وسعر Velda 14 خمسون."),
}


def _scrambled(seed: int) -> str:
    """Return 300 characters out of all of Unicode, surrogates apart."""
    draw = random.Random(seed)
    points = (draw.randrange(0x110000) for _ in range(900))
    return "".join(chr(point) for point in points if not 0xD800 <= point < 0xE000)[:300]


_MESSAGES = {
    "nothing": "",
    "spaces": " \t\u00a0\u202f\n ",
    "marks": "?!…؟،؛«»“”„'\"()[]{}—-–·",
    "many marks": "?" * 20_000,
    "one long word": "it" * 50_000,
    "one long Arabic word": "كتابه" * 20_000,
    "a long run of one letter": "a" * 100_000,
    "many pronouns": "it " * 20_000,
    "many capitals": "Velda " * 10_000,
    "many numbers": "12 " * 20_000,
    "many commas": "Velda 12, " * 5_000,
    "many quotes": "«" * 10_000 + "it" + "»" * 10_000,
    "open quotes": "“" * 10_000,
    "hyphens": "-le" * 10_000,
    "apostrophes": "l'" * 20_000,
    "combining": "e" + "\u0301" * 10_000 + " it",
    "short vowels": "ك\u064e\u0651" * 5_000,
    "decomposed": unicodedata.normalize("NFD", "Où est-elle livrée, l’Étoile à 40 € ?"),
    "ligatures": "ﬁnd it ﷺ ﷲ ½ ⅷ ①",
    "mixed directions": "\u202eهل it \u2066يعمل\u2069 le Velda 12\u202c؟ \u200f\u200e و its سعره?",
    "invisible": "i\u200bt \ufeffi\u00adts \u2060Velda\u200d 12",
    "emoji": "👩‍👩‍👧‍👦 it 🏳️‍🌈? 🇫🇷🇩🇪",
    "controls": "it\x00 is\x07 \x1b[31mred\x7f?",
    "Turkish": "İt I\u0307T ıt ǅ ẞ ŉ it?",  # letters whose length changes with their case
    "markup": "<b>it</b> [it](javascript:it) `it` {it} %s \\1 $1 \\g<0>",
    "expression": "(((((it)*)+)?)* [a-z]+$ \\",
    "blanks": " " * 600,  # as much as a discourse keeps of a message
    "a table of blanks": ("|" + " " * 40) * 14 + "\n" + "a | b\n" * 3,
    **{f"anything at all, {seed}": _scrambled(seed) for seed in range(12)},
}


@pytest.mark.parametrize("code", codes())
@pytest.mark.parametrize("text", [pytest.param(text, id=name) for name, text in _MESSAGES.items()])
def test_a_hostile_question_is_taken_for_something(code: str, text: str) -> None:
    resolution = resolve(text, after(code, _TALK[code], _CATALOG), catalog=_CATALOG, language=code)
    assert replay(text, resolution.links) == resolution.standalone
    assert all(0 <= link.start <= link.end <= len(text) for link in resolution.links)
    assert all(text[slice(*link.anchor)] == link.text for link in resolution.links)


@pytest.mark.parametrize("code", codes())
@pytest.mark.parametrize("text", [pytest.param(text, id=name) for name, text in _MESSAGES.items()])
def test_a_hostile_history_leaves_a_discourse_that_can_be_stored_and_asked(code: str, text: str) -> None:
    discourse = after(code, _TALK[code], _CATALOG)
    for _ in range(3):
        discourse = observe(discourse, "assistant", text, language=code, catalogs=(_CATALOG,))
    restored = Discourse.from_json(discourse.to_json())
    assert restored == discourse
    for question in (_TALK[code][0], _CHOICE[code]):
        assert resolve(question, restored, catalog=_CATALOG, language=code).standalone


@pytest.mark.parametrize("code", codes())
def test_a_name_that_is_an_expression_or_a_mark_is_only_a_name(code: str) -> None:
    catalog = NameIndex.of(
        (Name("(.*", "PRODUCT"), Name("\\1", "PRODUCT"), Name("C++", "PRODUCT"), Name("{0}", "OTHER"))
    )
    said = after(code, ("C++ (.* \\1 {0}", "C++, (.* \\1."), catalog)
    resolution = resolve(_TALK[code][0], said, catalog=catalog, language=code)
    assert replay(_TALK[code][0], resolution.links) == resolution.standalone


@pytest.mark.parametrize("code", codes())
def test_conversations_of_hostile_messages_raise_nothing_and_lose_nothing(code: str) -> None:
    outcomes = list(hostile.run(120, (code,)))
    assert [(outcome.message, outcome.wrong) for outcome in outcomes if outcome.wrong] == []
    assert {outcome.message.kind for outcome in outcomes} == set(hostile.KINDS)


def test_a_message_that_raises_and_one_that_loses_its_place_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(text: str, *_: object, **__: object) -> Resolution:
        if len(text) % 2:
            raise RecursionError("too deep")
        return Resolution(text, f"{text}?", "resolved")

    monkeypatch.setattr(hostile, "resolve", broken)
    wrong = [outcome.wrong for outcome in hostile.run(12, ("en",))]
    assert any("too deep" in each for each in wrong)
    assert "replay gives another question" in wrong
    assert all(wrong)


def test_a_hostile_message_is_the_same_in_every_run() -> None:
    assert hostile.invent(7, "fr") == hostile.invent(7, "fr")
    assert len({hostile.invent(number, "fr").text for number in range(40)}) > 30
