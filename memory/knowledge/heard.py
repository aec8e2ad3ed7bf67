"""What one message states: the value that listening hands to memory."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Act = Literal["states", "adds", "corrects", "retracts"]


@dataclass(frozen=True, slots=True)
class Heard:
    """One thing stated of the speaker or of a thing; ``message[start:end]`` is the value as written.

    ``subject`` is "" for the speaker, else the entity's name.  ``key`` is language-independent ("name", "call_name",
    "place", "owns", "budget", "price"), or "" where only the value of a correction is said ("no, I meant 900 €"): it
    stands in place of the last one of its kind.  ``amount`` and ``unit`` (ISO 4217 or CLDR) are given where the value
    is a quantity.  "states" replaces what stood under a key of one value, "adds" stands beside it, "corrects" says
    that what stood there was wrong or is over, "retracts" leaves nothing in its place.
    """

    subject: str
    key: str
    value: str
    start: int
    end: int
    act: Act = "states"
    amount: float | None = None
    unit: str = ""
    detail: str = ""  # who or what else it is about: the relation of a relative, the event of a date
