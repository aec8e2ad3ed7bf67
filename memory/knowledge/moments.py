"""Which time a question asks of: now, before the last change, at first, or a past date as in "two weeks ago"."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Final, Literal

from babel import Locale

from languages import fold, fold_map, load, quantities
from languages.grammar import grammar_of
from languages.listening import listening_of
from memory.knowledge.clauses import View, guards_of, view
from memory.knowledge.templates import Cues, cues

_DAY_S: Final = 86_400
_NUMERIC: Final = re.compile(r"(?<!\d)(?:(\d{4})-(\d\d)-(\d\d)|(\d{1,2})[./](\d{1,2})[./](\d{4}))(?!\d)")
_YEAR: Final = re.compile(r"(?<![\w.,/-])((?:19|20)\d\d)(?![\w/-])")


@dataclass(frozen=True, slots=True)
class Moment:
    """A time that is asked of: the value before the current one, the first one, or the one that held at ``at``."""

    kind: Literal["before", "first", "at"]
    at: datetime | None = None


def moment_asked(question: str, whole: View, language: str, now: datetime) -> tuple[Moment | None, View]:
    """Return the time that *question* asks of, and *whole*, its normal form, without the words for it.

    None where it asks of now.  A day, month or year ends with its last instant, in the zone of *now*: "in March" asks
    what held when March was over.

    Raises: LanguagePackError.
    """
    dated = next(_dates(question, language, now), None)
    if dated is not None and dated[0] < now:
        moment, start, end = dated
        rest = [piece for piece in whole.pieces if not start <= piece.start < end]
        led = max((n for n, piece in enumerate(rest) if piece.start < start), default=-1)
        if led >= 0 and rest[led].key in _prepositions(language):  # "on 3 March"
            del rest[led]
        return Moment("at", moment), view(rest)
    said = _cues(language)
    for kind, cue in (("first", said.at_first), ("before", said.before), ("before", said.earlier)):
        if cue is said.earlier and said.sayings & whole.present:  # "what did I say before" is when it was said
            continue
        spans = list(cue.spans(whole.text, whole.present))
        if spans:
            return Moment("first" if kind == "first" else "before"), _without(whole, spans, language)
    return None, whole


@dataclass(frozen=True, slots=True)
class _Cues:
    sayings: frozenset[str]
    before: Cues
    earlier: Cues
    at_first: Cues


@lru_cache(maxsize=16)
def _cues(language: str) -> _Cues:
    own = listening_of(language)
    return _Cues(
        frozenset(map(fold, own.sayings)), cues(own.before, own), cues(own.earlier, own), cues(own.at_first, own)
    )


def _without(whole: View, spans: Iterable[tuple[int, int]], language: str) -> View:
    """Return *whole* without what stands in *spans*; "my" in "my old budget" stays."""
    mine = guards_of(language).subjects | {fold(word) for word in listening_of(language).classes.get("my", ())}
    gone = {
        number
        for start, end in spans
        for number in range(whole.piece_at(start), whole.piece_at(max(start, end - 1)) + 1)
    }
    return view([p for number, p in enumerate(whole.pieces) if number not in gone or p.key in mine])


def _dates(question: str, language: str, now: datetime) -> Iterator[tuple[datetime, int, int]]:
    """Yield the past times that *question* names, with where: the end of the day, month or year."""
    folded = fold_map(question)
    names = _names(language)
    for match in _NUMERIC.finditer(folded.text):
        year, month, day, first, second, last = (int(part) if part else 0 for part in match.groups())
        found = _end_of(now, year or last, month or second, day or first)
        if found is not None:
            yield found, *folded.original_span(*match.span())
    for match in names.dated.finditer(folded.text):
        month = names.months[match["month"]]
        bare = not (match["before"] or match["after"] or match["year"])
        led = folded.text[: match.start()].split()[-1:]
        if bare and not set(led) & _prepositions(language):  # "what may I call you"
            continue
        day = int(match["before"] or match["after"] or 0)
        year = int(match["year"]) if match["year"] else now.year
        found = _end_of(now, year, month, day)
        if found is not None and not match["year"] and _start_of(found, day) > now:
            found = _end_of(now, year - 1, month, day)  # "in December", asked in May
        if found is not None:
            yield min(found, now - timedelta(microseconds=1)), *folded.original_span(*match.span())
    for match in names.past.finditer(folded.text):
        count, unit = listening_of(language).past[names.phrases[match.group()]].split()
        yield _back(now, int(count), unit), *folded.original_span(*match.span())
    yield from _ago(question, folded.text, language, now)
    for match in _YEAR.finditer(folded.text):
        found = _end_of(now, int(match[1]), 12, 31)
        if found is not None and int(match[1]) < now.year:
            yield found, *folded.original_span(*match.span())


def _ago(question: str, folded: str, language: str, now: datetime) -> Iterator[tuple[datetime, int, int]]:
    """Yield the time of "two weeks ago"."""
    names = _names(language)
    if names.ago is None or names.ago.search(folded) is None:
        return
    for quantity in quantities(question, language):
        base, unit = quantity.in_base()
        before = names.ago_before.search(fold(question[: quantity.start])) if names.ago_before else None
        after = names.ago_after.match(fold(question[quantity.end :])) if names.ago_after else None
        if unit != "s" or base < _DAY_S or not (before or after):
            continue
        start = len(question[: quantity.start].rstrip()) - len(before.group().strip()) if before else quantity.start
        end = quantity.end + (after.end() if after and not before else 0)
        yield _end_of_day(now - timedelta(seconds=float(base))), max(start, 0), end


@lru_cache(maxsize=16)
def _prepositions(language: str) -> frozenset[str]:
    """Return the words that stand before a date, those with an article in them too: im März."""
    grammar = grammar_of(language)
    contracted = (form for determiner in grammar.determiners if determiner.contracted for form in determiner.forms)
    return frozenset(map(fold, (*grammar.prepositions, *contracted)))


@dataclass(frozen=True, slots=True)
class _Names:
    months: Mapping[str, int]
    dated: re.Pattern[str]
    past: re.Pattern[str]
    phrases: Mapping[str, str]
    ago: re.Pattern[str] | None
    ago_before: re.Pattern[str] | None
    ago_after: re.Pattern[str] | None


@lru_cache(maxsize=16)
def _names(language: str) -> _Names:
    own = listening_of(language)
    locale = Locale.parse(load(language).locale)
    months: dict[str, int] = {}
    for context, width in (("format", "wide"), ("stand-alone", "wide"), ("format", "abbreviated")):
        for number, name in locale.months[context][width].items():
            if len(fold(name).rstrip(".")) > 2:
                months.setdefault(fold(name).rstrip("."), number)
    phrases = {fold(phrase): phrase for phrase in own.past}
    month = _any_of(months)
    day = r"(?P<before>\d{1,2})(?:\.|st|nd|rd|th|er|e)? (?:of |de )?"
    after = r"(?: (?P<after>\d{1,2})(?:st|nd|rd|th)?(?!\d))?(?:,? (?P<year>\d{4}))?"
    dated = rf"(?<!\w)(?:{day})?(?P<month>{month})\.?{after}(?!\w)"
    ago = _any_of({fold(word) for word in own.ago})
    return _Names(
        months,
        re.compile(dated),
        re.compile(rf"(?<!\w)(?:{_any_of(phrases)})(?!\w)"),
        phrases,
        re.compile(rf"(?<!\w)(?:{ago})(?!\w)") if own.ago else None,
        re.compile(rf"(?<!\w)(?:{ago})\s*$") if own.ago else None,
        re.compile(rf"\s*(?:{ago})(?!\w)") if own.ago else None,
    )


def _end_of(now: datetime, year: int, month: int, day: int) -> datetime | None:
    """Return the last instant of a day, or of a month where *day* is 0; None where there is none such."""
    if not 1 <= month <= 12 or year < 1:
        return None
    last = monthrange(year, month)[1]
    if day > last:
        return None
    return _end_of_day(now.replace(year=year, month=month, day=day or last))


def _start_of(end: datetime, day: int) -> datetime:
    begun = end.replace(hour=0, minute=0, second=0, microsecond=0)
    return begun if day else begun.replace(day=1)


def _end_of_day(moment: datetime) -> datetime:
    return moment.replace(hour=23, minute=59, second=59, microsecond=999_999)


def _back(now: datetime, count: int, unit: str) -> datetime:
    """Return the end of the day, week, month or year that lies *count* before the current one."""
    if unit == "day":
        return _end_of_day(now - timedelta(days=count))
    if unit == "week":
        return _end_of_day(now - timedelta(days=now.weekday() + 1 + 7 * (count - 1)))
    if unit == "month":
        begun = now.replace(day=1)
        for _ in range(count - 1):
            begun = (begun - timedelta(days=1)).replace(day=1)
        return _end_of_day(begun - timedelta(days=1))
    return _end_of_day(now.replace(year=now.year - count, month=12, day=31))


def _any_of(texts: Iterable[str]) -> str:
    return "|".join(re.escape(text) for text in sorted(set(texts), key=len, reverse=True)) or "(?!)"
