"""Whether a failure says that the disk is full, whichever library raised it."""

from __future__ import annotations

import errno
import re

from rag.errors import DiskFull

_FULL = re.compile(r"disk is full|no space left|\(os error (?:28|122)\)", re.IGNORECASE)  # SQLite's words, Rust's


def no_room(error: Exception) -> DiskFull | None:
    """Return that the disk is full where that is what *error* says, whichever library raised it; else None.

    >>> no_room(OSError(errno.ENOSPC, "No space left on device", "/data/x")).key
    'error.store_full'
    >>> no_room(OSError(errno.ENOENT, "No such file or directory")) is None
    True
    """
    found = error.errno in (errno.ENOSPC, errno.EDQUOT) if isinstance(error, OSError) else _FULL.search(str(error))
    if not found:
        return None
    place = f" for {error.filename}" if isinstance(error, OSError) and error.filename else ""
    return DiskFull(f"found no room left on the disk{place}; expected room to write; free some, then try again")
