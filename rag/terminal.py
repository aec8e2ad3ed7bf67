"""What the commands share: texts on the terminal, progress, named failures, the log file."""

from __future__ import annotations

import io
import logging
import os
import re
import sys
import traceback
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from logging.handlers import RotatingFileHandler
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from languages import Language, LanguageError, codes, default_code, load
from memory.errors import ReferentMemoryError
from rag.disk import no_room
from rag.errors import ReferentError

if TYPE_CHECKING:
    from rag.build import Application

DataDir = Annotated[
    Path | None,
    typer.Option("--data-dir", help="The data folder; else REFERENT_DATA_DIR, else one in your own folder."),
]
UserOption = Annotated[str | None, typer.Option("--user", help="The person whose own documents are meant.")]
ShelfOption = Annotated[
    str | None, typer.Option("--shelf", help='The shared shelf that is meant, by its name, such as "shared".')
]

LOG_FILE: Final = "referent.log"
_LOG_BYTES: Final = 1_000_000
Failure = (ReferentError, ReferentMemoryError, LanguageError)

# What steers a terminal goes as a whole (ECMA-48): without its first byte, the rest would stand in the text.
_STEERING: Final = re.compile(
    r"""
    (?:\x1b\[|\x9b) [0-?]* [ -/]* [@-~]                          # colours, the cursor: ESC [ 31 m
    | (?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f]) [^\x07\x1b\x9c]* (?:\x07|\x1b\\|\x9c)  # titles, links: ESC ] 0;… BEL
    | \x1b [ -/]* [0-~]                                           # ESC c: reset
    """,
    re.VERBOSE,
)
# What turns the letters of a name round; directions proper stay.  And tags and selectors, which hide a text in another.
_OVERRIDES: Final = frozenset(
    {"\u202d", "\u202e", *map(chr, range(0xE0000, 0xE0080)), *map(chr, range(0xE0100, 0xE01F0))}
)


@contextmanager
def named_failures(language: str | None = None) -> Iterator[None]:
    """End the command with exit code 1 and one message where what runs within fails in a way that has a name."""
    try:
        yield
    except Failure as error:
        logging.getLogger(__name__).info("%s ended the command", type(error).__name__)
        fail(describe(error, language))
    except OSError as error:
        full = no_room(error)
        if full is None:
            raise
        logging.getLogger(__name__).info("a full disk ended the command")
        fail(describe(full, language))


@contextmanager
def opened(data_dir: Path | None, language: str | None = None) -> Iterator[Application]:
    """Yield the application over *data_dir*, closed at the end; named failures end the command."""
    with named_failures(language):
        from rag.build import application
        from rag.settings import read_settings

        settings = read_settings(data_dir)
        log_to(settings.data_dir)
        built = application(settings)
        try:
            yield built
        finally:
            built.close()


def describe(error: Exception, language: str | None = None) -> str:
    """Return what *error* says to a person: the text of *language*, else of the terminal's.

    In English it is the error's own words, which say more; so too where its key is that of any failure.
    """
    key = getattr(error, "key", "")
    language = language or interface().code
    if language != default_code() and isinstance(key, str) and key not in ("", ReferentError.key):
        try:
            return load(language).text(key, getattr(error, "values", {}))
        except LanguageError:  # no text of that key, or a value is missing: English is better than nothing
            return str(error)
    return str(error)


def fail(message: str) -> None:
    """Show *message* on the error channel and end the command with exit code 1."""
    typer.echo(visible(message), err=True)
    raise typer.Exit(1)


def visible(text: str) -> str:
    r"""Return *text* without control sequences and characters: what a document says cannot steer the terminal.

    >>> visible("a\x1b[31mb\r\n")
    'ab\n'
    """
    plain = _STEERING.sub("", text)
    return "".join(
        c for c in plain if c in "\n\t" or (unicodedata.category(c) not in ("Cc", "Cs") and c not in _OVERRIDES)
    )


def use_utf8() -> None:
    """Make standard input and output UTF-8, whatever the machine says; a byte that is none becomes U+FFFD.

    A byte order mark at the start of the input, as some editors write it, is no part of it.
    """
    for stream, encoding in ((sys.stdin, "utf-8-sig"), (sys.stdout, "utf-8"), (sys.stderr, "utf-8")):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding=encoding, errors="replace")


@contextmanager
def progress_bar(label: str, *, spoken: bool = False) -> Iterator[Callable[[float], None]]:
    """Yield what takes the share done, from 0 to 1; a bar on the error channel, where that is a terminal.

    Where it is none, a *spoken* one writes a line at the start and at each quarter, so that a log shows it going on.
    """
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn

    console = Console(stderr=True)
    if not console.is_terminal:
        yield _speaker(label) if spoken else _say_nothing
        return
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console) as bar:
        task = bar.add_task(label, total=1.0)
        yield lambda share: bar.update(task, completed=min(1.0, share))


def _say_nothing(_share: float) -> None:
    """Take the share done, and keep it."""


def _speaker(label: str) -> Callable[[float], None]:
    """Return what writes a line for each quarter that is done, the first now."""
    said = iter((0, 25, 50, 75, 100))
    due = next(said, None)

    def report(share: float) -> None:
        """Write the quarters that *share* has reached, the last of them alone."""
        nonlocal due
        reached = None
        while due is not None and share * 100 >= due:
            reached, due = due, next(said, None)
        if reached is not None:
            typer.echo(f"{label}: {reached} %", err=True)

    report(0.0)
    return report


def locale_code(environment: Mapping[str, str] = os.environ) -> str:
    """Return the language that *environment* asks programs to speak, "" where it asks for none that is known.

    The first of LC_ALL, LC_MESSAGES and LANG that is set decides, as for every program (POSIX, section 8.2).

    >>> locale_code({"LC_ALL": "", "LANG": "fr_CA.UTF-8"})
    'fr'
    >>> locale_code({"LC_ALL": "C.UTF-8", "LANG": "fr_CA.UTF-8"})
    ''
    """
    named = next(filter(None, map(environment.get, ("LC_ALL", "LC_MESSAGES", "LANG"))), "")
    code = re.split("[^a-z]", named.lower(), maxsplit=1)[0]
    return code if code in codes() else ""


def interface() -> Language:
    """Return the language of the terminal's own texts: the environment's, English where it names none that is known."""
    return load(locale_code() or default_code())


class _QuietFile(RotatingFileHandler):
    """A log file that says nothing where it cannot be written: a log is no reason to disturb a person."""

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - the library's name
        """Leave *record* out."""


def log_to(folder: Path) -> None:
    """Write the log of this process into *folder*: INFO of the program's own packages, warnings of the rest."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        handler = _QuietFile(
            folder / LOG_FILE, maxBytes=_LOG_BYTES, backupCount=1, encoding="utf-8", delay=True
        )  # fmt: skip
    except OSError:
        return  # opening the data folder says it better
    handler.setFormatter(WordlessFormatter("%(asctime)s %(levelname)s %(name)s %(message)s"))
    root = logging.getLogger()
    root.setLevel(logging.WARNING)
    root.addHandler(handler)
    for package in ("rag", "memory", "languages"):
        logging.getLogger(package).setLevel(logging.INFO)


def keep_quiet() -> None:
    """Keep the log off the terminal: a log without a file shows its warnings and tracebacks there, libraries theirs."""
    logging.captureWarnings(capture=True)
    logging.getLogger().addHandler(logging.NullHandler())


def log_somewhere() -> None:
    """Write the log into the usual data folder, where this process has none yet."""
    from rag.settings import read_settings

    if not any(isinstance(handler, RotatingFileHandler) for handler in logging.getLogger().handlers):
        with suppress(ReferentError):  # the settings cannot be read: then there is no folder to write to
            log_to(read_settings().data_dir)


class WordlessFormatter(logging.Formatter):
    """Writes where an exception came from and what it is, without its message: that may hold a person's words."""

    def formatException(  # noqa: N802 - as logging calls it
        self, ei: tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]
    ) -> str:
        """Return the frames and the type of the exception."""
        kind, _, trace = ei
        frames: list[Any] = traceback.extract_tb(trace) if trace else []
        lines = [f"  {frame.filename}:{frame.lineno} {frame.name}" for frame in frames]
        return "\n".join([*lines, kind.__name__ if kind else ""])
