"""A check of the language packs against one another: what a translation forgot, mistyped or left over.

The first language is the measure.  Problems are sentences for whoever mends the pack; no problem, no sentence.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from babel import Locale

from languages.errors import LanguagePackError
from languages.pack import Language, codes, load, placeholders
from languages.quantities import quantities
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
        except LanguagePackError as error:
            problems.append(str(error))
    return (*problems, *compare(packs))


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
    if len(pack.stop_words) < _LEAST_STOP_WORDS:
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
