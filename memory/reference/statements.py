"""The sentence of a message that says something: without what opens it, what it quotes from and its later clauses.

"Leider nein: Der Kurs fällt aus, aber …" says "Der Kurs fällt aus"; of "No." and of a list nobody asks why.
"""

from __future__ import annotations

import re
from collections.abc import Container, Sequence

from languages.text import sentences
from memory.reference.analysis import Analysis, analyse
from memory.reference.tongue import Tongue
from memory.reference.words import Word
from memory.types import Catalog

_SUBJECT = 8  # words before a verb, at most
_CITED = re.compile(r"\s*\[\d{1,3}\]|\*\*|__")
_LISTED = re.compile(r"^\s*(?:[-*•‣▪◦·–]|\d{1,2}[.)])\s+\S.*\n\s*(?:[-*•‣▪◦·–]|\d{1,2}[.)])\s+\S", re.MULTILINE)
_BULLETS = re.compile(r"[•‣▪◦][^•‣▪◦]+[•‣▪◦]")
_QUOTED = re.compile(r"[«“„\"]\s*([^«»“”„\"]{4,300}?[.!…]?)\s*[»“”\"]")
_BREAK = re.compile(r"^\s*[,:;.!،؛–—-]+\s*")
_CUT = re.compile(r"\s*(?:[;؛]|:\s| [–—-] |\s\().*$", re.DOTALL)
_MARKS = " ?؟!.…\u00a0\u202f"
_ASKS = ("?", "؟")


def statement_in(text: str, focus: Sequence[Word], tongue: Tongue, catalogs: Sequence[Catalog]) -> Analysis | None:
    """Return the sentence of a message that says something, and that holds the words beside "why"; None without."""
    if _LISTED.search(text) or _BULLETS.search(text):
        return None
    plain = _CITED.sub("", text)
    quoted = _QUOTED.search(plain)
    if quoted is not None and len(quoted[1].split()) > 3 and quoted[1][-1] in ".!…":
        plain = quoted[1]
    for sentence in sentences(plain):
        if sentence.text.rstrip('»”" )').endswith(_ASKS):
            return None
        words = _bare(sentence.text, tongue)
        if is_reasoned(analyse(sentence.text, tongue.code)):
            return None
        found = analyse(words, tongue.code, catalogs) if words else None
        if found is None or len(found.words) < 2 or not _says(found) or not _holds(found, focus):
            continue
        return found
    return None


def _bare(sentence: str, tongue: Tongue) -> str:
    """Return a sentence without what opens it ("No,", "Leider nein:"), its later clauses and its marks."""
    left = sentence.strip(' «»“”„"\u00a0\u202f')
    fillers = tongue.sets["fillers"] | tongue.sets["yes"] | tongue.sets["no"] | tongue.sets["regrets"]
    while left:
        found = analyse(left, tongue.code)
        at, sorry = 0, False
        while at < len(found.words):
            match = _phrase_in(found.keys, at, fillers)
            if not match or (at and _BREAK.match(found.text[found.words[at - 1].end : found.words[at].start])):
                break
            sorry = _phrase_in(found.keys, at, tongue.sets["regrets"]) == match
            at += match
        if not at:
            break
        rest = found.text[found.words[at - 1].end :]
        if not sorry and rest.strip(_MARKS) and not _BREAK.match(rest):
            break
        left = _BREAK.sub("", rest).strip()
    return _first_clause(_unsorry(left, tongue), tongue)


def _unsorry(sentence: str, tongue: Tongue) -> str:
    """Return a sentence without a "leider" within it, which only opens a statement elsewhere."""
    for word in reversed(analyse(sentence, tongue.code).words):
        if tongue.has("regrets", word.key):
            sentence = f"{sentence[: word.start].rstrip()} {sentence[word.end :].lstrip()}".strip()
    return sentence


def _first_clause(sentence: str, tongue: Tongue) -> str:
    found = analyse(_CUT.sub("", sentence).rstrip(_MARKS + '»”"'), tongue.code)
    for word in found.words[2:]:
        before = found.text[found.words[word.index - 1].end : word.start].strip()
        joins = tongue.has("contrasts", word.key) or tongue.has("conjunctions", word.key)
        if before in (",", "،") and (joins or (tongue.hooks.bare(word.text) != word.text and "،" in before)):
            return found.text[: found.words[word.index - 1].end]
    return found.text


def _phrase_in(keys: Sequence[str], at: int, table: Container[str]) -> int:
    """Return how many words the longest entry of *table* at *at* has, 0 without; suffixes count as written on."""
    for size in range(min(5, len(keys) - at), 0, -1):
        if " ".join(keys[at : at + size]).replace("' ", "'").replace(" '", "'") in table:
            return size
    return 0


def _says(statement: Analysis) -> bool:
    return statement.tongue.grammar.letters_folded or verb_of(statement) is not None


def _holds(statement: Analysis, focus: Sequence[Word]) -> bool:
    """Return whether the words of *focus* stand side by side in the statement, without their determiner."""
    forms = wanted(focus, statement.tongue)
    return not focus or (bool(forms) and within(statement.keys, forms, statement.tongue.grammar.prefixes) >= 0)


def wanted(focus: Sequence[Word], tongue: Tongue) -> list[str]:
    """Return the look-up forms of *focus* without its articles; a number stays."""
    articles = (tongue.determiners.get(word.key, ()) for word in focus)
    return [w.key for w, rules in zip(focus, articles, strict=True) if not rules or rules[0].kind == "quantity"]


def within(keys: Sequence[str], forms: Sequence[str], prefixes: Container[str] = ()) -> int:
    """Return where *forms* stands in *keys*, -1 nowhere; a letter may be written on its first word: «بحقيبتين»."""
    for at in range(len(keys) - len(forms) + 1):
        first, *more = keys[at : at + len(forms)]
        on = first[1:] == forms[0] and first[:1] in prefixes
        if (first == forms[0] or on) and more == list(forms[1:]):
            return at
    return -1


def is_negative(statement: Analysis) -> bool:
    """Return whether a statement denies something."""
    tongue = statement.tongue
    return any(tongue.has("negations", key) or tongue.has("no", key) or key.endswith("n't") for key in statement.keys)


def is_reasoned(statement: Analysis) -> bool:
    """Return whether the statement gives its own reason: nothing tells what else is asked for."""
    tongue, keys = statement.tongue, statement.keys
    return any(tongue.longest(keys, at, tongue.sets["reasons"]) for at in range(len(keys)))


def verb_of(statement: Analysis) -> Word | None:
    """Return the finite verb of a main clause: the first word that is one, outside names and noun phrases."""
    tongue = statement.tongue
    for word in statement.words[: _SUBJECT + 1]:
        phrase = statement.phrase_at(word.index)
        sure = word.key in tongue.verbs or (
            tongue.may_be_verb(word.key) and not tongue.has("conjunctions", word.key) and word.key not in tongue.closed
        )
        inside = phrase is not None and not (word.index == phrase.last and word.key in tongue.verbs)
        named = tongue.grammar.noun_capitals and word.capital and not word.opens
        opens = word.opens and word.capital  # a statement that begins with its verb has lost its opener
        headed = word.key not in tongue.verbs and _is_finite(statement, word.index + 1)  # "the museum lift has"
        led = word.index > 0 and tongue.has("prepositions", statement.words[word.index - 1].key)
        if sure and not (inside or named or led or opens or headed) and statement.name_at(word.index) is None:
            return word
    return None


def _is_finite(statement: Analysis, at: int) -> bool:
    return at < len(statement.words) and statement.words[at].key in statement.tongue.verbs
