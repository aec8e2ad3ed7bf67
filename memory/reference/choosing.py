"""Expressions that choose among alternatives: both, the second one, the former, the other laptop, the cheaper one."""

from __future__ import annotations

from collections.abc import Sequence

from memory.reference.analysis import Analysis
from memory.reference.expression import Expression, Kind, after_openers, case_at, span_of
from memory.reference.words import Word


def group_at(analysis: Analysis, word: Word) -> Expression | None:
    """Return "both", "all three", "les deux", "beide", «كلاهما» at *word*: as many as were offered; else None."""
    tongue = analysis.tongue
    match = tongue.longest(analysis.keys, word.index, tongue.boths)
    if match is None:
        return None
    form, size = match
    last = word.index + size - 1
    noun = ""
    following = analysis.words[last + 1] if last + 1 < len(analysis.words) else None
    nominal = following is not None and (following.capital or not tongue.grammar.noun_capitals)
    if following and nominal and tongue.lexicon.kind(following.text) and not tongue.may_be_verb(following.key):
        noun, last = following.text, last + 1
    start, end = span_of(analysis, word.index, last)
    return Expression(
        "both", word.index, last, start, end, numbers=frozenset("p"), noun=noun, count=tongue.boths[form],
        case=case_at(analysis, word.index),
    )  # fmt: skip


def asked_at(analysis: Analysis, word: Word) -> Expression | None:
    """Return "which is cheaper?", "welches hält länger?" at *word*: one of those named before.

    What the question looks for by a noun ("which is the cheapest phone?") is none of them.
    """
    tongue, words = analysis.tongue, analysis.words
    match = tongue.longest(analysis.keys, word.index, tongue.sets["choosers"])
    if match is None or after_openers(analysis)[0].index != word.index:
        return None
    last = word.index + match[1] - 1
    following = words[last + 1 : last + 4]
    if not following or any(tongue.has("disjunctions", w.key) for w in words[last + 1 :]):
        return None
    if not tongue.grammar.letters_folded and not tongue.may_be_verb(following[0].key):
        return None
    if tongue.may_be_noun(following[0].key) or _sought(analysis, following):
        return None
    start, end = span_of(analysis, word.index, last)
    return Expression("both", word.index, last, start, end, numbers=frozenset("p"), count=0)


def _sought(analysis: Analysis, following: Sequence[Word]) -> bool:
    """Return whether the words after "which" lead to the noun that is looked for: "is the cheapest phone"."""
    tongue = analysis.tongue
    if len(following) < 2 or not tongue.has("copulas", following[0].key) or following[1].key not in tongue.determiners:
        return False
    match = tongue.longest(analysis.keys, following[1].index + 1, tongue.comparisons)
    after = following[1].index + 1 + (match[1] if match else 0)
    phrase = analysis.phrase_at(after) if after < len(analysis.words) else None
    return phrase is not None and bool(phrase.noun or phrase.name)


def choice_at(analysis: Analysis, word: Word) -> Expression | None:
    """Return the choice at *word* ("the second one", "the former", "the other laptop", "the cheaper one"), or None."""
    tongue, words = analysis.tongue, analysis.words
    keys = analysis.keys
    rules = tongue.determiners.get(word.key)
    definite = bool(rules and rules[0].kind in ("definite", "demonstrative", "own"))
    begin = word.index + 1 if definite else word.index
    if begin >= len(words):
        return None
    written = tongue.grammar.letters_folded
    tables: tuple[tuple[Kind, object], ...] = (
        ("ordinal", tongue.ordinals), ("former", tongue.sets["formers"]), ("latter", tongue.sets["latters"]),
        ("other", tongue.sets["others"]), ("comparison", tongue.comparisons),
    )  # fmt: skip
    for kind, table in tables:
        match = tongue.longest(keys, begin, table)  # type: ignore[arg-type]
        if match is None:
            continue
        form, size = match
        bare = kind in ("former", "latter") or (kind == "ordinal" and (size > 1 or _alone(analysis, size)))
        if not definite and not written and not bare:
            continue
        last = begin + size - 1
        if definite or written or kind not in ("former", "latter"):  # "letzterer" stands alone
            noun, last = _choice_noun(analysis, last, own=bool(rules and rules[0].kind == "own"))
        else:
            noun = ""
        if kind == "ordinal" and written and _qualifies(analysis, word):
            return None  # "الطابق الأول": the ordinal belongs to the noun before it
        if kind == "comparison" and (_qualifies(analysis, word) or _is_asked(analysis, word, last)):
            return None
        if kind == "ordinal" and not written and not noun and not _ends_choice(analysis, last):
            return None
        last = _with_group(analysis, last)
        genders = frozenset(g for rule in rules or () for g in rule.genders)
        start, end = span_of(analysis, word.index, last)
        return Expression(
            kind, word.index, last, start, end, genders, noun=noun, case=case_at(analysis, word.index),
            count=tongue.ordinals[form] if kind == "ordinal" else 0,
            comparison=tongue.comparisons[form] if kind == "comparison" else None,
        )  # fmt: skip
    return None


def _qualifies(analysis: Analysis, word: Word) -> bool:
    """Return whether *word* only qualifies the noun before it: "الطابق الأول", "le téléphone | le moins cher"."""
    if not word.index:
        return False
    tongue, before = analysis.tongue, analysis.words[word.index - 1]
    if analysis.text[before.end : word.start].strip():
        return False
    phrase = analysis.phrase_at(before.index)
    return tongue.hooks.is_definite(before.text) or (
        tongue.grammar.noun_first and phrase is not None and bool(phrase.noun)
    )


def _is_asked(analysis: Analysis, word: Word, last: int) -> bool:
    """Return whether a superlative is what the question asks for: "Lequel est le moins cher ?", "which is lighter?"."""
    tongue, words = analysis.tongue, analysis.words
    rest = [w.key for w in after_openers(analysis) if w.index < word.index]
    asks = bool(rest) and tongue.longest(rest, 0, tongue.sets["which"]) is not None
    after = words[last + 1 :]
    ends = all(tongue.has("fillers", w.key) for w in after) or bool(
        analysis.text[words[last].end : after[0].start].strip()  # "Lequel serre le moins, et de combien ?"
    )
    return asks and ends and not any(p.noun or p.name for p in analysis.phrases if p.last < word.index)


def _alone(analysis: Analysis, size: int) -> bool:
    """Return whether a choice word of *size* words is all that the question says: "Second?"."""
    content = [w for w in analysis.words if not analysis.tongue.has("fillers", w.key)]
    return len(content) <= size + 1


def _choice_noun(analysis: Analysis, last: int, *, own: bool = False) -> tuple[str, int]:
    """Return the noun after a choice word ("the second laptop"; "one" is none), and the last word."""
    words, tongue = analysis.words, analysis.tongue
    if last + 1 >= len(words):
        return "", last
    following = words[last + 1]
    gap = analysis.text[words[last].end : following.start]
    if gap.strip() or (tongue.grammar.written_article and tongue.hooks.is_definite(words[last].text)):
        return "", last  # «الثانية الحناء»: its noun would stand before it
    if tongue.has("ones", following.key) and not tongue.grammar.noun_first:
        return "", last + 1
    adjective = tongue.lexicon.parts(following.text) == {"adj"}  # "is the former waterproof?"
    owned = own and tongue.may_be_noun(following.key)  # "my first order"
    if owned or (tongue.may_be_noun(following.key) and not adjective and not tongue.is_verb(following.key)):
        if tongue.grammar.noun_capitals and not following.capital:
            return "", last
        return following.text, last + 1
    return "", last


def _with_group(analysis: Analysis, last: int) -> int:
    """Return the last word of a choice with what it is of: "the cheaper one of the two", "la moins chère des deux"."""
    tongue, keys = analysis.tongue, analysis.keys
    for at in (last + 1, last + 2):
        match = tongue.longest(keys, at, tongue.boths) if at < len(keys) else None
        if match is not None and (at == last + 1 or tongue.has("prepositions", keys[last + 1])):
            return at + match[1] - 1
    if tongue.grammar.attached_pronouns and last + 1 < len(keys):  # «الأرخص منهما»
        written = tongue.hooks.attached(analysis.words[last + 1].text)
        if written is not None and written.on == "preposition" and set(written.numbers) <= {"d", "p"}:
            return last + 1
    return last


def _ends_choice(analysis: Analysis, last: int) -> bool:
    """Return whether the ordinal stands for a thing: a verb, a preposition, a mark or the end follows."""
    words, tongue = analysis.words, analysis.tongue
    if last + 1 >= len(words):
        return True
    following = words[last + 1]
    gap = analysis.text[words[last].end : following.start]
    if (
        tongue.grammar.noun_capitals and not following.capital
    ):  # "das erste | freitags auch", not "das erste große Haus"
        noun = words[last + 2] if last + 2 < len(words) else None
        closes = following.key in tongue.closed or tongue.has("prepositions", following.key)
        inflected = following.text.endswith(tongue.grammar.adjective_endings) and not tongue.is_verb(following.key)
        return bool(gap.strip()) or closes or not (inflected and noun is not None and noun.capital)
    adverb = tongue.lexicon.parts(following.text) == {"adv"}
    return bool(gap.strip()) or adverb or following.key in tongue.closed or tongue.may_be_verb(following.key)
