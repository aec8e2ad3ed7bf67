"""Conversations as files, to be kept elsewhere and read in again: JSON with all of a turn, Markdown with what was said.

What comes in is data of whoever wrote the file: it is checked for its shape and size, gets ids of its own, and nothing
of it is remembered.
"""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import takewhile
from typing import Final

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError
from pydantic.dataclasses import dataclass as checked_dataclass

from languages import Language, codes, detect, load
from memory import Discourse, Resolution
from memory.store.conversations import Conversations, StoredConversation
from memory.store.titles import TITLE_LENGTH
from rag.errors import ImportInvalid, ImportTooLarge
from rag.events import Answer, Citation, Turn
from rag.turns import new_turn, record_of, turn_of

KIND: Final = "referent conversations"  # what the JSON says of itself
VERSION: Final = 1
LARGEST_MB: Final = 20
IMPORTED: Final = "imported"  # the method of an answer that comes from Markdown: nobody knows any more
_MOST: Final = 1000  # conversations of a file
_MOST_TURNS: Final = 5000  # of one conversation
_STRICT = ConfigDict(extra="ignore")
_SOURCE: Final = re.compile(r"- \[(\d{1,4})\] `([^`]+)` · (.+)")
_BREAKS: Final = re.compile(r"[ \t\r\n\f\v\x1c-\x1e\x85\u2028\u2029]+")  # no-break spaces stay, as before a French "?"


@dataclass(frozen=True, slots=True)
class Transcript:
    """A conversation with its turns, whoever's it is."""

    title: str
    language: str
    turns: tuple[Turn, ...]


@checked_dataclass(frozen=True, slots=True, config=_STRICT)
class _Kept:
    """A turn in the JSON: its record as the store has it, and what the next turn needs of it."""

    turn: Turn
    discourse: str = ""


@checked_dataclass(frozen=True, slots=True, config=_STRICT)
class _Conversation:
    title: str = Field(max_length=10_000)
    language: str = Field(max_length=35)
    turns: tuple[_Kept, ...] = Field(max_length=_MOST_TURNS)


@checked_dataclass(frozen=True, slots=True, config=_STRICT)
class _File:
    kind: str = Field(pattern=f"^{KIND}$")
    version: int = Field(ge=1, le=VERSION)
    conversations: tuple[_Conversation, ...] = Field(max_length=_MOST)


@lru_cache(maxsize=1)
def _shape() -> TypeAdapter[_File]:
    return TypeAdapter(_File)


def transcript_of(conversations: Conversations, kept: StoredConversation) -> Transcript:
    """Return a stored conversation with its turns.

    Raises: ConversationNotFound.
    """
    turns = tuple(turn_of(stored) for stored in conversations.turns(kept.id, kept.person))
    return Transcript(kept.title, kept.language, turns)


def to_json(transcripts: Sequence[Transcript]) -> str:
    """Return *transcripts* as the JSON that ``from_json`` reads."""
    listed = [
        {
            "title": each.title,
            "language": each.language,
            "turns": [{"turn": record_of(turn), "discourse": turn.discourse} for turn in each.turns],
        }
        for each in transcripts
    ]
    return json.dumps({"kind": KIND, "version": VERSION, "conversations": listed}, ensure_ascii=False, indent=1)


def to_markdown(texts: Language, transcript: Transcript) -> str:
    """Return *transcript* as Markdown for people, in the words of *texts*; ``from_markdown`` reads it too."""
    title = transcript.title or texts.text("conversations.untitled")
    parts = [f"# {_one_line(title)}"]
    for turn in transcript.turns:
        parts += [f"## {texts.text('role.user')}", _escaped(turn.question)]
        said = [_escaped(turn.answer.text)] if turn.answer is not None else []
        if turn.clarification is not None:
            said = [_escaped(turn.clarification.question)]
        parts += [f"## {texts.text('role.assistant')}", *said] if said else []
        if turn.answer is not None and turn.answer.citations:
            parts.append("\n".join(_source(citation) for citation in turn.answer.citations))
    return "\n\n".join(parts) + "\n"


def read_transcripts(name: str, content: bytes) -> tuple[Transcript, ...]:
    """Return the conversations of an exported file, JSON or Markdown by what it holds.

    Raises: ImportTooLarge, ImportInvalid.
    """
    if len(content) > LARGEST_MB * 1_000_000:
        raise ImportTooLarge(
            f"found {len(content)} bytes in {name[:80]!r}; expected at most {LARGEST_MB} MB; export fewer at once",
            {"name": name[:80], "limit": str(LARGEST_MB)},
        )
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise _invalid(name, "no UTF-8") from error
    found = from_json(name, text) if text.lstrip().startswith("{") else from_markdown(name, text)
    return tuple(replace(each, turns=tuple(_as_new(turn) for turn in each.turns)) for each in found)


def from_json(name: str, text: str) -> tuple[Transcript, ...]:
    """Return the conversations of what ``to_json`` made.

    Raises: ImportInvalid.
    """
    try:
        file = _shape().validate_json(text)
    except ValidationError as error:
        raise _invalid(name, str(error.errors()[0]["msg"])) from error
    return tuple(
        Transcript(each.title[:TITLE_LENGTH], _known(each.language), tuple(_checked(kept) for kept in each.turns))
        for each in file.conversations
    )


def from_markdown(name: str, text: str) -> tuple[Transcript, ...]:
    """Return the conversation of what ``to_markdown`` made, in whichever language.

    Raises: ImportInvalid.
    """
    title = ""
    turns: list[Turn] = []
    for heading, body in _sections(text):
        if heading.startswith("# ") and not title and not turns:
            title = heading[2:].strip()
        elif _role(heading) == "user":
            turns.append(_asked(body, len(turns), turns[-1].language if turns else ""))
        elif _role(heading) == "assistant" and turns:
            turns[-1] = replace(turns[-1], answer=_answered(body), stopped=False)
    if not turns or not title or len(turns) > _MOST_TURNS:
        raise _invalid(name, "no questions under their headings")
    return (Transcript(title[:TITLE_LENGTH], turns[-1].language, tuple(turns)),)


def keep(conversations: Conversations, person: str, transcripts: Sequence[Transcript]) -> tuple[str, ...]:
    """Return the ids of the conversations that *transcripts* have become, all of *person*; nothing is remembered.

    Raises: StoreError.
    """
    return tuple(
        conversations.restore(person, each.title, each.language, [new_turn(turn) for turn in each.turns])
        for each in transcripts
    )


def _as_new(turn: Turn) -> Turn:
    """Return *turn* under an id that no other has."""
    return replace(turn, id=uuid.uuid4().hex)


def _checked(kept: _Kept) -> Turn:
    """Return a turn with its discourse; what cannot be used of that starts afresh."""
    discourse = Discourse.from_json(kept.discourse).to_json() if kept.discourse else ""
    return replace(kept.turn, discourse=discourse)


def _known(code: str) -> str:
    return code if code in codes() else codes()[0]


def _sections(text: str) -> Iterator[tuple[str, str]]:
    """Yield each heading of the first two levels with what stands below it."""
    heading, lines = "", list[str]()
    for line in text.splitlines():
        if line.startswith(("# ", "## ")):
            yield heading, "\n".join(lines).strip()
            heading, lines = line.strip(), []
        else:
            lines.append(line)
    yield heading, "\n".join(lines).strip()


def _role(heading: str) -> str:
    """Return whose words stand below a heading, "" where it says nobody's."""
    said = heading.removeprefix("## ") if heading.startswith("## ") else ""
    return next(
        (role for role in ("user", "assistant") for code in codes() if said == load(code).text(f"role.{role}")), ""
    )


def _asked(body: str, number: int, previous: str) -> Turn:
    question = _unescaped(body)
    language = detect(question, previous=previous).code
    return Turn(
        uuid.uuid4().hex, number, question, language, Resolution(question, question, "unchanged", language=language)
    )


def _answered(body: str) -> Answer:
    lines = body.splitlines()
    sources = list(takewhile(_SOURCE.fullmatch, reversed(lines)))[::-1]
    found = (_SOURCE.fullmatch(line) for line in sources)
    citations = tuple(Citation(int(match[1]), match[2], match[3]) for match in found if match)
    text = _unescaped("\n".join(lines[: len(lines) - len(sources)]).strip())
    return Answer(text, answered=True, citations=citations, method=IMPORTED)


def _source(citation: Citation) -> str:
    document = _one_line(citation.document).replace("`", "'")
    return f"- [{citation.number}] `{document}` · {_one_line(citation.quote)}"


def _one_line(text: str) -> str:
    return _BREAKS.sub(" ", text).strip()


def _escaped(text: str) -> str:
    r"""Return *text* so that none of its lines is taken for a heading or a source.

    >>> _escaped("# no\n- [1] x")
    '\\# no\n\\- [1] x'
    """
    return "\n".join(f"\\{line}" if line.startswith(("#", "\\", "- [")) else line for line in text.splitlines())


def _unescaped(text: str) -> str:
    return "\n".join(line.removeprefix("\\") for line in text.splitlines())


def _invalid(name: str, what: str) -> ImportInvalid:
    return ImportInvalid(
        f"found {what} in {name[:80]!r}; expected conversations as Referent exports them; export them again",
        {"name": name[:80]},
    )
