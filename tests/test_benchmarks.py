"""What the benchmarks compare with does what its name says, and a benchmark without its cases is skipped."""

from __future__ import annotations

import doctest
import random
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from benchmarks import (
    baselines,
    compare_baselines,
    hostile,
    page_load,
    resolved_questions,
    thirty_people,
    time_resolution,
    xquad,
)
from benchmarks.baselines import Conversation, Rewrite
from benchmarks.scoring import find_below
from memory import NameIndex
from memory.store.conversations import LOCAL_PERSON, Conversations
from memory.store.database import open_database
from rag.events import Hit, Passage
from rag.turns import turn_of

ROOT = Path(__file__).resolve().parent.parent
SAID = [
    {"role": "user", "text": "Is the Velda 12 in stock?"},
    {"role": "assistant", "text": "The Velda 12 is sold out; the Velda 14 is in stock."},
]
LAMPS = [{"name": "Velda 12", "type": "PRODUCT"}, {"name": "Velda 14", "type": "PRODUCT", "aliases": ["V14"]}]
CASE = {"id": "a", "lang": "en", "catalog": LAMPS, "history": SAID, "question": "How heavy is it?"}
# A scorer of the shape that the cases' folder brings: right is what gives the standalone question word for word.
SCORER = """
import json
def read_cases(path):
    return [json.loads(line) for line in open(path, encoding="utf-8") if line.strip()]
def judge(case, result):
    return result["standalone"] == case["standalone"][0], ""
def figure(cases, results, right):
    assert not any("ms" not in result for result in results)
    return {"right": sum(right) / len(right), "false_rewrites": 0.0, "links": 1.0}
"""


def spoken(question: str, language: str = "en", *named: str, here: tuple[str, ...] = ()) -> Conversation:
    return Conversation(question, language, (("user", "Hello."), ("assistant", "Hello!")), named, here)


@pytest.mark.parametrize("module", [baselines, hostile, resolved_questions, time_resolution])
def test_the_examples_of_the_benchmarks_run(module: ModuleType) -> None:
    failed, tried = doctest.testmod(module)
    assert tried
    assert not failed


def test_a_conversation_has_its_names_in_the_order_of_their_last_mention() -> None:
    read = baselines.read_conversation(CASE)
    assert read.named == ("Velda 12", "Velda 14")
    assert read.here == ()
    again = {**CASE, "history": [*SAID, {"role": "user", "text": "And the Velda 12 next week?"}]}
    assert baselines.read_conversation(again).named == ("Velda 14", "Velda 12")
    assert baselines.read_conversation({**CASE, "question": "And the V14?"}).here == ("Velda 14",)


def test_the_substring_replacer_replaces_within_words_and_only_what_is_written_as_listed() -> None:
    within = baselines.replace_substrings(spoken("Does the kit fit it?", "en", "Velda 12"))
    assert within.standalone == "Does the kVelda 12 fit it?"
    assert within.links == ((10, 12, "Velda 12"),)
    capital = baselines.replace_substrings(spoken("It is late", "en", "Velda 12"))
    assert capital == Rewrite("It is late")
    assert baselines.replace_substrings(spoken("How heavy is it?")) == Rewrite("How heavy is it?")


def test_the_substring_replacer_tells_places_of_the_question_as_received() -> None:
    question = "it, or that?"
    made = baselines.replace_substrings(spoken(question, "en", "Velda 12"))
    assert made.standalone == "Velda 12, or Velda 12?"
    assert [question[start:end] for start, end, _ in made.links] == ["it", "that"]
    nested = baselines.replace_substrings(spoken("Is it new?", "en", "Goodthat 3"))
    assert (nested.standalone, nested.links) == ("Is GoodGoodthat 3 3 new?", ((3, 5, "Goodthat 3"),))


def test_the_last_entity_takes_a_pronoun_a_possessive_or_the_end() -> None:
    ends = {
        "How heavy is it?": "How heavy is Velda 14?",
        "What is its weight?": "What is its (Velda 14) weight?",
        "And the weight?": "And the weight (Velda 14)?",
        "Is that title fit?": "Is Velda 14 title fit?",
    }
    for question, standalone in ends.items():
        made = baselines.take_last(spoken(question, "en", "Velda 12", "Velda 14"))
        assert made.standalone == standalone
        assert all(name == "Velda 14" for _, _, name in made.links)
    assert baselines.take_last(spoken("كم وزنه؟", "ar", "Velda 14")).standalone == "كم وزنه (Velda 14)؟"


def test_the_last_entity_leaves_alone_what_names_something_and_what_has_nothing_before_it() -> None:
    named = spoken("Is the Velda 12 better than it?", "en", "Velda 14", here=("Velda 12",))
    assert baselines.take_last(named) == Rewrite(named.question)
    assert baselines.take_last(spoken("How heavy is it?")) == Rewrite("How heavy is it?")


def test_glued_turns_are_the_person_s_and_tell_no_place() -> None:
    made = baselines.glue_turns(baselines.read_conversation(CASE))
    assert made == Rewrite("Is the Velda 12 in stock? How heavy is it?", told=False)


def test_langchain_asks_its_model_only_where_there_is_a_history() -> None:
    pytest.importorskip("langchain_classic", reason="requirements-benchmarks.txt is not installed")
    rewrite = baselines.rewrite_by_langchain("How heavy is the Velda 14?", delay=0)
    assert rewrite(baselines.read_conversation(CASE)).standalone == "How heavy is the Velda 14?"
    assert rewrite(Conversation("How heavy is it?", "en")).standalone == "How heavy is it?"


def test_a_result_is_what_the_scorers_read() -> None:
    conversation = spoken("How heavy is it?", "en", "Velda 14")
    result = baselines.as_result(conversation, baselines.take_last(conversation))
    assert (result["status"], result["standalone"]) == ("resolved", "How heavy is Velda 14?")
    assert result["references"] == [{"text": "it", "start": 13, "end": 15, "entities": ["Velda 14"]}]
    assert baselines.as_result(conversation, Rewrite(conversation.question))["status"] == "unchanged"


def test_every_way_is_judged_by_the_folder_s_own_scorer(tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text(SCORER, encoding="utf-8")
    judge = compare_baselines.load_scorer(tmp_path / "own.py")
    case = {**CASE, "standalone": ["How heavy is Velda 14?"]}
    last = compare_baselines.measure(judge, compare_baselines.theirs(lambda _: baselines.take_last), {"en": [case]})
    assert (last["right"], last["en"], last["links"]) == (1.0, 1.0, 1.0)
    glued = compare_baselines.measure(judge, compare_baselines.theirs(lambda _: baselines.glue_turns), {"en": [case]})
    assert glued["right"] == 0.0
    assert glued["links"] != glued["links"], "where nobody can tell a place there is no figure"


def test_ours_sees_no_gold_value() -> None:
    unwritable = {"standalone": object(), "references": object(), "status": object()}  # JSON has no such thing
    result = compare_baselines.ours(None)({**CASE, "question": "How heavy is the V14?", **unwritable})
    assert result["standalone"] == "How heavy is the V14?"
    assert not set(compare_baselines.GIVEN) & {"standalone", "references", "status", "note", "kind"}


def test_the_lead_is_over_the_best_way_that_asks_no_model() -> None:
    names = (*compare_baselines.OFFLINE, compare_baselines.OURS)
    rights = dict(zip(names, (0.1, 0.3, 0.2, 0.8), strict=True))
    led = compare_baselines.with_leads({name: {"right": right} for name, right in rights.items()})
    assert led[compare_baselines.OURS]["lead"] == pytest.approx(0.5)


def test_a_floor_of_one_row_looks_at_that_row_alone() -> None:
    figures = {"ours": {"right": 0.8}, "theirs": {"right": 0.2}, "all": {"right": 0.5}}
    assert find_below(figures, {"ours/right": 0.7}) == []
    assert len(find_below(figures, {"ours/right": 0.9})) == 1
    assert [line.split(":")[0] for line in find_below(figures, {"right": 0.7})] == ["theirs"]
    assert [line.split(":")[0] for line in find_below(figures, {"<all/right": 0.4})] == ["all"]


def test_invented_names_are_as_many_as_asked_for_and_the_same_each_time() -> None:
    names = time_resolution.invent_names(500, random.Random(time_resolution.SEED))
    assert len(NameIndex.of(names).names) == 500
    assert names == time_resolution.invent_names(500, random.Random(time_resolution.SEED))
    assert {name.type for name in names} == {"PERSON", "PRODUCT"}


def test_growth_is_the_longest_conversation_over_the_shortest() -> None:
    times = {turns: [float(turns)] for turns in time_resolution.TURNS}
    rows = time_resolution.as_figures({"rules": times})
    assert (rows["rules"]["growth"], rows["rules"]["growth_10"]) == (50.0, 10.0)
    assert rows["rules, 10 turns"] == {"p50_ms": 10.0, "p95_ms": 10.0}


def test_retrieval_is_measured_by_the_rank_of_the_right_document() -> None:
    row = xquad.measure({"dense": [1, 2, 0, 6], "lexical": [0, 1, 1, 1], "fused": [1, 1, 2, 1]})
    assert (row["dense_r1"], row["dense_r5"], row["dense_mrr"]) == (0.25, 0.5, pytest.approx((1 + 1 / 2 + 1 / 6) / 4))
    assert row["lead"] == pytest.approx(0.0), "the least lead of the three: recall at 1 is that of the lexical leg"


def test_the_documents_of_each_leg_come_by_its_own_scores() -> None:
    hits = [
        Hit(Passage("1", "b", "x"), 0.9, (("dense standalone", 0.8), ("lexical standalone", 0.1))),
        Hit(Passage("2", "a", "y"), 0.8, (("dense standalone", 0.9),)),
        Hit(Passage("3", "b", "z"), 0.7, (("lexical standalone", 0.3),)),
    ]
    assert xquad.rank(hits) == {"dense": ("a", "b"), "lexical": ("b",), "fused": ("b", "a")}


def test_questions_that_a_human_rewrote_are_counted_apart() -> None:
    turns = [
        {"user": "How heavy is the Velda 12?", "standalone": "how heavy is the Velda 12", "gold_docs": ["a.md"]},
        {"user": "And its price?", "standalone": "What does the Velda 12 cost?", "gold_docs": ["a.md", "b.md"]},
        {"user": "Thanks!", "standalone": "Thanks!"},
        {"user": "Which one?", "standalone": "Which one?", "gold_docs": ["a.md"], "expects": "clarify"},
    ]
    results = [
        {"id": 1, "turn": n, "standalone": turn["user"], "lang": "en", "retrieved": ["x/b.md", "b.md"]}
        for n, turn in enumerate(turns)
    ]
    asked = list(resolved_questions.read_asked([{"id": 1, "turns": turns}], results))
    assert [each.depends for each in asked] == [False, True]
    assert [resolved_questions.recall(each.gold, each.retrieved, 5) for each in asked] == [0.0, 0.5]


def test_thirty_people_share_no_value_and_no_part_of_one() -> None:
    people = thirty_people.invent(30, 1)
    values = [value for person in people for value in person.own]
    assert len(values) == len(set(values)) == 120
    assert [(a, b) for a in values for b in values if a is not b and a in b] == []
    assert all(value in person.document() for person in people for value in (person.product, person.price))


def test_what_somebody_was_sent_of_another_is_found() -> None:
    one, two = thirty_people.invent(2, 1)
    one.sent, two.sent = [one.document().encode(), two.order.encode()], [two.document().encode()]
    assert thirty_people.crossed([one, two]) == [f"person-0 was sent {two.order} of person-1"]


def test_the_last_answer_of_a_long_conversation_has_its_mark_and_no_other_has(tmp_path: Path) -> None:
    conversation = page_load.keep(tmp_path, 5)
    turns = Conversations(open_database(tmp_path)).turns(conversation, LOCAL_PERSON)
    answers = [made.answer.text if (made := turn_of(kept)).answer else "" for kept in turns]
    assert [page_load.mark(5) in answer for answer in answers] == [False, False, False, False, True]
    assert all(len(turn_of(kept).hits) == 8 for kept in turns)


SKIPPED = [
    ("compare_baselines", [], "baselines: skipped, no score_references.py"),
    ("compare_baselines", ["no such folder"], "baselines: skipped, no score_references.py"),
    ("xquad", [], "xquad: skipped, no xquad/*.jsonl"),
    ("resolved_questions", ["no such folder"], "resolved: skipped, no conversations/*/conversations.jsonl"),
]


@pytest.mark.parametrize(("name", "arguments", "said"), SKIPPED)
def test_a_benchmark_without_its_cases_says_so_and_ends_with_nought(name: str, arguments: list[str], said: str) -> None:
    command = [sys.executable, "-m", f"benchmarks.{name}", *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(said)
