"""Questions that are only "Why?": the statement before them, asked for its reason, or left as they stand."""

from __future__ import annotations

import pytest

from memory import Name
from tests.memory.reference.talking import taken_for
from tests.memory.reference.test_replay import hold


@pytest.mark.parametrize(
    ("language", "asked", "answer", "question", "meant"),
    [
        ("en", "Is the pool open?", "The class was cancelled.", "Why?", "Why was the class cancelled?"),
        ("en", "Is the pool open?", "It is closed on Sundays.", "Why is that?", "Why is the pool closed on Sundays?"),
        ("en", "?", "We had to cancel the tour.", "But why?", "Why did you have to cancel the tour?"),
        ("en", "?", "Sadly, your form was not signed.", "Why not?", "Why was my form not signed?"),
        ("en", "?", "No, the shop doesn't open on Sundays.", "why", "why doesn't the shop open on Sundays"),
        ("en", "?", "Groups are limited to 16 people.", "Why only 16?", "Why are groups limited to only 16 people?"),
        ("en", "?", "The shop closes at six. Parking is free.", "How come?", "How come the shop closes at six?"),
        ("en", "?", "You need to sign a form, but it is short.", "Why?", "Why do I need to sign a form?"),
        ("en", "?", "The page says: “Rehearsals moved to May.” [1]", "Why?", "Why did rehearsals move to May?"),
        ("de", "?", "Leider nein: Der Kurs fällt am Samstag aus.", "Warum?", "Warum fällt der Kurs am Samstag aus?"),
        ("de", "?", "Leider können wir Ihren Antrag nicht annehmen.", "Warum nicht?",
         "Warum können Sie meinen Antrag nicht annehmen?"),
        ("de", "?", "Pro Boot dürfen drei Personen mit.", "Warum nur drei?",
         "Warum dürfen pro Boot nur drei Personen mit?"),
        ("de", "?", "Ja, Sie müssen sich anmelden.", "Und warum?", "Warum muss ich mich anmelden?"),
        ("de", "Läuft der Lift?", "Er ist seit März außer Betrieb.", "Wieso denn?",
         "Wieso ist der Lift seit März außer Betrieb?"),
        ("fr", "?", "Désolé, la salle n'est pas libre lundi.", "Pourquoi pas ?",
         "Pourquoi la salle n'est-elle pas libre lundi ?"),
        ("fr", "?", "Vous devez présenter une carte.", "Ah bon, pourquoi ?",
         "Pourquoi est-ce que je dois présenter une carte ?"),
        ("fr", "?", "Nous fermons à 16 h.", "Et pourquoi ?", "Pourquoi est-ce que vous fermez à 16 h ?"),
        ("fr", "?", "Il n'y a plus de places.", "Pourquoi ça ?", "Pourquoi est-ce qu'il n'y a plus de places ?"),
        ("ar", "?", "لا، المسبح مغلق اليوم.", "ولماذا؟", "لماذا المسبح مغلق اليوم؟"),
        ("ar", "?", "للأسف رُفض طلبك.", "طيب ليه؟", "ليه رُفض طلبي؟"),
        ("ar", "?", "يُسمح بحقيبتين لكل مسافر.", "ليش حقيبتين؟", "ليش يُسمح بحقيبتين لكل مسافر؟"),
    ],
)  # fmt: skip
def test_why_asks_for_the_reason_of_the_statement(
    language: str, asked: str, answer: str, question: str, meant: str
) -> None:
    found = taken_for(language, question, asked, answer)
    assert found.standalone == meant
    hold(found, question)


@pytest.mark.parametrize(
    ("language", "answer", "question"),
    [
        ("en", "Hello! How can I help you?", "Why?"),
        ("en", "There are three:\n- a hall\n- a bar\n- a yard", "Why?"),
        ("en", "The class is off because the kiln broke.", "Why?"),
        ("en", "The course is full.", "Why not?"),
        ("en", "The fair is on 3 May.", "Why is the fair on 3 May?"),
        ("en", "Yes.", "Why?"),
        ("de", "Der Kurs fällt aus, weil niemand kommt.", "Warum?"),
        ("de", "Die Fähre fällt aus.", "Warum kostet die Karte 3 €?"),
        ("fr", "La mairie est fermée en raison d'une formation.", "Pourquoi ?"),
        ("fr", "Que puis-je faire pour vous ?", "Pourquoi ?"),
        ("ar", "كيف أساعدك؟", "لماذا؟"),
        ("ar", "تأجلت الدورة بسبب المطر.", "ليه؟"),
    ],
)
def test_why_is_left_where_nothing_tells_of_what(language: str, answer: str, question: str) -> None:
    found = taken_for(language, question, "?", answer, names=[Name("Moss 3", "PRODUCT")])
    assert found.standalone == question


@pytest.mark.parametrize(
    ("language", "answer", "question", "meant"),
    [
        ("en", "When it rains, the tour is shorter.", "Why?", "Why is that so for the tour?"),
        ("de", "Wenn es regnet, ist der Rundgang kürzer.", "Warum?", "Warum ist das beim Rundgang so?"),
    ],
)
def test_what_cannot_be_turned_is_asked_of_the_thing(language: str, answer: str, question: str, meant: str) -> None:
    assert taken_for(language, question, "?", answer).standalone == meant
