"""The page on which a pilot's cases are run, and its staff reads what people asked in vain and said of answers."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from languages import codes, load
from memory.store.thumbs import Thumbs
from memory.store.unanswered import UnansweredQuestions
from rag.evaluation.casefiles import read_cases
from rag.pages.listed import as_lines, counted
from rag.pages.measured import LARGEST_MB, SHOWN, Measured, exported
from tests.pages.app_under_test import open_scripted
from tests.pages.drawing import bare, drawn, shown
from tests.pages.fakes import CASES, FakeApplication
from tests.pages.piloted import PILOTS, cases, rate, write_cases


def script() -> None:
    from rag.pages.evaluate import evaluate
    from tests.pages.app_under_test import open_scripted

    evaluate(open_scripted)


def html(page: AppTest) -> str:
    return "\n".join(element.proto.body for element in page.get("html"))


def run(page: AppTest, content: bytes, name: str = "mine.jsonl") -> AppTest:
    page.file_uploader(key="cases").upload(name, content).run()
    page.button(key="run-cases").click().run()
    assert not page.exception
    return page


@pytest.mark.parametrize("code", codes())
def test_uploaded_cases_are_run_and_reported(application: FakeApplication, code: str) -> None:
    texts, pilot = load(code), PILOTS[code]
    page = drawn(script, code)
    assert page.button(key="run-cases").disabled
    run(page, cases(code))
    assert [len(file.questions) + len(file.conversations) for file in application.measured[0]] == [2]
    said = shown(page)
    for key in ("evaluation.title", "evaluation.conversations", "evaluation.resolution", "evaluation.problems"):
        assert texts.text(key) in said + "\n".join(each.value for each in page.subheader), key
    assert {each.label: each.value for each in page.metric}[texts.text("evaluation.figure.recall_at_5")]
    tables = html(page)
    assert tables.count("<table>") == 2
    assert f"dir='{texts.direction}'" in tables
    assert texts.text("evaluation.kind.later_turn") in tables
    failures = [each for each in page.expander if each.proto.id.endswith(tuple(f"failure-{n}" for n in range(9)))]
    labels = [bare(each.label) for each in page.expander]
    assert len(failures) in (0, 2)
    assert any(pilot.talk[1][0] in label for label in labels)
    assert any(str(pilot.question["question"]) in label for label in labels)
    for stage in ("standalone", "answer", "citations", "expected", "passages"):
        assert texts.text(f"evaluation.stage.{stage}") in tables, stage
    assert pilot.talk[1][1] in tables, "what was expected"


def test_what_cases_say_is_shown_as_text(application: FakeApplication) -> None:
    hostile = "<script>alert(1)</script> ![x](http://evil.example/p) :red[no]"
    turns = [{"user": hostile, "gold_answer_any": ["x"]}]
    page = run(drawn(script), json.dumps({"id": hostile, "lang": "en", "turns": turns}).encode())
    assert "<script" not in html(page)
    assert "&lt;script&gt;alert" in html(page)
    (label,) = [each.label for each in page.expander]
    assert r"\!\[x\]\(" in label
    assert r"\:red\[" in label


def test_the_cases_that_a_setting_names_are_offered_first(tmp_path: Path) -> None:
    import streamlit as st

    st.cache_resource.clear()
    write_cases(tmp_path / "referent-data" / CASES, "en", "de")
    page = drawn(script)
    application = open_scripted()
    assert page.radio(key="cases-from").value == "given"
    assert CASES in bare(page.radio(key="cases-from").options[0])
    page.button(key="run-cases").click().run()
    assert [len(file.conversations) for file in application.measured[0]] == [2]
    page.radio(key="cases-from").set_value("upload").run()
    assert page.button(key="run-cases").disabled
    assert len(page.metric) > 0, "the report of the last run stays"


def test_a_file_without_cases_or_too_large_is_said_and_not_run(application: FakeApplication) -> None:
    page = drawn(script)
    page.file_uploader(key="cases").upload("notes.jsonl", b"\n\n").run()
    assert load("en").text("error.cases_missing", {"name": "notes.jsonl"}) in shown(page)
    assert page.button(key="run-cases").disabled
    page = drawn(script)
    page.file_uploader(key="cases").upload("large.jsonl", b" " * (LARGEST_MB * 1_000_000 + 1)).run()
    assert page.button(key="run-cases").disabled
    assert bare(load("en").text("error.import_too_large", {"name": "large.jsonl", "limit": "20"})) in shown(page)


def test_failures_are_drawn_a_few_at_a_time_and_all_right_is_said(application: FakeApplication) -> None:
    talk = {"lang": "en", "turns": [{"user": "How much is the Veltara 13?", "gold_answer_any": ["9 $"]}]}
    lines = [json.dumps({"id": f"t{number}", **talk}) for number in range(SHOWN + 2)]
    page = run(drawn(script), "\n".join(lines).encode())
    assert len(page.expander) == SHOWN
    page.button(key="more-failures").click().run()
    assert len(page.expander) == SHOWN + 2
    right = {"id": "r", "lang": "en", "turns": [{"user": "How much is the Veltara 13?", "gold_answer_any": ["£1,199"]}]}
    page = run(drawn(script), json.dumps(right).encode())
    assert load("en").text("evaluation.no_failures") in shown(page)


def test_the_report_is_downloaded_as_a_page_and_as_json(application: FakeApplication, tmp_path: Path) -> None:
    (tmp_path / "mine.jsonl").write_bytes(cases("ar"))
    results = application.measure(read_cases(tmp_path / "mine.jsonl"), lambda _: None)
    measured = Measured(results, datetime(2026, 5, 4, 12, tzinfo=UTC))
    page = exported(load("ar"), measured, "html").decode()
    assert page.startswith("<!doctype html>\n<html lang='ar' dir='rtl'>")
    found = json.loads(exported(load("ar"), measured, "json"))
    assert len(found["failures"]) == 2
    assert found["settings"] == {"embedding": "bundled"}


@pytest.mark.parametrize("code", codes())
def test_unanswered_questions_are_listed_and_taken_off(application: FakeApplication, code: str) -> None:
    rate(application.database, *codes())
    texts, (question, standalone, nearest) = load(code), PILOTS[code].vain
    page = drawn(script, code)
    said = shown(page)
    assert question in said
    assert bare(texts.text("chat.understood", {"question": standalone})) in said
    assert bare(texts.text("unanswered.nearest", {"document": nearest})) in said
    page.button(key=f"seen-to-vain-{code}").click().run()
    assert question not in shown(page)
    listed = UnansweredQuestions(application.database).list(shelves=("shared",))
    assert [each.turn for each in listed] == [f"vain-{other}" for other in reversed(codes()) if other != code]


def test_a_question_that_another_tab_has_taken_off_is_said_so(application: FakeApplication) -> None:
    rate(application.database, "en")
    page = drawn(script)
    application.unanswered.remove("vain-en")
    page.button(key="seen-to-vain-en").click().run()
    assert load("en").text("error.turn_not_found") in shown(page)
    assert load("en").text("unanswered.empty") in shown(page)


@pytest.mark.parametrize("code", codes())
def test_what_people_said_is_counted_and_opened_one_by_one(application: FakeApplication, code: str) -> None:
    rate(application.database, code)
    texts, (rated, answer, note) = load(code), PILOTS[code].rated
    page = drawn(script, code)
    said = shown(page)
    labels = [bare(each.label) for each in page.expander]
    assert len(labels) == 2
    (wrong,) = [label for label in labels if rated in label]
    assert texts.text("thumbs.fact") in wrong
    assert bare(answer) in said
    assert bare(texts.text("label.fact", {"attribute": texts.text("thumbs.note"), "value": note})) in said
    page.toggle(key="only-wrong").set_value(True).run()
    assert [bare(each.label) for each in page.expander] == [wrong]
    given = Thumbs(application.database).list()
    assert counted(texts, given) == tuple((texts.text(f"thumbs.{key}"), 1) for key in ("up", "down", "fact"))


def test_both_lists_are_exported_as_cases(application: FakeApplication, tmp_path: Path) -> None:
    from rag.evaluation.exporting import thumbs_as_cases, unanswered_as_cases

    rate(application.database, "de")
    vain = application.unanswered.list(shelves=("shared",))
    (tmp_path / "a.jsonl").write_bytes(as_lines(unanswered_as_cases(vain, application.conversations)))
    (tmp_path / "b.jsonl").write_bytes(as_lines(thumbs_as_cases(application.thumbs.list(), application.conversations)))
    files = read_cases(tmp_path)
    assert [(len(file.conversations), file.problems) for file in files] == [(1, ()), (1, ())]
