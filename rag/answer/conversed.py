"""What was said in past turns, where the person asks for it: short extracts, with who said them and when.

"What did we say about the warranty?" is about no document.  All the person's conversations are searched by words and
names, and by meaning where those were of another language; of turns that fit alike the newest is quoted.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from babel.dates import format_date

from languages import fold, load, sentences
from memory.types import Catalog
from rag.answer.citations import without_markers
from rag.answer.pastquestions import Whose
from rag.answer.recalled import Judge, content, topic_stems
from rag.answer.stems import stems
from rag.events import Answer

LONGEST: Final = 350  # characters of an answer
_LEAST: Final = 60  # characters of an extract that are worth a line of their own
_NAME: Final = 2.0  # the weight of a name, beside that of a rare word
_READ: Final = 40  # the newest turns of another language that are weighed by meaning
_ANSWERS: Final = -1.0  # the selector's logit from which on one of them is about what is asked
_SPACE: Final = re.compile(r"\s+")
_CUT: Final = " …"


@dataclass(frozen=True, slots=True)
class PastTurn:
    """One past turn: what the person said, and what was answered ("" where nothing was)."""

    question: str
    answer: str
    language: str
    created: datetime
    here: bool = True  # in this very conversation


@dataclass(frozen=True, slots=True)
class Search:
    """What is looked for in past turns: the question as understood, in its language, and whose words it wants."""

    question: str
    language: str
    whose: Whose
    catalog: Catalog


def quote_past(search: Search, turns: Sequence[PastTurn], judge: Judge) -> Answer | None:
    """Return what was said of it in *turns*, the newest first, in at most ``LONGEST`` characters, else None."""
    names = {match.name.name for match in search.catalog.find(search.question)}
    named = {stem for name in names for stem in (*content(name), *stems(name, search.language))}
    topic = topic_stems(search.question, search.language) - named
    said = [turn for turn in turns if _words_of(turn, search.whose)]
    if not said:
        return None
    found = _newest(said) if not topic and not names else _best(search, said, topic, names)
    if found is None:
        found = _by_meaning(search, said, judge)
    return Answer(_told(found, search, topic | named), answered=True, method="recalled") if found else None


def _words_of(turn: PastTurn, whose: Whose) -> str:
    """Return the words of a turn that are asked for."""
    if whose == "mine":
        return turn.question
    if whose == "yours":
        return turn.answer
    return f"{turn.question}\n{turn.answer}" if turn.answer else ""


def _newest(turns: Sequence[PastTurn]) -> PastTurn | None:
    """Return the last turn of another conversation, else of this one: "what did we talk about last time?"."""
    return next((turn for turn in turns if not turn.here), turns[0] if turns else None)


def _best(search: Search, turns: Sequence[PastTurn], topic: frozenset[str], names: set[str]) -> PastTurn | None:
    """Return the turn with most of the words and names asked about, the rarer the better; the newest of equals."""
    shown = [_stems(turn, search) for turn in turns]
    rarity = {stem: math.log(1 + len(turns) / (1 + sum(stem in each for each in shown))) for stem in topic}
    best, chosen = 0.0, None
    for turn, there in zip(turns, shown, strict=True):
        spoken = {match.name.name for match in search.catalog.find(f"{turn.question}\n{turn.answer}")}
        if names and not names & spoken:
            continue
        weight = _NAME * len(names & spoken) + sum(rarity[stem] for stem in topic & there)
        if weight > best + 1e-9:
            best, chosen = weight, turn
    return chosen


def _stems(turn: PastTurn, search: Search) -> set[str]:
    """Return the stems of a turn, as its language has them and as that of the question has."""
    text = f"{turn.question}\n{turn.answer}"
    return {*content(text), *stems(text, search.language), *stems(text, turn.language)}


def _by_meaning(search: Search, turns: Sequence[PastTurn], judge: Judge) -> PastTurn | None:
    """Return the turn in another language that is about what is asked, None where none surely is."""
    other = [turn for turn in turns if turn.language != search.language][:_READ]
    weighed = judge.weigh(search.question, [_words_of(turn, search.whose)[:LONGEST] for turn in other], search.language)
    fitting = [
        (weight, -number) for number, (weight, logit) in enumerate(weighed) if logit is not None and logit > _ANSWERS
    ]
    return other[-max(fitting)[1]] if fitting else None


def _told(turn: PastTurn, search: Search, asked: frozenset[str] | set[str]) -> str:
    """Return the lines that tell who said what."""
    texts = load(search.language)
    when = "" if turn.here else format_date(turn.created, "long", locale=texts.locale)
    parts: list[tuple[str, str]] = []
    if search.whose != "yours":
        parts.append(("answer.said_by_person", turn.question))
    if search.whose != "mine" and turn.answer:
        parts.append(("answer.said_by_assistant", without_markers(turn.answer)))
    lead = texts.text("answer.said_on", {"date": when}) + "\n" if when else ""
    frames = sum(len(texts.text(key, {"words": ""})) + 1 for key, _ in parts)
    left = LONGEST - len(lead) - frames
    lines: list[str] = []
    for number, (key, said) in enumerate(parts):
        share = left if number == len(parts) - 1 else max(_LEAST, left // 2)
        words = extract_of(said, asked, turn.language, most=share)
        left -= len(words)
        lines.append(texts.text(key, {"words": words}))
    return lead + "\n".join(lines)


def extract_of(text: str, asked: frozenset[str] | set[str], language: str, *, most: int) -> str:
    """Return the sentence of *text* with most of the stems *asked*, and those after it, in *most* characters.

    >>> extract_of("It is grey. It weighs 2 kg. It folds.", {"weigh"}, "en", most=20)
    'It weighs 2 kg.'
    """
    parts = [_SPACE.sub(" ", span.text).strip() for span in sentences(text)]
    parts = [part for part in parts if part]
    if not parts:
        return ""
    shared: Mapping[int, int] = {
        number: len(asked & {*content(part), *map(fold, stems(part, language))}) for number, part in enumerate(parts)
    }
    first = max(shared, key=lambda number: (shared[number], -number))
    words = parts[first]
    for part in parts[first + 1 :]:
        if len(words) + 1 + len(part) > most:
            break
        words = f"{words} {part}"
    if len(words) <= most:
        return words
    cut = words[: most - len(_CUT)]
    return (cut[: cut.rfind(" ")] if " " in cut else cut) + _CUT
