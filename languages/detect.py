"""The language of a message, or the conversation's where the message alone does not show it.

Evidence is taken in this order: a script that only one language has; a whole message that only one language says
("merci", "danke"); small words that only one language has ("the", "und", "et"); and py3langid restricted to the
languages there are.  What is too short or too unsure keeps the conversation's language: "OK", "iPhone 15?", "👍".
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Literal

from py3langid.langid import MODEL_FILE, LanguageIdentifier

from languages.folding import clean, fold, fold_map
from languages.pack import codes, default_code, load
from languages.text import words

Reason = Literal["script", "phrase", "words", "model", "kept"]


@dataclass(frozen=True, slots=True)
class Detection:
    """The language taken for a message, how sure that is (0 to 1), and what showed it."""

    code: str
    probability: float
    reason: Reason


# Two letters could be a unit or initials in passing; 30 % of the letters are the frame of the sentence, because the
# rest are names and model numbers ("كم سعر Galaxy A55 5G؟").
_LEAST_LETTERS = 2
_SCRIPT_SHARE = 0.3
# Below 0.6 py3langid is mostly wrong on messages of two to eight words ("OK", "hallo", "Dell XPS 15?").  A message
# without a single small word is a list of nouns or names: there even gibberish reaches 0.89.
_SURE = 0.6
_SURE_WITHOUT_SMALL_WORDS = 0.95
_OVERRULES_WORDS = 0.98
# The language of a long text shows in its beginning.
_ENOUGH = 2000

_CODE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]*`|https?://\S+|\S+@\S+\.\w+", re.DOTALL)  # and addresses
_QUOTED = re.compile(r"""«[^«»\n]{1,200}»|„[^„“”\n]{1,200}[“”]|“[^“”\n]{1,200}”|(?<!\w)"[^"\n]{1,200}\"""")
# Two or more capitalised words inside a sentence, short small ones between them: "hat The Lord of the Rings …",
# "marche avec Windows Hello for Business".  A German noun after "in" or "der" may go too; the rest still shows German.
_TITLE = re.compile(r"(?<=[^\W\d_] )[^\W\d_a-zß-ÿ][\w'’-]*(?:(?: [^\W\d_]{1,3}){0,2} [^\W\d_a-zß-ÿ][\w'’-]*)+")

# Unicode's names of letters begin with the script; ISO 15924 has its own codes.
SCRIPT_NAMES = MappingProxyType(
    {
        "Arab": "ARABIC",
        "Armn": "ARMENIAN",
        "Beng": "BENGALI",
        "Cyrl": "CYRILLIC",
        "Deva": "DEVANAGARI",
        "Geor": "GEORGIAN",
        "Grek": "GREEK",
        "Hang": "HANGUL",
        "Hans": "CJK",
        "Hant": "CJK",
        "Hebr": "HEBREW",
        "Latn": "LATIN",
        "Thai": "THAI",
    }
)


def detect(text: str, *, previous: str, names: Sequence[str] = ()) -> Detection:
    """Return the language of *text*; *previous* is the conversation's, kept where the text does not show its own.

    *names* are known names in the text: they are left out, because they belong to no language.

    >>> detect("Et l'autre ?", previous="en").code
    'fr'
    >>> detect("iPhone 15?", previous="de")
    Detection(code='de', probability=..., reason='kept')
    """
    kept = previous if previous in codes() else default_code()
    prose = _prose(clean(text[:_ENOUGH]), names)
    scripts = _letters_by_script(prose)
    total = scripts.total()
    if not total:
        return Detection(kept, 0.0, "kept")
    for script, code in _single_scripts().items():
        share = scripts[script] / total
        if share == 1 or (scripts[script] >= _LEAST_LETTERS and share >= _SCRIPT_SHARE):
            return Detection(code, share, "script")

    candidates = tuple(code for code in codes() if scripts[load(code).script] >= _LEAST_LETTERS)
    if not candidates:
        return Detection(kept, 0.0, "kept")
    phrase = " ".join(fold(token.text) for token in words(prose))
    sayers = [code for code in candidates if phrase in _phrases()[code]]
    if sayers:
        if len(sayers) == 1:
            return Detection(sayers[0], 1.0, "phrase")
        return Detection(kept, 1 / len(sayers), "kept")
    return _weighed(prose, candidates, kept)


def _weighed(prose: str, candidates: tuple[str, ...], kept: str) -> Detection:
    """Return what small words and py3langid say together."""
    votes = _votes(prose, candidates)
    probabilities = _probabilities(prose, candidates)
    guess = max(probabilities, key=lambda code: probabilities[code])
    sure = probabilities[guess]
    ranked = votes.most_common(2)
    if ranked:
        first, count = ranked[0]
        lead = count - (ranked[1][1] if len(ranked) > 1 else 0)
        if lead and (first == guess or sure < _SURE or (lead > 1 and sure < _OVERRULES_WORDS)):
            return Detection(first, max(probabilities[first], _SURE), "words")
        if sure >= _SURE and (not lead or sure >= _OVERRULES_WORDS):
            return Detection(guess, sure, "model")
        return Detection(kept, probabilities.get(kept, 0.0), "kept")
    if sure >= _SURE_WITHOUT_SMALL_WORDS:
        return Detection(guess, sure, "model")
    return Detection(kept, probabilities.get(kept, 0.0), "kept")


def _prose(text: str, names: Sequence[str]) -> str:
    """Return *text* without code, addresses and names; without quotations and titles too where enough is left then."""
    prose = _masked(_CODE.sub(" ", text), names)
    unquoted = _QUOTED.sub(" ", prose)
    if len(words(unquoted)) > 1:
        prose = unquoted
    # German capitalises its nouns: "Was passiert in Bezug auf das Alter" is no title after "in".
    untitled = _TITLE.sub(" ", prose)
    return untitled if _votes(untitled, codes()) else prose


def _masked(text: str, names: Sequence[str]) -> str:
    if not names:
        return text
    folded = fold_map(text)
    out = list(text)
    for name in sorted({fold(name) for name in names} - {""}, key=len, reverse=True):
        start = folded.text.find(name)
        while start >= 0:
            end = start + len(name)
            if _is_edge(folded.text, start - 1) and _is_edge(folded.text, end):
                first, last = folded.original_span(start, end)
                out[first:last] = " " * (last - first)
            start = folded.text.find(name, end)
    return "".join(out)


def _is_edge(text: str, place: int) -> bool:
    """Return whether a name may begin or end beside *place*; scripts without case glue particles to names."""
    if not 0 <= place < len(text):
        return True
    character = text[place]
    return not character.isalnum() or (character.isalpha() and character.upper() == character.lower())


def _letters_by_script(text: str) -> Counter[str]:
    return Counter(script for script in map(_script, text) if script)


@lru_cache(maxsize=4096)
def _script(character: str) -> str:
    """Return the ISO 15924 code of a letter's script if a language has it, "Zyyy" if none has, "" for no letter."""
    if not character.isalpha():
        return ""
    name = unicodedata.name(character, "").split(" ", 1)[0]
    return next((code for code in map(_script_of, codes()) if SCRIPT_NAMES.get(code) == name), "Zyyy")


def _script_of(code: str) -> str:
    return load(code).script


@lru_cache(maxsize=1)
def _single_scripts() -> Mapping[str, str]:
    """Return script → language for the scripts that one language alone has."""
    counts = Counter(map(_script_of, codes()))
    return MappingProxyType(
        {_script_of(code): code for code in codes() if counts[_script_of(code)] == 1 < len(codes())}
    )


@lru_cache(maxsize=1)
def _phrases() -> Mapping[str, frozenset[str]]:
    # Compared word by word, so that "S'il vous plaît !" and "s'il vous plait" are one.
    return MappingProxyType(
        {code: frozenset(" ".join(t.text for t in words(p)) for p in load(code).only_here) for code in codes()}
    )


@lru_cache(maxsize=1)
def _owners() -> Mapping[str, str]:
    """Return small word → language for the words that one language alone has."""
    owners: dict[str, set[str]] = {}
    for code in codes():
        single = {phrase for phrase in load(code).only_here if " " not in phrase}
        for word in load(code).stop_words | single:
            owners.setdefault(word, set()).add(code)
    return MappingProxyType({word: min(found) for word, found in owners.items() if len(found) == 1})


def _votes(prose: str, candidates: tuple[str, ...]) -> Counter[str]:
    """Return how many small words of each language stand in *prose*.

    A capitalised one inside a sentence is more likely part of a title or a name ("15 Plus"); alone, only a question
    word says something ("Warum?", but not "Pro?").
    """
    votes: Counter[str] = Counter()
    tokens = words(prose)
    shouted = prose.isupper()
    for number, token in enumerate(tokens):
        if (number and token.text[0].isupper() and not shouted) or (len(token.text) == 1 and token.text.isascii()):
            continue
        word = fold(token.text)
        owner = _owners().get(word)
        if owner in candidates and (len(tokens) > 1 or word in load(owner).question_words):
            votes[owner] += 1
    return votes


def _probabilities(prose: str, candidates: tuple[str, ...]) -> Mapping[str, float]:
    ranked = {code: float(p) for code, p in _identifier().rank(prose.lower()) if code in candidates}
    total = sum(ranked.values()) or 1.0
    # A language that the model does not know can still be found by its script and its words.
    return {code: ranked.get(code, 0.0) / total for code in candidates}


@lru_cache(maxsize=1)
def _identifier() -> LanguageIdentifier:
    identifier = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    identifier.set_languages([code for code in codes() if code in identifier.labels])
    return identifier
