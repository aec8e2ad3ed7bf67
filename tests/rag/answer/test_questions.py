from __future__ import annotations

import pytest

from languages import codes
from rag.answer.question_file import read_file
from rag.answer.questions import KIND_VALUES, VALUES, understand
from rag.answer.smalltalk import small_talk
from rag.answer.subjects import About, about, subject


def test_all_languages_have_the_same_kinds_attributes_and_degrees() -> None:
    files = [read_file(code) for code in codes()]
    for file in files[1:]:
        assert file.kinds.keys() == files[0].kinds.keys()
        assert file.attributes.keys() == files[0].attributes.keys()
        assert file.degrees.less.keys() == files[0].degrees.less.keys()
        assert file.degrees.more.keys() == files[0].degrees.more.keys()


def test_values_are_stated_of_known_attributes_and_kinds() -> None:
    file = read_file(codes()[0])
    assert file.attributes.keys() >= VALUES.keys()
    assert file.kinds.keys() >= KIND_VALUES.keys()


@pytest.mark.parametrize(
    ("language", "question", "attribute"),
    [
        ("en", "How much is the Brook 3?", "price"),
        ("en", "How much does the Brook 3 weigh?", "weight"),
        ("en", "How much data is in the bundle?", "data"),
        ("en", "Is it covered by a guarantee?", "warranty"),
        ("fr", "Combien coûte le Brook 3 ?", "price"),
        ("fr", "Combien pèse le Brook 3 ?", "weight"),
        ("fr", "Quelle est l'autonomie du Brook 3 ?", "battery"),
        ("de", "Wie schwer ist das Brook 3?", "weight"),
        ("de", "Was kostet das Brook 3?", "price"),
        ("de", "Wie lautet die Durchwahl?", "extension"),
        ("ar", "بكم Brook 3؟", "price"),
        ("ar", "ما وزنه؟", "weight"),
        ("ar", "وكم مدة ضمانه؟", "warranty"),
        ("ar", "قديش سعر Brook 3؟", "price"),
    ],
)
def test_tells_the_attribute_asked_for(language: str, question: str, attribute: str) -> None:
    assert understand(question, language).attributes[:1] == (attribute,)


@pytest.mark.parametrize(
    ("language", "question", "degree"),
    [
        ("en", "Which one is cheaper?", -1),
        ("en", "Which is heavier?", 1),
        ("fr", "Lequel est le moins cher ?", -1),
        ("fr", "Lequel est plus lourd ?", 1),
        ("de", "Welches ist günstiger?", -1),
        ("de", "Welches ist teurer?", 1),
        ("ar", "أيهما أرخص؟", -1),
        ("ar", "أيهما أثقل؟", 1),
        ("en", "How heavy is it?", 0),
    ],
)
def test_tells_which_end_of_a_comparison_is_wanted(language: str, question: str, degree: int) -> None:
    assert understand(question, language).degree == degree


@pytest.mark.parametrize("message", ["Is it light?", "Thanks, and the price?", "Hi, I need a lamp.", "", "?!"])
def test_what_asks_or_tells_is_no_small_talk(message: str) -> None:
    assert small_talk(message, "en") is None


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("Brook 13", "The Brook 15 has 32 GB.", About.OTHER),
        ("Brook 13", "The Brook 13 Pro has 32 GB.", About.OTHER),
        ("Brook 13 Pro", "The Brook 13 Pro has 32 GB.", About.SAME),
        ("Tavira Brook 13", "the brook 13 is light", About.SAME),
        ("Brook 13 and 15", "Nothing of it.", About.NOTHING),
        ("Plan", "Plan+ costs 19 €.", About.OTHER),
        ("Plan+", "Plan+ costs 19 €.", About.SAME),
        ("Brook 13", "سعر Brook 13 مناسب", About.SAME),
        ("Brook 13", "وBrook 13 أخف", About.SAME),
        ("Hilal 8", "It has 8 GB of memory.", About.NOTHING),
    ],
)
def test_a_differing_number_or_word_parts_two_names(name: str, text: str, expected: About) -> None:
    assert about(text, subject(name, (), ())) is expected


@pytest.mark.parametrize(
    ("language", "message"),
    [
        ("en", "My budget is £900"),
        ("en", "Hi, my name is Odette."),
        ("fr", "Bonjour, j'habite à Lyon."),
        ("de", "Mein Budget liegt bei 900 Euro"),
        ("ar", "مرحبا، اسمي ريم"),
    ],
)
def test_a_statement_about_oneself_is_noted(language: str, message: str) -> None:
    assert small_talk(message, language) == "telling"


@pytest.mark.parametrize(
    ("language", "message"),
    [
        ("en", "My budget is £900, which laptop fits?"),
        ("en", "My battery is dead"),
        ("fr", "J'habite à Lyon, où se trouve l'agence la plus proche"),
        ("de", "Mein Name ist falsch geschrieben, wie ändere ich ihn"),
        ("ar", "ميزانيتي 900 يورو، أي حاسوب يناسبني؟"),
    ],
)
def test_a_statement_that_comes_with_a_question_is_a_question(language: str, message: str) -> None:
    assert small_talk(message, language) is None
