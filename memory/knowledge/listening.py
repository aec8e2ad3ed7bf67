"""What a person states in a message, heard by rules: of themself, and of the things they speak of.

Each clause is tried against the frames of its language ("I live in …"); what is asked, supposed, denied or someone
else's states nothing.  A clause without a frame may go on with the frame before it: a list, or a correction.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from languages import fold
from languages.listening import Frame
from memory.knowledge.clauses import Clause, Guards, Piece, clauses, guards_of
from memory.knowledge.heard import Act, Heard
from memory.knowledge.slot import Slot, Value, Words, words_of
from memory.knowledge.slots import read
from memory.knowledge.templates import Template, frames_of
from memory.knowledge.things import names_material
from memory.knowledge.told import attributes
from memory.types import Catalog

# Under these keys a person has one value; what is said later in a message holds.
SINGLE: Final = frozenset(
    {"name", "call_name", "age", "place", "origin", "employer", "job", "budget", "plan", "email", "phone"}
)
_LISTED: Final = frozenset({"owns", "likes", "dislikes", "wants", "needs", "family", "constraint"})
_WHOLE: Final = frozenset({"whole", "without"})
_WITH_NEGATION: Final = _WHOLE | {"phrase"}  # slots whose templates have the negation in them
_SPELT: Final = frozenset({"email", "phone", "code"})
_LONGEST: Final = 4000  # characters that are read of a message


@dataclass(frozen=True, slots=True)
class _Hit:
    """A frame in a clause, with what it says."""

    frame: Frame
    values: tuple[Value, ...]
    detail: str
    start: int  # of the frame's first word
    end: int
    lead: str = ""  # the word before the value
    denies: bool = False  # the negation is the frame's own


@dataclass(frozen=True, slots=True)
class _Ears:
    """What a message is heard with."""

    message: str
    guards: Guards
    words: Words
    catalog: Catalog | None


@dataclass(slots=True)
class _Course:
    """Where listening is in a message."""

    last: Frame | None = None
    detail: str = ""
    lead: str = ""  # the last word before the value
    denied: bool = False  # the last frame was negated
    corrects: bool = False  # the next statement puts something right
    sentence: int = -1
    spoke: bool = False  # the person is the subject of the sentence


def listen(message: str, *, language: str, catalog: Catalog | None = None, focus: str = "") -> tuple[Heard, ...]:
    """Return what *message* states, in order; of a key with one value only the last.

    *catalog* knows the names of things, *focus* is the entity that the conversation is about: "it costs 900".

    >>> [(h.key, h.value) for h in listen("I'm in Basel, do you deliver here?", language="en")]
    [('place', 'Basel')]

    Raises: LanguagePackError where the language's listening.toml cannot be used.
    """
    guards = guards_of(language)
    course = _Course()
    found: list[Heard] = []
    text = message[:_LONGEST]
    ears = _Ears(text, guards, words_of(language), catalog)
    for clause in clauses(text, language):
        if clause.sentence != course.sentence:
            course.sentence, course.spoke, course.denied = clause.sentence, False, False
        heard = list(_heard(clause, ears, course))
        if not heard and not (clause.asked or clause.unsure or clause.reported or clause.negations):
            heard = list(attributes(text, clause, language, catalog, focus))
        found.extend(heard)
        course.spoke = course.spoke or bool(clause.full.present & guards.subjects)
        if clause.corrects and not heard:
            course.corrects = True
        elif heard:
            course.corrects = False
    return tuple(_latest(found))


# ------------------------------------------------------------------ one clause


def _heard(clause: Clause, ears: _Ears, course: _Course) -> Iterator[Heard]:
    hits = list(_hits(clause, ears, course))
    if not hits:
        yield from _continued(clause, ears, course)
        return
    for hit in hits:
        negated = not hit.frame.held and _negated(clause, hit) and not (hit.denies or hit.frame.slot in _WITH_NEGATION)
        frame = hit.frame
        course.last, course.detail, course.denied, course.lead = frame, hit.detail, negated, hit.lead
        if clause.reported or ((clause.asked or clause.unsure) and not frame.held):
            course.last = None
            continue
        key = frame.key
        act = _act(clause, course, frame)
        if clause.no_longer and not frame.full and not frame.held:
            act = "retracts"
        elif negated:
            key = frame.negated
            if not key:
                continue
        for number, value in enumerate(hit.values):
            own: Act = "adds" if number and act == "states" else act
            yield _statement(ears.message, key, value, own, hit.detail)


def _statement(message: str, key: str, value: Value, act: Act, detail: str, subject: str = "") -> Heard:
    return Heard(
        subject, key, message[value.start : value.end], value.start, value.end, act, value.amount, value.unit, detail
    )


def _act(clause: Clause, course: _Course, frame: Frame) -> Act:
    if frame.act != "states":
        return frame.act
    if clause.adds:
        return "adds"
    return "corrects" if clause.corrects or course.corrects else "states"


def _negated(clause: Clause, hit: _Hit) -> bool:
    """Return whether a negation bears on what *hit* says: one before its value, or the last word of the clause."""
    if not clause.negations:
        return False
    begun = hit.values[0].start if hit.values else hit.start
    if hit.frame.slot in _SPELT:  # "…@example.net" denies nothing in a dialect that says "net"
        return any(place < begun for place in clause.negations)
    last = clause.full.pieces[-1].start  # "ich mag Kaffee nicht"
    return any(place < begun or place == last for place in clause.negations)


def _hits(clause: Clause, ears: _Ears, course: _Course) -> Iterator[_Hit]:
    taken: list[tuple[int, int]] = []
    told: list[str] = []
    frames = frames_of(ears.words.code)
    for template in frames.fitting(clause.full.present | clause.bare.present):
        hit = _hit(clause, template, ears, course)
        if hit is None:
            continue
        if hit.frame.slot == "relation" and any(hit.detail == detail for detail in told):
            continue
        told.append(hit.detail)
        spans = [(v.start, v.end) for v in hit.values]
        if any(start < last and first < end for start, end in spans for first, last in taken):
            continue
        course.spoke = True
        if hit.frame.slot != "date":
            taken.extend(spans)
        yield hit


def _hit(clause: Clause, template: Template, ears: _Ears, course: _Course) -> _Hit | None:
    frame = template.frame
    seen = clause.full if frame.full else clause.spoken if template.denying else clause.bare
    match = template.pattern.search(seen.text)
    if match is None:
        return None
    before = seen.pieces[: seen.piece_at(match.start())] if match.start() else ()
    whole = seen.cut(match.start(), match.end())
    if not _may_begin(template, before, ears.guards, course, clause):
        return None
    if frame.key != "family" and whole[0].key not in ears.guards.subjects and _of_a_relative(before, ears.guards):
        return None
    groups = match.groupdict()
    detail, lead = frame.detail, ""
    if frame.slot in _WHOLE and clause.corrects:
        return None
    for name in ("relation", "event", "group"):
        if groups.get(name):
            detail = detail_of(ears.words.code, name, groups[name])
    if frame.slot == "relation":
        pieces = seen.cut(*match.span("relation"))
        values: tuple[Value, ...] = (Value(pieces[0].start, pieces[-1].end),)
    elif frame.slot in _WHOLE:
        values = (_trimmed(whole, ears.words),)
        if frame.slot == "without" and not names_material(ears.words, whole):
            return None
    else:
        if groups.get("value") is None:
            return None
        number = seen.piece_at(match.start("value"))
        if match.start("value") > seen.starts[number] and seen.pieces[number].key in ears.guards.vocabulary:
            return None  # باقتي is a word of its own, not ب with something
        pieces = seen.cut(*match.span("value"))
        values = read(frame.slot, Slot(ears.message, pieces, ears.words, ears.catalog))
        lead = seen.pieces[seen.piece_at(match.start("value")) - 1].key if match.start("value") else ""
    return _Hit(frame, values, detail, whole[0].start, whole[-1].end, lead, template.denying) if values else None


def _trimmed(pieces: Sequence[Piece], w: Words) -> Value:
    """Return what *pieces* span, without "please" and "and" around it."""
    first, last = 0, len(pieces) - 1
    while first < last and (pieces[first].key in w.ands or pieces[first].key in w.pleas):
        first += 1
    while last > first and pieces[last].key in w.closers:
        last -= 1
    return Value(pieces[first].start, pieces[last].end)


def _may_begin(template: Template, before: Sequence[Piece], guards: Guards, course: _Course, clause: Clause) -> bool:
    """Return whether a template may stand after the pieces *before* it."""
    lead = [piece.key for piece in before if piece.key not in guards.ands]
    if template.kind == "inverted":  # "wohne ich in Bern" asks, "seit Mai wohne ich in Bern" states
        return (bool(lead) or not (clause.first or clause.asked)) and not set(lead) & guards.subjects
    if template.kind == "subordinate" and clause.full.pieces[0].key not in guards.links:
        return False
    if template.kind == "headless":
        if before and before[-1].key in guards.ands:
            return course.spoke or any(piece.key in guards.subjects for piece in before)
        return not lead and (clause.first or course.spoke) and not clause.full.present & guards.subjects
    return True


def _of_a_relative(before: Sequence[Piece], guards: Guards) -> bool:
    """Return whether a relative is spoken of before: where no pronoun is needed, what follows is theirs."""
    return any(piece.key in guards.relatives for piece in before)


def detail_of(code: str, name: str, word: str) -> str:
    """Return what a word of the lists names, the end of a compound included."""
    table = _details(code)
    starts = range(len(word)) if guards_of(code).own.compounds else range(1)
    return next((table[name, word[start:]] for start in starts if (name, word[start:]) in table), "")


@lru_cache(maxsize=16)
def _details(code: str) -> dict[tuple[str, str], str]:
    own = guards_of(code).own
    tables = (("relation", own.relations), ("event", own.events), ("group", own.groups))
    return {
        (name, " ".join(fold(word).split())): entry
        for name, table in tables
        for entry, forms in table.items()
        for word in forms
    }


# ------------------------------------------------------------------ going on with what was said


def _continued(clause: Clause, ears: _Ears, course: _Course) -> Iterator[Heard]:
    """Yield what a clause without a frame says: a correction of the value before, or one more of them."""
    if clause.asked or clause.unsure or clause.reported or not clause.bare.pieces:
        return
    frame, pieces = course.last, clause.bare.pieces
    while pieces and (pieces[0].key in ears.guards.ands or pieces[0].key in ears.guards.links):
        pieces = pieces[1:]
    if frame is None:
        if clause.corrects or course.corrects:
            yield from _unplaced(ears, pieces, sure=clause.corrects)
        return
    corrects = clause.corrects or course.corrects or (course.denied and _takes_up(clause, pieces, ears.guards))
    opens = bool(pieces) and (pieces[0].key in ears.words.articles or len(pieces) <= 3)
    listed = frame.key in _LISTED and frame.slot in ("thing", "words") and opens and not course.denied
    listed = listed and not clause.negations
    if not (corrects or listed) or (clause.negations and not clause.corrects):
        return
    if pieces and (pieces[0].key == course.lead or pieces[0].key in ears.words.glued):
        pieces = pieces[1:]
    values = read(frame.slot, Slot(ears.message, pieces, ears.words, ears.catalog)) if frame.slot not in _WHOLE else ()
    for value in values:
        yield _statement(ears.message, frame.key, value, "corrects" if corrects else "adds", course.detail)
    if values:
        course.denied = False


def _takes_up(clause: Clause, pieces: Sequence[Piece], guards: Guards) -> bool:
    """Return whether a clause says what holds instead of what was denied: "but in Bern", "it's 600"."""
    return clause.instead or (bool(pieces) and pieces[0].key in set(map(fold, guards.own.it)))


def _unplaced(ears: _Ears, pieces: tuple[Piece, ...], *, sure: bool) -> Iterator[Heard]:
    """Yield the value of a correction that does not say what of: "no, I meant 900 €"; bare numbers where *sure*."""
    slot = Slot(ears.message, pieces, ears.words)
    for kind in ("email", "money"):
        for value in read(kind, slot)[:1]:
            if not value.unit and kind == "money" and not sure:
                return
            short = sum(1 for piece in pieces if piece.key not in ears.words.about) <= 3
            if short:
                yield _statement(ears.message, "", value, "corrects", "")
            return


def _latest(found: Iterable[Heard]) -> list[Heard]:
    """Return what holds at the end of a message: of one value the last, of a list what no correction replaced."""
    kept: list[Heard] = []
    for heard in found:
        if heard.key in SINGLE or heard.key in ("date", "count"):
            kept = [k for k in kept if not _same_place(k, heard) or k.act == "retracts" or heard.act == "retracts"]
        elif heard.act == "corrects" and kept and _same_place(kept[-1], heard) and kept[-1].act != "retracts":
            kept = kept[:-1]
        if not any(k.start == heard.start and k.key == heard.key for k in kept):
            kept.append(heard)
    return [replace(k) for k in kept]


def _same_place(one: Heard, other: Heard) -> bool:
    return (one.subject, one.key, one.detail) == (other.subject, other.key, other.detail)
