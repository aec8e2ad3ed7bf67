"""Reading a file in a process of its own, which may neither hang nor fill the memory of this one.

The program gets the file on standard input and writes a JSON object a line.  It is stopped where it is silent for too
long; on POSIX it is also bounded in memory and in the time of the processor, should nobody be left to stop it.
"""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any, Final

from rag.errors import DocumentRefused, DocumentTooComplex
from rag.shelf.blocks import Source

MOST_MEMORY: Final = 1_000_000_000  # bytes, of addresses
MOST_SECONDS: Final = 600  # of the processor
SILENCE: Final = 30.0  # seconds between two lines; a page takes some hundredths of one

# The packages are entered without running their __init__, which takes half a second.
_START: Final = """
import importlib, sys, types
try:
    import resource
except ImportError:
    pass
else:
    for bound, most in ((resource.RLIMIT_AS, {memory}), (resource.RLIMIT_CPU, {seconds}), (resource.RLIMIT_CORE, 0)):
        try:
            resource.setrlimit(bound, (most, most))
        except (OSError, ValueError):  # macOS knows the bound and does not take it
            pass
for name, folder in (("rag", {rag!r}), ("rag.shelf", {shelf!r})):
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].__path__ = [folder]
importlib.import_module({program!r}).main()
"""


class ReadingStopped(Exception):
    """The program was stopped, or ended by itself before it was done: too slow, too large, or broken by the file."""


def read_apart(
    program: str, data: bytes, *arguments: str, silence: float = SILENCE
) -> Generator[Mapping[str, Any], None, None]:
    """Yield the objects that the module *program* of this package writes about *data*.

    Raises: ReadingStopped.
    """
    shelf = Path(__file__).parent
    start = _START.format(
        memory=MOST_MEMORY, seconds=MOST_SECONDS, rag=str(shelf.parent), shelf=str(shelf), program=program
    )
    command = [sys.executable, "-I", "-c", start, *arguments]
    with subprocess.Popen(  # noqa: S603 - this interpreter, a module of this package
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as process:
        try:
            threading.Thread(target=_give, args=(process, data), daemon=True).start()
            yield from _objects(process, silence)
        finally:
            process.kill()
        if process.wait() != 0:
            raise ReadingStopped(f"{program} ended with {process.returncode}")


def read_source(
    program: str,
    source: Source,
    most: int,
    refusal: Callable[[Source, Mapping[str, Any]], DocumentRefused],
    expected: str,
) -> Generator[Mapping[str, Any], None, None]:
    """Yield the objects that *program* writes about *source*, of which it reads *most* pages or rows.

    Raises: what *refusal* makes of an object that says "refused"; DocumentTooComplex, which says what was *expected*.
    """
    try:
        with closing(read_apart(program, source.data, str(most))) as reading:
            for found in reading:
                if "refused" in found:
                    raise refusal(source, found)
                yield found
    except ReadingStopped as error:
        raise DocumentTooComplex(
            f"{source.name} took too much time or memory to read; expected {expected}", {"name": source.name}
        ) from error


def _give(process: subprocess.Popen[bytes], data: bytes) -> None:
    if process.stdin is None:
        return
    try:
        with process.stdin as pipe:
            pipe.write(data)
    except OSError:  # it ended before it had read all: its end says more
        return


def _objects(process: subprocess.Popen[bytes], silence: float) -> Iterator[Mapping[str, Any]]:
    if process.stdout is None:
        return
    while True:
        watch = threading.Timer(silence, process.kill)
        watch.start()
        try:
            line = process.stdout.readline()
        finally:
            watch.cancel()
        if not line:
            process.wait()
            return
        try:
            found = json.loads(line)
        except ValueError:  # it was stopped in the middle of a line
            process.wait()
            return
        yield found
