"""Sentences that refer, a table a language: the question and the standalone question that is as good."""

from __future__ import annotations

import pytest

from memory import Discourse, Name, NameIndex, observe, resolve
from memory.reference.analysis import analyse
from tests.memory.reference.talking import taken_for

_LAMPS = (Name("Velda 12", "PRODUCT"), Name("Velda 14", "PRODUCT"), Name("Orvane", "PRODUCT"))

# what the assistant said last, the question, what it means
_EN = [
    ("The Velda 12 is a desk lamp.", "What is its price?", "What is the Velda 12's price?"),
    ("The Velda 12 is a desk lamp.", "How heavy is it?", "How heavy is the Velda 12?"),
    ("The Velda 12 is a desk lamp.", "Can I dim it?", "Can I dim the Velda 12?"),
    ("Nora Feld runs the shop.", "What is her phone number?", "What is Nora Feld's phone number?"),
    ("Nora Feld runs the shop.", "Can I call her tomorrow?", "Can I call Nora Feld tomorrow?"),
    ("The Velda 12 is a desk lamp.", "Is this lamp dimmable?", "Is the Velda 12 dimmable?"),
    ("The Velda 12 is a desk lamp.", "Does the lamp have a switch?", "Does the Velda 12 have a switch?"),
]
_FR = [
    ("La lampe Velda 12 est en stock.", "Quel est son prix ?", "Quel est le prix de la lampe Velda 12 ?"),
    ("La lampe Velda 12 est en stock.", "Combien pèse-t-elle ?", "Combien la lampe Velda 12 pèse-t-elle ?"),
    ("La lampe Velda 12 est en stock.", "Où est-ce que je peux la trouver ?", "trouver la lampe Velda 12 ?"),
    ("La lampe Velda 12 est en stock.", "Sa garantie est longue ?", "La garantie de la lampe Velda 12 est longue ?"),
    ("La lampe Velda 12 est en stock.", "Cette lampe est réglable ?", "La lampe Velda 12 est réglable ?"),
    ("Le casque Orvane est en stock.", "Il est étanche ?", "Le casque Orvane est étanche ?"),
    ("Nora Feld tient la boutique.", "Quels jours est-elle présente ?", "Quels jours Nora Feld est-elle présente ?"),
    ("Le casque Orvane est en stock.", "Comment je le charge ?", "Comment je charge le casque Orvane ?"),
]
_DE = [
    ("Die Lampe Velda 12 ist lieferbar.", "Wie hoch ist ihr Preis?", "Wie hoch ist der Preis der Lampe Velda 12?"),
    ("Die Lampe Velda 12 ist lieferbar.", "Was kostet sie?", "Was kostet die Lampe Velda 12?"),
    ("Der Kopfhörer Orvane ist lieferbar.", "Was kostet er?", "Was kostet der Kopfhörer Orvane?"),
    ("Der Kopfhörer Orvane ist lieferbar.", "Wie lade ich ihn?", "Wie lade ich den Kopfhörer Orvane?"),
    ("Der Kopfhörer Orvane ist lieferbar.", "Wie lang ist seine Garantie?", "die Garantie vom Kopfhörer Orvane?"),
    ("Der Kopfhörer Orvane ist lieferbar.", "Ist dieser Kopfhörer wasserdicht?", "Ist der Kopfhörer Orvane wasser"),
    ("Der Kopfhörer Orvane ist lieferbar.", "Und was kostet der?", "Und was kostet der Kopfhörer Orvane?"),
    ("Der Kopfhörer Orvane ist lieferbar.", "Ist der auch in Blau da?", "Ist der Kopfhörer Orvane auch in Blau da?"),
]
_AR = [
    ("المصباح Velda 12 متوفر.", "كم سعره؟", "كم سعر المصباح Velda 12؟"),
    ("المصباح Velda 12 متوفر.", "ما مدة ضمانه؟", "ما مدة ضمان المصباح Velda 12؟"),
    ("المصباح Velda 12 متوفر.", "هل هو مقاوم للماء؟", "هل المصباح Velda 12 مقاوم للماء؟"),
    ("السماعة Orvane متوفرة.", "كم سعرها؟", "كم سعر السماعة Orvane؟"),
    ("السماعة Orvane متوفرة.", "كيف أشحنها؟", "كيف أشحن السماعة Orvane؟"),
    ("السماعة Orvane متوفرة.", "هل هي متوفرة بالأزرق؟", "هل السماعة Orvane متوفرة بالأزرق؟"),
    ("السماعة Orvane متوفرة.", "هل هذه السماعة مقاومة للماء؟", "هل السماعة Orvane مقاومة للماء؟"),
]
# Questions of these tables that are not yet read so; strict, as the known failures of the cases are.
_NOT_YET = {
    "Can I call her tomorrow?": "a day after an object reads as something owned",
    "Wie hoch ist ihr Preis?": "an idiom of the polite address covers it",
    "Does the second one dim?": "a verb that no list knows follows",
}
_OPENINGS = {"en": "Hello, I have a question.", "fr": "Bonjour.", "de": "Guten Tag.", "ar": "مرحبا."}


def row_of(*row: str, asked: str) -> object:
    """Return a row of a table as a parameter, named by its question; expected to fail where that is known."""
    marks = [pytest.mark.xfail(reason=_NOT_YET[asked], strict=True)] if asked in _NOT_YET else []
    return pytest.param(*row, id=f"{row[0]}: {asked}", marks=marks)


def _rows() -> list[object]:
    tables = {"en": _EN, "fr": _FR, "de": _DE, "ar": _AR}
    return [row_of(code, *row, asked=row[1]) for code, rows in tables.items() for row in rows]


@pytest.mark.parametrize(("code", "said", "question", "meant"), _rows())
def test_a_question_that_refers_is_completed(code: str, said: str, question: str, meant: str) -> None:
    resolution = taken_for(code, question, _OPENINGS[code], said, names=_LAMPS)
    assert resolution.status == "resolved"
    assert meant in resolution.standalone


# the first question, its answer, the fragment, what it means
_FRAGMENTS = [
    ("en", "How much does the Velda 12 cost?", "$40.", "And the Velda 14?", "How much does the Velda 14 cost?"),
    ("en", "How much does the Velda 12 cost?", "$40.", "And the weight?", "And the weight of the Velda 12?"),
    ("en", "How much does the Velda 12 cost?", "$40.", "What about the Orvane?", "How much does the Orvane cost?"),
    ("fr", "Combien coûte la Velda 12 ?", "40 €.", "Et la Velda 14 ?", "Combien coûte la Velda 14 ?"),
    ("fr", "Combien coûte la Velda 12 ?", "40 €.", "Et la garantie ?", "Et la garantie de la Velda 12 ?"),
    ("fr", "Quel est le prix de la Velda 12 ?", "40 €.", "Et celui de la Velda 14 ?", "le prix de la Velda 14 ?"),
    ("de", "Was kostet die Velda 12?", "40 €.", "Und die Velda 14?", "Was kostet die Velda 14?"),
    ("de", "Was kostet die Velda 12?", "40 €.", "Und die Garantie?", "Und die Garantie der Velda 12?"),
    ("de", "Was kostet die Velda 12?", "40 €.", "Und die Orvane?", "Was kostet die Orvane?"),
    ("ar", "كم سعر Velda 12؟", "أربعون ريالًا.", "وماذا عن Velda 14؟", "كم سعر Velda 14؟"),
    ("ar", "كم سعر Velda 12؟", "أربعون ريالًا.", "والضمان؟", "Velda 12"),
    ("ar", "كم سعر Velda 12؟", "أربعون ريالًا.", "و Orvane؟", "كم سعر Orvane؟"),
]


@pytest.mark.parametrize(
    ("code", "first", "answer", "question", "meant"), [row_of(*row, asked=row[3]) for row in _FRAGMENTS]
)
def test_a_fragment_takes_over_what_it_leaves_out(
    code: str, first: str, answer: str, question: str, meant: str
) -> None:
    resolution = taken_for(code, question, first, answer, names=_LAMPS)
    assert resolution.status == "resolved"
    assert meant in resolution.standalone


# two things side by side, and a question that fits both
_TIES = [
    ("en", "The Velda 12 and the Velda 14 are in stock.", "Does it have a dimmer?"),
    ("en", "Nora Feld and Ada Blom are in today.", "What is her number?"),
    ("fr", "La lampe Velda 12 et la lampe Velda 14 sont en stock.", "Est-elle réglable ?"),
    ("fr", "La lampe Velda 12 et la lampe Velda 14 sont en stock.", "Quel est son prix ?"),
    ("de", "Die Lampe Velda 12 und die Lampe Velda 14 sind lieferbar.", "Ist sie dimmbar?"),
    ("de", "Der Kopfhörer Velda 12 und der Kopfhörer Velda 14 sind da.", "Wie lang ist seine Garantie?"),
    ("ar", "المصباح Velda 12 والمصباح Velda 14 متوفران.", "كم سعره؟"),
    ("ar", "السماعة Velda 12 والسماعة Velda 14 متوفرتان.", "هل هي مقاومة للماء؟"),
]


@pytest.mark.parametrize(("code", "said", "question"), [row_of(*row, asked=row[2]) for row in _TIES])
def test_two_equal_readings_are_asked_back_about(code: str, said: str, question: str) -> None:
    resolution = taken_for(
        code, question, _OPENINGS[code], said, names=(*_LAMPS, Name("Nora Feld", "PERSON"), Name("Ada Blom", "PERSON"))
    )
    assert resolution.status == "ambiguous"
    assert len(resolution.candidates) == 2
    assert resolution.standalone == question
    assert resolution.expression


# two things of which gender leaves one
_AGREEMENT = [
    ("fr", "La lampe Velda 12 et le casque Orvane sont en stock.", "Est-il étanche ?", "Orvane"),
    ("fr", "La lampe Velda 12 et le casque Orvane sont en stock.", "Est-elle étanche ?", "Velda 12"),
    ("de", "Die Lampe Velda 12 und der Kopfhörer Orvane sind lieferbar.", "Ist er wasserdicht?", "Orvane"),
    ("de", "Die Lampe Velda 12 und der Kopfhörer Orvane sind lieferbar.", "Was kostet sie?", "Velda 12"),
    ("ar", "المصباح Velda 12 والسماعة Orvane متوفران.", "كم سعرها؟", "Orvane"),
    ("ar", "المصباح Velda 12 والسماعة Orvane متوفران.", "كم سعره؟", "Velda 12"),
    ("en", "Nora Feld and the Velda 12 are both in the shop.", "What is her number?", "Nora Feld"),
    ("en", "Nora Feld and the Velda 12 are both in the shop.", "How much is it?", "Velda 12"),
]


@pytest.mark.parametrize(("code", "said", "question", "entity"), [row_of(*row, asked=row[2]) for row in _AGREEMENT])
def test_agreement_tells_which_one_is_meant(code: str, said: str, question: str, entity: str) -> None:
    resolution = taken_for(code, question, _OPENINGS[code], said, names=(*_LAMPS, Name("Nora Feld", "PERSON")))
    assert [link.entities for link in resolution.links] == [(entity,)]


# two things offered, and a choice between them
_CHOICES = [
    ("en", "The Velda 12 is $40 and the Velda 14 is $50.", "Does the second one dim?", "Velda 14"),
    ("en", "The Velda 12 is $40 and the Velda 14 is $50.", "Does the cheaper one dim?", "Velda 12"),
    ("fr", "La Velda 12 coûte 40 € et la Velda 14 coûte 50 €.", "La première est réglable ?", "Velda 12"),
    ("fr", "La Velda 12 coûte 40 € et la Velda 14 coûte 50 €.", "La moins chère est réglable ?", "Velda 12"),
    ("de", "Die Velda 12 kostet 40 € und die Velda 14 kostet 50 €.", "Ist die zweite dimmbar?", "Velda 14"),
    ("de", "Die Velda 12 kostet 40 € und die Velda 14 kostet 50 €.", "Ist die günstigere dimmbar?", "Velda 12"),
    ("ar", "سعر Velda 12 هو 40 ريالًا وسعر Velda 14 هو 50 ريالًا.", "هل الثاني مقاوم للماء؟", "Velda 14"),
    ("ar", "سعر Velda 12 هو 40 ريالًا وسعر Velda 14 هو 50 ريالًا.", "هل الأول مقاوم للماء؟", "Velda 12"),
]


@pytest.mark.parametrize(("code", "said", "question", "entity"), [row_of(*row, asked=row[2]) for row in _CHOICES])
def test_a_choice_picks_among_what_was_offered(code: str, said: str, question: str, entity: str) -> None:
    resolution = taken_for(code, question, _OPENINGS[code], said, names=_LAMPS)
    assert [link.entities for link in resolution.links] == [(entity,)]
    assert entity in resolution.standalone


def test_what_is_asked_before_a_name_stays_where_another_person_takes_its_place() -> None:
    people = (Name("Nora Feld", "PERSON"), Name("Ada Blom", "PERSON"))
    before = "Quels jours Nora Feld est-elle présente ?", "Elle est présente le mardi."
    assert taken_for("fr", "Et Ada Blom ?", *before, names=people).standalone.startswith("Quels jours Ada Blom est")


def test_a_name_known_to_the_catalogue_takes_the_place_of_one() -> None:
    names = (Name("Dorn Velda 12", "PRODUCT"), Name("Kesh Orvane", "PRODUCT"))
    resolution = taken_for("en", "Is the Kesh one heavier?", "Hello.", "The Dorn Velda 12 is a lamp.", names=names)
    assert [link.entities for link in resolution.links] == [("Kesh Orvane",)]


@pytest.mark.parametrize(
    ("language", "which", "answer", "question", "read"),
    [
        ("en", "Which is lighter, the Moss 3 or the Moss 5?", "Lightest: Moss 3", "Is it red?", "Is the Moss 3 red?"),
        ("fr", "Lequel est plus léger, le Moss 3 ou le Moss 5 ?", "Moss 3", "Sa garantie ?", "La garantie du Moss 3 ?"),
        ("de", "Welches ist leichter, das Moss 3 oder das Moss 5?", "Moss 5", "Ist es rot?", "Ist das Moss 5 rot?"),
        ("ar", "أيهما أخف: Moss 3 أم Moss 5؟", "Moss 5", "وما ضمانه؟", "وما ضمان Moss 5؟"),
    ],
)
def test_the_answer_to_which_is_what_is_spoken_of(
    language: str, which: str, answer: str, question: str, read: str
) -> None:
    names = [Name("Moss 3", "PRODUCT"), Name("Moss 5", "PRODUCT")]
    assert taken_for(language, question, which, answer, names=names).standalone == read


@pytest.mark.parametrize(
    ("code", "said", "question", "meant"),
    [
        ("en", "We have the Velda 12 and the Velda 14.", "Are they both dimmable?",
         "Are the Velda 12 and the Velda 14 both dimmable?"),
        ("fr", "Il y a la Velda 12 et la Velda 14.", "Elles sont toutes les deux réglables ?",
         "La Velda 12 et la Velda 14 sont toutes les deux réglables ?"),
        ("de", "Es gibt die Velda 12 und die Velda 14.", "Sind sie beide dimmbar?",
         "Sind die Velda 12 und die Velda 14 beide dimmbar?"),
    ],
)  # fmt: skip
def test_both_after_a_pronoun_is_no_second_reference(code: str, said: str, question: str, meant: str) -> None:
    assert taken_for(code, question, "…", said, names=_LAMPS).standalone == meant


def test_a_verb_between_a_name_and_a_number_is_no_noun_of_it() -> None:
    said = "The Velda 12 lights 40 m² and lasts for years."
    assert taken_for("en", "What does it cost?", "…", said, names=_LAMPS).standalone == "What does the Velda 12 cost?"


def test_a_joined_name_stands_in_the_case_of_the_first() -> None:
    catalog = NameIndex.of(_LAMPS)
    joined = analyse("Erzählen Sie mir von der Velda 12 und der Orvane.", "de", (catalog,)).phrases
    alone = analyse("Der Orvane ist klein.", "de", (catalog,)).phrases
    assert [sorted(phrase.genders) for phrase in (*joined, *alone)] == [[], [], ["m"]]


@pytest.mark.parametrize(
    ("code", "before", "question", "meant"),
    [
        ("fr", "What does the Velda 12 weigh?", "Elle est réglable ?", "La Velda 12 est réglable ?"),
        ("fr", "What does the Velda 12 weigh?", "Combien coûte-t-elle ?", "Combien la Velda 12 coûte-t-elle ?"),
        ("de", "What does the Velda 12 weigh?", "Was kostet sie?", "Was kostet die Velda 12?"),
        ("en", "Was wiegt die Velda 12?", "What does it cost?", "What does the Velda 12 cost?"),
        ("en", "Combien pèse l'Orvane ?", "What does it cost?", "What does the Orvane cost?"),
        ("en", "Wie schwer ist mein Orvane?", "What does it cost?", "What does Orvane cost?"),
        ("ar", "What does the Velda 12 weigh?", "كم سعرها؟", "كم سعر Velda 12؟"),
    ],
)
def test_a_name_takes_no_article_of_another_language(code: str, before: str, question: str, meant: str) -> None:
    other = {"What": "en", "Was": "de", "Wie": "de", "Combien": "fr"}[before.split(maxsplit=1)[0]]
    catalog = NameIndex.of(_LAMPS)
    discourse = observe(Discourse(), "user", before, language=other, catalogs=(catalog,))
    discourse = observe(discourse, "assistant", "…", language=other, catalogs=(catalog,))
    assert resolve(question, discourse, catalog=catalog, language=code).standalone == meant


def test_which_of_the_two_asks_of_the_things_and_not_of_the_people_beside_them() -> None:
    before = ("Combien pèsent la Velda 12 et la Velda 14 ?", "La Velda 14 plaît aux graphistes et aux monteurs : 2 kg.")
    found = taken_for("fr", "Laquelle des deux est réglable ?", *before, names=_LAMPS)
    assert [link.entities for link in found.links] == [("Velda 12", "Velda 14")]
