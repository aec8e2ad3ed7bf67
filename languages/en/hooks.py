"""What English needs beyond its word lists: articles of names, the possessive 's, the number of a verb by "they"."""

from __future__ import annotations

import re

from languages.grammar import Referent
from languages.lexicon import lexicon
from languages.separate import agreed, attached, bare, contracted, is_accusative, is_definite, is_owned, of

__all__ = [
    "agreed", "attached", "bare", "contracted", "described", "is_accusative", "is_definite", "is_owned", "led", "of",
    "owned", "phrase", "place", "why",
]  # fmt: skip

_SINGULAR = {"do": "does", "are": "is", "were": "was", "have": "has", "don't": "doesn't", "aren't": "isn't"}
_AUXILIARIES = frozenset(
    "is are am was were can could will would must should may might do does did has have had cannot ca wo".split()
)
_PAST = {
    "went": "go", "took": "take", "made": "make", "came": "come", "began": "begin", "ran": "run", "sold": "sell",
    "left": "leave", "held": "hold", "broke": "break", "lost": "lose", "found": "find", "paid": "pay", "sent": "send",
    "gave": "give", "got": "get", "kept": "keep", "rose": "rise", "fell": "fall", "grew": "grow", "wrote": "write",
    "said": "say", "told": "tell", "bought": "buy", "brought": "bring", "built": "build", "chose": "choose",
    "drew": "draw", "felt": "feel", "met": "meet", "meant": "mean", "put": "put", "cut": "cut", "set": "set",
    "let": "let", "shut": "shut", "cost": "cost", "stood": "stand", "won": "win", "spoke": "speak",
    "understood": "understand",
}  # fmt: skip
_OWN = {"our": "your", "ours": "yours", "my": "your", "us": "you", "we": "you", "i": "you", "me": "you",
        "your": "my", "yours": "mine", "you": "me", "ourselves": "yourselves"}  # fmt: skip
_PERSON = re.compile(rf"(?<![\w'’])({'|'.join(_OWN)})(?![\w])", re.IGNORECASE)
_BY_PERSON = {"I": {"are": "am", "were": "was"}, "you": {"am": "are", "was": "were", "is": "are"}}
_LED = re.compile(r"(?<!\w)(?:the|an?|this|that|your|my|our) $", re.IGNORECASE)


def phrase(referent: Referent, case: str) -> str:
    """Return the referent with "the" where the conversation used it so.

    >>> phrase(Referent("Puffin kettle", article="the"), "subject")
    'the Puffin kettle'
    >>> phrase(Referent("Larkspur"), "owner"), phrase(Referent("Tom Aldous", article="the", person=True), "subject")
    ('of Larkspur', 'Tom Aldous')
    """
    named = referent.person and referent.name[:1].isupper()  # "our Tom Aldous" is no "the Tom Aldous"
    led = referent.article and not named and not referent.name.startswith("the ")
    words = f"the {referent.name}" if led else referent.name
    return f"of {words}" if case == "owner" else words


def owned(possessive: str, owned: str, referent: Referent) -> str:
    """Return what the referent owns, with 's.

    >>> owned("its", "battery", Referent("Aero 14", article="the"))
    "the Aero 14's battery"
    >>> owned("their", "address", Referent("Larkspur Analytics"))
    "Larkspur Analytics' address"
    """
    owner = phrase(referent, "subject")
    mark = "'" if owner.endswith("s") else "'s"
    return f"{owner}{mark} {owned}".rstrip()


def place(left: str, form: str, right: str, referent: Referent, case: str) -> tuple[int, int, str]:
    """Return the referent where the pronoun stood; a plural verb before it becomes singular with a singular name.

    >>> place("Do ", "they", " deliver?", Referent("Orion"), "subject")
    (3, 0, 'Does Orion')
    """
    words = phrase(referent, "subject")
    if form.casefold() in ("they", "these", "those") and referent.number == "s":
        match = re.search(r"(?:^|(?<=\s))([A-Za-z']+)\s$", left)
        if match and match.group(1).casefold() in _SINGULAR:
            verb = _SINGULAR[match.group(1).casefold()]
            verb = verb[0].upper() + verb[1:] if match.group(1)[0].isupper() else verb
            return len(match.group(0)), 0, f"{verb} {words}"
    if form.casefold() == "there":
        return 0, 0, words if re.search(r"\b(?:from|to|in|at|near|around)\s$", left) else f"in {words}"
    return 0, 0, words


def described(left: str, name: str) -> str:
    """Return a name of common words in small letters where an article leads it.

    >>> described("How much is the ", "Small lawn mower"), described("How much is the ", "Fibre 500")
    ('small lawn mower', '')
    """
    common = name[1:].replace(" ", "").isalpha() and name[1:].islower() and " " in name
    common = common and lexicon("en").kind(name.rpartition(" ")[2]) is not None
    return name[:1].lower() + name[1:] if common and _LED.search(left) else ""


def led(left: str, words: str, gender: str) -> tuple[int, str]:
    """Return "a" or "an" before *words* as their first letter asks.

    >>> led("How much is an ", "child ticket", ""), led("Is a ", "evening tour", "")
    ((3, 'a child ticket'), (2, 'an evening tour'))
    """
    match = re.search(r"(?<!\w)(a)n? $", left, re.IGNORECASE)
    if match is None:
        return 0, words
    vowel = re.match(r"[aeio]|u(?!ni|s[aeiu])|hour|hon", words, re.IGNORECASE)
    return len(match[0]), f"{match[1]}{'n' if vowel else ''} {words}"


def why(word: str, subject: Referent, verb: str, rest: str) -> str:
    """Return the reason's question: the auxiliary before the subject, "do" where there is none.

    >>> why("Why", Referent("the class"), "was", " cancelled"), why("Why", Referent("we"), "had", " to cancel")
    ('Why was the class cancelled', 'Why did you have to cancel')
    >>> why("Why", Referent("the shop"), "closes", " at six"), why("Why", Referent("entry"), "is", "n't free")
    ('Why does the shop close at six', "Why isn't entry free")
    >>> why("How come", Referent("the pool"), "is", " shut"), why("Why", Referent("pool", article="the"), "", "")
    ('How come the pool is shut', 'Why is that so for the pool')
    """
    if not verb:
        return f"{word} is that so for {phrase(subject, 'subject')}"
    name, rest = _swapped(subject.name), _swapped(rest)
    name = "I" if name == "me" else name
    form = _BY_PERSON.get(name, {}).get(verb.casefold(), verb)
    if word.casefold() == "how come":
        return f"{word} {name} {form}{rest}"
    low = form.casefold()
    negated = re.match(r"n['’]t\b", rest)
    if negated:
        return f"{word} {low}{negated[0]} {name}{rest[negated.end() :]}"
    if low == "cannot":
        return f"{word} can {name} not{rest}"
    if low in _AUXILIARIES and not (low in ("has", "have", "had", "do", "does", "did") and not _is_participle(rest)):
        return f"{word} {low} {name}{rest}"
    done = _infinitive(low)
    if done is None:
        return f"{word} is it that {name} {form}{rest}"
    auxiliary, infinitive = done
    auxiliary = "do" if auxiliary == "does" and name in ("I", "you") else auxiliary
    return f"{word} {auxiliary} {name} {infinitive}{rest}"


def _swapped(words: str) -> str:
    """Return *words* as the other of two who talk says them.

    >>> _swapped("your application to us"), _swapped(" that you can change")
    ('my application to you', ' that I can change')
    """

    def other(match: re.Match[str]) -> str:
        """Return one word as the other says it: "you" is "I" where a verb follows, else "me"."""
        own = match[1].casefold()
        following = re.match(r"\s+(\w+)", words[match.end() :])
        if own == "you" and following and _acts(following[1].casefold()):
            return "I"
        return _OWN[own]

    return _PERSON.sub(other, words)


def _acts(word: str) -> bool:
    return word in _AUXILIARIES or ("verb" in lexicon("en").parts(word) and "noun" not in lexicon("en").parts(word))


def _is_participle(rest: str) -> bool:
    """Return whether an auxiliary is followed by the rest of its verb: "has been", "have not yet opened"."""
    match = re.match(r"\s+(?:not\s+|already\s+|yet\s+|just\s+|since\s+|never\s+|only\s+)*(\w+)", rest)
    if match is None:
        return False
    word = match[1].casefold()
    known = lexicon("en").parts(word)
    return word.endswith(("ed", "en")) or word in _PAST or word == "run" or ("inf" in known and "noun" not in known)


def _infinitive(verb: str) -> tuple[str, str] | None:
    """Return the form of "do" that a finite verb needs, and its infinitive; None where it is not known.

    >>> _infinitive("closes"), _infinitive("carries"), _infinitive("opened"), _infinitive("planned"), _infinitive("has")
    (('does', 'close'), ('does', 'carry'), ('did', 'open'), ('did', 'plan'), ('does', 'have'))
    """
    if verb in ("has", "have", "had"):
        return {"has": "does", "have": "do", "had": "did"}[verb], "have"
    if verb in ("do", "does", "did"):
        return verb, "do"
    if verb in _PAST:
        return "did", _PAST[verb]
    known = lexicon("en")
    if verb.endswith("ed") and verb != "need":
        stem = verb[:-2]
        tried = [verb[:-3] + "y"] if verb.endswith("ied") else [verb[:-1], stem, stem[:-1]]
        found = next((form for form in tried if "inf" in known.parts(form)), None)
        return ("did", found) if found else None
    if verb.endswith("s") and "inf" not in known.parts(verb):
        tried = [verb[:-3] + "y"] if verb.endswith("ies") else [verb[:-1], verb[:-2]]
        found = next((form for form in tried if "inf" in known.parts(form)), None)
        return ("does", found) if found else None
    return ("do", verb) if "inf" in known.parts(verb) or verb in ("need", "dare") else None
