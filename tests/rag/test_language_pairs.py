"""Sixteen pairs: a question in one language, documents in another; the answer keeps to the question's."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from languages import codes, load
from rag.loading import LazyEmbedder, lazy_embedder
from rag.settings import read_settings
from rag.shelf.owners import Owner
from tests.rag.conftest import Desk, ScriptedModel
from tests.rag.shop import DOCUMENTS, TALKS, Talk

pytestmark = [pytest.mark.model, pytest.mark.timeout(300)]

NOWHERE = {
    "en": "Who painted the ceiling of the town hall?",
    "fr": "Qui a peint le plafond de la mairie ?",
    "de": "Wer hat die Decke des Rathauses bemalt?",
    "ar": "من رسم سقف دار البلدية؟",
}
ANOTHER = {
    "en": "How much does the Norda Halo cost?",
    "fr": "Combien coûte le Norda Halo ?",
    "de": "Was kostet der Norda Halo?",
    "ar": "كم سعر Norda Halo؟",
}


@pytest.fixture(scope="module")
def embedder() -> LazyEmbedder:
    """Return the bundled embedding model: across languages words in common are few."""
    return lazy_embedder(read_settings())


@pytest.fixture(scope="module", params=sorted(DOCUMENTS))
def abroad(
    request: pytest.FixtureRequest, embedder: LazyEmbedder, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[str, Desk]]:
    """Yield a language and a desk whose documents are all in it."""
    desk = Desk(tmp_path_factory.mktemp("abroad"), request.param, embedder=embedder)
    yield request.param, desk
    desk.library.close()
    desk.database.close()


def labels(code: str) -> set[str]:
    """Return the words that a pack says where documents do not."""
    texts = load(code)
    return {texts.text("not_found.general"), texts.text("not_found.no_documents")}


@pytest.mark.parametrize("talk", TALKS, ids=lambda talk: talk.language)
def test_the_value_is_found_and_the_answer_is_in_the_language_of_the_question(
    abroad: tuple[str, Desk], talk: Talk
) -> None:
    spoken, desk = abroad
    (turn,) = desk.talk(talk.question, language=talk.language)
    assert turn.language == talk.language
    assert turn.answer is not None
    assert turn.answer.answered, f"{talk.language} over documents in {spoken}: {turn.answer.text}"
    assert talk.answer in turn.answer.text
    assert {cited.document for cited in turn.answer.citations} == {"kestrel-12.md"}


@pytest.mark.parametrize("code", sorted(NOWHERE))
def test_what_no_document_says_is_refused_in_the_language_of_the_question(abroad: tuple[str, Desk], code: str) -> None:
    _, desk = abroad
    (turn,) = desk.talk(NOWHERE[code], language=code)
    assert turn.answer is not None
    assert not turn.answer.answered
    assert turn.answer.text.startswith(tuple(labels(code)))  # what was searched follows


@pytest.mark.parametrize("talk", TALKS, ids=lambda talk: talk.language)
def test_a_model_reads_every_label_in_the_language_of_the_question(abroad: tuple[str, Desk], talk: Talk) -> None:
    spoken, desk = abroad
    model = ScriptedModel(("840 [1]",))
    desk.talk(talk.question, language=talk.language, pipeline=desk.pipeline(model))
    (messages,) = model.asked
    said = "\n".join(message.content for message in messages)
    assert talk.question in said, "the person's own words"
    for key in ("label.passages", "label.question", "label.answer_language"):
        own = load(talk.language).text(key)
        assert own in said or key == "label.answer_language"  # that one is for a second try
        for other in set(codes()) - {talk.language}:
            foreign = load(other).text(key)
            assert foreign == own or f"{foreign}\n" not in said, (key, other, spoken)


@pytest.mark.parametrize("talk", TALKS, ids=lambda talk: talk.language)
def test_a_new_topic_is_cited_from_its_own_document(tmp_path: Path, talk: Talk) -> None:
    desk = Desk(tmp_path, talk.language)
    _, second = desk.talk(talk.question, ANOTHER[talk.language], language=talk.language)
    assert second.answer is not None
    own = {name for name, text in DOCUMENTS[talk.language].items() if "Norda Halo" in text}
    assert {cited.document for cited in second.answer.citations} == own
    assert "95" in second.answer.text
    desk.library.remove(next(iter(own)), Owner("shelf", "shared"))
    (later,) = desk.talk(ANOTHER[talk.language], language=talk.language)
    assert later.answer is not None
    assert not own & {cited.document for cited in later.answer.citations}, "what was removed is never cited"
    desk.library.close()
    desk.database.close()
