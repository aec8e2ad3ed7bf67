"""``languages/<code>/questions.toml`` as a translator writes it, checked."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Literal

from pydantic import ConfigDict, Field, TypeAdapter
from pydantic.dataclasses import dataclass as checked_dataclass

from languages.files import read_checked

_STRICT = ConfigDict(extra="forbid")


@checked_dataclass(frozen=True, slots=True, config=_STRICT)
class AttributeWords:
    """How an attribute is asked for and stated: in both, in questions only, in documents only."""

    words: tuple[str, ...]
    asks: tuple[str, ...]
    says: tuple[str, ...]


@checked_dataclass(frozen=True, slots=True, config=_STRICT)
class Degrees:
    """Words of degree by attribute, for the smaller and the greater value, and those that only compare."""

    less: dict[str, tuple[str, ...]]
    more: dict[str, tuple[str, ...]]
    general: tuple[str, ...]


@checked_dataclass(frozen=True, slots=True, config=_STRICT)
class Starts:
    """How a question begins that wants a yes or a no."""

    yes_no: tuple[str, ...]


@checked_dataclass(frozen=True, slots=True, config=_STRICT)
class Leaning:
    """Words at the head of a sentence that leans on the one before."""

    starts: tuple[str, ...]


@checked_dataclass(frozen=True, slots=True, config=_STRICT)
class Joining:
    """What stands between two names of equal rank: words of their own, and what is written onto the second name."""

    words: tuple[str, ...]
    attached: tuple[str, ...]


@checked_dataclass(frozen=True, slots=True, config=_STRICT)
class Sounds:
    """How a script's letters sound, folded, by consonant class ("" for vowels); and articles glued to a name."""

    letters: dict[str, str]
    articles: tuple[str, ...]


@checked_dataclass(frozen=True, slots=True, config=_STRICT)
class PeriodWords:
    """What joins two days or months ("to"), and words for several: weekend, weekdays, daily and the seasons."""

    to: tuple[str, ...]
    named: dict[Literal["weekend", "weekdays", "daily", "spring", "summer", "autumn", "winter"], tuple[str, ...]]


@checked_dataclass(frozen=True, slots=True, config=_STRICT)
class RangeWords:
    """What says that a number is the least or the most of a range: before it, and behind it ("8 years and over")."""

    least: tuple[str, ...]
    most: tuple[str, ...]
    least_behind: tuple[str, ...] = ()
    most_behind: tuple[str, ...] = ()


@checked_dataclass(frozen=True, slots=True, config=_STRICT)
class PastWords:
    """Signs that something was so once: in a document that it is not so now, in a question that the past is meant."""

    says: tuple[str, ...]
    asks: tuple[str, ...]


@checked_dataclass(frozen=True, slots=True, config=_STRICT)
class Planted:
    """Signs of a sentence that speaks to a chat model and not to a reader."""

    signs: tuple[str, ...]


@checked_dataclass(frozen=True, slots=True, config=_STRICT)
class SmallTalkWords:
    """What people say without asking anything, and what is answered."""

    greetings: tuple[str, ...]
    thanks: tuple[str, ...]
    farewells: tuple[str, ...]
    telling: tuple[str, ...]  # what opens a statement about oneself: "my budget is"
    greeting: str
    thanked: str
    farewell: str
    noted: str


@checked_dataclass(frozen=True, slots=True, config=_STRICT)
class RecallWords:
    """How people ask for what was said, how they correct it, and how they ask for their name.

    ``asks`` is for what they said themselves; ``perhaps`` may be, where they did say something of the kind;
    ``changes`` says that something is otherwise by now.  ``ours``, ``yours`` and ``mine`` ask for past turns: what the
    two said, the assistant, or the person.
    """

    asks: tuple[str, ...]
    corrections: tuple[str, ...]
    names: tuple[str, ...]
    perhaps: tuple[str, ...] = ()
    changes: tuple[str, ...] = ()
    ours: tuple[str, ...] = ()
    yours: tuple[str, ...] = ()
    mine: tuple[str, ...] = ()


@checked_dataclass(frozen=True, slots=True, config=_STRICT)
class AffixStep:
    """One of these is taken off a word's start or end, the longest that leaves so many letters."""

    side: Literal["start", "end"]
    take: tuple[str, ...]
    leave: int


@checked_dataclass(frozen=True, slots=True, config=_STRICT)
class Affixes:
    """What is taken off words, in this order; without any, the Snowball stemmer is used."""

    steps: tuple[AffixStep, ...]


@checked_dataclass(frozen=True, slots=True, config=_STRICT)
class QuestionFile:
    """``questions.toml`` as a translator writes it."""

    kinds: dict[str, tuple[str, ...]]
    starts: Starts
    attributes: Annotated[dict[str, AttributeWords], Field(min_length=1)]
    degrees: Degrees
    leaning: Leaning
    joining: Joining
    sounds: Sounds
    periods: PeriodWords
    ranges: RangeWords
    past: PastWords
    planted: Planted
    smalltalk: SmallTalkWords
    recall: RecallWords
    affixes: Affixes
    irregular: dict[str, tuple[str, ...]]  # forms that no ending explains, by the word that they are forms of


@lru_cache(maxsize=32)
def read_file(language: str) -> QuestionFile:
    """Return ``questions.toml`` of *language* as it is written.

    Raises: LanguagePackError where the file is missing or does not fit.
    """
    return read_checked(language, "questions.toml", TypeAdapter(QuestionFile))
