"""How a name stands in a sentence: articles, contractions, elision, genitive, idafa, and what is written on a word."""

from __future__ import annotations

import inspect

import pytest

from languages import codes
from languages.grammar import DEFINITE, Hooks, Referent, hooks_of
from memory import Name
from tests.memory.reference.talking import taken_for

_LE = Referent("Orvane", article="le", gender="m")
_LA = Referent("Velda 12", article="la", gender="f")
_LES = Referent("Brisants", article="les", gender="m", number="p")
_L = Referent("Astrelle", article="l'", gender="f")
_BARE = Referent("Élodie Marn", person=True)
_DER = Referent("Orvane", article="der", gender="m")
_DIE = Referent("Velda 12", article="die", gender="f")
_DAS = Referent("Kelm", article="das", gender="n")
_PLURAL = Referent("Brisen", article="die", gender="f", number="p")


@pytest.mark.parametrize(
    ("code", "referent", "case", "words"),
    [
        ("en", Referent("Velda 12", article="the"), "subject", "the Velda 12"),
        ("en", Referent("Velda 12", article=DEFINITE), "owner", "of the Velda 12"),
        ("en", Referent("the Harbour"), "subject", "the Harbour"),
        ("en", Referent("Nora Feld"), "subject", "Nora Feld"),
        ("fr", _LE, "subject", "l'Orvane"),
        ("fr", Referent("Kelm", article="le", gender="m"), "owner", "du Kelm"),
        ("fr", Referent("Kelm", article="le", gender="m"), "dative", "au Kelm"),
        ("fr", _LA, "owner", "de la Velda 12"),
        ("fr", _LA, "dative", "à la Velda 12"),
        ("fr", _LES, "subject", "les Brisants"),
        ("fr", _LES, "owner", "des Brisants"),
        ("fr", _LES, "dative", "aux Brisants"),
        ("fr", _L, "owner", "de l'Astrelle"),
        ("fr", _BARE, "owner", "d'Élodie Marn"),
        ("fr", _BARE, "dative", "à Élodie Marn"),
        ("fr", Referent("Nora Feld", person=True), "owner", "de Nora Feld"),
        ("de", _DER, "subject", "der Orvane"),
        ("de", _DER, "object", "den Orvane"),
        ("de", _DER, "dative", "dem Orvane"),
        ("de", _DER, "owner", "des Orvane"),
        ("de", _DER, "mit", "dem Orvane"),
        ("de", _DER, "für", "den Orvane"),
        ("de", _DIE, "object", "die Velda 12"),
        ("de", _DIE, "owner", "der Velda 12"),
        ("de", _DAS, "dative", "dem Kelm"),
        ("de", _PLURAL, "dative", "den Brisen"),
        ("de", _PLURAL, "owner", "der Brisen"),
        ("de", Referent("Nora Feld"), "owner", "von Nora Feld"),
        ("ar", Referent("هاتف Velda 12"), "subject", "هاتف Velda 12"),
        ("ar", Referent("Velda 12"), "owner", "Velda 12"),
    ],
)
def test_a_name_takes_its_article_and_case(code: str, referent: Referent, case: str, words: str) -> None:
    assert hooks_of(code).phrase(referent, case) == words


@pytest.mark.parametrize(
    ("code", "possessive", "thing", "owner", "words"),
    [
        ("en", "its", "price", Referent("Velda 12", article="the"), "the Velda 12's price"),
        ("en", "their", "office", Referent("Calder Partners"), "Calder Partners' office"),
        ("fr", "son", "prix", _LA, "le prix de la Velda 12"),
        ("fr", "sa", "garantie", Referent("Kelm", article="le", gender="m"), "la garantie du Kelm"),
        ("fr", "ses", "piles", _LE, "les piles de l'Orvane"),
        ("fr", "son", "écran", _LA, "l'écran de la Velda 12"),
        ("fr", "leur", "garantie", _LES, "la garantie des Brisants"),
        ("de", "seine", "Garantie", _DER, "die Garantie des Orvane"),
        ("de", "ihren", "Preis", _DIE, "den Preis der Velda 12"),
        ("de", "ihrem", "Netzteil", _DIE, "dem Netzteil der Velda 12"),
        ("de", "sein", "Gewicht", _DAS, "das Gewicht des Kelm"),
        ("de", "deren", "Preis", _DIE, "der Preis der Velda 12"),
        ("ar", "", "سعر", Referent("Velda 12"), "سعر Velda 12"),
        ("ar", "", "ضمان", Referent("الهاتف"), "ضمان الهاتف"),
    ],
)
def test_what_is_owned_stands_with_its_owner(
    code: str, possessive: str, thing: str, owner: Referent, words: str
) -> None:
    assert hooks_of(code).owned(possessive, thing, owner) == words


@pytest.mark.parametrize(
    ("code", "left", "form", "right", "case", "referent", "sentence"),
    [
        ("en", "Is ", "it", " new?", "subject", Referent("Velda 12", article="the"), "Is the Velda 12 new?"),
        ("en", "Are ", "they", " open?", "subject", Referent("Brontor"), "Is Brontor open?"),
        ("en", "How do I get ", "there", "?", "object", Referent("Bergen"), "How do I get in Bergen?"),
        ("en", "How do I get from ", "there", "?", "object", Referent("Bergen"), "How do I get from Bergen?"),
        ("fr", "Comment je ", "la", " règle ?", "object", _LA, "Comment je règle la Velda 12 ?"),
        ("fr", "Coûte-t-", "elle", " cher ?", "subject", _LA, "La Velda 12 coûte-t-elle cher ?"),
        ("fr", "Comment ", "l'", "installer ?", "object", _LA, "Comment installer la Velda 12 ?"),
        ("fr", "Décrivez-", "la", ".", "object", _LA, "Décrivez la Velda 12."),
        ("fr", "Je peux ", "lui", " écrire ?", "dative", _BARE, "Je peux écrire à Élodie Marn ?"),
        ("de", "Wie lade ich ", "ihn", "?", "object", _DER, "Wie lade ich den Orvane?"),
        ("de", "Was ist mit ", "ihr", "?", "object", _DIE, "Was ist mit der Velda 12?"),
        ("de", "Was kostet das Kabel ", "dafür", "?", "object", _DER, "Was kostet das Kabel für den Orvane?"),
        ("de", "Gibt es Teile ", "davon", "?", "object", _DER, "Gibt es Teile vom Orvane?"),
        ("ar", "هل ", "هو", " جديد؟", "subject", Referent("الهاتف"), "هل الهاتف جديد؟"),
        ("ar", "ماذا عن غطاء ", "له", "؟", "object", Referent("الهاتف"), "ماذا عن غطاء للهاتف؟"),
        ("ar", "ماذا عن غطاء ", "له", "؟", "object", Referent("Velda 12"), "ماذا عن غطاء لـVelda 12؟"),
        ("ar", "كيف أتواصل ", "معها", "؟", "object", Referent("البلدية"), "كيف أتواصل مع البلدية؟"),
    ],
)
def test_a_name_stands_where_the_pronoun_stood(
    *, code: str, left: str, form: str, right: str, case: str, referent: Referent, sentence: str
) -> None:
    before, after, words = hooks_of(code).place(left, form, right, referent, case)
    written = left[: len(left) - before] + words + right[after:]
    assert written == sentence


@pytest.mark.parametrize(
    ("word", "stem", "on"),
    [
        ("سعره", "سعر", "noun"),
        ("بطاريتها", "بطارية", "noun"),
        ("ضمانهما", "ضمان", "noun"),
        ("منه", "من", "preposition"),
        ("عليها", "على", "preposition"),
        ("ومعهم", "ومع", "preposition"),
        ("يستخدمه", "يستخدم", "verb"),
    ],
)
def test_a_pronoun_written_on_a_word_is_found(word: str, stem: str, on: str) -> None:
    attached = hooks_of("ar").attached(word)
    assert attached is not None
    assert (attached.stem, attached.on) == (stem, on)


@pytest.mark.parametrize("word", ["مياه", "اتجاه", "هذه", "مهم", "الفواكه", "سعر", "أسهمًا", "فقه", "", "ه"])
def test_a_word_that_only_ends_like_a_pronoun_has_none(word: str) -> None:
    assert hooks_of("ar").attached(word) is None


def test_an_article_is_seen_on_an_arabic_word_alone() -> None:
    arabic = hooks_of("ar")
    assert [arabic.is_definite(word) for word in ("الهاتف", "بالهاتف", "للهاتف", "هاتف", "ال")] == [True] * 3 + [
        False
    ] * 2
    assert [arabic.is_owned(word) for word in ("عقدي", "عقدكم", "عقدنا", "عقد")] == [False, True, True, False]
    for code in ("en", "fr", "de"):
        hooks = hooks_of(code)
        assert not any(
            (hooks.is_definite("the"), hooks.is_owned("my"), hooks.is_accusative("x"), hooks.attached("its"))
        )
        assert hooks.bare("and more") == "and more"


@pytest.mark.parametrize("code", codes())
def test_each_language_has_every_hook_in_its_shape(code: str) -> None:
    for name, declared in inspect.getmembers(Hooks, inspect.isfunction):
        if not name.startswith("_"):
            own = inspect.signature(getattr(hooks_of(code), name))
            assert list(own.parameters) == list(inspect.signature(declared).parameters)[1:], name


@pytest.mark.parametrize("code", codes())
@pytest.mark.parametrize("words", ["", " ", "'", "-", "x", "ـ", "🙂"])
def test_no_hook_fails_on_an_empty_or_odd_name(code: str, words: str) -> None:
    hooks = hooks_of(code)
    referent = Referent(words)
    for case in ("subject", "object", "dative", "owner", "de", "mit", ""):
        hooks.phrase(referent, case)
        hooks.place(words, words, words, referent, case)
    hooks.owned(words, words, referent)
    hooks.bare(words)
    hooks.is_definite(words)
    hooks.attached(words)


@pytest.mark.parametrize(
    ("question", "read"),
    [
        ("Quel est son numéro de téléphone ?", "Quel est le numéro de téléphone de Lise Orval ?"),
        ("Où est sa carte à puce ?", "Où est la carte à puce de Lise Orval ?"),
        ("Quel est son prix à Nantes ?", "Quel est le prix de Lise Orval à Nantes ?"),
    ],
)
def test_an_owner_stands_behind_the_whole_noun(question: str, read: str) -> None:
    names = [Name("Lise Orval", "PERSON")]
    assert taken_for("fr", question, "Qui est là ?", "Lise Orval est là.", names=names).standalone == read


def test_a_message_without_capitals_has_nouns_all_the_same() -> None:
    names = [Name("Moss 3", "PRODUCT", nouns=("Gerät",))]
    found = taken_for("de", "was wiegt das gerät?", "Was ist das Moss 3?", "-", names=names)
    assert found.standalone == "was wiegt das Moss 3?"
