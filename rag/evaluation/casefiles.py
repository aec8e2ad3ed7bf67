"""A pilot's files of cases: JSON Lines of single questions and of whole conversations, checked line by line.

A line with ``question`` is a case of reference resolution, one with ``turns`` a conversation.  A conversation is held
over the folder ``docs`` beside its file, or, where there is none, over the documents that were ingested.  What is no
case is named with its line and the reason; the lines around it count.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from languages import codes
from memory.types import Status
from rag.cases import unknown_language
from rag.errors import CasesMissing
from rag.evaluation.matching import holds

DOCUMENTS: Final = "docs"
ENDING: Final = ".jsonl"
Expectation = Literal["answer", "clarify", "no_answer"]
_BOM: Final = "\ufeff"


class Expected(BaseModel):
    """An expression that a question refers with, "" where it leaves something out, and the names that it stands for."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    text: str = ""
    entities: tuple[str, ...] = Field(min_length=1)


class Said(BaseModel):
    """A message before the question."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    role: Literal["user", "assistant"]
    text: str


class Known(BaseModel):
    """A name that the application knows."""

    model_config = ConfigDict(frozen=True, extra="allow")

    name: str = Field(min_length=1)


class Question(BaseModel):
    """A case of reference resolution, with the right outcome."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    id: str
    lang: str
    kind: str = "other"
    catalog: tuple[Known, ...] = ()
    history: tuple[Said, ...] = ()
    question: str = Field(min_length=1)
    status: Status
    references: tuple[Expected, ...] = ()
    standalone: tuple[str, ...] = ()

    @field_validator("id", mode="before")
    @classmethod
    def _written(cls, value: object) -> object:
        return str(value) if isinstance(value, int) else value

    @model_validator(mode="after")
    def _whole(self) -> Question:
        if self.lang not in codes():
            raise ValueError(unknown_language(self.lang))
        if self.status == "resolved" and not self.standalone:
            raise ValueError("standalone: expected a good rewrite of a question that is resolved")
        if self.status != "unchanged" and not self.references:
            raise ValueError("references: expected what the question refers to")
        return self

    @property
    def entities(self) -> tuple[str, ...]:
        """Return the names that the question refers to, each as often as it does."""
        return tuple(name for each in self.references for name in each.entities)


class Turn(BaseModel):
    """A person's message in a conversation, with what is expected of the answer.

    ``judge`` false lets a turn be said and not counted: it is there for what follows.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    user: str = Field(min_length=1)
    lang: str | None = None  # the language of this message, where it is not the conversation's
    expects: Expectation = "answer"
    standalone: str = ""
    gold_docs: tuple[str, ...] = ()
    gold_answer_any: tuple[str, ...] = ()
    gold_answer_all: tuple[str, ...] = ()
    gold_answer_none: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    judge: bool = True


class Conversation(BaseModel):
    """A conversation to be held, a message after the other."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    id: str
    lang: str
    turns: tuple[Turn, ...] = Field(min_length=1)

    @field_validator("id", mode="before")
    @classmethod
    def _written(cls, value: object) -> object:
        return str(value) if isinstance(value, int) else value

    @model_validator(mode="after")
    def _known(self) -> Conversation:
        for code in (self.lang, *(turn.lang for turn in self.turns)):
            if code is not None and code not in codes():
                raise ValueError(unknown_language(code))
        return self

    def language_of(self, turn: Turn) -> str:
        """Return the language that a message is written in, and its answer is expected in."""
        return turn.lang or self.lang

    def is_told(self, number: int) -> bool:
        """Return whether message *number* asks for what only the person's own words before it hold.

        Whoever answers a question back, or asks what no document is named for, has not said the answer.
        """
        turn, before = self.turns[number], self.turns[:number]
        if turn.expects != "answer" or turn.gold_docs or (before and before[-1].expects == "clarify"):
            return False
        said = [each.user for each in before]
        every = all(_is_said(value, said) for value in turn.gold_answer_all) if turn.gold_answer_all else False
        return every or any(_is_said(value, said) for value in turn.gold_answer_any)


@dataclass(frozen=True, slots=True)
class Problem:
    """A line that is no case: where it stands (from 1; 0 for the file as a whole) and what is wrong with it."""

    file: str
    line: int
    reason: str


@dataclass(frozen=True, slots=True)
class CaseFile:
    """What a file holds; its ``name`` is as it is shown, ``documents`` the folder beside it, if there is one."""

    name: str
    documents: Path | None
    questions: tuple[Question, ...] = ()
    conversations: tuple[Conversation, ...] = ()
    problems: tuple[Problem, ...] = ()


def read_cases(path: Path) -> tuple[CaseFile, ...]:
    """Return the files of cases at *path*: itself, or all in that folder, documents aside.

    Raises: CasesMissing where there is no such file or folder, or no case in any of them.
    """
    files = _files(path)
    found = tuple(_read(file, file.relative_to(path).as_posix() if path.is_dir() else file.name) for file in files)
    if not any(each.questions or each.conversations or each.problems for each in found):
        raise CasesMissing(
            f"found no cases at {path}; expected a file of JSON Lines, or a folder with some; docs/evaluation.md shows "
            "how a case is written",
            {"name": str(path)},
        )
    return found


def _is_said(value: str, said: Sequence[str]) -> bool:
    return any(holds(each, value) for each in said)


def _files(path: Path) -> list[Path]:
    if path.is_file():
        return [path]
    found = sorted(path.rglob(f"*{ENDING}")) if path.is_dir() else []
    return [file for file in found if DOCUMENTS not in file.relative_to(path).parts[:-1]]


def _read(path: Path, name: str) -> CaseFile:
    questions: list[Question] = []
    conversations: list[Conversation] = []
    problems: list[Problem] = []
    seen: set[str] = set()
    for number, line in _lines(path, name, problems):
        try:
            case = _case(line)
        except ValueError as error:
            problems.append(Problem(name, number, _reason(error)))
            continue
        if case.id in seen:
            problems.append(Problem(name, number, f"id: found {case.id!r} a second time; expected one of its own"))
        elif isinstance(case, Question):
            questions.append(case)
        else:
            conversations.append(case)
        seen.add(case.id)
    documents = path.parent / DOCUMENTS
    return CaseFile(
        name, documents if documents.is_dir() else None, tuple(questions), tuple(conversations), tuple(problems)
    )  # fmt: skip


def _lines(path: Path, name: str, problems: list[Problem]) -> Iterator[tuple[int, str]]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        problems.append(Problem(name, 0, "found letters that are not in UTF-8; expected UTF-8; save the file again so"))
        return
    except OSError as error:
        problems.append(Problem(name, 0, f"found a file that cannot be read: {error.strerror}"))
        return
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            yield number, line.removeprefix(_BOM)


def _case(line: str) -> Question | Conversation:
    """Return the case of *line*.

    Raises: ValueError, a ValidationError among them.
    """
    try:
        data: object = json.loads(line)
    except RecursionError as error:  # brackets nested too deeply recurse without end
        raise ValueError("this line is not JSON; expected one object a line") from error
    if not isinstance(data, dict) or not ({"question", "turns"} & data.keys()):
        raise ValueError('expected an object with "question" or "turns"')
    return Conversation.model_validate(data) if "turns" in data else Question.model_validate(data)


def _reason(error: ValueError) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"this line is not JSON ({error}); expected one object a line"
    if not isinstance(error, ValidationError):
        return str(error)
    first: Mapping[str, Any] = error.errors()[0]
    said = str(first["msg"]).removeprefix("Value error, ")
    where = ".".join(str(part) for part in first["loc"])
    return f"{where}: {said}" if where else said
