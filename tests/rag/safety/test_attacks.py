"""Texts of documents, names and answers stay texts, whatever they are after (``attacks.toml``), in the real parts."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from languages import codes, load
from memory.types import Fact
from rag.answer.citations import CitationChecker, check
from rag.pages.documents import safe_name
from rag.pages.marks import plain, rich
from rag.prompt import PromptRequest, render
from rag.shelf.records import all_names
from rag.terminal import visible
from tests.pages.fakes import TURN
from tests.pages.test_marks import ACTIVE, tokens
from tests.rag.safety.scenes import ATTACKS, NONCE, SHARED, Attack, Scene, play

FENCED = re.compile(rf"<<<{NONCE} [^\n]*\n.*?\n{NONCE}>>>", re.DOTALL)
# What Streamlit and a browser's Markdown act on beyond CommonMark, where no backslash stands before it.
BEYOND = re.compile(r"https?://|www\.\w|\w@\w+\.\w|\$|:(?:red|primary)\[|:material/|:streamlit:|```mermaid")
OURS = {"\u2060", "\u2066", "\u2067", "\u2068", "\u2069", "\u200e", "\u200f"}  # joiners and isolates that the page adds

Scenes = Callable[[str], Scene]
each_attack = pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.id.replace(" ", "-"))
each_answer = pytest.mark.parametrize(
    "attack", [attack for attack in ATTACKS if attack.where == "answer"], ids=lambda attack: attack.id.replace(" ", "-")
)


@pytest.fixture(scope="module")
def scenes(tmp_path_factory: pytest.TempPathFactory) -> Scenes:
    played: dict[str, Scene] = {}

    def scene(code: str) -> Scene:
        if code not in played:
            played[code] = play(code, tmp_path_factory.mktemp(code))
        return played[code]

    return scene


def active(markdown: str) -> list[str]:
    """Return what a page would act on in *markdown*; what the page itself marks is none of it."""
    found = sorted(tokens(markdown) & set(ACTIVE))
    ours = markdown.replace(":primary-background[", "")
    return [*found, *BEYOND.findall(re.sub(r"\\.", "", ours))]


def hidden(text: str) -> set[str]:
    """Return the characters of *text* that nobody sees."""
    return {
        character
        for character in text
        if (unicodedata.category(character) in ("Cf", "Cc", "Co", "Cs") and character not in "\n\t")
        or 0xFE00 <= ord(character) <= 0xFE0F
        or 0xE0100 <= ord(character) <= 0xE01EF
        or character in "\u3164\u115f\u1160\uffa0\u034f"
    }


def test_there_are_attacks_enough_in_each_language() -> None:
    assert len(ATTACKS) >= 60
    assert min(Counter(attack.lang for attack in ATTACKS).values()) >= 8
    assert {attack.lang for attack in ATTACKS} == set(codes())
    assert len({attack.id for attack in ATTACKS}) == len(ATTACKS)


@each_attack
def test_it_goes_in_as_a_text_and_is_found(scenes: Scenes, attack: Attack) -> None:
    scene = scenes(attack.lang)
    outcome = scene.outcomes[attack.id]
    assert outcome.status == "added"
    text = scene.desk.library.document_text(outcome.name, SHARED)
    assert "<script" not in text or "\\<" not in text
    if attack.where in ("document", "html", "title", "cell", "entity"):
        assert attack.mark in text
    assert any(hit.passage.document == outcome.name for hit in scene.turns[attack.id].hits)


@each_attack
def test_its_fence_is_not_broken_and_the_rules_are_unchanged(scenes: Scenes, attack: Attack) -> None:
    scene = scenes(attack.lang)
    turn = scene.turns[attack.id]
    with scene.desk.database.read() as connection:
        names = tuple(name for name in all_names(connection, [SHARED]) if str(attack.number) in name.name)
    facts = (Fact("", "name", attack.text), Fact(attack.text, "likes", "x"))
    request = PromptRequest(
        attack.question, attack.question, attack.lang, turn.hits, names, facts, tokens=6000, nonce=NONCE
    )
    system, body = (message.content for message in render(request).messages)
    bare = render(PromptRequest(attack.question, attack.question, attack.lang, nonce=NONCE))
    assert system == bare.messages[0].content
    blocks = FENCED.findall(body)
    outside = FENCED.sub("", body)
    assert blocks
    assert body.casefold().count(NONCE) == 2 * len(blocks)
    assert unicodedata.normalize("NFKC", body).casefold().count(NONCE) == 2 * len(blocks)
    assert attack.mark not in outside
    assert ">>>" not in outside
    assert "<<<" not in outside
    assert attack.question in outside
    assert load(attack.lang).text("label.answer_language") in outside
    assert not hidden(body)


@each_attack
def test_the_answer_does_not_obey_and_memory_knows_nothing_of_it(scenes: Scenes, attack: Attack) -> None:
    scene = scenes(attack.lang)
    turn = scene.turns[attack.id]
    assert turn.language == attack.lang
    assert turn.answer is not None
    if attack.where != "answer":
        assert str(attack.number) in turn.answer.text
        text = scene.desk.library.document_text(scene.outcomes[attack.id].name, SHARED)
        quotes = [each.quote for each in turn.answer.citations if each.document == scene.outcomes[attack.id].name]
        assert all(quote in text for quote in quotes)
    if attack.said:
        assert attack.said not in turn.answer.text
        assert attack.said not in turn.discourse
    assert not {character for character in hidden(visible(turn.answer.text)) if unicodedata.category(character) == "Cc"}
    assert not re.search("[\u202d\u202e\U000e0000-\U000e01ef]", visible(turn.answer.text))


@pytest.mark.parametrize("code", codes())
def test_the_answer_about_something_else_is_what_it_was(scenes: Scenes, code: str) -> None:
    scene = scenes(code)
    assert scene.calm.answer is not None
    assert scene.undisturbed.answer is not None
    assert scene.calm.answer.text == scene.undisturbed.answer.text
    assert scene.calm.discourse == scene.undisturbed.discourse
    assert [each.document for each in scene.calm.answer.citations] == ["calm.md"]


@each_answer
def test_an_answer_acts_on_nothing_at_any_moment_of_its_stream(attack: Attack) -> None:
    for size in (1, 3, 7, len(attack.text)):
        checker = CitationChecker(3)
        shown = ""
        for start in range(0, len(attack.text), size):
            shown += checker.feed(attack.text[start : start + size])
            assert not active(rich(shown)), shown
        shown += checker.end()
        assert not active(rich(shown)), shown
        assert shown == check(attack.text, 3)[0]
        assert "evil.example" not in shown or not re.search(r"\]\s*[(:\[]\s*<?http", shown)
        assert set(re.findall(r"\[(\d+)\]", shown)) <= {"1", "2", "3"}


@each_attack
def test_shown_letter_by_letter_it_acts_on_nothing(attack: Attack) -> None:
    for way in (None, "ltr", "rtl"):
        for shown in (plain(attack.text, way), rich(attack.text, way)):  # type: ignore[arg-type]
            assert not active(shown)
            assert not hidden(shown) - OURS


@each_attack
def test_as_the_name_of_an_upload_it_stays_in_its_folder(attack: Attack) -> None:
    name = safe_name(f"{attack.text}.md")
    assert not re.search(r"[/\\:\x00-\x1f<>|*?\"]", name)
    assert not hidden(name)
    assert 0 < len(name) <= 110


def drawn(path: str, code: str) -> None:
    from pathlib import Path

    import streamlit as st

    from languages import load
    from rag.pages.documents import _called
    from rag.pages.message import draw_turn
    from tests.pages.fakes import TURN, record

    for line in Path(path).read_text(encoding="utf-8").splitlines():
        turn = TURN.validate_json(line)
        draw_turn(load(code), turn, latest=False)
        for hit in turn.hits:
            st.markdown(_called(record(hit.passage.document, hit.passage.heading)))


@pytest.mark.parametrize("code", codes())
def test_the_page_shows_all_of_it_as_text(scenes: Scenes, code: str, tmp_path) -> None:
    turns = scenes(code).turns
    path = tmp_path / "turns.jsonl"
    path.write_bytes(b"\n".join(TURN.dump_json(turn) for turn in turns.values()))
    page = AppTest.from_function(drawn, args=(str(path), code)).run(timeout=120)
    assert not page.exception
    shown = [element.value for element in (*page.markdown, *page.caption)]
    shown += [element.label for element in (*page.expander, *page.button)]
    assert len(shown) > 3 * len(turns)
    for text in shown:
        bare = text.replace(":small[", "")
        assert not active(bare), text
        assert not hidden(text) - OURS, text
    letters = re.sub(r"\\(?=\W)", "", "\n".join(shown))
    for attack in ATTACKS:
        if attack.lang == code and attack.where in ("title", "file"):
            assert attack.mark in letters, attack.id
