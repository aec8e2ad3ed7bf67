"""The discourse between two turns: it survives being stored, starts afresh where it cannot be read, and stays small."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from languages import codes
from memory import Discourse, Mention, Name, NameIndex, Pending, observe, resolve
from memory.reference.discourse import MENTIONS, MESSAGE_LENGTH, MESSAGES, VERSION, Frame
from tests.memory.reference.talking import after

_CATALOG = NameIndex.of((Name("Velda 12", "PRODUCT"), Name("Velda 14", "PRODUCT")))
_SAID = {
    "en": ("Does the Velda 12 lamp dim?", "It does, and so do the Velda 12 and the Velda 14 outdoors."),
    "fr": ("La lampe Velda 12 est-elle réglable ?", "Oui, comme la Velda 12 et la Velda 14 d’extérieur."),
    "de": ("Ist die Lampe Velda 12 dimmbar?", "Ja, wie die Velda 12 und die Velda 14 für draußen."),
    "ar": ("هل المصباح Velda 12 قابل للتعتيم؟", "نعم، مثل Velda 12 و Velda 14 للخارج."),
}

_WORDS = st.text(max_size=12)
_MENTIONS = st.builds(
    Mention,
    entity=_WORDS,
    text=_WORDS,
    message=st.integers(0, 99),
    order=st.integers(0, 9),
    role=st.sampled_from(("user", "assistant")),
    noun=_WORDS,
    genders=st.sampled_from(((), ("m",), ("f", "m"))),
    numbers=st.sampled_from(((), ("s",), ("p", "s"))),
    named=st.booleans(),
    sentence=_WORDS,
)
_DISCOURSES = st.builds(
    Discourse,
    messages=st.integers(0, 10**6),
    mentions=st.lists(_MENTIONS, max_size=3).map(tuple),
    offered=st.lists(_WORDS, max_size=3).map(tuple),
    offered_at=st.integers(-1, 99),
    frame=st.none()
    | st.builds(
        Frame,
        text=_WORDS,
        language=_WORDS,
        spans=st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9), _WORDS, _WORDS), max_size=2).map(tuple),
    ),
    frame_at=st.integers(-1, 99),
    pending=st.none()
    | st.builds(
        Pending,
        question=_WORDS,
        start=st.integers(0, 9),
        end=st.integers(0, 9),
        options=st.lists(_WORDS, max_size=3).map(tuple),
    ),
    recent=st.lists(st.tuples(st.sampled_from(("user", "assistant")), _WORDS), max_size=2).map(tuple),
    language=_WORDS,
)


@given(discourse=_DISCOURSES)
def test_a_stored_discourse_comes_back_as_it_was(discourse: Discourse) -> None:
    assert Discourse.from_json(discourse.to_json()) == discourse


@pytest.mark.parametrize("code", codes())
def test_a_discourse_of_a_conversation_comes_back_as_it_was(code: str) -> None:
    discourse = after(code, _SAID[code], _CATALOG)
    assert discourse.mentions
    assert discourse.frame is not None
    assert len(discourse.offered) == 2
    assert Discourse.from_json(discourse.to_json()) == discourse


def test_stored_text_is_readable_json_with_its_version() -> None:
    stored = after("ar", _SAID["ar"], _CATALOG).to_json()
    assert json.loads(stored)["version"] == VERSION
    assert "المصباح" in stored


@pytest.mark.parametrize(
    "stored",
    [
        "",
        "null",
        "[]",
        "{",
        '"text"',
        "{}",
        json.dumps({"version": VERSION}),
        json.dumps({"version": VERSION, "messages": "many"}),
        Discourse(messages=7).to_json().replace(f'"version":{VERSION}', f'"version":{VERSION + 1}'),
        Discourse(messages=7).to_json().replace('"mentions":[]', '"mentions":[{"entity":"x"}]'),
        Discourse(messages=7).to_json().replace('"mentions":[]', '"mentions":[3]'),
        Discourse(messages=7).to_json().replace('"pending":null', '"pending":{"question":"x"}'),
        Discourse(messages=7).to_json().replace('"frame":null', '"frame":[1]'),
        Discourse(messages=7).to_json().replace('"recent":[]', '"recent":[["user"]]'),
    ],
)
def test_what_cannot_be_read_starts_afresh(stored: str) -> None:
    assert Discourse.from_json(stored) == Discourse()


@pytest.mark.parametrize("code", codes())
def test_the_size_does_not_grow_with_the_conversation(code: str) -> None:
    discourse = Discourse()
    sizes = []
    for number in range(500):
        role = "assistant" if number % 2 else "user"
        text = f"{_SAID[code][number % 2]} Zelia {number}00. " + "x" * (2 * MESSAGE_LENGTH)
        discourse = observe(discourse, role, text, language=code, catalogs=(_CATALOG,))
        sizes.append(len(discourse.to_json()))
    assert discourse.messages == 500
    assert len(discourse.mentions) <= MENTIONS
    assert len(discourse.recent) == MESSAGES
    assert all(len(text) <= MESSAGE_LENGTH for _, text in discourse.recent)
    assert max(sizes[250:]) <= 1.1 * max(sizes[50:250])


def test_a_message_that_lists_very_many_things_leaves_a_bounded_discourse() -> None:
    listed = ", ".join(f"Zelia {number}" for number in range(3000))
    discourse = observe(Discourse(), "user", f"Compare {listed} and Velda 12.", language="en", catalogs=(_CATALOG,))
    assert len(discourse.mentions) <= MENTIONS
    assert len(discourse.to_json()) < 100_000


def test_what_stands_far_down_in_a_message_is_not_read() -> None:
    long = "Velda 12. " + "and so on " * 1000 + "Velda 14."
    discourse = observe(Discourse(), "user", long, language="en", catalogs=(_CATALOG,))
    assert [mention.entity for mention in discourse.mentions if mention.known] == ["Velda 12"]
    assert discourse.frame is None


def test_a_new_question_withdraws_what_was_asked_back() -> None:
    waiting = replace(Discourse(), pending=Pending("How much is it?", 12, 14, ("Velda 12", "Velda 14")))
    answered = observe(waiting, "user", "Never mind.", language="en", catalogs=(_CATALOG,))
    assert answered.pending is None


@pytest.mark.parametrize("answer", ["Velda 14", "the Velda 14", "14", "the second one"])
def test_an_answer_to_what_was_asked_back_completes_the_question(answer: str) -> None:
    said = after("en", ("Tell me about the Velda 12 and the Velda 14.", "Both are lamps."), _CATALOG)
    waiting = replace(said, pending=Pending("How much is it?", 12, 14, ("Velda 12", "Velda 14")))
    resolution = resolve(answer, waiting, catalog=_CATALOG, language="en")
    assert resolution.status == "resolved"
    assert resolution.links[0].entities == ("Velda 14",)
    assert resolution.standalone in ("How much is Velda 14?", "How much is the Velda 14?")
