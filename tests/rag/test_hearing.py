"""What an answer leaves in the discourse: what it is about, and not all that it quotes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from memory import Discourse, Name, NameIndex, Resolution, observe
from rag.events import Answer, Citation, Hit, Passage, Turn
from rag.hearing import FOCUS_MESSAGES, focus, hear, said_of, topic_of

CATALOG = NameIndex.of(
    [
        Name("Norda Halo", "PRODUCT", nouns=("headset",)),
        Name("Tavira Kestrel 12", "PRODUCT", nouns=("laptop",)),
        Name("Norda", "ORGANIZATION"),
    ]
)


def heard(question: str, answer: Answer, *entities: str, hits: tuple[Hit, ...] = ()) -> Discourse:
    resolution = Resolution(question, question, "unchanged", entities=entities, language="en")
    turn = Turn("a", 0, question, "en", resolution, answer=answer, hits=hits)
    before = observe(Discourse(), "user", question, language="en", catalogs=(CATALOG,), asked=question)
    return hear(before, turn, catalog=CATALOG)


def named(discourse: Discourse, message: int) -> set[str]:
    return {mention.entity for mention in discourse.mentions if mention.message == message and mention.named}


def test_the_label_of_a_line_is_not_spoken_of() -> None:
    after = heard("How heavy is the Norda Halo?", Answer("Weight: 220 g [1]", answered=True), "Norda Halo")
    assert after.messages == 2
    assert named(after, 1) == set()


def test_the_heads_of_a_row_are_not_spoken_of() -> None:
    row = Answer("Norda Halo – Remarque: léger; Poids: 220 g; Prix: 99 € [1]", answered=True)
    turn = Turn("a", 0, "?", "fr", Resolution("?", "?", "unchanged", language="fr"), answer=row)
    said = said_of(turn, CATALOG)
    assert "220 g" in said
    assert not {"Poids", "Prix"} & set(said.replace(":", " ").split())


def test_a_known_name_before_a_colon_is_no_label() -> None:
    turn = Turn(
        "a", 0, "?", "en", Resolution("?", "?", "unchanged"), answer=Answer("Norda Halo: $95 [1]", answered=True)
    )
    assert said_of(turn, CATALOG) == "Norda Halo: $95"


def test_a_rival_that_a_quotation_names_is_not_what_it_was_about() -> None:
    answer = Answer("The Norda Halo is lighter than the Tavira Kestrel 12. [1]", answered=True)
    after = heard("How heavy is the Norda Halo?", answer, "Norda Halo")
    assert named(after, 1) == {"Norda Halo"}
    assert after.offered == ()


def test_what_was_asked_for_by_its_kind_stays() -> None:
    answer = Answer("The Norda Halo goes well with the Tavira Kestrel 12. [1]", answered=True)
    after = heard("Which laptop goes with the Norda Halo?", answer, "Norda Halo")
    assert named(after, 1) == {"Norda Halo", "Tavira Kestrel 12"}


def test_a_question_that_names_nothing_is_answered_by_what_the_answer_names() -> None:
    answer = Answer("The lightest is the Tavira Kestrel 12. [1]", answered=True)
    assert named(heard("Which is the lightest?", answer), 1) == {"Tavira Kestrel 12"}


def test_a_models_own_words_are_heard_whole() -> None:
    answer = Answer("Compared with the Tavira Kestrel 12 it is light. [1]", answered=True, method="some-model")
    assert "Tavira Kestrel 12" in named(heard("How heavy is the Norda Halo?", answer, "Norda Halo"), 1)


def test_a_quote_in_another_language_is_not_read_as_the_answers_own_words() -> None:
    passage = Passage("p", "a.md", "Das Modell wiegt viel.", language="de")
    answer = Answer(
        "From a document in German: “Das Modell wiegt viel.” [1]", True, (Citation(1, "a.md", passage.text, "p"),)
    )
    after = heard("How heavy is it?", answer, hits=(Hit(passage, 1.0),))
    assert not any("Modell" in mention.text for mention in after.mentions)


def test_not_in_the_documents_speaks_of_nothing() -> None:
    after = heard("How old is the Norda Halo?", Answer("The documents don’t say.", answered=False), "Norda Halo")
    assert after.messages == 2
    assert all(mention.message == 0 for mention in after.mentions)


@pytest.mark.parametrize(
    ("questions", "expected"),
    [
        (["How much is the Norda Halo?"], "Norda Halo"),
        (["How much is the Norda Halo?", "Until when?"], "Norda Halo"),
        (["How much is the Norda Halo?", "How much is the Tavira Kestrel 12?"], "Tavira Kestrel 12"),
        (["Is the Norda Halo lighter than the Tavira Kestrel 12?"], ""),
        (["Until when?"], ""),
        ([], ""),
    ],
)
def test_the_focus_is_the_one_thing_last_asked_about(questions: list[str], expected: str) -> None:
    discourse = Discourse()
    for question in questions:
        discourse = observe(discourse, "user", question, language="en", catalogs=(CATALOG,), asked=question)
        discourse = observe(discourse, "assistant", "Yes.", language="en", catalogs=(CATALOG,))
    assert focus(discourse) == expected


def test_an_old_topic_is_no_focus() -> None:
    discourse = observe(Discourse(), "user", "How much is the Norda Halo?", language="en", catalogs=(CATALOG,))
    assert focus(discourse) == "Norda Halo"
    assert focus(replace(discourse, messages=FOCUS_MESSAGES + 1)) == ""


def test_a_question_about_another_kind_of_thing_leaves_the_topic() -> None:
    said = observe(Discourse(), "user", "What does the Norda Halo cost?", language="en", catalogs=(CATALOG,))
    assert topic_of("Can I return a laptop?", said, CATALOG) == ""
    assert topic_of("Can I return it within a week?", said, CATALOG) == "Norda Halo"


def test_two_quotations_do_not_run_into_each_other() -> None:
    turn = Turn(
        "a", 0, "?", "en", Resolution("?", "?", "unchanged"), answer=Answer("In Sky Blue [1] Halo 3 [2]", answered=True)
    )
    assert said_of(turn, CATALOG) == "In Sky Blue\nHalo 3"


def test_a_models_sentence_stays_one_where_a_source_stands_within_it() -> None:
    answer = Answer("It weighs 1 kg [1] and is blue [2].", answered=True, method="model")
    assert heard("How heavy is the Norda Halo?", answer).recent[-1][1] == "It weighs 1 kg and is blue."
