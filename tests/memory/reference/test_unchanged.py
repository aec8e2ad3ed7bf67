"""Complete questions stay as they are: names, bound pronouns, articles, weather, thanks; a table a language."""

from __future__ import annotations

import pytest

from memory import Name
from tests.memory.reference.talking import taken_for

_LAMPS = (Name("Velda 12", "PRODUCT"), Name("Velda 14", "PRODUCT"), Name("Orvane", "PRODUCT"))
_BEFORE = {
    "en": ("What is the Velda 12?", "The Velda 12 is a desk lamp."),
    "fr": ("Qu’est-ce que la Velda 12 ?", "La lampe Velda 12 est une lampe de bureau."),
    "de": ("Was ist die Velda 12?", "Die Lampe Velda 12 ist eine Schreibtischlampe."),
    "ar": ("ما هو Velda 12؟", "المصباح Velda 12 مصباح مكتبي."),
}
_COMPLETE = {
    "en": [
        "How much does the Velda 14 cost?",
        "Is it raining in Bergen?",
        "It is late, is the shop open?",
        "Is there a shop in Bergen?",
        "What time is it?",
        "Is it possible to pay by card?",
        "Does the Orvane come with its own charger?",
        "Can a customer return their order?",
        "If the Velda 14 breaks, can it be repaired?",
        "Where do I find the opening hours of the shop?",
        "Thank you, that helps.",
        "Who is in the IT department?",
        "How long is the warranty of the Orvane?",
        "I think that the shop is closed.",
    ],
    "fr": [
        "Combien coûte la Velda 14 ?",
        "Il pleut à Bergen ?",
        "Quelle heure est-il ?",
        "Il y a un magasin en ville ?",
        "Est-il possible de payer par carte ?",
        "Faut-il payer la livraison ?",
        "L’Orvane est-elle livrée avec son chargeur ?",
        "Le client peut-il rendre sa commande ?",
        "Où est le magasin de la ville ?",
        "Merci, c’est gentil.",
        "Quels sont les horaires du magasin ?",
        "Quelle est la garantie de l’Orvane ?",
        "Si la Velda 14 casse, peut-elle être réparée ?",
        "Je voudrais une facture.",
    ],
    "de": [
        "Was kostet die Velda 14?",
        "Regnet es in Bergen?",
        "Wie spät ist es?",
        "Gibt es einen Laden in der Stadt?",
        "Ist es möglich, mit Karte zu zahlen?",
        "Wird die Orvane mit ihrem Ladegerät geliefert?",
        "Kann ein Kunde seine Bestellung zurückgeben?",
        "Wenn die Velda 14 kaputtgeht, kann man sie reparieren?",
        "Können Sie mir helfen?",
        "Haben Sie am Samstag geöffnet?",
        "Danke, das hilft mir sehr.",
        "Wie lang ist die Garantie der Orvane?",
        "Wo ist die Filiale, die sonntags öffnet?",
        "Ich brauche eine Rechnung.",
    ],
    "ar": [
        "كم سعر Velda 14؟",
        "كم الساعة الآن؟",
        "هل يمكن الدفع بالبطاقة؟",
        "هل توجد مياه معدنية؟",
        "ما هي ساعات العمل؟",
        "هل Orvane تأتي مع شاحنها؟",
        "هل يستطيع العميل إرجاع طلبه؟",
        "شكرا لك.",
        "أين يقع المتجر؟",
        "ما مدة ضمان Orvane؟",
        "هل هناك توصيل مجاني؟",
        "أريد فاتورة.",
        "كم ثمن الفواكه؟",
        "ما اتجاه السوق؟",
    ],
}


# Questions that are not yet left alone; strict, as the known failures of the cases are.
_NOT_YET = {
    "Thank you, that helps.": "no idiom",
    "كم الساعة الآن؟": "a noun with a word after it reads as a fragment",
    "كم ثمن الفواكه؟": "the owner after its noun is not seen",
    "ما اتجاه السوق؟": "the owner after its noun is not seen",
    "ما معنى «هو»؟": "a noun with a word after it reads as a fragment",
}


def row_of(code: str, question: str) -> object:
    """Return a question as a parameter; expected to fail where that is known."""
    marks = [pytest.mark.xfail(reason=_NOT_YET[question], strict=True)] if question in _NOT_YET else []
    return pytest.param(code, question, id=f"{code}: {question}", marks=marks)


@pytest.mark.parametrize(
    ("code", "question"), [row_of(code, text) for code, rows in _COMPLETE.items() for text in rows]
)
def test_a_complete_question_stays(code: str, question: str) -> None:
    resolution = taken_for(code, question, *_BEFORE[code], names=_LAMPS)
    assert resolution.standalone == question
    assert resolution.status == "unchanged"


@pytest.mark.parametrize(
    ("code", "question"),
    [("en", "How much is it?"), ("fr", "Combien coûte-t-il ?"), ("de", "Was kostet er?"), ("ar", "كم سعره؟")],
)
def test_a_reference_to_nothing_that_was_said_stays(code: str, question: str) -> None:
    assert taken_for(code, question, names=_LAMPS).status == "unchanged"


@pytest.mark.parametrize(
    ("code", "question"),
    [
        row_of("en", "What does “it” mean?"),
        row_of("fr", "Que veut dire « elle » ?"),
        row_of("de", "Was bedeutet „sie“?"),
        row_of("ar", "ما معنى «هو»؟"),
    ],
)
def test_a_word_in_quotation_marks_is_mentioned_not_used(code: str, question: str) -> None:
    assert taken_for(code, question, *_BEFORE[code], names=_LAMPS).standalone == question


@pytest.mark.parametrize(
    ("language", "first", "answer", "question"),
    [
        ("de", "Wer ist die Vermieterin?", "Vermieterin ist Hedwig Brause.", "Wie hoch ist die Kaltmiete?"),
        ("de", "Wer ist die Vermieterin?", "Vermieterin ist Hedwig Brause.", "Und die Tiefgarage?"),
        ("fr", "Qui est la gardienne ?", "Mireille Dast est la gardienne.", "Et le local à vélos ?"),
        ("ar", "من المالكة؟", "المالكة هي هدى السباعي.", "من أمينة الصندوق؟"),
        ("en", "Who is the treasurer?", "Imogen Tarr is the treasurer.", "How much is the deposit?"),
        ("fr", "Combien coûte le Velda 7 ?", "Le Velda 7 coûte 399 €.", "Qui est le syndic ?"),
    ],
)
def test_a_noun_that_no_person_is_stays_as_it_is(language: str, first: str, answer: str, question: str) -> None:
    people = [Name(name, "PERSON") for name in ("Hedwig Brause", "Mireille Dast", "هدى السباعي", "Imogen Tarr")]
    assert taken_for(language, question, first, answer, names=people).standalone == question
