"""Answers to a question back that name no option: ruled out, the normal one, described; and what is spoken of then."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pytest

from memory import Discourse, Name, NameIndex, Pending, Resolution, observe, observe_options, resolve
from memory.types import Attribute, Vectors

_TABLETS = ("Talvo Pad 10", "Talvo Pad 10 Kids")
_PHONES = ("Moss 5", "Moss 5 Pro", "Moss 5 Lite")
_KNOWN = NameIndex.of([Name(name, "PRODUCT") for name in (*_TABLETS, *_PHONES, "Fern Mini", "Fern Max")])
_ASKED = {
    "en": "How heavy is the tablet?",
    "fr": "Combien pèse la tablette ?",
    "de": "Wie schwer ist das Tablet?",
    "ar": "كم وزن الجهاز اللوحي؟",
}
_EXPRESSION = {"en": "the tablet", "fr": "la tablette", "de": "das Tablet", "ar": "الجهاز اللوحي"}


class Meanings:
    """An embedder that knows of each text which of two things it is about."""

    name, dimension = "meanings", 2

    def __init__(self, about: Mapping[str, tuple[float, float]]) -> None:
        self._about = about

    def embed_queries(self, texts: tuple[str, ...]) -> Vectors:
        """Return the vector of each text."""
        return np.array([self._about[text] for text in texts], dtype=np.float32)

    embed_passages = embed_queries


def _asked_back(language: str, options: tuple[str, ...]) -> Discourse:
    question, expression = _ASKED[language], _EXPRESSION[language]
    discourse = observe(Discourse(), "user", question, language=language, catalogs=(_KNOWN,))
    discourse = observe(discourse, "assistant", " / ".join(options), language=language, catalogs=(_KNOWN,))
    start = question.index(expression)
    return replace(discourse, pending=Pending(question, start, start + len(expression), options))


def _replied(language: str, reply: str, options: tuple[str, ...], embedder: Meanings | None = None) -> Resolution:
    before = _asked_back(language, options)
    return resolve(reply, before, catalog=_KNOWN, language=language, embedder=embedder)


@pytest.mark.parametrize(
    ("language", "reply", "options", "meant"),
    [
        ("en", "not the Kids", _TABLETS, "Talvo Pad 10"),
        ("fr", "Pas la Kids, l’autre.", _TABLETS, "Talvo Pad 10"),
        ("de", "Nicht das Kids.", _TABLETS, "Talvo Pad 10"),
        ("ar", "ليس Kids", _TABLETS, "Talvo Pad 10"),
        ("en", "not the Pro but the Lite", _PHONES, "Moss 5 Lite"),
        ("fr", "celui sans le mot Pro, le Lite", _PHONES, "Moss 5 Lite"),
        ("en", "the normal one", _TABLETS, "Talvo Pad 10"),
        ("fr", "Le modèle standard.", _PHONES, "Moss 5"),
        ("de", "Das normale.", _TABLETS, "Talvo Pad 10"),
        ("ar", "العادي", _PHONES, "Moss 5"),
    ],
)
def test_an_answer_may_rule_out_or_ask_for_the_plain_one(
    language: str, reply: str, options: tuple[str, ...], meant: str
) -> None:
    found = _replied(language, reply, options)
    assert (found.status, found.entities) == ("resolved", (meant,))
    assert meant in found.standalone
    assert found.standalone.split()[0] == _ASKED[language].split()[0]


def test_what_is_left_after_a_refusal_is_not_chosen_among() -> None:
    found = _replied("en", "not the Pro", _PHONES)
    assert found.entities == ()


@pytest.mark.parametrize(
    ("language", "reply"),
    [
        ("en", "The one for my daughter."),
        ("fr", "Celui pour ma fille."),
        ("de", "Das für meine Tochter."),
        ("ar", "الذي لابنتي"),
    ],
)
def test_a_description_means_the_option_that_is_nearer_to_it(language: str, reply: str) -> None:
    about = {reply: (1.0, 0.0), "Talvo Pad 10": (0.6, 0.8), "Talvo Pad 10 Kids": (0.8, 0.6)}
    found = _replied(language, reply, _TABLETS, Meanings(about))
    assert found.entities == ("Talvo Pad 10 Kids",)
    assert "Talvo Pad 10 Kids" in found.standalone
    assert found.links[0].alternatives == ("Talvo Pad 10",)


def test_a_description_near_to_both_is_read_with_the_question() -> None:
    reply = "The one for my daughter."
    about = {reply: (1.0, 0.0), "Talvo Pad 10": (0.8, 0.6), "Talvo Pad 10 Kids": (0.8, 0.6)}
    found = _replied("en", reply, _TABLETS, Meanings(about))
    assert found.standalone == "How heavy is the tablet? The one for my daughter."
    assert found.entities == ()


@pytest.mark.parametrize(
    ("language", "message"),
    [
        ("en", "Where is your shop in Leeds?"),
        ("en", "How much is the Fern Mini?"),
        ("en", "The Fern Mini."),
        ("en", "No."),
        ("en", "Yes."),
        ("fr", "Où se trouve la boutique ?"),
        ("de", "Wo ist der Laden?"),
        ("ar", "أين المتجر؟"),
    ],
)
def test_another_question_or_thing_is_no_description(language: str, message: str) -> None:
    about = dict.fromkeys((message, *_TABLETS), (1.0, 0.0))
    found = _replied(language, message, _TABLETS, Meanings(about))
    assert not found.standalone.startswith(_ASKED[language])


def test_what_was_asked_back_is_not_read_again_once_it_is_answered() -> None:
    before = _asked_back("en", _TABLETS)
    found = resolve("the Kids", before, catalog=_KNOWN, language="en")
    after = observe(before, "user", "the Kids", language="en", catalogs=(_KNOWN,), asked=found.standalone)
    assert [text for _, text in after.recent] == ["", "", found.standalone]
    assert after.messages == 3
    other = observe(after, "assistant", "480 g", language="en", catalogs=(_KNOWN,))
    meant = resolve("And the other one?", other, catalog=_KNOWN, language="en")
    assert meant.entities == ("Talvo Pad 10",)


def test_another_question_meanwhile_leaves_what_was_asked_back_to_be_read() -> None:
    before = _asked_back("en", _TABLETS)
    after = observe(
        before, "user", "And the Fern Mini?", language="en", catalogs=(_KNOWN,), asked="How heavy is the Fern Mini?"
    )
    assert [text for _, text in after.recent][:2] == [_ASKED["en"], " / ".join(_TABLETS)]


@pytest.mark.parametrize(
    ("language", "asked", "expression", "reply", "meant"),
    [
        ("en", "How much is the boat?", "the boat", "the one for six", "Wagtail"),
        ("en", "How much is the boat?", "the boat", "the one with the sail", "Dipper"),
        ("fr", "Combien coûte le bateau ?", "le bateau", "celui de quatre places", "Dipper"),
        ("de", "Was kostet das Boot?", "das Boot", "das für sechs", "Wagtail"),
        ("ar", "كم سعر القارب؟", "القارب", "اللي لستة أشخاص", "Wagtail"),
    ],
)
def test_a_reply_says_what_the_catalogue_says_of_one_option_alone(
    language: str, asked: str, expression: str, reply: str, meant: str
) -> None:
    boats = NameIndex.of(
        [
            Name("Dipper", "PRODUCT", attributes=(Attribute("Places", "4"), Attribute("Type", "sailing boat, sail"))),
            Name("Wagtail", "PRODUCT", attributes=(Attribute("Places", "6"), Attribute("Type", "rowing boat"))),
        ]
    )
    before = observe(Discourse(), "user", asked, language=language, catalogs=(boats,))
    before = observe(before, "assistant", "Dipper / Wagtail?", language=language, catalogs=(boats,))
    start = asked.index(expression)
    pending = Pending(asked, start, start + len(expression), ("Dipper", "Wagtail"))
    found = resolve(reply, replace(before, pending=pending), catalog=boats, language=language)
    assert found.status == "resolved"
    assert meant in found.standalone


@pytest.mark.parametrize(
    ("language", "question", "answer", "reply", "read"),
    [
        ("en", "How much is a mower?", "Small mower: £9. Large mower: £14.", "Not the large one.", "small mower"),
        ("de", "Was kostet eine Hütte?", "Große Hütte: 9 €. Kleine Hütte: 6 €.", "Nicht die große.", "kleine Hütte"),
    ],
)
def test_what_was_answered_for_every_sort_may_be_narrowed(
    language: str, question: str, answer: str, reply: str, read: str
) -> None:
    catalog = NameIndex.of([Name(part.partition(":")[0], "PRODUCT") for part in answer.replace(". ", ".|").split("|")])
    discourse = observe(Discourse(), "user", question, language=language, catalogs=(catalog,))
    discourse = observe(discourse, "assistant", answer, language=language, catalogs=(catalog,))
    found = resolve(reply, discourse, catalog=catalog, language=language)
    assert found.standalone.endswith(f"{read}?")
    assert found.standalone.startswith(question[:5])


def test_options_of_common_words_are_names_as_a_whole() -> None:
    said = "De quoi parlez-vous : Grande tondeuse ou Petite tondeuse ?"
    options = ("Grande tondeuse", "Petite tondeuse")
    found = observe_options(Discourse(), said, options, language="fr")
    assert [mention.entity for mention in found.mentions if mention.named] == list(options)
    assert not any(mention.known for mention in found.mentions)
    question = "Combien coûte la tondeuse ?"
    pending = replace(found, pending=Pending(question, 14, 25, options))
    read = resolve("La petite.", pending, catalog=NameIndex.of([]), language="fr")
    assert read.standalone == "Combien coûte la petite tondeuse ?"
