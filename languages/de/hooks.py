"""What German needs beyond its word lists: articles in their case, the genitive, pronominal adverbs."""

from __future__ import annotations

import re

from languages.folding import fold
from languages.grammar import Referent
from languages.lexicon import lexicon
from languages.separate import agreed, attached, bare, contracted, is_accusative, is_definite, is_owned, led, of

__all__ = [
    "agreed", "attached", "bare", "contracted", "described", "is_accusative", "is_definite", "is_owned", "led", "of",
    "owned", "phrase", "place", "why",
]  # fmt: skip

_ARTICLES = {
    "m": {"subject": "der", "object": "den", "dative": "dem", "genitive": "des"},
    "f": {"subject": "die", "object": "die", "dative": "der", "genitive": "der"},
    "n": {"subject": "das", "object": "das", "dative": "dem", "genitive": "des"},
    "p": {"subject": "die", "object": "die", "dative": "den", "genitive": "der"},
}
_DATIVE = frozenset(
    "von vom zu zum zur mit bei beim aus nach seit in im an am auf vor hinter neben zwischen über unter ab".split()
)
_ACCUSATIVE = frozenset("für ohne gegen durch um".split())
_CONTRACTED = {"von dem": "vom", "zu dem": "zum", "zu der": "zur", "bei dem": "beim", "in dem": "im", "an dem": "am"}
_TAKEN_IN = {
    "vom": "von", "zum": "zu", "zur": "zu", "beim": "bei", "im": "in", "ins": "in", "am": "an", "ans": "an",
    "aufs": "auf", "fürs": "für", "übers": "über", "unterm": "unter", "überm": "über", "ums": "um", "durchs": "durch",
}  # fmt: skip
_CASES = {
    "ihn": "object", "den": "object", "diesen": "object", "jenen": "object", "ihm": "dative", "dem": "dative",
    "diesem": "dative", "jenem": "dative", "ihnen": "dative", "denen": "dative", "er": "subject",
}  # fmt: skip
_OWNED = {
    "e": {"m": "die", "f": "die", "n": "die", "": "die"},
    "en": {"": "den"},
    "em": {"": "dem"},
    "er": {"": "der"},
    "es": {"": "des"},
}
_DETERMINED = re.compile(
    r"(?<!\w)(d(?:er|ie|as|en|em|es)|(?:dies|jed)e[rsnm]?|[mk]?eine?[rsnm]?|im|am|zum|zur|vom|beim) $", re.IGNORECASE
)
_ENDED = re.compile(r"(?<=\w\w)e[rs]?$")
_ADVERB = re.compile(r"^d(?:a|ar|r)?(von|für|mit|zu|auf|an|in|bei|über|gegen)$", re.IGNORECASE)

_FINITE = {  # of "Sie" and "wir": with "ich", as the other says it
    "sind": "bin", "haben": "habe", "können": "kann", "müssen": "muss", "dürfen": "darf", "sollen": "soll",
    "wollen": "will", "werden": "werde", "waren": "war", "hatten": "hatte", "wurden": "wurde", "mögen": "mag",
    "bist": "bin", "hast": "habe", "kannst": "kann", "musst": "muss", "darfst": "darf", "sollst": "soll",
    "willst": "will", "wirst": "werde", "wissen": "weiß", "müssten": "müsste", "könnten": "könnte", "weißt": "weiß",
}  # fmt: skip
_OF_ICH = {
    "bin": "sind", "habe": "haben", "kann": "können", "muss": "müssen", "darf": "dürfen", "soll": "sollen",
    "will": "wollen", "werde": "werden", "war": "waren", "hatte": "hatten", "wurde": "wurden", "weiß": "wissen",
}  # fmt: skip
_OTHER = {"mich": "Sie", "mir": "Ihnen", "Ihnen": "mir", "dich": "mich", "dir": "mir"}
_POSSESSIVE = re.compile(r"\b([Uu]nse?r|[Mm]ein|Ihr|[Dd]ein)(e[mnrs]?|)\b")


def phrase(referent: Referent, case: str) -> str:
    """Return the referent as a noun phrase in its case; "owner" is a genitive, or *von* where no article is known.

    >>> phrase(Referent("AeroDry 8", article="der", gender="m"), "object")
    'den AeroDry 8'
    >>> phrase(Referent("FlexMobil L", article="der", gender="m"), "owner")
    'des FlexMobil L'
    >>> phrase(Referent("Lenovo"), "owner")
    'von Lenovo'
    >>> phrase(Referent("Kassenwart", article="der", gender="m"), "owner")
    'des Kassenwarts'
    >>> phrase(Referent("Gartenverein Moosgrund", article="der", gender="m"), "owner")
    'vom Gartenverein Moosgrund'
    """
    article = _article(referent, "genitive" if case == "owner" else case)
    if case == "owner":
        if article == "des":
            inflected = _genitive(referent.name, referent.gender)
            if " " not in inflected or inflected == referent.name:
                return f"{article} {inflected}"
            return f"vom {referent.name}"  # a name of several words stays as it is
        return f"{article} {referent.name}" if article else f"von {referent.name}"
    return f"{article} {referent.name}" if article else referent.name


def _genitive(name: str, gender: str) -> str:
    """Return a masculine or neuter name in the genitive: a common noun that it begins with ends in -s, -es or -n.

    >>> [_genitive(*pair) for pair in (("Vorsitzende", "m"), ("Assistent", "m"), ("Haus", "n"), ("Aero 14", "n"))]
    ['Vorsitzenden', 'Assistenten', 'Hauses', 'Aero 14']
    """
    head, gap, rest = name.partition(" ")
    if "noun" not in lexicon("de").parts(head) or not head.isalpha() or not head[1:].islower():
        return name
    if head.endswith("e") and gender == "m":
        head += "n"
    elif head.endswith(("ent", "ant", "ist", "oge")) and gender == "m":
        head += "en"
    elif head.endswith(("s", "ß", "x", "z", "sch")):
        head += "" if head.endswith(("us", "is")) and not fold(head).endswith("haus") else "es"
    else:
        head += "s"
    return f"{head}{gap}{rest}"


def _article(referent: Referent, case: str) -> str:
    if not referent.article:
        return ""
    forms = _ARTICLES.get("p" if referent.number == "p" else referent.gender)
    if forms is None:
        return ""
    if case in forms:
        return forms[case]
    if case in _DATIVE:
        return forms["dative"]
    return forms["object"] if case in _ACCUSATIVE else forms["subject"]


def owned(possessive: str, owned: str, referent: Referent) -> str:
    """Return the thing owned with its own article and the owner after it.

    >>> owned("seine", "Garantie", Referent("AeroDry 8", article="der", gender="m"))
    'die Garantie des AeroDry 8'
    >>> owned("seinen", "Akku", Referent("Lenovo"))
    'den Akku von Lenovo'
    """
    form = possessive.casefold()
    gender = next(iter(sorted(lexicon("de").head_gender(owned))), "")
    if form in ("dessen", "deren"):
        article = _ARTICLES.get(gender, _ARTICLES["f"])["subject"]
    else:
        ending = re.sub(r"^(?:sein|ihr)", "", form)
        article = _OWNED.get(ending, {}).get("", "") if ending else ""
        if not ending:
            article = {"m": "der", "n": "das", "f": "die"}.get(gender, "der")
    return f"{article} {owned} {phrase(referent, 'owner')}" if owned else phrase(referent, "owner")


def place(left: str, form: str, right: str, referent: Referent, case: str) -> tuple[int, int, str]:
    """Return the referent where the pronoun stood, in the pronoun's case; *davon* becomes *vom* or *von* with the name.

    >>> place("Muss ich ", "im Lokal", " bestellen?", Referent("Schäfli", article="das", gender="n"), "subject")
    (0, 0, 'im Schäfli')
    >>> place("Kann ich ", "den Antrag", " ändern?", Referent("Bauantrag", article="der", gender="m"), "subject")
    (0, 0, 'den Bauantrag')
    >>> place("Haben Sie ", "davon", " eine Probe?", Referent("Dermalind", article="die", gender="f"), "von")
    (0, 0, 'von der Dermalind')
    """
    adverb = _ADVERB.match(form)
    if adverb:
        preposition = adverb.group(1).casefold()
        return 0, 0, _prepositional(preposition, referent)
    if form.casefold() in ("dort", "dorthin", "dahin", "vor ort"):
        if re.search(r"\bvon\s$", left):
            return 0, 0, referent.name
        whither = form.casefold().endswith("hin")
        if not referent.article:
            return 0, 0, f"{'nach' if whither else 'in'} {referent.name}"
        return 0, 0, _prepositional("zu" if whither else "in", referent)
    first = form.split(" ", 1)[0].casefold()
    if first in _TAKEN_IN and " " in form:
        accusative = first in ("ins", "ans", "aufs", "fürs", "ums", "durchs", "übers")
        article = _article(referent, "object" if accusative else "dative")
        joined = f"{_TAKEN_IN[first]} {article}".strip()
        return 0, 0, f"{_CONTRACTED.get(joined, joined)} {referent.name}"
    if form.casefold() in ("'s", "’s"):
        return 0, 0, f" {phrase(referent, case)}"
    before = re.search(r"(?:^|\s)(\w+)\s$", left)
    if case in ("subject", "object", "any") and first in _CASES:
        case = _CASES[first]
    if before and before.group(1).casefold() in _DATIVE | _ACCUSATIVE and case in ("subject", "object", "any"):
        case = before.group(1).casefold()
    return 0, 0, phrase(referent, case)


def _prepositional(preposition: str, referent: Referent) -> str:
    article = _article(referent, preposition)
    joined = f"{preposition} {article}".strip()
    return f"{_CONTRACTED.get(joined, joined)} {referent.name}"


def described(left: str, name: str) -> str:
    """Return a name of an adjective and a noun as its article, the last word of *left*, asks.

    >>> described("Was kostet die ", "Große Hütte"), described("Was kostet das ", "Kleines Zelt")
    ('große Hütte', 'kleine Zelt')
    >>> described("Wie hoch ist die Miete der ", "Große Hütte"), described("Was kostet eine ", "Große Hütte")
    ('großen Hütte', 'große Hütte')
    >>> described("Was kostet die ", "Volle Mitgliedschaft"), described("Was kostet der ", "Tarif Meadow")
    ('volle Mitgliedschaft', '')
    """
    match = _DETERMINED.search(left)
    first, _, rest = name.partition(" ")
    ended = _ENDED.search(first)
    noun = lexicon("de")
    spelt = noun.kind(first)  # "Große" is folded as "Größe" is
    is_noun = spelt is not None and first in (spelt.lemma, *spelt.plurals) and len(spelt.genders) == 1  # no "Kleine"
    if match is None or ended is None or not rest or noun.kind(rest) is None or is_noun:
        return ""
    determiner, genders = match[1].casefold(), noun.genders(rest)
    ending = ended[0]
    if determiner in ("die", "das", "diese", "dieses", "jede", "jedes"):
        ending = "e"
    elif determiner in ("der", "dieser", "jeder"):
        ending = "en" if genders == {"f"} else "e"
    elif not determiner.endswith(("ein", "eine", "mein", "meine")):
        ending = "en"
    return f"{first[:1].lower()}{first[1 : ended.start()]}{ending} {rest}"


def why(word: str, subject: Referent, verb: str, rest: str) -> str:
    """Return the reason's question: the finite verb comes second, what stood before it follows.

    >>> why("Warum", Referent("die Fähre"), "fällt", " heute aus"), why("Wieso", Referent("wir"), "müssen", " zusagen")
    ('Warum fällt die Fähre heute aus', 'Wieso müssen Sie zusagen')
    >>> why("Warum", Referent("Ihr Antrag"), "wurde", " abgelehnt"), why("Warum", Referent("Sie"), "zahlen", " mehr")
    ('Warum wurde mein Antrag abgelehnt', 'Warum zahle ich mehr')
    >>> why("Warum", Referent("Kurs", article="der", gender="m"), "", "")
    'Warum ist das beim Kurs so'
    """
    if not verb:
        return f"{word} ist das {_prepositional('bei', subject)} so"
    name, verb = subject.name, verb[:1].lower() + verb[1:]
    if name == "wir" or re.match(r"\s+wir\b", rest):
        rest = re.sub(r"\buns\b", "sich", rest)
    if re.search(r"\b(?:uns|euch|ihr)\b", f"{name} {rest}"):
        return ""  # an accusative or a dative of "Sie": nothing here tells which
    inverted = re.match(r"\s+(wir|ich|Sie|du)\b", rest)
    who = inverted[1] if inverted else name
    rest = rest[inverted.end() :] if inverted else rest
    other = _other_person(who, verb)
    if other is None:
        return ""
    verb, who = other
    name = f"{who} {_swapped(name)}" if inverted else who if who != name else _swapped(name)
    rest = _swapped(rest)
    rest = re.sub(r"\bsich\b", "mich", rest, count=1) if who == "ich" else rest
    parts = lexicon("de").parts(name) if " " not in name else frozenset()
    if parts & {"adj", "verb"} and not parts & {"adv", "noun"} and not inverted and other[1] == subject.name:
        return " ".join(f"{word} {verb}{rest} {name.lower()}".split())  # "Erlaubt sind zwei Koffer"
    return " ".join(f"{word} {verb} {name}{rest}".split())


def _other_person(who: str, verb: str) -> tuple[str, str] | None:
    """Return the verb and its subject as the other of two who talk says them; None where the form is not known."""
    if who == "wir":
        return verb, "Sie"
    if who == "ich":
        form = _OF_ICH.get(verb) or (f"{verb}n" if verb.endswith("e") else "")
        return (form, "Sie") if form else None
    if who in ("Sie", "du"):
        if who == "Sie" and not verb.endswith(("en", "sind")):
            return verb, "sie"  # of a woman: the sentence began with it
        form = _FINITE.get(verb) or (verb[:-1] if verb.endswith("en") else "")
        return (form, "ich") if form else None
    return verb, who


def _swapped(words: str) -> str:
    """Return *words* as the other of two who talk says them.

    >>> _swapped(" Ihren Vertrag mit unserer Filiale"), _swapped(" Sie nicht aufnehmen")
    (' meinen Vertrag mit Ihrer Filiale', ' mich nicht aufnehmen')
    """

    def possessive(match: re.Match[str]) -> str:
        own = match[1].casefold() in ("unser", "unsr", "mein")
        return f"{'Ihr' if own else 'mein'}{match[2]}"

    said = _POSSESSIVE.sub(possessive, words)
    said = re.sub(r"(?<=\s)(mich|mir|Ihnen|dich|dir)\b", lambda m: _OTHER[m[1]], said)
    return re.sub(r"(?<=\s)Sie\b", "mich", said) if re.search(r"(?<=\s)Sie\b", words) else said
