"""Which of its versions stands in a turn's place, and which are before and after it: "2 / 3"."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby

from memory.store.conversations import StoredTurn, Version


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a turn stands among the versions of its place: ``number`` of ``count``, from 1, as they were asked.

    ``before`` and ``after`` are the ids of its neighbours, None at the ends.  The number is 0 where no turn is in the
    place: it failed, and what is before it is the last version.
    """

    number: int
    count: int
    before: str | None
    after: str | None


def standings(turns: Sequence[StoredTurn], versions: Sequence[Version]) -> Mapping[int, Standing]:
    """Return the standing of each turn that has versions, by its number."""
    asked = {turn.number: turn.created for turn in turns}
    by_place = groupby(sorted(versions, key=lambda each: each.place), key=lambda each: each.place)
    return {place: _standing(asked.get(place), list(group)) for place, group in by_place}


def _standing(asked: datetime | None, versions: Sequence[Version]) -> Standing:
    """Return the standing of what was *asked* then among *versions*, of nothing where it is None."""
    first = sorted(versions, key=lambda each: (each.turns[0].created, each.id))
    if asked is None:
        return Standing(0, len(first), first[-1].id, None)
    before = [each for each in first if each.turns[0].created <= asked]
    after = first[len(before) :]
    return Standing(
        len(before) + 1, len(first) + 1, before[-1].id if before else None, after[0].id if after else None
    )  # fmt: skip
