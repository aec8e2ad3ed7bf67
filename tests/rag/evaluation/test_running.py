"""Cases are run through the resolver and the whole pipeline, each conversation over its own documents."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from languages import codes, load
from memory.store.database import open_database
from rag.evaluation.casefiles import Conversation, Turn, read_cases
from rag.evaluation.judging import is_crossing
from rag.evaluation.page import render
from rag.evaluation.results import Results, as_json, resolution_rows, turn_rows
from rag.evaluation.running import Runner
from rag.replay import SHELF, Replay
from rag.settings import read_settings
from rag.shelf.owners import Owner
from rag.shelf.shelf import Library
from tests.rag.shelf.fakes import HashEmbedder
from tests.rag.shop import TALKS, write_shop

HOSTILE = "<script>alert(1)</script>"
QUESTIONS: list[dict[str, Any]] = [
    {
        "id": "complete",
        "lang": "en",
        "kind": "complete",
        "question": "How do I cancel my subscription?",
        "status": "unchanged",
    },
    {
        "id": "its",
        "lang": "en",
        "kind": "possessive",
        "catalog": [{"name": "Norda Halo", "type": "PRODUCT"}],
        "history": [{"role": "user", "text": "How much does the Norda Halo cost?"}],
        "question": "And what is its warranty?",
        "status": "resolved",
        "references": [{"text": "its", "entities": ["Norda Halo"]}],
        "standalone": ["And what is the Norda Halo's warranty?"],
    },
    {
        "id": "wrong",
        "lang": "de",
        "kind": "possessive",
        "history": [{"role": "user", "text": f"Was kostet die Brenta 4? {HOSTILE}"}],
        "question": f"Und ihre Garantie? {HOSTILE}",
        "status": "resolved",
        "references": [{"text": "ihre", "entities": ["Quersa 9"]}],
        "standalone": ["Und die Garantie der Quersa 9?"],
    },
]


def conversations() -> list[dict[str, Any]]:
    """Return a conversation a language over the shop, right in its first two turns and wrong in its last."""
    return [
        {
            "id": f"talk-{talk.language}",
            "lang": talk.language,
            "turns": [
                {"user": talk.question, "gold_answer_any": [talk.answer], "gold_docs": ["kestrel-12.md"]},
                {"user": talk.follow_up, "gold_answer_any": [talk.second], "standalone": talk.understood},
                {"user": talk.question, "judge": False},
                {"user": talk.question, "gold_answer_any": ["nothing of the kind"]},
            ],
        }
        for talk in TALKS
    ]


@pytest.fixture
def runner(tmp_path: Path) -> Runner:
    @contextmanager
    def open_replay(documents: Path | None) -> Iterator[Replay]:
        assert documents == tmp_path / "shop" / "docs"
        database, embedder = open_database(tmp_path / "index"), HashEmbedder()
        library = Library(database, embedder, tmp_path / "index")
        list(library.ingest([documents], Owner("shelf", SHELF)))
        yield Replay(library, embedder, read_settings())
        library.close()
        database.close()

    return Runner(open_replay)


@pytest.fixture
def cases(tmp_path: Path) -> Path:
    write_shop(tmp_path / "shop" / "docs", *codes())
    lines = [json.dumps(case, ensure_ascii=False) for case in (*QUESTIONS, *conversations())]
    (tmp_path / "shop" / "cases.jsonl").write_text("\n".join([*lines, "{broken"]), encoding="utf-8")
    return tmp_path / "shop"


@pytest.fixture(scope="module")
def made() -> list[Results]:
    """Return where the results are kept that the tests of this file look at."""
    return []


@pytest.fixture
def results(runner: Runner, cases: Path, made: list[Results]) -> Results:
    if not made:
        made.append(runner.run(read_cases(cases), {"embedding": "bundled"}))
    return made[0]


def figures(rows: Any, language: str, kind: str) -> Any:
    (found,) = [row.figures for row in rows if (row.language, row.kind) == (language, kind)]
    return found


def test_there_is_a_row_a_language_and_a_kind_and_one_for_all(results: Results) -> None:
    rows = resolution_rows(results)
    assert [(row.language, row.kind) for row in rows] == [
        ("", ""), ("", "complete"), ("", "possessive"),
        ("en", ""), ("en", "complete"), ("en", "possessive"),
        ("de", ""), ("de", "possessive"),
    ]  # fmt: skip
    assert figures(rows, "", "")["cases"] == 3
    assert figures(rows, "", "")["right"] == pytest.approx(2 / 3)
    assert figures(rows, "en", "possessive")["links"] == 1
    assert figures(rows, "en", "possessive")["standalone_f1"] == 1
    assert figures(rows, "en", "complete")["false_rewrites"] == 0
    assert figures(rows, "de", "")["right"] == 0
    assert figures(rows, "de", "")["asked_when_due"] is None, "nothing was due"


def test_turns_count_for_what_was_expected_of_them(results: Results) -> None:
    rows = turn_rows(results)
    assert figures(rows, "", "")["turns"] == 3 * len(TALKS), "a turn that is not judged is said and not counted"
    assert figures(rows, "", "")["lang"] == 1
    assert figures(rows, "", "first_turn")["recall_at_5"] == 1
    assert figures(rows, "", "first_turn")["cited"] == 1
    assert figures(rows, "", "later_turn")["recall_at_5"] is None
    for code in codes():
        assert figures(rows, code, "first_turn")["right"] == 1, code
        assert figures(rows, code, "later_turn")["right"] == pytest.approx(1 / 2), code
        assert figures(rows, code, "")["ms"] > 0


def told(*turns: dict[str, Any], number: int = -1) -> bool:
    talk = Conversation.model_validate({"id": "t", "lang": "en", "turns": list(turns)})
    return talk.is_told(number % len(turns))


def test_only_what_the_person_has_said_before_counts_as_said_by_them() -> None:
    said = {"user": "My budget is £900, and I live in Kelsbury."}
    assert told(said, {"user": "What is my budget?", "gold_answer_any": ["800 €", "£900"]})
    assert told(said, {"user": "Sum me up.", "gold_answer_all": ["900", "Kelsbury"]})
    assert not told(said, {"user": "Sum me up.", "gold_answer_all": ["900", "Wrenfold"]})
    assert not told(said, {"user": "What is my budget?", "gold_answer_any": ["£900"], "gold_docs": ["a.md"]})
    assert not told(said, {"user": "What is my budget?", "expects": "no_answer", "gold_answer_any": ["£900"]})
    assert not told(said, {"user": "How much is the Esker 14?", "gold_answer_any": ["£799"]})
    assert not told(said, {"user": "And now?"})
    assert not told({"user": "Is £900 my budget?", "gold_answer_any": ["£900"]}), "not said before"


def test_the_answer_to_a_question_back_is_not_said_by_the_person() -> None:
    asked = {"user": "How much is the Esker 14 of 2025, £799?", "expects": "clarify"}
    assert not told(asked, {"user": "The 2025 one.", "gold_answer_any": ["£799"]})
    assert told(asked, {"user": "The 2025 one."}, {"user": "What did I say it costs?", "gold_answer_any": ["£799"]})


def test_a_message_crosses_languages_where_the_right_documents_are_in_others_alone() -> None:
    documents = {"a.md": "en", "sub/b.md": "fr", "c.csv": ""}

    def crossing(language: str, *right: str, documents: dict[str, str] = documents) -> bool:
        return is_crossing(Turn(user="Q?", gold_docs=right), language, documents)

    assert not crossing("en", "a.md")
    assert crossing("fr", "a.md")
    assert not crossing("fr", "b.md")
    assert not crossing("fr", "a.md", "b.md"), "one of the right ones is in its language"
    assert crossing("ar", "a.md", "b.md")
    assert not crossing("ar", "c.csv"), "nothing tells its language"
    assert not crossing("fr")
    assert crossing("ar", documents={"a.md": "en"})
    assert crossing("ar", "gone.md", documents={"a.md": "en"})
    assert not crossing("ar", documents={})


def test_a_failure_carries_what_happened_at_each_stage(results: Results) -> None:
    plain = json.loads(json.dumps(as_json(results)))
    assert [(each["file"], each["line"]) for each in plain["problems"]] == [("cases.jsonl", 8)]
    assert len(plain["failures"]) == 1 + len(TALKS)
    question, talk, *_ = plain["failures"]
    assert (question["id"], question["why"]) == ("wrong", "lacks")
    assert question["expected"]["entities"] == ["Quersa 9"]
    assert (talk["turn"], talk["why"]) == (3, "missing_any")
    assert talk["expected"] == {"gold_answer_any": ["nothing of the kind"]}
    assert set(talk["result"]) >= {"standalone", "links", "passages", "answer", "citations"}
    assert all({"document", "score", "text"} <= set(passage) for passage in talk["result"]["passages"])
    assert plain["settings"] == {"embedding": "bundled"}


@pytest.mark.parametrize("code", codes())
def test_the_page_stands_alone_and_shows_text_as_text(results: Results, code: str) -> None:
    texts = load(code)
    page = render(results, texts, made=datetime(2026, 5, 4, 12, tzinfo=UTC))
    assert page.startswith(f"<!doctype html>\n<html lang='{code}' dir='{texts.direction}'>")
    assert "<script" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    for reaching in ("http:", "https:", "src=", "href=", "@import", "url("):
        assert reaching not in page
    assert "default-src 'none'" in page
    assert "prefers-color-scheme: dark" in page
    assert "width=device-width" in page
    for key in ("title", "failures", "problems", "all", "figure.right", "stage.passages", "stage.expected"):
        assert texts.text(f"evaluation.{key}") in page, key
    assert page.count("<details>") == 1 + len(TALKS)


def test_the_page_shows_each_stage_of_a_failed_turn(results: Results) -> None:
    page = render(results, load("en"), made=datetime(2026, 5, 4, 12, tzinfo=UTC))
    last = page[page.index("talk-en") :]
    last = last[: last.index("</details>")]
    for said in (TALKS[0].question, TALKS[0].follow_up, "840", "nothing of the kind", "kestrel-12.md", "dense", "ms"):
        assert said in last, said


def test_progress_reaches_the_end(runner: Runner, cases: Path) -> None:
    shares: list[float] = []
    Runner(runner.open_replay, progress=shares.append).run(read_cases(cases))
    assert shares == sorted(shares)
    assert shares[-1] == 1


def test_a_turn_that_fails_is_wrong_and_says_why(runner: Runner, cases: Path) -> None:
    talk = {"id": "t", "lang": "en", "turns": [{"user": "?!"}, {"user": TALKS[0].question}]}
    (cases / "cases.jsonl").write_text(json.dumps(talk), encoding="utf-8")
    results = runner.run(read_cases(cases))
    assert [each.verdict.right for each in results.answered] == [False, True]
    assert "without words" in results.failures[0].verdict.values["reason"]
    assert "without words" in render(results, load("en"), made=datetime(2026, 5, 4, 12, tzinfo=UTC))
    assert json.dumps(as_json(results))
