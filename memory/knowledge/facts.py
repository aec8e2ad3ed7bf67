"""Which facts hold: what a new statement does to those that stood under its key.

The latest wins and the one before is kept with its end; what is added retires nothing; the person's word goes before
a document's, and that before the assistant's.  Nothing is read or written here: current facts and a statement in, a
decision out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from types import MappingProxyType
from typing import Final, Literal

from languages.text import fold
from memory.knowledge.heard import Act, Heard
from memory.knowledge.identity import compare

Source = Literal["person", "assistant", "document"]

SELF: Final = ""  # the subject of what a person says of themself
_RANKS: Final = MappingProxyType({"person": 2, "document": 1, "assistant": 0})
# Keys that hold several values side by side; every other key holds one for each detail.
MANY: Final = frozenset(
    "owns wants likes dislikes prefers needs family pet language problem order_number constraint".split()
)


@dataclass(frozen=True, slots=True)
class Statement:
    """One thing stated: of the person (``entity`` "") or of an entity by its id."""

    entity: str
    key: str
    value: str
    source: Source = "person"
    act: Act = "states"
    amount: float | None = None
    unit: str = ""
    detail: str = ""

    @classmethod
    def of(cls, heard: Heard, *, entity: str = SELF, source: Source = "person") -> Statement:
        """Return what was heard as a statement of *entity*."""
        return cls(entity, heard.key, heard.value, source, heard.act, heard.amount, heard.unit, heard.detail)


@dataclass(frozen=True, slots=True)
class StoredFact:
    """A statement as kept: current while ``retired_at`` is None, otherwise it held until then.

    ``replaced_by`` is the fact or retraction that ended it; ``withdrawn`` ones never held: their turn was made anew.
    """

    id: int
    entity: str
    key: str
    detail: str
    value: str
    amount: float | None
    unit: str
    source: Source
    act: Act
    said: int
    conversation: str
    turn: str
    valid_from: datetime
    retired_at: datetime | None = None
    retired_turn: str = ""
    replaced_by: int | None = None
    withdrawn: bool = False


@dataclass(frozen=True, slots=True)
class Decision:
    """What becomes of a statement: the facts it ends, whether it is kept, and by which it is overruled at once.

    ``repeats`` is the current fact that says the same already.
    """

    retire: tuple[int, ...] = ()
    keep: bool = True
    overruled_by: int | None = None
    repeats: int | None = None


def allowed(statement: Statement) -> bool:
    """Return whether a statement may be kept at all: documents and the assistant say nothing of the person.

    >>> allowed(Statement("", "budget", "900 €", "document")), allowed(Statement("e1", "price", "900 €", "document"))
    (False, True)
    """
    return statement.source == "person" or statement.entity != SELF


def decide(current: Sequence[StoredFact], new: Statement) -> Decision:
    """Return what *new* does to the *current* facts, oldest first, that stand under its subject, key and detail."""
    if not allowed(new):
        return Decision(keep=False)
    same = [fact for fact in current if _says(fact, new)]
    if new.act == "retracts":
        # "I sold my Kestrel": that one; "I have no budget any more": whatever stood there.
        gone = same if new.value else current
        return Decision(tuple(fact.id for fact in gone), keep=bool(gone))
    if same:
        others = () if new.key in MANY else tuple(fact.id for fact in current if fact not in same)
        return Decision(others if _outranks(new, current) else (), keep=False, repeats=same[-1].id)
    if new.act == "adds":
        return Decision()
    if new.key in MANY:
        # "No, the 14 is mine, not the 15" takes back the last of them, a plain statement none.
        return Decision((current[-1].id,) if new.act == "corrects" and current else ())
    higher = [fact for fact in current if _RANKS[fact.source] > _RANKS[new.source]]
    if higher:
        return Decision(overruled_by=higher[-1].id)
    return Decision(tuple(fact.id for fact in current))


def holds_at(fact: StoredFact, moment: datetime) -> bool:
    """Return whether *fact* held at *moment*."""
    ended = fact.retired_at is not None and fact.retired_at <= moment
    return not fact.withdrawn and fact.act != "retracts" and fact.valid_from <= moment and not ended


def placed(heard: Heard, current: Sequence[StoredFact]) -> Heard | None:
    """Return *heard* under a key: where only the value of a correction was said, that of the last of its kind.

    Its kind is a quantity of the same unit, or words.  None where nothing of it stands.
    """
    if heard.key:
        return heard
    alike = [
        fact
        for fact in current
        if fact.source == "person" and (fact.amount is None) == (heard.amount is None) and fact.unit == heard.unit
    ]
    last = max(alike, key=lambda fact: (fact.valid_from, abs(fact.id)), default=None)
    return replace(heard, key=last.key, detail=last.detail) if last is not None else None


def with_heard(current: Sequence[StoredFact], heard: Sequence[Heard], now: datetime) -> tuple[StoredFact, ...]:
    """Return the person's facts as they will stand once what they are just saying is kept."""
    facts = list(current)
    for number, said in enumerate(heard, start=1):
        each = placed(said, facts)
        if each is None or each.subject:
            continue
        new = Statement.of(each)
        decision = decide([fact for fact in facts if slot(fact) == slot(new)], new)
        facts = [fact for fact in facts if fact.id not in decision.retire]
        if decision.keep and decision.overruled_by is None and new.act != "retracts":
            facts.append(
                StoredFact(-number, SELF, new.key, new.detail, new.value, new.amount, new.unit, "person", new.act, 1,
                           "", "", now)
            )  # fmt: skip
    return tuple(facts)


def history_with_heard(history: Sequence[StoredFact], heard: Sequence[Heard], now: datetime) -> tuple[StoredFact, ...]:
    """Return all that was ever stated, oldest first, once what the person is just saying is kept."""
    current = [fact for fact in history if fact.retired_at is None]
    after = with_heard(current, heard, now)
    stays = {fact.id for fact in after}
    before = tuple(fact if fact.retired_at or fact.id in stays else replace(fact, retired_at=now) for fact in history)
    return before + tuple(fact for fact in after if fact.id < 0)


def slot(fact: StoredFact | Statement) -> tuple[str, str, str]:
    """Return where a fact stands: its subject, its key, and the detail that parts one from another under a key."""
    return fact.entity, fact.key, fold(fact.detail)


def _outranks(new: Statement, current: Sequence[StoredFact]) -> bool:
    return all(_RANKS[fact.source] <= _RANKS[new.source] for fact in current)


def _says(fact: StoredFact, new: Statement) -> bool:
    """Return whether *fact* has the value of *new*, in whatever spelling or language."""
    if fact.amount is not None and new.amount is not None:
        return fact.amount == new.amount and fact.unit == new.unit
    if fold(fact.value) == fold(new.value):
        return True
    verdict = compare(fact.value, new.value)
    return verdict == "same" or (verdict == "short" and new.key in MANY)
