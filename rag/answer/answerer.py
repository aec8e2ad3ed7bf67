"""The answer of a turn, streamed: by a chat model where there is one, else quoted from the documents.

The first characters of a model's answer are held back until their language is checked, so that a second try never
replaces text already shown.  Whatever fails by name ends in an answer quoted from the documents, and a notice.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Generator, Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass, field, replace
from typing import Final

from languages import detect, fold, load, sentences, words
from memory.types import ChatModel, Message
from rag.answer.citations import CitationChecker
from rag.answer.extraction import extract
from rag.answer.request import AnswerRequest
from rag.answer.smalltalk import small_talk
from rag.answer.stems import stems, stop_stems
from rag.answer.units import Unit, split
from rag.answer.wording import cite
from rag.errors import ModelCut, ModelError
from rag.events import Answer, Citation, Hit, Notice, Piece
from rag.prompt import Prompt, PromptRequest, render

log = logging.getLogger(__name__)

HELD_BACK: Final = 60  # characters: fewer are no evidence of a language beside a product's name
_MARK: Final = re.compile(r"\[(\d+)\]")
_CUT: Final = "…"


@dataclass(slots=True)
class _Said:
    """What a model has said so far."""

    text: str = ""
    cited: tuple[int, ...] = field(default=())


class _WrongLanguage(Exception):
    """The model answers in another language than the question's."""


def prepare(request: AnswerRequest, tokens: int, rules: str = "") -> Prompt:
    """Return the prompt for *request*, of about *tokens* tokens; *rules* say how to speak to the person."""
    return render(
        PromptRequest(
            standalone=request.standalone,
            raw=request.raw,
            language=request.language,
            hits=request.hits,
            names=request.names,
            facts=request.facts,
            remembered=request.remembered,
            tokens=tokens,
            rules=rules,
        )
    )


def answer_stream(
    request: AnswerRequest, model: ChatModel | None, *, prompt: Prompt | None = None, tokens: int = 3000
) -> Iterator[Piece | Notice | Answer]:
    """Yield the answer in pieces, notices as they are due, and the whole ``Answer`` last.

    The pieces together are the answer's text.  At most two calls of *model* are made, the second only after a first
    answer in the wrong language; none for small talk.
    """
    if model is None or request.stated or small_talk(request.raw, request.language) is not None:
        answer = extract(request)
        yield Piece(answer.text)
        yield answer
        return
    prompt = prompt or prepare(request, tokens)
    said = _Said()
    try:
        yield from _spoken(request, model, prompt, said)
    except ModelCut as error:
        log.warning("chat model %s: %s", model.name, error)
        yield Notice("notice.model_cut")
        said.text += _CUT
        yield Piece(_CUT)
    except ModelError as error:
        log.warning("chat model %s failed: %s", model.name, error)
        yield Notice(f"notice.{error.key.partition('.')[2]}")
        yield from _quoted(request, said, prompt, model)
        return
    except _WrongLanguage:
        yield Notice("notice.wrong_language")
        yield from _quoted(request, said, prompt, model)
        return
    answer = _answer(request, prompt, said, model.name)
    if answer.answered and not answer.citations:
        yield Notice("notice.uncited")
    yield answer


def _spoken(request: AnswerRequest, model: ChatModel, prompt: Prompt, said: _Said) -> Iterator[Piece]:
    """Yield the model's answer; one more time, told its language again, where it begins in another one.

    Raises: ModelError, _WrongLanguage.
    """
    try:
        yield from _checked(request, model.stream(prompt.messages), prompt, said)
    except _WrongLanguage:
        reminder = Message("system", load(request.language).text("label.answer_language"))
        yield from _checked(request, model.stream((*prompt.messages, reminder)), prompt, said)


def _checked(request: AnswerRequest, stream: Iterator[str], prompt: Prompt, said: _Said) -> Iterator[Piece]:
    checker = CitationChecker(len(prompt.hits))
    held, settled, cut = "", False, None
    with ExitStack() as stack:
        if isinstance(stream, Generator):  # whoever stops listening stops the model
            stack.enter_context(closing(stream))
        try:
            for piece in stream:
                held += checker.feed(piece)
                if not settled and len(held) >= HELD_BACK:
                    _check_language(request, held)
                    settled = True
                if settled and held:
                    yield _say(held, checker, said)
                    held = ""
        except ModelCut as error:  # what came of it is said first
            cut = error
    held += checker.end()
    if not settled:
        _check_language(request, held)
    said.cited = tuple(checker.cited)
    if held:
        yield _say(held, checker, said)
    if cut is not None:
        raise cut


def _say(text: str, checker: CitationChecker, said: _Said) -> Piece:
    said.text += text
    said.cited = tuple(checker.cited)
    return Piece(text)


def _check_language(request: AnswerRequest, text: str) -> None:
    """Raise _WrongLanguage where *text* is surely in another language than the question's."""
    names = (*request.entities, *(hit.passage.document for hit in request.hits))
    if detect(_MARK.sub("", text), previous=request.language, names=names).code != request.language:
        raise _WrongLanguage


def _quoted(request: AnswerRequest, said: _Said, prompt: Prompt, model: ChatModel) -> Iterator[Piece | Answer]:
    """Yield the extractive answer; after what the model had said before it broke off, as a paragraph of its own."""
    answer = extract(request)
    if not said.text.strip():
        yield Piece(answer.text)
        yield answer
        return
    began = _answer(request, prompt, said, model.name)
    shift = len(prompt.hits)
    rest = "…\n\n" + _MARK.sub(lambda match: f"[{int(match[1]) + shift}]", answer.text)
    yield Piece(rest)
    citations = tuple(replace(each, number=each.number + shift) for each in answer.citations)
    yield Answer(said.text + rest, began.answered or answer.answered, (*began.citations, *citations), answer.method)


def _answer(request: AnswerRequest, prompt: Prompt, said: _Said, name: str) -> Answer:
    """Return the model's answer with the citations that its markers name."""
    citations = tuple(_citation(request, prompt.hits, said.text, number) for number in said.cited)
    answered = bool(citations) or _states(request, prompt.hits, said.text)
    return Answer(said.text, answered, citations, name)


def _states(request: AnswerRequest, hits: tuple[Hit, ...], text: str) -> bool:
    """Return whether an answer without a source states a figure that the passages have and the question had not."""
    known = {fold(token.text) for token in words(request.standalone)}
    shown = {fold(token.text) for hit in hits for token in words(f"{hit.passage.text} {hit.passage.context}")}
    figures = {fold(token.text) for token in words(text) if any(c.isdigit() for c in token.text)}
    return bool((figures - known) & shown)


def _citation(request: AnswerRequest, hits: tuple[Hit, ...], text: str, number: int) -> Citation:
    """Return the unit of passage *number* that has most of the words of the sentence it is cited for."""
    language = request.language
    hit = hits[number - 1]
    marker = text.find(f"[{number}]")
    sentence = next((s.text for s in sentences(text) if s.start <= marker < s.end), text[:marker])
    if not _MARK.sub("", sentence).strip():  # "It weighs 1 kg. [1]": the marker stands by itself
        sentence = text[:marker]
    named = {word for name in request.entities for word in stems(name, language)}
    wanted = set(stems(_MARK.sub("", sentence)[-300:], language)) - stop_stems(language) - named
    units = split((hit,))
    if not units:
        return Citation(number, hit.passage.document, hit.passage.text, hit.passage.id, hit.passage.heading)

    def shared(unit: Unit) -> int:  # figures say more than words: the thing's name is in most sentences
        common = wanted & set(stems(f"{unit.label} {unit.text}", language))
        return sum(3 if any(character.isdigit() for character in word) else 1 for word in common)

    best = max(units, key=shared)
    return cite(replace(request, hits=(hit,)), best, number)
