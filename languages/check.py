"""A check of the language packs against one another: what a translation forgot, mistyped or left over.

The first language is the measure.  Problems are sentences for whoever mends the pack; no problem, no sentence.  What a
new pack has left to do is listed apart: ``python -m languages.check eo`` shows both, for every language without a code.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated

import typer
from babel import Locale

from languages.columns import columns
from languages.errors import LanguagePackError
from languages.familiar import familiar
from languages.files import FOLDER
from languages.grammar import grammar_of, hooks_of
from languages.lexicon import lexicon
from languages.listening import listening_of
from languages.pack import Language, codes, load, placeholders
from languages.quantities import quantities
from languages.remembering import remembering
from languages.scaffold_toml import TODO
from languages.text import words

_CATEGORIES = ("zero", "one", "two", "few", "many", "other")
# Fewer would leave articles and prepositions in the lexical index.
_LEAST_STOP_WORDS = 100


def check_packs() -> tuple[str, ...]:
    """Return what is wrong with the language packs, a sentence each; nothing where all is well."""
    packs: list[Language] = []
    problems: list[str] = []
    for code in codes():
        try:
            packs.append(load(code))
            quantities("1", code)
            lexicon(code)
            grammar_of(code)
            columns(code)
            remembering(code)
            hooks_of(code)
            listening_of(code)
            familiar(code)
        except LanguagePackError as error:
            problems.append(str(error))
    return (*problems, *compare(packs))


def left_to_do(code: str, root: Path = FOLDER) -> tuple[str, ...]:
    """Return what is marked as not yet translated or filled in, a line each; nothing in a finished pack."""
    left = []
    for file in sorted((root / code).glob("*.[tp][oy]*")):
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), start=1):
            before, mark, rest = line.partition(TODO)
            if mark:
                what = rest.strip(' "')
                left.append(f"{code}/{file.name}, line {number}: {_entry(before)}{f' ({what})' if what else ''}")
    return tuple(left)


def _entry(line: str) -> str:
    """Return the name of the entry that a line of TOML begins, "…" within a longer text.

    >>> _entry('send = "'), _entry("[ordinals]  # "), _entry("and so on")
    ('send', '[ordinals]', '…')
    """
    name, equals, _ = line.partition(" = ")
    return name if equals else line.partition("#")[0].strip() if line.startswith("[") else "…"


def compare(packs: Sequence[Language]) -> tuple[str, ...]:
    """Return in what *packs* differ that should not: keys, placeholders, plural forms, typography.

    The first pack is the measure of the others.
    """
    if not packs:
        return ()
    problems: list[str] = []
    for pack in packs:
        problems += [f"{pack.code}: {problem}" for problem in _own_problems(pack)]
    for pack in packs[1:]:
        problems += [f"{pack.code}: {problem}" for problem in _differences(packs[0], pack)]
    return tuple(problems)


def _own_problems(pack: Language) -> Iterator[str]:
    for stem, forms in _plurals(pack.texts).items():
        wanted = {*Locale.parse(pack.locale).plural_form.tags, "other"}
        for category in sorted(wanted - forms.keys()):
            yield f"“{stem}” has no form “{category}”, which this language needs."
        for category in sorted(forms.keys() - wanted):
            yield f"“{stem}” has a form “{category}”, which this language never uses."
    for key, text in pack.texts.items():
        if text != text.strip():
            yield f"“{key}” begins or ends with white space."
        for mistake in pack.never:
            found = re.search(mistake, text)
            if found:
                yield f"“{key}” has “{found.group()}”, which is never right here (see never in language.toml)."
    begun = any(text.startswith(TODO) for text in pack.texts.values())  # what is left to do is listed apart
    if len(pack.stop_words) < _LEAST_STOP_WORDS and not begun:
        yield f"stopwords.toml has {len(pack.stop_words)} words; at least {_LEAST_STOP_WORDS} are expected."


def _differences(measure: Language, pack: Language) -> Iterator[str]:
    theirs, ours = _by_stem(measure.texts), _by_stem(pack.texts)
    for key in sorted(theirs.keys() - ours.keys()):
        yield f"“{key}” is missing; in {measure.english_name} it is “{theirs[key]}”."
    for key in sorted(ours.keys() - theirs.keys()):
        yield f"“{key}” is unknown in {measure.english_name}; it may be mistyped."
    for key in sorted(theirs.keys() & ours.keys()):
        wanted, found = placeholders(theirs[key]), placeholders(ours[key])
        for name in sorted(wanted - found):
            yield f"“{key}” lacks the placeholder {{{name}}}."
        for name in sorted(found - wanted):
            yield f"“{key}” has a placeholder {{{name}}} that nobody fills."
        if ours[key] == theirs[key] and len(words(re.sub(r"\{\w+\}", "", ours[key]))) > 2:
            yield f"“{key}” is not translated."
    for stem, forms in _plurals(pack.texts).items():
        for category, text in forms.items():
            for name in sorted(placeholders(text) - placeholders(forms.get("other", text))):
                yield f"“{stem}.{category}” has a placeholder {{{name}}} that “other” lacks."


def _plurals(texts: Mapping[str, str]) -> Mapping[str, Mapping[str, str]]:
    """Return the plural forms by stem: {"turns": {"one": …, "other": …}}."""
    forms: dict[str, dict[str, str]] = defaultdict(dict)
    for key, text in texts.items():
        stem, _, last = key.rpartition(".")
        if last in _CATEGORIES and f"{stem}.other" in texts:
            forms[stem][last] = text
    return forms


def _by_stem(texts: Mapping[str, str]) -> Mapping[str, str]:
    """Return the texts with one entry a plural: languages differ in which forms they have."""
    plurals = _plurals(texts)
    single = {key: text for key, text in texts.items() if key.rpartition(".")[0] not in plurals}
    return single | {stem: forms["other"] for stem, forms in plurals.items()}


def check(
    only: Annotated[
        list[str] | None, typer.Argument(help="Codes of languages; all without.", metavar="CODE...")
    ] = None,
) -> None:
    """Say what is wrong with the language packs, and what is left to fill in."""
    chosen = tuple(only or codes())
    for code in chosen:
        if code not in codes():
            raise typer.BadParameter(f"found {code!r}; expected one of {', '.join(codes())}")
    problems = [problem for problem in check_packs() if problem.startswith(chosen)]
    for line in (*problems, *(line for code in chosen for line in left_to_do(code))):
        typer.echo(line)
    if problems:
        raise typer.Exit(1)


if __name__ == "__main__":
    typer.run(check)
