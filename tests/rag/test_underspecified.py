"""A word for several known things is asked back about where their answers differ, and only there."""

from __future__ import annotations

from pathlib import Path

import pytest

from memory.knowledge.listening import listen
from memory.memory import EntityMemory
from rag.shelf.owners import Owner
from tests.rag.conftest import Desk

DOCUMENTS = {
    "gate-4.md": "# Orvo Gate 4\n\nThe Orvo Gate 4 is a router for flats. Hold the button for "
    "8 seconds to reset it.\n\nWarranty: 2 years\n",
    "gate-4-plus.md": "# Orvo Gate 4 Plus\n\nThe Orvo Gate 4 Plus is a router for houses. Hold the button for "
    "15 seconds to reset it.\n\nWarranty: 2 years\n",
    "delivery.md": "# Delivery\n\nDelivery takes three working days and costs £4.\n",
}


@pytest.fixture
def routers(tmp_path: Path) -> Desk:
    desk = Desk(tmp_path)
    folder = tmp_path / "papers"
    folder.mkdir()
    for name, text in DOCUMENTS.items():
        (folder / name).write_text(text, encoding="utf-8")
    assert {outcome.status for outcome in desk.library.ingest([folder], Owner("shelf", "shared"))} == {"added"}
    return desk


@pytest.mark.parametrize(
    "question",
    [
        "How many seconds must I hold the button to reset the router?",
        "I want to reset my Orvo router. How long do I hold the button?",
    ],
)
def test_two_things_called_so_are_asked_back_about_where_they_differ(routers: Desk, question: str) -> None:
    asked, told = routers.talk(question, "The Plus.", language="en")
    assert asked.clarification is not None
    assert set(asked.clarification.options) == {"Orvo Gate 4", "Orvo Gate 4 Plus"}
    assert "Orvo Gate 4 Plus" in told.resolution.standalone
    assert told.answer is not None
    assert "15 seconds" in told.answer.text


def test_a_reply_that_also_tells_something_of_the_person_is_a_reply(routers: Desk) -> None:
    question = "How many seconds must I hold the button to reset the router?"
    routers.memory = EntityMemory(routers.database, listener=listen)
    asked, told = routers.talk(question, "The Plus, it's for my daughter Leni.", language="en")
    assert asked.clarification is not None
    assert told.answer is not None
    assert "15 seconds" in told.answer.text


@pytest.mark.parametrize(
    "question",
    [
        "How long does delivery take?",
        "How many seconds must I hold the button to reset the Gate 4 Plus?",
        "Do you sell routers?",
        "Which router is for houses?",
        "How long is the warranty of the router?",
    ],
)
def test_what_names_one_or_none_or_all_is_answered(routers: Desk, question: str) -> None:
    assert routers.talk(question, language="en")[0].clarification is None


@pytest.fixture
def yard(tmp_path: Path) -> Desk:
    desk = Desk(tmp_path)
    folder = tmp_path / "yard"
    folder.mkdir()
    head = "| Work | Price |\n|---|---|\n"
    rows = f"{head}| Engine service, small | £60 |\n| Engine service, large | £95 |\n| Painting | £40 |\n"
    (folder / "prices.md").write_text(f"# The boatyard\n\n{rows}", encoding="utf-8")
    tuple(desk.library.ingest([folder], Owner("shelf", "shared")))
    return desk


def test_rows_called_so_are_asked_back_about_and_the_reply_is_answered(yard: Desk) -> None:
    asked, told = yard.talk("What does the engine service cost?", "The large one.", language="en")
    assert asked.clarification is not None
    assert set(asked.clarification.options) == {"Engine service, small", "Engine service, large"}
    assert told.answer is not None
    assert "£95" in told.answer.text
    assert "£60" not in told.answer.text


@pytest.mark.parametrize("question", ["What does the large engine service cost?", "What does painting cost?"])
def test_a_row_that_the_question_tells_apart_is_answered(yard: Desk, question: str) -> None:
    assert yard.talk(question, language="en")[0].clarification is None


def test_the_section_above_the_rows_is_none_of_them(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    folder = tmp_path / "hire"
    folder.mkdir()
    rows = "| Article | Price |\n|---|---|\n| Small mower | £9 |\n| Large mower | £14 |\n| Hedge trimmer | £7 |\n"
    text = f"# Hire\n\n## Mower and trimmer\n\n{rows}\nThe mower is picked up in the yard.\n"
    (folder / "hire.md").write_text(text, encoding="utf-8")
    tuple(desk.library.ingest([folder], Owner("shelf", "shared")))
    (asked,) = desk.talk("What does the mower cost?", language="en")
    assert asked.clarification is not None
    assert set(asked.clarification.options) == {"Small mower", "Large mower"}
