"""A call whose failure is a value, whatever it is: for the edges where nobody can name what may be raised.

Such an edge is a thread of our own, whose failures someone else has to hear of, and a model of any make.  Everywhere
else a failure is caught by its name.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Failed:
    """A call that ended with *error*."""

    error: Exception


def attempt(call: Callable[[], Result]) -> Result | Failed:
    """Return what *call* returns, or how it failed: whoever asks shows that, records it or raises it.

    >>> attempt(lambda: 6 * 7), attempt(lambda: 1 / 0)
    (42, Failed(error=ZeroDivisionError('division by zero')))
    """
    try:
        return call()
    except Exception as error:  # noqa: BLE001 - the edge itself
        return Failed(error)
