"""Begins a language: ``python -m languages.scaffold eo --name Esperanto --script Latin --like fr``.

The folder that it writes is whole: the program reads it, offers the language and speaks it, in the texts of the
language it is like, until they are translated.  What is left to do is marked: ``python -m languages.check eo`` lists
it.
"""

from __future__ import annotations

import re
import shutil
import unicodedata
from pathlib import Path
from typing import Annotated, Final

import Stemmer
import typer
from babel import Locale, UnknownLocaleError

from languages.check import left_to_do
from languages.detect import SCRIPT_NAMES
from languages.errors import LanguageError, PackNotBegun, UnknownLanguage
from languages.files import FOLDER, read_toml
from languages.pack import codes, default_code, load
from languages.scaffold_files import NewPack, contents

_CODE: Final = re.compile("[a-z]{2,3}")
_ENGLISH: Final = Locale("en")

cli = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@cli.command()
def scaffold(
    code: Annotated[str, typer.Argument(help="The language's ISO 639 code, such as eo.")],
    *,
    name: Annotated[str, typer.Option(help="What its speakers call it.")],
    script: Annotated[str, typer.Option(help="The script it is written in: Latin, Cyrillic; or its ISO 15924 code.")],
    like: Annotated[
        str, typer.Option(help="The language it is like: its texts are there to be translated, its words as examples.")
    ] = default_code(),
    share_script: Annotated[
        bool, typer.Option("--share-script", help="Begin it although its script tells another language apart.")
    ] = False,
) -> None:
    """Write the folder of a new language, to be filled in."""
    try:
        folder = write_pack(plan(code, name=name, script=script, like=like, share_script=share_script))
    except LanguageError as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(1) from None
    codes.cache_clear()
    typer.echo(
        f"{folder.name}: {len(left_to_do(code))} entries to fill in. python -m languages.check {code} lists them."
    )
    typer.echo("Begin with language.toml and stopwords.toml; docs/languages.md says what each file is for.")


def plan(code: str, *, name: str, script: str, like: str, share_script: bool = False) -> NewPack:
    """Return what is known of the new language from its name alone.

    Raises: PackNotBegun, UnknownLanguage.
    """
    if not _CODE.fullmatch(code):
        raise PackNotBegun(f"the code {code!r}", "two or three small letters", "Take the language's ISO 639 code.")
    if (FOLDER / code).exists():
        what = f"a folder languages/{code}"
        raise PackNotBegun(what, "none of that name", "Fill in what is there, or take another code.")
    if like not in codes():
        raise UnknownLanguage(like, codes())
    written = _script(script)
    owners = [each for each in codes() if load(each).script == written]
    if len(owners) == 1 and not share_script:
        known = load(owners[0])
        what = f"that {known.english_name} ({known.code}) alone is written in {_ENGLISH.scripts[written]}"
        step = (
            f"By that script it is recognised. With a second language in it, words have to tell the two apart: "
            f"see that stopwords.toml and only_here of languages/{known.code} are full, then say --share-script."
        )
        raise PackNotBegun(what, "a script of no language or of several", step)
    locale = code if _is_locale(code) else load(like).locale
    english = _ENGLISH.languages.get(code, name)
    algorithm = english.lower()
    return NewPack(
        code=code,
        name=name,
        english_name=english,
        direction=_direction(written),
        script=written,
        locale=locale,
        stemmer=algorithm if algorithm in Stemmer.algorithms() else load(like).stemmer,
        order=max(read_toml(each, "language.toml")["order"] for each in codes()) + 1,
        capitals=_has_capitals(written),
        like=load(like),
    )


def write_pack(new: NewPack, root: Path = FOLDER) -> Path:
    """Return the folder of *new* in *root*, written whole or not at all.

    Raises: PackNotBegun where it cannot be written.
    """
    place = root / new.code
    # A folder is a language from the moment it has this file.
    files = sorted(contents(new).items(), key=lambda file: file[0] == "language.toml")
    try:
        place.mkdir()
        for name, text in files:
            (place / name).write_text(text, encoding="utf-8")
    except OSError as error:
        if not isinstance(error, FileExistsError):
            shutil.rmtree(place, ignore_errors=True)
        what = f"that {place} cannot be written ({error.strerror})"
        raise PackNotBegun(what, "a folder that can be", "See who may write there.") from error
    return place


def _script(said: str) -> str:
    """Return the ISO 15924 code of a script, given so or by its English name.

    >>> _script("cyrillic"), _script("Arab")
    ('Cyrl', 'Arab')
    """
    names = {code: _ENGLISH.scripts.get(code, code) for code in SCRIPT_NAMES}
    for code, name in names.items():
        if said.casefold() in (code.casefold(), name.casefold()):
            return code
    known = ", ".join(sorted(names.values()))
    raise PackNotBegun(f"the script {said!r}", f"one of {known}", "Add it to SCRIPT_NAMES in languages/detect.py.")


def _letters(script: str) -> str:
    """Return some letters of *script*."""
    begins = f"{SCRIPT_NAMES[script]} "
    found = (chr(number) for number in range(0x41, 0xFFFF) if chr(number).isalpha())
    return "".join(letter for letter in found if unicodedata.name(letter, "").startswith(begins))[:60]


def _direction(script: str) -> str:
    """Return the direction in which *script* is written.

    >>> _direction("Hebr"), _direction("Grek")
    ('rtl', 'ltr')
    """
    return "rtl" if unicodedata.bidirectional(_letters(script)[0]) in ("R", "AL") else "ltr"


def _has_capitals(script: str) -> bool:
    """Return whether *script* has capital letters.

    >>> _has_capitals("Cyrl"), _has_capitals("Deva")
    (True, False)
    """
    return any(letter.upper() != letter.lower() for letter in _letters(script))


def _is_locale(code: str) -> bool:
    try:
        Locale.parse(code)
    except (UnknownLocaleError, ValueError):
        return False
    return True


if __name__ == "__main__":
    cli()
