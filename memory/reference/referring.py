"""The expressions of a question that may refer back: which they are, where they stand, what they ask of an antecedent.

Decided by grammar and position, never by substring: *il* is in *ville*, *le* is an article before a noun and a pronoun
before a verb, *there* in "is there" refers to nothing.  Whether anything fits is not asked here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from languages.grammar import Attached, Comparison, Pronoun, idioms_of
from memory.reference.analysis import Analysis, Phrase, Word

Kind = Literal[
    "pronoun", "possessive", "demonstrative", "definite", "one", "ordinal", "former", "latter", "other", "both",
    "comparison", "place", "time", "adverb",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Expression:
    """One referring expression: words ``first`` to ``last`` are what an antecedent would replace.

    ``start`` and ``end`` are the offsets reported to people.  Empty ``genders`` and ``numbers`` ask nothing.
    """

    kind: Kind
    first: int
    last: int
    start: int
    end: int
    genders: frozenset[str] = frozenset()
    numbers: frozenset[str] = frozenset()
    animacy: str = "any"
    noun: str = ""
    case: str = "subject"
    count: int = 0
    comparison: Comparison | None = None
    pronoun: Pronoun | None = None
    attached: Attached | None = None
    rest: str = ""  # what tells "the Lenovo one" apart: the words, as they stand


def find_expressions(analysis: Analysis) -> tuple[Expression, ...]:
    """Return the referring expressions in order, not overlapping."""
    blocked = _idiom_spans(analysis)
    found: list[Expression] = []
    after = 0
    for word in analysis.words:
        if word.index < after or analysis.in_quotes(word):
            continue
        if analysis.name_at(word.index) is not None and not _opens_one(analysis, word):
            continue
        if any(start <= word.start < end for start, end in blocked):
            continue
        if len(word.text) > 1 and word.text.isupper() and not analysis.text.isupper():
            continue  # IT is a department, not a pronoun
        expression = _at(analysis, word)
        if expression is not None:
            found.append(expression)
            after = expression.last + 1
    return tuple(found)


def _idiom_spans(analysis: Analysis) -> tuple[tuple[int, int], ...]:
    from languages.grammar import key

    lowered = analysis.text.lower() if analysis.tongue.grammar.letters_folded else key(analysis.text)
    if len(lowered) != len(analysis.text):  # composing changed the length: offsets would lie
        lowered = analysis.text.lower().replace("’", "'")
    return tuple(match.span() for match in idioms_of(analysis.tongue.code).finditer(lowered[:2000]))


def _at(analysis: Analysis, word: Word) -> Expression | None:
    """Return the expression that begins at *word*, or None: the longer and surer readings first."""
    for reading in (_group, _one, _chosen, _place_or_time, _attached, _possessive, _pronoun, _noun_phrase):
        expression = reading(analysis, word)
        if expression is not None:
            return expression
    return None


def _opens_one(analysis: Analysis, word: Word) -> bool:
    """Return whether a name begins here that only tells "one" apart: "Lenovo one"."""
    span = analysis.name_at(word.index)
    after = span.last + 1 if span is not None else len(analysis.words)
    return after < len(analysis.words) and analysis.tongue.has("ones", analysis.words[after].key)


def _spans(analysis: Analysis, first: int, last: int) -> tuple[int, int]:
    return analysis.words[first].start, analysis.words[last].end


def _case(analysis: Analysis, first: int) -> str:
    """Return the case of a phrase at word *first*: the preposition before it, else subject or object by position."""
    if first == 0:
        return "subject"
    before = analysis.words[first - 1]
    tongue = analysis.tongue
    if tongue.has("prepositions", before.key):
        return before.key
    return "object" if tongue.may_be_verb(before.key) and not before.opens else "subject"


def _group(analysis: Analysis, word: Word) -> Expression | None:
    """both, the two of them, all three, les deux, beide, كلاهما: as many as were offered."""
    tongue = analysis.tongue
    match = tongue.longest(analysis.keys(), word.index, tongue.boths)
    if match is None:
        return None
    form, size = match
    last = word.index + size - 1
    noun = ""
    following = analysis.words[last + 1] if last + 1 < len(analysis.words) else None
    if following is not None and tongue.lexicon.kind(following.text) and not tongue.may_be_verb(following.key):
        noun, last = following.text, last + 1
    start, end = _spans(analysis, word.index, last)
    return Expression(
        "both", word.index, last, start, end, numbers=frozenset("p"), noun=noun, count=tongue.boths[form],
        case=_case(analysis, word.index),
    )  # fmt: skip


def _one(analysis: Analysis, word: Word) -> Expression | None:
    """the Lenovo one, the one from Lenovo, celui de Lenovo, der von Lenovo, الذي من: a thing told apart by the rest."""
    tongue, words = analysis.tongue, analysis.words
    if tongue.has("ones", word.key) and word.index + 2 < len(words) + 1:
        link = words[word.index + 1] if word.index + 1 < len(words) else None
        if link is not None and tongue.has("one_links", link.key):
            phrase = analysis.phrase_at(word.index + 2) or (
                analysis.phrase_at(word.index + 1) if tongue.determiners.get(link.key) else None
            )
            if phrase is not None and phrase.name:
                rest = analysis.text[link.start : phrase.end]
                rules = tongue.determiners.get(word.key) or ()
                pronouns = tongue.pronouns.get(word.key) or ()
                genders = frozenset(g for p in (*rules, *pronouns) for g in p.genders)
                return Expression(
                    "one", word.index, phrase.last, word.start, phrase.end, genders, rest=rest,
                    case=_case(analysis, word.index), noun=phrase.entity,
                )  # fmt: skip
    if tongue.grammar.noun_first or word.index not in {w.index for w in words}:
        return None
    return _named_one(analysis, word)


def _named_one(analysis: Analysis, word: Word) -> Expression | None:
    """the Lenovo one, the one from Lenovo, where the head is a word of its own."""
    tongue, words = analysis.tongue, analysis.words
    rules = tongue.determiners.get(word.key)
    begin = word.index + 1 if rules and rules[0].kind in ("definite", "demonstrative") else word.index
    if begin >= len(words):
        return None
    span = analysis.name_at(begin)
    if span is not None and span.last + 1 < len(words) and tongue.has("ones", words[span.last + 1].key):
        start, end = _spans(analysis, word.index, span.last + 1)
        return Expression(
            "one", word.index, span.last + 1, start, end, rest=span.text, noun=span.entity, case=_case(analysis, word.index)
        )
    if tongue.has("ones", words[begin].key) and begin > word.index and begin + 2 < len(words):
        phrase = analysis.phrase_at(begin + 2)
        if tongue.has("one_links", words[begin + 1].key) and phrase is not None and phrase.name:
            start, end = _spans(analysis, word.index, phrase.last)
            return Expression(
                "one", word.index, phrase.last, start, end, rest=analysis.text[words[begin + 1].start : phrase.end],
                noun=phrase.entity, case=_case(analysis, word.index),
            )  # fmt: skip
    return None


def _chosen(analysis: Analysis, word: Word) -> Expression | None:
    """the second (one), the former, the other laptop, the cheaper one: a choice among what was offered."""
    tongue, words = analysis.tongue, analysis.words
    keys = analysis.keys()
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
        bare = kind in ("former", "latter") or (kind == "ordinal" and (size > 1 or _alone(analysis, begin, size)))
        if not definite and not written and not bare:
            continue
        last = begin + size - 1
        noun, last = _choice_noun(analysis, last)
        if kind == "ordinal" and written and _qualifies(analysis, word):
            return None  # "الطابق الأول": the ordinal belongs to the noun before it
        if kind == "ordinal" and not written and not noun and not _ends_choice(analysis, last):
            return None
        genders = frozenset(g for rule in rules or () for g in rule.genders)
        start, end = _spans(analysis, word.index, last)
        return Expression(
            kind, word.index, last, start, end, genders, noun=noun, case=_case(analysis, word.index),
            count=tongue.ordinals[form] if kind == "ordinal" else 0,
            comparison=tongue.comparisons[form] if kind == "comparison" else None,
        )  # fmt: skip
    return None


def _qualifies(analysis: Analysis, word: Word) -> bool:
    if not word.index:
        return False
    before = analysis.words[word.index - 1]
    return analysis.tongue.hooks.is_definite(before.text) and not analysis.text[before.end : word.start].strip()


def _alone(analysis: Analysis, begin: int, size: int) -> bool:
    content = [w for w in analysis.words if not analysis.tongue.has("fillers", w.key)]
    return len(content) <= size + 1


def _choice_noun(analysis: Analysis, last: int) -> tuple[str, int]:
    """Return the noun after a choice word ("the second laptop"; "one" is none), and the last word."""
    words, tongue = analysis.words, analysis.tongue
    if last + 1 >= len(words):
        return "", last
    following = words[last + 1]
    gap = analysis.text[words[last].end : following.start]
    if gap.strip():
        return "", last
    if tongue.has("ones", following.key) and not tongue.grammar.noun_first:
        return "", last + 1
    if tongue.may_be_noun(following.key) and not tongue.is_verb(following.key):
        if tongue.grammar.noun_capitals and not following.capital:
            return "", last
        return following.text, last + 1
    return "", last


def _ends_choice(analysis: Analysis, last: int) -> bool:
    """Return whether the ordinal stands for a thing: a verb, a preposition, a mark or the end follows."""
    words, tongue = analysis.words, analysis.tongue
    if last + 1 >= len(words):
        return True
    following = words[last + 1]
    gap = analysis.text[words[last].end : following.start]
    return bool(gap.strip()) or following.key in tongue.closed or tongue.may_be_verb(following.key)


def _place_or_time(analysis: Analysis, word: Word) -> Expression | None:
    tongue = analysis.tongue
    match = tongue.longest(analysis.keys(), word.index, tongue.pronouns)
    if match is None:
        return None
    form, size = match
    pronoun = next((p for p in tongue.pronouns[form] if p.kind in ("place", "time", "adverb")), None)
    if pronoun is None:
        return None
    last = word.index + size - 1
    if pronoun.kind == "time" and not _time_refers(analysis, word):
        return None
    start, end = _spans(analysis, word.index, last)
    kind: Kind = pronoun.kind if pronoun.kind in ("place", "time", "adverb") else "place"  # type: ignore[assignment]
    return Expression(
        kind, word.index, last, start, end, frozenset(pronoun.genders), frozenset(pronoun.numbers), pronoun.animacy,
        case=pronoun.preposition or _case(analysis, word.index), pronoun=pronoun,
    )  # fmt: skip


def _time_refers(analysis: Analysis, word: Word) -> bool:
    """Return whether a time adverb refers: after a preposition ("before then") or when it is the sentence's last word."""
    before = analysis.words[word.index - 1] if word.index else None
    if before is not None and analysis.tongue.has("prepositions", before.key):
        return True
    return len(word.key) > 4 and not word.opens


def _attached(analysis: Analysis, word: Word) -> Expression | None:
    """A pronoun written on its word (Arabic)."""
    tongue = analysis.tongue
    if not tongue.grammar.attached_pronouns or analysis.name_at(word.index) is not None:
        return None
    attached = tongue.hooks.attached(word.text)
    if attached is None:
        return None
    kind: Kind = "possessive" if attached.on == "noun" else "pronoun"
    return Expression(
        kind, word.index, word.index, word.start, word.end, frozenset(attached.genders), frozenset(attached.numbers),
        case="owner" if attached.on == "noun" else "object", noun=attached.stem if attached.on == "noun" else "",
        attached=attached,
    )  # fmt: skip


def _possessive(analysis: Analysis, word: Word) -> Expression | None:
    """its, sa, seine: the phrase owned follows."""
    tongue, words = analysis.tongue, analysis.words
    pronoun = next((p for p in tongue.pronouns.get(word.key, ()) if p.kind == "possessive"), None)
    if pronoun is None:
        return None
    if tongue.grammar.noun_capitals and word.capital and not word.opens:
        return None  # the polite form
    last = _owned_end(analysis, word.index)
    owned = analysis.text[words[word.index + 1].start : words[last].end] if last > word.index else ""
    personal = any(p.kind == "personal" for p in tongue.pronouns[word.key])
    if not owned and personal:
        return None  # "her" at the end is an object
    if personal and not tongue.grammar.noun_first and not _owns(analysis, word.index + 1):
        return None
    return Expression(
        "possessive", word.index, last, word.start, word.end, frozenset(pronoun.genders), frozenset(pronoun.numbers),
        pronoun.animacy, noun=owned, case=_case(analysis, word.index), pronoun=pronoun,
    )  # fmt: skip


def _owns(analysis: Analysis, at: int) -> bool:
    """Return whether the word at *at* can be owned: a noun or an adjective, no closed class."""
    if at >= len(analysis.words):
        return False
    word = analysis.words[at]
    return word.key not in analysis.tongue.closed


def _owned_end(analysis: Analysis, at: int) -> int:
    """Return the last word of the phrase owned: the noun after the possessive with what belongs to it."""
    words, tongue, grammar = analysis.words, analysis.tongue, analysis.tongue.grammar
    last = at
    for i in range(at + 1, min(at + 5, len(words))):
        word = words[i]
        if word.key in tongue.closed or (i > at + 1 and analysis.text[words[i - 1].end : word.start].strip(" -'’")):
            break
        noun = tongue.may_be_noun(word.key)
        if i > at + 1 and not noun and tongue.is_verb(word.key):
            break
        if grammar.noun_capitals:
            last = i
            if word.capital:
                break
            continue
        if grammar.noun_first:
            if last > at and tongue.may_be_noun(words[last].key) and "adj" not in tongue.lexicon.parts(word.text):
                break
            last = i
            continue
        if last > at and not noun:
            break
        last = i
    return last


def _pronoun(analysis: Analysis, word: Word) -> Expression | None:
    tongue = analysis.tongue
    match = tongue.longest(analysis.keys(), word.index, tongue.pronouns)
    if match is None:
        return None
    form, size = match
    last = word.index + size - 1
    readings = [p for p in tongue.pronouns[form] if p.kind in ("personal", "demonstrative")]
    if not readings or (tongue.grammar.noun_capitals and word.capital and not word.opens and word.key != word.text.casefold()):
        return None
    if tongue.grammar.noun_capitals and word.capital and not word.opens:
        return None  # polite Sie, Ihnen
    pronoun = readings[0]
    if pronoun.article and not _is_pronoun(analysis, word):
        return None
    if pronoun.kind == "demonstrative" and not pronoun.article and _opens_phrase(analysis, word):
        return None
    genders = frozenset(g for p in readings for g in p.genders) if all(p.genders for p in readings) else frozenset()
    numbers = frozenset(n for p in readings for n in p.numbers) if all(p.numbers for p in readings) else frozenset()
    numbers = _verb_number(analysis, word, numbers)
    kind: Kind = "demonstrative" if pronoun.kind == "demonstrative" else "pronoun"
    animacy = pronoun.animacy if len({p.animacy for p in readings}) == 1 else "any"
    roles = [r for p in readings for r in p.roles if r != "any"]
    case = roles[0] if len(set(roles)) == 1 else _case(analysis, word.index)
    start, end = _spans(analysis, word.index, last)
    return Expression(kind, word.index, last, start, end, genders, numbers, animacy, case=case, pronoun=pronoun)


def _verb_number(analysis: Analysis, word: Word, numbers: frozenset[str]) -> frozenset[str]:
    """Return the number that the verb beside an undecided pronoun shows ("kostet sie", "kosten sie")."""
    if len(numbers) < 2:
        return numbers
    for i in (word.index - 1, word.index + 1):
        if 0 <= i < len(analysis.words):
            shown = analysis.tongue.lexicon.verb_numbers(analysis.words[i].text)
            if len(shown) == 1:
                return shown & numbers or numbers
    return numbers


def _opens_phrase(analysis: Analysis, word: Word) -> bool:
    """Return whether a demonstrative is the determiner of a phrase ("this camera")."""
    phrase = analysis.phrase_at(word.index)
    return phrase is not None and phrase.first == word.index and phrase.last > word.index


def _is_pronoun(analysis: Analysis, word: Word) -> bool:
    """Return whether an article form stands for a phrase of its own, by the words beside it."""
    tongue, words = analysis.tongue, analysis.words
    i = word.index
    if i and analysis.text[words[i - 1].end : word.start] in ("-", "‑"):
        return True
    if i + 1 >= len(words):
        return tongue.grammar.noun_capitals
    following = words[i + 1]
    if analysis.name_at(i + 1) is not None and not (tongue.grammar.noun_capitals and not following.capital):
        return False
    if tongue.grammar.noun_capitals:
        return _german_like(analysis, word)
    if analysis.text[word.end : following.start].strip(" '’\u00a0"):
        return False
    if not tongue.may_be_verb(following.key):
        return False
    if tongue.is_verb(following.key) and not tongue.may_be_noun(following.key) and "adj" not in tongue.lexicon.parts(following.text):
        return True
    return i > 0 and _takes_clitic(analysis, words[i - 1], following)


def _takes_clitic(analysis: Analysis, before: Word, following: Word) -> bool:
    """Return whether *before* is a subject pronoun or a word that an infinitive with its clitic follows."""
    tongue = analysis.tongue
    subject = before.key in tongue.sets["first_persons"] or any(
        "subject" in p.roles for p in tongue.pronouns.get(before.key, ())
    )
    if subject or before.key in ("ne", "n'", "on") or tongue.has("generic", before.key):
        return True
    infinitive = "inf" in tongue.lexicon.parts(following.text)
    return infinitive and (tongue.has("prepositions", before.key) or tongue.is_verb(before.key))


def _german_like(analysis: Analysis, word: Word) -> bool:
    """Return whether no noun follows an article form within its phrase: "der ist teuer", "gibt es den auch in Blau"."""
    words, tongue = analysis.words, analysis.tongue
    before = analysis.text[words[word.index - 1].end : word.start] if word.index else ""
    following = words[word.index + 1] if word.index + 1 < len(words) else None
    if "," in before and not (following is not None and tongue.is_verb(following.key)):
        return False  # a relative pronoun: its verb stands last
    for i in range(word.index + 1, min(word.index + 5, len(words))):
        if analysis.text[words[i - 1].end : words[i].start].strip(" '’\u00a0-„“\""):
            return True
        if words[i].capital or words[i].number or analysis.name_at(i) is not None:
            return i > word.index + 1 and not _attributive(analysis, word.index + 1, i)
        if tongue.is_verb(words[i].key) and i == word.index + 1:
            return True
    return True


def _attributive(analysis: Analysis, first: int, noun: int) -> bool:
    """Return whether all words between an article and a noun can be attributes: adjectives end in e, en, er, es, em."""
    tongue = analysis.tongue
    return all(
        w.key.endswith(("e", "en", "er", "es", "em")) and w.key not in tongue.closed and not tongue.is_verb(w.key)
        for w in analysis.words[first:noun]
    )


def _noun_phrase(analysis: Analysis, word: Word) -> Expression | None:
    """this camera, cet appareil, dieser Vertrag, هذه الشركة; the laptop, der Tarif, الجهاز."""
    phrase = _after_same(analysis, word) or analysis.phrase_at(word.index)
    if phrase is None or phrase.first != word.index or phrase.name or not phrase.noun:
        return None
    if phrase.determined == "demonstrative":
        kind: Kind = "demonstrative"
    elif phrase.determined == "definite" and not _specified(analysis, phrase) and not _is_adjective(analysis, phrase):
        kind = "definite"
    else:
        return None
    return Expression(
        kind, phrase.first, phrase.last, phrase.start, phrase.end, phrase.genders, phrase.numbers,
        noun=phrase.noun, case=phrase.preposition or _case(analysis, phrase.first),
    )  # fmt: skip


def _modified(analysis: Analysis, phrase: Phrase, following: Word) -> bool:
    """Return whether an adjective or a second noun tells the phrase apart: "le permis moto", "التأمين الشامل", "the home insurance"."""
    tongue, grammar = analysis.tongue, analysis.tongue.grammar
    if grammar.letters_folded:
        return tongue.hooks.is_definite(following.text) or tongue.hooks.is_definite(phrase.noun) is False
    if grammar.noun_first and not grammar.noun_capitals:
        known = tongue.lexicon.parts(following.text)
        return following.key not in tongue.closed and not tongue.may_be_verb(following.key) and bool(known & {"adj", "noun"})
    return phrase.last - phrase.first > 1


def _is_adjective(analysis: Analysis, phrase: Phrase) -> bool:
    """Return whether a definite word only agrees with the definite noun before it: "المكتب الرئيسي"."""
    if not analysis.tongue.grammar.letters_folded or not phrase.first:
        return False
    before = analysis.words[phrase.first - 1]
    return analysis.tongue.hooks.is_definite(before.text) and not analysis.text[before.end : phrase.start].strip()


def _after_same(analysis: Analysis, word: Word) -> Phrase | None:
    """Return "the same camera" as a demonstrative phrase."""
    words, tongue = analysis.words, analysis.tongue
    i = word.index
    if i + 2 >= len(words) or word.key not in tongue.determiners or not tongue.has("sames", words[i + 1].key):
        return None
    if not tongue.may_be_noun(words[i + 2].key):
        return None
    noun = words[i + 2]
    return Phrase(
        word.start, noun.end, i, i + 2, noun.text, "", noun.text, word.text, "demonstrative",
        genders=tongue.lexicon.genders(noun.text),
    )  # fmt: skip


def _specified(analysis: Analysis, phrase: Phrase) -> bool:
    """Return whether what follows tells a definite phrase apart: "the laptop that I bought", "der Akku des Aero"."""
    words, tongue = analysis.words, analysis.tongue
    if tongue.is_property(phrase.noun):
        return True
    if phrase.last + 1 >= len(words):
        return False
    following = words[phrase.last + 1]
    gap = analysis.text[phrase.end : following.start].strip()
    if tongue.has("relatives", following.key) and gap in ("", ","):
        return True
    if gap:
        return False
    after = analysis.phrase_at(phrase.last + 1) or analysis.phrase_at(phrase.last + 2)
    if _modified(analysis, phrase, following):
        return True
    linked = tongue.has("one_links", following.key) or tongue.has("name_links", following.key)
    return (linked and after is not None) or (after is not None and after.first == phrase.last + 1 and bool(after.name))
