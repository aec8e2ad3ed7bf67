"""What Arabic needs beyond its word lists: pronouns written on nouns, verbs and prepositions, and the idafa."""

from __future__ import annotations

import re

from languages.folding import fold
from languages.grammar import Attached, Referent
from languages.lexicon import lexicon
from languages.separate import agreed, contracted, described, led

__all__ = [
    "agreed", "attached", "bare", "contracted", "described", "is_accusative", "is_definite", "is_owned", "led", "of",
    "owned", "phrase", "place", "why",
]  # fmt: skip

# The pronouns written on a word, longest first, with gender and number of what they stand for.  ها is a woman, a
# feminine thing, or several things; هم people; هما two.
_SUFFIXES: tuple[tuple[str, tuple[str, ...], tuple[str, ...]], ...] = (
    ("هما", (), ("d",)),
    ("هم", (), ("p",)),
    ("هن", ("f",), ("p",)),
    ("ها", ("f",), ("s", "p")),
    ("ه", ("m",), ("s",)),
)
# Prepositions with a pronoun: what stands when a noun follows instead.
_PREPOSITIONS = {
    "ل": "ل", "ب": "ب", "في": "في", "من": "من", "عن": "عن", "مع": "مع", "عند": "عند", "لدي": "لدى", "عل": "على",
    "علي": "على", "الي": "إلى", "من ": "من", "بين": "بين", "بعد": "بعد", "قبل": "قبل", "حول": "حول", "ضد": "ضد",
    "تجاه": "تجاه", "نحو": "نحو", "فوق": "فوق", "تحت": "تحت", "قرب": "قرب", "بدون": "بدون", "دون": "دون", "مثل": "مثل",
    "خلال": "خلال", "امام": "أمام", "ضمن": "ضمن", "لدا": "لدى",
}  # fmt: skip
# Words that only look as if a pronoun were written on them.
_WHOLE = frozenset(
    fold(word)
    for word in (
        "الله والله بالله لله وجه اتجاه شبه مياه المياه انتباه فواكه فاكهة تنبيه ترفيه توجيه تشبيه نزيه فقه "
        "كره منبه مشابه متشابه مكروه جهة هذه وهذه لهذه بهذه فهذه هذي ده وده اه آه طه نبيه وجيه سفيه بديه شبيه "
        "كنه بله مهم فهم سهم وهم أهم اهم درهم دراهم تفهم يفهم أفهم افهم مبهم ملهم متهم مساهم تساهم يساهم "
        "تفاهم أسهم اسهم جهنم ذهن دهن رهن برهن كاهن مهن وهن يوهن متى أيها ايها أيتها ايتها مها نهى سهى طها "
        "مشتها منتهى نهاها كلاهما كليهما كلتاهما أيهما ايهما وأيهما بعضهما أيهم ايهم كلها كلهم جميعها جميعهم "
        "بعضها بعضهم نفسها نفسه هل"
    ).split()
)
_PREFIX = re.compile(r"^([وف])")
_PARTICLES = re.compile(r"^[وف]?[بلك]?")  # and, so; by, for, like: written on a noun
_MARKS = re.compile("[\u064b-\u065f\u0670\u0640]")  # short vowels and the stretched line
_ACCUSATIVE = re.compile("\u064b\u0627?$|\u0627\u064b$")  # أسهمًا, أسهماً
_OWNED = re.compile(r"(?:ني|ك|كم|نا|^(?!ال|ي|حتى)\w{3,}تي)$")  # my, your, our; before "my" a ة becomes ت
_PRESENT = re.compile(r"^[وف]?[يتنأا]\w+ت$")  # a verb of the present whose last letter is its own: يثبت
_VERB_BEFORE = re.compile(r"(?<!\S)([وف]?)[يت](\w{3,})\s$")
_PRESENT_PREFIX = {"m": "ي", "f": "ت"}  # of a verb of the present, by the gender of what follows
_PERSONS = {"نحن": "أنتم", "أنا": "أنت", "لدينا": "لديكم", "عندنا": "عندكم", "لكم": "لنا", "لك": "لي",
            "لنا": "لكم", "أنت": "أنا", "لديك": "لدي", "عندك": "عندي", "علينا": "عليكم",
            "عليك": "علي", "منك": "مني", "منا": "منكم"}  # fmt: skip
_LAST = re.compile(r"(?:(?P<before>\S+)\s)?(?P<noun>\w+)$")  # the word that a text ends in, and the one before
_ARTICLE = re.compile(r"^([وف]?)ال(?=\w\w)")
_SHORT = 2  # letters that a noun or verb keeps without its pronoun


def attached(word: str) -> Attached | None:
    """Return the pronoun written on *word* and the word without it, or None.

    >>> attached("ضمانه").stem
    'ضمان'
    >>> attached("بطاريتها").stem, attached("معها").stem, attached("مياه")
    ('بطارية', 'مع', None)
    """
    if is_accusative(word):
        return None
    plain = _MARKS.sub("", word)
    folded = fold(plain)
    if folded in _WHOLE or len(folded) != len(plain) or is_definite(word):
        return None
    for suffix, genders, numbers in _SUFFIXES:
        if not plain.endswith(suffix) or plain.endswith("ة"):
            continue
        stem = plain[: -len(suffix)]
        lead = _PREFIX.match(stem)
        bare = stem[1:] if lead and fold(stem[1:]) in _PREPOSITIONS else stem
        if fold(bare) in _PREPOSITIONS:
            head = lead.group(1) if lead and bare != stem else ""
            return Attached(head + _PREPOSITIONS[fold(bare)], suffix, "preposition", genders, numbers)  # type: ignore[arg-type]
        if len(stem) < _SHORT or (suffix == "ه" and _ends_in_he(plain)):
            return None
        return _on_word(stem, suffix, genders, numbers)
    return None


def _ends_in_he(word: str) -> bool:
    """Return whether the final ه belongs to the word: chat spelling of ة, or a root letter."""
    lexical = lexicon("ar")
    with_ta = word[:-1] + "ة"
    return lexical.kind(with_ta) is not None and lexical.kind(word[:-1]) is None


def _on_word(stem: str, suffix: str, genders: tuple[str, ...], numbers: tuple[str, ...]) -> Attached:
    lexical = lexicon("ar")
    noun = _noun(stem)
    is_noun = lexical.kind(noun) is not None or lexical.kind(_PARTICLES.sub("", noun)) is not None
    verb = "verb" in lexical.parts(stem) or re.match(r"^[وف]?(?:س)?[يتنأا]\w{2,}$", stem) is not None
    if verb and not is_noun and (noun == stem or "verb" in lexical.parts(stem)):
        return Attached(stem, suffix, "verb", genders, numbers)  # type: ignore[arg-type]
    return Attached(noun, suffix, "noun", genders, numbers)  # type: ignore[arg-type]


def _noun(stem: str) -> str:
    """Return a noun as it is written alone: its ت is a ة again, its hamza stands on the line.

    >>> _noun("بطاريت"), _noun("بيت"), _noun("أعضائ"), _noun("مدت")
    ('بطارية', 'بيت', 'أعضاء', 'مدة')
    """
    if stem.endswith(("ئ", "ؤ")):
        return stem[:-1] + "ء"
    lexical = lexicon("ar")
    short = len(stem) <= 3 and (lexical.kind(stem) is not None or lexical.kind(stem[:-1] + "ة") is None)
    if not stem.endswith("ت") or short:
        return stem
    bare = _PARTICLES.sub("", stem) if len(stem) > 4 else stem
    without_particles = lexical.kind(bare[:-1] + "ة") is not None
    feminine = without_particles or lexical.kind(stem[:-1] + "ة") is not None or lexical.kind(stem) is None
    if feminine and (without_particles or not _PRESENT.match(stem) or "verb" not in lexical.parts(stem)):
        return stem[:-1] + "ة"
    return stem


def is_definite(word: str) -> bool:
    """Return whether ال is written on *word*; إلغاء only looks so once its letters are folded.

    >>> is_definite("والهاتف"), is_definite("للشركة"), is_definite("هالدكان"), is_definite("إلغاء")
    (True, True, True, False)
    """
    plain = _MARKS.sub("", word)
    return re.match(r"[وف]?(?:[بك]?ال|لل)\w\w|[وبكلف]?هال\w{3}", plain) is not None


def is_owned(word: str) -> bool:
    """Return whether "my", "your" or "our" is written on *word*.

    >>> is_owned("عقدنا"), is_owned("باقتي"), is_owned("العقد"), is_owned("التي")
    (True, True, False, False)
    """
    return _OWNED.search(word) is not None


def is_accusative(word: str) -> bool:
    """Return whether *word* ends in a written accusative.

    >>> is_accusative("أسهمًا"), is_accusative("أسهم")
    (True, False)
    """
    return _ACCUSATIVE.search(word) is not None


def bare(words: str) -> str:
    """Return a phrase without the conjunction or preposition written on its first word, where that is sure.

    >>> bare("وMirza 8"), bare("والـ20"), bare("للآيفون 16"), bare("وسيم"), bare("وألواح الفلين"), bare("ورشة")
    ('Mirza 8', '20', 'الآيفون 16', 'وسيم', 'ألواح الفلين', 'ورشة')
    """
    match = re.match(r"^([وف]?[بلك]?(?:ال)?ـ?)(?=[A-Za-z0-9])", words)
    if match:
        return words[match.end() :]
    if re.match(r"^[وف]?لل\w", words):
        return "ال" + re.sub(r"^[وف]?لل", "", words)
    first, _, rest = words.partition(" ")
    lexical = lexicon("ar")
    known = lexical.kind(first) is not None or lexical.people.name_gender(first) is not None
    for cut in (1, 2):
        if not re.match(rf"^[وفبلك]{{{cut}}}\w\w", first):
            break
        short = first[cut:]
        own, inner = lexical.kind(first), lexical.kind(short)
        if own is not None and inner is not None and own.id == inner.id:
            return f"{short} {rest}".strip()
        if short.startswith("ال") or lexical.people.name_gender(short) or (not known and lexical.kind(short)):
            return f"{short} {rest}".strip()
    return words


def phrase(referent: Referent, case: str) -> str:
    """Return the referent as it is named; Arabic names take no article of their own here.

    >>> phrase(Referent("هاتف Nova Z3"), "subject")
    'هاتف Nova Z3'
    """
    return referent.name


def of(left: str, right: str, owner: str) -> tuple[int, int, str]:
    """Return the owner after the noun that *left* ends in: an idafa, in which the noun has no article, or with "ل".

    >>> of("ما مدة الضمان", "؟", "Nova Z3"), of("والسعر", "؟", "Nova Z3")
    ((6, 0, 'ضمان Nova Z3'), (6, 0, 'وسعر Nova Z3'))
    >>> of("ما السعر", " العادي؟", "Nova Z3"), of("ما الألوان المتوفرة", "؟", "الهاتف")
    ((0, 7, ' العادي لـNova Z3'), (0, 0, ' للهاتف'))
    >>> of("كم سعر", "؟", "Nova Z3"), of("كم بالواط", "؟", "Nova Z3")
    ((0, 0, ' Nova Z3'), (0, 0, ' Nova Z3'))
    """
    last = _LAST.search(left)
    if last is None or not is_definite(last["noun"]):
        return 0, 0, f" {owner}"
    described = re.match(r"(?:\s\w+)+", right)
    adjectives = _adjectives(described[0].split() if described else [])
    if adjectives:
        tail = "".join(f" {word}" for word in adjectives)
        return 0, len(tail), f"{tail} {_glued('ل', owner)}"
    if is_definite(last["before"] or "") and _adjectives([last["noun"]]):
        return 0, 0, f" {_glued('ل', owner)}"
    article = _ARTICLE.match(last["noun"])
    if article is None:  # "by the watt": nothing that belongs to anything
        return 0, 0, f" {owner}"
    noun = last["noun"][article.end() :]
    if lexicon("ar").kind(noun) is None:
        return 0, 0, f" {_glued('ل', owner)}"
    return len(last["noun"]), 0, f"{article[1]}{noun} {owner}"


def _adjectives(following: list[str]) -> list[str]:
    """Return the first of *following* that agree in their article with the noun before them, and name nothing."""
    count = 0
    while count < len(following) and is_definite(following[count]) and lexicon("ar").kind(following[count]) is None:
        count += 1
    return following[:count]


def owned(possessive: str, owned: str, referent: Referent) -> str:
    """Return the idafa: the thing owned, then its owner.

    >>> owned("", "ضمان", Referent("Dell XPS 15"))
    'ضمان Dell XPS 15'
    """
    return f"{owned} {referent.name}".strip()


def place(left: str, form: str, right: str, referent: Referent, case: str) -> tuple[int, int, str]:
    """Return the referent where the pronoun stood; a word that carries one keeps itself and gets the name after it.

    >>> place("كيف أتواصل ", "معها", "؟", Referent("بلدية المرج"), "object")
    (0, 0, 'مع بلدية المرج')
    >>> place("متى يفتح ", "المسبح", "؟", Referent("الصالة", gender="f"), "any")
    (5, 0, 'تفتح الصالة')
    """
    verb = _VERB_BEFORE.search(left) if is_definite(form) and referent.gender in _PRESENT_PREFIX else None
    if verb is not None:  # متى يفتح المسبح، متى تفتح الصالة
        prefix = _PRESENT_PREFIX[referent.gender]
        return len(verb[0]), 0, f"{verb[1]}{prefix}{verb[2]} {referent.name}"
    carried = attached(form)
    if carried is not None:
        if carried.on == "preposition" and carried.stem[-1:] in ("ل", "ب") and len(carried.stem) <= 2:
            return 0, 0, _glued(carried.stem, referent.name)
        return 0, 0, f"{carried.stem} {referent.name}"
    if fold(form) in ("هناك", "هنالك", "هنيك"):
        return 0, 0, referent.name if re.search(r"(?:من|إلى|الى)\s$", left) else f"في {referent.name}"
    lead = re.match(r"^([وف]?[لب]?)(?=هذ|تلك|ذلك)", form)
    prefix = lead.group(1) if lead else ("و" if re.match(r"^و(?:هو|هي|هما|هم|ده|دي)", form) else "")
    if prefix[-1:] in ("ل", "ب"):
        return 0, 0, _glued(prefix, referent.name)
    return 0, 0, f"{prefix}{referent.name}"


def _glued(preposition: str, name: str) -> str:
    """Return a one-letter preposition written on the name: للهاتف, لـNova.

    >>> _glued("ل", "الهاتف"), _glued("ل", "Nova Z3"), _glued("ب", "هاتف")
    ('للهاتف', 'لـNova Z3', 'بهاتف')
    """
    if not re.match(r"[\u0621-\u064a]", name):
        return f"{preposition}ـ{name}"
    if preposition.endswith("ل") and name.startswith("ال"):
        return f"{preposition}{name[1:]}"
    return f"{preposition}{name}"


def why(word: str, subject: Referent, verb: str, rest: str) -> str:
    """Return the reason's question: the word before the statement, whose order does not change.

    >>> why("لماذا", Referent(""), "", "أُلغيت الرحلة"), why("ليش", Referent(""), "", "ألغينا الرحلة")
    ('لماذا أُلغيت الرحلة', 'ليش ألغيتم الرحلة')
    >>> why("لماذا", Referent(""), "", "رُفض طلبك"), why("لماذا", Referent("الرحلة"), "", "")
    ('لماذا رُفض طلبي', 'لماذا الأمر كذلك بالنسبة إلى الرحلة')
    """
    if not rest:
        return f"{word} الأمر كذلك بالنسبة إلى {subject.name}"
    said = [_other_person(each) for each in rest.split(" ")]
    return "" if any(each is None for each in said) else f"{word} {' '.join(each for each in said if each)}"


def _other_person(word: str) -> str | None:
    """Return a word as the other of two who talk says it; None where a person is written on it in no known way."""
    if word in _PERSONS:
        return _PERSONS[word]
    plain = _MARKS.sub("", word)
    lexical = lexicon("ar")
    own = lexical.kind(_PARTICLES.sub("", plain)) or lexical.kind(plain)
    if own is not None and fold(plain).endswith(tuple(fold(form) for form in (own.lemma, *own.plurals))):
        return word  # the letters are its own
    for suffix, other in (("كم", "نا"), ("نا", "كم"), ("ك", "ي")):
        stem = plain.removesuffix(suffix)
        if stem == plain or len(stem) < _SHORT + 1:
            continue
        noun = _PARTICLES.sub("", stem)
        if any(lexical.kind(form) is not None for form in (noun, f"{noun[:-1]}ة", stem)):
            return f"{stem}{other}"
        if suffix == "نا" and "verb" in lexical.parts(plain):
            return f"{stem}تم"
        if suffix == "نا" and re.match(r"^[أا]?\w{2,}ي?نا$", plain):
            return f"{stem}تم"
    first = re.match(r"^([وف]?س?)ن(\w{2,})$", plain)
    if first and "verb" in lexical.parts(plain):  # نقبل: تقبلون
        return f"{first[1]}ت{re.sub('[يى]$', '', first[2])}ون"
    return word
