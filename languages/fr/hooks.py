"""What French needs beyond its word lists: contractions, elision, clitics that move behind their verb, inversion."""

from __future__ import annotations

import re
from functools import lru_cache

from babel import Locale

from languages.grammar import Referent, grammar_of
from languages.lexicon import lexicon
from languages.separate import attached, bare, is_accusative, is_definite, is_owned, of

__all__ = [
    "agreed", "attached", "bare", "contracted", "described", "is_accusative", "is_definite", "is_owned", "led", "of",
    "owned", "phrase", "place", "why",
]  # fmt: skip

# Common nouns in h- elide but for some; foreign names and most houses do not (de Honda, du Halden, but d'Orphéa).
_VOWEL = re.compile(r"^[aàâäeéèêëiîïoôöuùûüœæAÀÂÄEÉÈÊËIÎÏOÔÖUÙÛÜŒÆ]|^h(?!aut|uit|ors|asard|and|anche|aricot)")
_OWNED = {"ses": "les", "leurs": "les", "sa": "la", "son": "le"}
_INVERTED = re.compile(r"(?:^|(?<=[\s'’]))((?:[\w’']+\s)?(?:[a-zàâäéèêëîïôöùûüç]+))-(?:t-)?$", re.IGNORECASE)
# "Quand Sylvie est-il là", "Sylvie travaille-t-il": a subject repeated behind the verb that follows it.
_REPEATS = re.compile(r"^(\s(?:(?:n['’e]\s?|[ylms]['’e]?\s?)?[a-zàâäéèêëîïôöùûüç]+)-(?:t-)?)(?:il|elle)(?![\w’'])")
_REPEATED = {"m": "il", "f": "elle"}
_VERB = re.compile(r"\s*([\w’'-]+)")
_NEGATED = re.compile(r"\s+(?:pas|jamais)(?!\w)")
_THERE = frozenset(("là-bas", "la-bas", "là bas", "sur place"))
_LED = re.compile(r"\b(?:de|pour|vers|à|depuis|jusqu['’]à)\s$", re.IGNORECASE)
_MASCULINE = frozenset(("Mexique", "Cambodge", "Mozambique", "Zimbabwe", "Belize", "Chypre", "Malte", "Singapour"))
_ARTICLE = re.compile(
    r"(?<![\w'’])(?:l['’]|(?:le|la|les|du|des|au|aux|une?|ce|cet|cette|ces|votre|vos) )$", re.IGNORECASE
)
_ELIDED = re.compile(r"(?:^|(?<=\s))([jn])(e |['’])$", re.IGNORECASE)

_INVERTING = frozenset(
    "est sont était étaient sera seront a ont avait avaient peut peuvent doit doivent faut coûte coûtent ferme ferment "
    "ouvre ouvrent commence commencent dure durent reste restent va vont fait font vaut valent finit".split()
)
_TO_YOU = {"sommes": "êtes", "faisons": "faites", "disons": "dites", "suis": "êtes", "ai": "avez", "peux": "pouvez",
           "dois": "devez", "veux": "voulez", "vais": "allez", "fais": "faites"}  # fmt: skip
_TO_ME = {"êtes": "suis", "avez": "ai", "pouvez": "peux", "devez": "dois", "voulez": "veux", "allez": "vais",
          "faites": "fais", "étiez": "étais", "aviez": "avais", "pouviez": "pouvais", "deviez": "devais",
          "serez": "serai", "aurez": "aurai", "devrez": "devrai", "pourrez": "pourrai", "recevez": "reçois",
          "prenez": "prends", "es": "suis", "as": "ai"}  # fmt: skip
_POSSESSIVE = re.compile(r"(?<![\w-])(notre|nos|mon|ma|mes|votre|vos)(\s+)(\w+)", re.IGNORECASE)


def _article(referent: Referent) -> str:
    """Return the article the referent takes, "" for none: as the conversation used it, else by its gender."""
    if not referent.article:
        return ""
    if referent.number == "p":
        return "les"
    if _VOWEL.match(referent.name) or (referent.article == "l'" and referent.name[:1] == "H"):
        return "l'"
    return {"m": "le", "f": "la"}.get(
        referent.gender, referent.article if referent.article in ("le", "la", "les") else ""
    )


def _with(preposition: str, article: str, name: str) -> str:
    """Return preposition, article and name, contracted and elided.

    >>> _with("de", "le", "Dell XPS 15")
    'du Dell XPS 15'
    >>> _with("de", "", "Orphéa")
    "d'Orphéa"
    """
    contracted = {("de", "le"): "du", ("de", "les"): "des", ("à", "le"): "au", ("à", "les"): "aux"}.get(
        (preposition, article)
    )
    if contracted:
        return f"{contracted} {name}"
    if article:
        return f"{preposition} {article}{'' if article.endswith(chr(39)) else ' '}{name}"
    if preposition == "de" and _VOWEL.match(name):
        return f"d'{name}"
    return f"{preposition} {name}"


def _led(preposition: str, words: str) -> str:
    """Return a noun phrase behind a preposition, its own article contracted."""
    article, _, name = words.partition(" ")
    return _with(preposition, article, name) if article in _OWNED.values() and name else _with(preposition, "", words)


def phrase(referent: Referent, case: str) -> str:
    """Return the referent as a noun phrase; "owner" is with *de*, "dative" with *à*.

    >>> phrase(Referent("Dell XPS 15", article="le", gender="m"), "owner")
    'du Dell XPS 15'
    >>> phrase(Referent("Tik-Tak Sport", article="la", gender="f"), "subject")
    'la Tik-Tak Sport'
    >>> phrase(Referent("le Parc, les mâts et Orphéa", number="p"), "owner")
    "du Parc, des mâts et d'Orphéa"
    """
    article = _article(referent)
    preposition = {"owner": "de", "dative": "à"}.get(case)
    if preposition and referent.number == "p" and not article:  # "des pales et du mât"
        parts = re.split(r"(, | et )", referent.name)
        return "".join(part if number % 2 else _led(preposition, part) for number, part in enumerate(parts))
    if preposition:
        return _with(preposition, article, referent.name)
    if not article:
        return referent.name
    return f"{article}{'' if article.endswith(chr(39)) else ' '}{referent.name}"


def owned(possessive: str, owned: str, referent: Referent) -> str:
    """Return the thing owned with its own article and the owner after it.

    >>> owned("sa", "garantie", Referent("Dell XPS 15", article="le", gender="m"))
    'la garantie du Dell XPS 15'
    >>> owned("son", "autonomie", Referent("Papyra 10", article="la", gender="f"))
    "l'autonomie de la Papyra 10"
    """
    form = possessive.casefold()
    article = _OWNED.get(form)
    if article is None:
        article = {"f": "la"}.get(next(iter(lexicon("fr").head_gender(owned)), "m"), "le")
    if article != "les" and _VOWEL.match(owned):
        article = "l'"
    thing = f"{article}{'' if article.endswith(chr(39)) else ' '}{owned}"
    return f"{thing} {phrase(referent, 'owner')}" if owned else phrase(referent, "owner")


def contracted(left: str, words: str) -> tuple[int, str]:
    """Return how much of *left* is the preposition that contracts with the article of *words*, and both as one.

    >>> contracted("Quelle est la longueur de ", "les pales de l'Orphéa")
    (3, "des pales de l'Orphéa")
    """
    match = re.search(r"(?:^|(?<=\s))(de|à)\s$", left, re.IGNORECASE)
    article, _, name = words.partition(" ")
    if match is None or article not in ("le", "les"):
        return 0, words
    return len(match[0]), _with(match[1].casefold(), article, name)


def place(left: str, form: str, right: str, referent: Referent, case: str) -> tuple[int, int, str]:
    """Return how the referent stands in place of a pronoun.

    A clitic goes and its noun phrase comes behind the verb; an inverted subject stays and gets its noun phrase before
    the verb; the rest is replaced where it stands.

    >>> place("Comment je ", "le", " réinitialise ?", Referent("Boxia 5", article="le", gender="m"), "object")
    (0, 13, 'réinitialise le Boxia 5')
    >>> place("Vous ne ", "le", " livrez pas ?", Referent("Boxia 5", article="le", gender="m"), "object")
    (0, 11, 'livrez pas le Boxia 5')
    >>> place("J'", "y", " branche quoi ?", Referent("Boxia 5", article="le", gender="m"), "à")
    (2, 8, 'Je branche au Boxia 5')
    >>> place("Le prix ", "du portable", " ?", Referent("Zephyr", article="le", gender="m"), "de")
    (0, 0, 'du Zephyr')
    >>> place("Existe-t-", "il", " en vert ?", Referent("Zephyr", article="le", gender="m"), "subject")
    (9, 0, 'Le Zephyr existe-t-il')
    >>> place("Vous livrez ", "là-bas", " ?", Referent("Lyon"), "any")
    (0, 0, 'à Lyon')
    >>> place("", "C'", "est remboursé ?", Referent("semelles", article="les", number="p"), "subject")
    (0, 0, "les semelles, c'")
    """
    if form.casefold() in _THERE:
        return 0, 0, referent.name if _LED.search(left) else _at(referent)
    if form.casefold() in ("c'", "c’") and (referent.number == "p" or referent.gender != "m"):
        return 0, 0, f"{phrase(referent, 'subject')}, {form.casefold()}"  # what follows agrees with "c'"
    inverted = _INVERTED.search(left) if left.endswith("-") else None
    if inverted and case == "subject":
        return _before_verb(left, form, inverted, referent)
    if left.endswith("-"):  # an order: "Compare-le"
        return 1, 0, f" {phrase(referent, 'dative' if case == 'dative' else 'subject')}"
    taken_in = re.match(r"(du|des|au|aux)\s", form, re.IGNORECASE)
    if taken_in:
        head = "de" if taken_in.group(1).casefold() in ("du", "des") else "à"
        return 0, 0, _with(head, _article(referent), referent.name)
    if case in ("object", "dative", "à", "de") or form.casefold() in ("y", "en"):
        return _behind_verb(left, form, right, referent, case)
    preposition = re.search(r"(?:^|(?<=\s))(de|à|d['’])\s?$", left)
    if preposition and case != "subject":
        head = "à" if preposition.group(1) == "à" else "de"
        return len(preposition.group(0)), 0, _with(head, _article(referent), referent.name)
    return 0, 0, phrase(referent, "subject")


def _at(referent: Referent) -> str:
    """Return a place as one is or goes there.

    >>> _at(Referent("Lyon")), _at(Referent("Suisse")), _at(Referent("boutique", article="la", gender="f"))
    ('à Lyon', 'en Suisse', 'à la boutique')
    """
    if referent.name in _feminine_countries():
        return f"en {referent.name}"
    return _with("à", _article(referent), referent.name)


@lru_cache(maxsize=1)
def _feminine_countries() -> frozenset[str]:
    """Return the countries that one is "en": those that end in -e, but for a few, or begin with a vowel."""
    names = Locale("fr").territories
    found = {str(name) for code, name in names.items() if code.isalpha()}
    return frozenset(name for name in found if (name[-1] == "e" or name[0] in "AEIOUÉÎ") and name not in _MASCULINE)


def _before_verb(left: str, form: str, inverted: re.Match[str], referent: Referent) -> tuple[int, int, str]:
    start = inverted.start(1)
    verb = left[start:]
    head, _, _ = inverted.group(1).rpartition(" ")
    if head and not re.fullmatch(r"[nsmtl]['’]?e?|me|te|se|le|la|les|lui|leur|y|en|ne", head, re.IGNORECASE):
        start += len(head) + 1
        verb = left[start:]
    words = phrase(referent, "subject")
    if verb[:1].isupper():
        words = words[0].upper() + words[1:]
        verb = verb[0].lower() + verb[1:]
    return len(left) - start, 0, f"{words} {verb}{form}"


def _behind_verb(left: str, form: str, right: str, referent: Referent, case: str) -> tuple[int, int, str]:
    match = _VERB.match(right)
    if match is None:
        return 0, 0, phrase(referent, "subject")
    verb, end = _negated(match.group(1), right, match.end())
    if match.group(1).casefold() in ("ai", "as", "a", "avez", "avons", "ont", "est", "suis"):  # a compound tense
        participle = _VERB.match(right, end)
        if participle:
            verb, end = f"{verb} {participle.group(1)}", participle.end()
    words = phrase(referent, "dative" if case in ("dative", "à") else "owner" if form.casefold() == "en" else "subject")
    cut = len(left)
    joined = f"{verb} {words}"
    elided = _ELIDED.search(left)
    vowel = _VOWEL.match(verb) is not None
    if elided and vowel != (elided.group(2) != "e "):  # "je l'installe": "j'installe"; "j'y branche": "je branche"
        return cut - elided.start(), end, f"{elided.group(1)}{chr(39) if vowel else 'e '}{joined}"
    return 0, end, joined


def _negated(verb: str, right: str, end: int) -> tuple[str, int]:
    """Return a verb with the negation behind it, which stays there, and where both end."""
    match = _NEGATED.match(right, end)
    return (f"{verb}{match.group()}", match.end()) if match else (verb, end)


def agreed(right: str, referent: Referent) -> str:
    """Return the text behind a new subject with the pronoun that repeats it as it agrees.

    >>> agreed(" est-il là ?", Referent("Sylvie Maurel", gender="f", person=True))
    ' est-elle là ?'
    """
    if referent.gender not in _REPEATED:
        return right
    return _REPEATS.sub(lambda match: f"{match[1]}{_REPEATED[referent.gender]}", right, count=1)


def described(left: str, name: str) -> str:
    """Return a name of common words in small letters where an article leads it.

    >>> described("Combien coûte la ", "Petite tondeuse"), described("Combien coûte le ", "Forfait Liberté")
    ('petite tondeuse', '')
    """
    first = name.split(" ", maxsplit=1)[0].casefold()
    common = name[1:].islower() and (
        first in grammar_of("fr").adjectives_first or lexicon("fr").kind(first) is not None
    )
    return name[:1].lower() + name[1:] if common and " " in name and _ARTICLE.search(left) else ""


def led(left: str, words: str, gender: str) -> tuple[int, str]:
    """Return the article before *words* elided, contracted or whole, as their first letter asks.

    >>> led("Combien coûte l'", "nouveau tarif", "m"), led("Le prix du ", "abonnement mensuel", "m")
    ((2, 'le nouveau tarif'), (3, "de l'abonnement mensuel"))
    >>> led("Le prix de l'", "grand abonnement", "m"), led("Et de la ", "ancienne salle", "f")
    ((5, 'du grand abonnement'), (6, "de l'ancienne salle"))
    """
    match = re.search(r"(?<![\w'’])((?:(de|à) )?(?:l['’]|le |la )|du |au )$", left, re.IGNORECASE)
    if match is None or gender not in ("m", "f"):
        return 0, words
    form = match[1].casefold().strip()
    preposition = (match[2] or {"du": "de", "au": "à"}.get(form, "")).casefold()
    article = "l'" if _VOWEL.match(words) else "le" if gender == "m" else "la"
    said = (
        _with(preposition, article, words)
        if preposition
        else f"{article}{'' if article.endswith(chr(39)) else ' '}{words}"
    )
    return len(match[1]), said[:1].upper() + said[1:] if match[1][:1].isupper() else said


def why(word: str, subject: Referent, verb: str, rest: str) -> str:
    """Return the reason's question: the subject taken up behind the verb where its gender is known, else *est-ce que*.

    >>> why("Pourquoi", Referent("le cours", gender="m"), "est", " annulé")
    'Pourquoi le cours est-il annulé'
    >>> why("Pourquoi", Referent("la salle n'", gender="f"), "a", " pas de place")
    "Pourquoi la salle n'a-t-elle pas de place"
    >>> why("Pourquoi", Referent("nous"), "devons", " fermer"), why("Pourquoi", Referent("votre vol"), "part", " tard")
    ('Pourquoi est-ce que vous devez fermer', 'Pourquoi est-ce que mon vol part tard')
    >>> why("Pourquoi", Referent("cours", article="le", gender="m"), "", "")
    'Pourquoi est-ce le cas du cours'
    """
    if not verb:
        return f"{word} est-ce le cas {phrase(subject, 'owner')}"
    turned = _other_person(subject.name, verb)
    if turned is None:
        return ""
    name, verb = turned
    rest = _swapped(rest)
    gap = "" if name.endswith(("'", "’")) else " "
    pronoun = {"m": "il", "f": "elle"}.get(subject.gender, "")
    if pronoun and verb.casefold() in _INVERTING and word.casefold() == "pourquoi":
        pronoun += "s" if subject.number == "p" else ""
        link = "-t-" if verb[-1] in "ae" else "-"
        return f"{word} {name}{gap}{verb}{link}{pronoun}{rest}"
    if word.casefold().startswith("comment"):
        return ""  # "comment se fait-il que" asks for a subjunctive
    elided = name[:1].casefold() in "aâeéêèiîoôuûh" and _VOWEL.match(name) is not None
    return (
        f"{word} est-ce qu{'’' if '’' in word else chr(39)}{name}{gap}{verb}{rest}"
        if elided
        else (f"{word} est-ce que {name}{gap}{verb}{rest}")
    )


def _other_person(name: str, verb: str) -> tuple[str, str] | None:
    """Return subject and verb as the other of two who talk says them; None where the form is not known."""
    match = re.fullmatch(
        r"(nous|vous|je|j['’])((?:\s*(?:ne\b|n['’]|vous|nous|en|y|les?|la|l['’])\s*)*)", name, re.IGNORECASE
    )
    if match is None:
        if re.search(r"\b(?:nous|je|moi|tu|te)\b", name, re.IGNORECASE):
            return None
        return _swapped(re.sub(r"\bvous\b", "me", name)), verb
    who, between = match[1].casefold(), match[2]
    if who in ("nous", "je", "j'", "j’"):
        form = _TO_YOU.get(verb) or (f"{verb[:-3]}ez" if verb.endswith("ons") else "")
        if who != "nous" and not form and verb.endswith("e"):
            form = f"{verb}z"
        vowel = _VOWEL.match(verb) is not None
        between = re.sub(r"\bvous\s*$", "m'" if vowel else "me ", between)
        return (f"vous {between.strip()}".strip(), form) if form else None
    if re.search(r"\b(?:vous|nous)\b", between):
        return None
    form = _TO_ME.get(verb.casefold(), "")
    if not form and verb.endswith("ez") and {"inf"} & lexicon("fr").parts(f"{verb[:-2]}er"):
        form = f"{verb[:-2]}e"
    if not form:
        return None
    vowel = _VOWEL.match(between.strip() or form) is not None
    return f"{'j' + chr(39) if vowel else 'je '}{between.strip()}".strip(), form


def _swapped(words: str) -> str:
    """Return *words* as the other of two who talk says them.

    >>> _swapped(" votre demande et vos pièces pour notre club")
    ' ma demande et mes pièces pour votre club'
    """

    def other(match: re.Match[str]) -> str:
        """Return a possessive with its noun as the other says it: "mon" or "ma" by the noun's gender and sound."""
        own, noun = match[1].casefold(), match[3]
        if own in ("notre", "mon", "ma"):
            form = "votre"
        elif own in ("nos", "mes"):
            form = "vos"
        elif own == "vos":
            form = "mes"
        else:
            feminine = lexicon("fr").head_gender(noun) == {"f"} and _VOWEL.match(noun) is None
            form = "ma" if feminine else "mon"
        return f"{form}{match[2]}{noun}"

    said = _POSSESSIVE.sub(other, words)
    return re.sub(r"\b(à|pour|chez|avec) vous\b", r"\1 moi", said)
