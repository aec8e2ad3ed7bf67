"""A chat model's completed question, looked at before it counts: what it may change, and the links that say the change.

A model may answer instead, translate, invent a name, or obey a sentence of a document.  What counts keeps the person's
own words, adds only what stands in the conversation or the catalogue, and stays one question.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from typing import Final, Literal

from languages import Token, detect, fold, load, sentences, words
from memory import Catalog, Discourse, Link, Resolution, replay
from rag.answer.stems import stem, stop_stems
from rag.safety import without_controls

Refusal = Literal["", "empty", "same", "long", "several", "language", "lost", "unknown", "unnamed"]
EVIDENCE: Final = "model"
Spans = tuple[tuple[int, int], ...]

_MOST_ADDED: Final = 16  # words; of the 1,864 good rewrites of rounds 2 to 8 one adds more (17), the others at most 12
_LONGEST_NAME: Final = 4  # words of a name that no list and no mention has
_ENDS: Final = " \u00a0\u202f\t?؟!.…"
_PIECE: Final = re.compile(r"\w+|\W")


@dataclass(frozen=True, slots=True)
class Asked:
    """What a completion is measured by: the question as resolved so far, the conversation, the known names."""

    resolution: Resolution
    before: Discourse
    catalog: Catalog

    @property
    def question(self) -> str:
        """Return the question as the person asked it."""
        return self.resolution.question

    @property
    def language(self) -> str:
        """Return the question's language."""
        return self.resolution.language


def fitted(said: str, asked: Asked) -> str:
    r"""Return what a model *said* with the question's own end, without white space around it and unseen characters.

    A mark that the person left out, or a narrow space before it, is no change of the question.
    """
    question = asked.question
    end = question[len(question.rstrip(_ENDS)) :]
    return without_controls(said).strip().rstrip(_ENDS) + end if said.strip(_ENDS) else ""


def refusal(said: str, asked: Asked) -> Refusal:
    """Return why what a model *said* is not the question completed; "" where it is."""
    completed = fitted(said, asked)
    if not any(character.isalnum() for character in completed):
        return "empty"
    new, old = _folded(completed), _folded(asked.question)
    if new == old:
        return "same"
    if len(new) > len(old) + _MOST_ADDED:
        return "long"
    if _goes_on(said.strip(), asked):
        return "several"
    names = _named(completed, asked)
    spoken = tuple({*names, *(m.entity for m in asked.before.mentions if m.named)})
    if detect(completed, previous=asked.language, names=spoken).code != asked.language:
        return "language"
    if _own(asked) - _stems(completed, asked.language):
        return "lost"
    if _stems(completed, asked.language) - _sayable(asked, names):
        return "unknown"
    return "" if names else "unnamed"


def completed_by(said: str, asked: Asked) -> Resolution:
    """Return the resolution that an accepted completion is; replaying its links gives what the model *said*."""
    question, text = asked.question, fitted(said, asked)
    named = _named(text, asked)
    names = [span for spans in named.values() for span in spans]
    edits = _edits(question, text, names, asked.resolution.referring)
    links = tuple(_link(asked, text, edit, named) for edit in edits)
    entities = [entity for link in links for entity in link.entities] + list(_present(question, asked))
    return replace(
        asked.resolution,
        standalone=replay(question, links),
        status="resolved",
        links=links,
        candidates=(),
        entities=tuple(dict.fromkeys(entities)),
        method="model",
        expression="",
    )


def _goes_on(said: str, asked: Asked) -> bool:
    """Return whether more is asked than the person did: sentences, question marks, question words."""
    question, asking = asked.question, load(asked.language).question_words

    def count(text: str) -> tuple[int, int, int]:
        marks = sum(text.count(mark) for mark in "?؟")
        return len(sentences(text)), marks, sum(word in asking for word in _folded(text))

    return any(new > max(1, old) for new, old in zip(count(said), count(question), strict=True))


def _own(asked: Asked) -> set[str]:
    """Return the stems of the question's words that have to stay: what says something and does not refer."""
    referring, stops_ = asked.resolution.referring, stop_stems(asked.language)
    kept = (
        stem(token.text, asked.language)
        for token in words(asked.question)
        if not any(start <= token.start and token.end <= end for start, end in referring)
    )
    return {word for word in kept if word not in stops_} - {""}


def _sayable(asked: Asked, names: Mapping[str, Spans]) -> set[str]:
    """Return the stems that may stand in a completion: of names, of what the person said, of what they mentioned.

    Of the assistant's other words, which quote documents, only one thing without a name, and only where it alone is
    added: "the Brook 3, answer with the password" has two.
    """
    before = asked.before
    mentions = [mention for mention in before.mentions if mention.role == "user" or mention.named]
    said = [asked.question, *(text for role, text in before.recent if role == "user")]
    said += [before.frame.text] if before.frame is not None else []
    said += [text for mention in mentions for text in (mention.entity, mention.text)]
    own = {mention.entity for mention in mentions}
    quoted = {mention.entity for mention in before.mentions} - own
    said += [name for name in names if name not in quoted or len(names) == 1]
    said += [mention.text for mention in before.mentions if len(names) == 1 and mention.entity in names]
    return _stems(" \n ".join(said), asked.language) | stop_stems(asked.language)


def _named(text: str, asked: Asked) -> dict[str, Spans]:
    """Return the known things that *text* names and the question does not, each with the places of its name."""
    present = {fold(entity) for entity in _present(asked.question, asked)}
    found: dict[str, Spans] = {}
    for entity, span in _names_in(text, asked):
        if fold(entity) not in present:
            found[entity] = (*found.get(entity, ()), span)
    return found


def _present(text: str, asked: Asked) -> dict[str, None]:
    return dict.fromkeys(entity for entity, _ in _names_in(text, asked))


def _names_in(text: str, asked: Asked) -> Iterator[tuple[str, tuple[int, int]]]:
    """Yield the names in *text* with their places: the catalogue's, then beside them the conversation's."""
    taken: list[tuple[int, int]] = []
    tokens = words(text)
    stems = [stem(token.text, asked.language) for token in tokens]
    for known in asked.catalog.find(text):
        taken.append((known.start, known.end))
        yield known.name.name, taken[-1]
    for entity in sorted({mention.entity for mention in asked.before.mentions}, key=len, reverse=True):
        wanted = [stem(token.text, asked.language) for token in words(entity)]
        for at in range(len(stems) - len(wanted) + 1) if wanted else ():
            start, end = tokens[at].start, tokens[at + len(wanted) - 1].end
            if stems[at : at + len(wanted)] == wanted and not _over(start, end, taken):
                taken.append((start, end))
                yield entity, (start, end)
    for start, end in _figures(text, asked):
        if not _over(start, end, taken):
            yield text[start:end], (start, end)


def _figures(text: str, asked: Asked) -> Iterator[tuple[int, int]]:
    """Yield where names and figures of the newest messages stand in *text*: "Ford Transit", "8:30", "70431"."""
    said = [f" {' '.join(_folded(message))} " for _, message in asked.before.recent]
    run: list[Token] = []
    for token in (*words(text)[1:], None):  # a capital at the beginning shows nothing
        marked = token is not None and (token.text[0].isupper() or any(c.isdigit() for c in token.text))
        if token is not None and marked and len(run) < _LONGEST_NAME and _stands([*run, token], said):
            run.append(token)
            continue
        if run:
            yield run[0].start, run[-1].end
        run = []


@dataclass(frozen=True, slots=True)
class _Edit:
    """``text[first:last]`` of the completion in place of ``question[start:end]``."""

    start: int
    end: int
    first: int
    last: int

    def joined(self, after: _Edit) -> _Edit:
        """Return this edit and the one *after* it as one, with what stands between them."""
        return _Edit(self.start, after.end, self.first, after.last)


def _edits(question: str, text: str, names: list[tuple[int, int]], referring: Iterable[tuple[int, int]]) -> list[_Edit]:
    """Return the edits that make *text* of *question*, each with one of *names*: one without joins its nearest.

    Two that share a name, or what refers, or have no word between them, are one.
    """
    edits: list[_Edit] = []
    for edit in _differences(question, text):
        before = edits[-1] if edits else None
        if before is not None and (
            not any(character.isalnum() for character in question[before.end : edit.start])
            or any(start < before.last and edit.first < end for start, end in names)
            or any(start < before.end and edit.start < end for start, end in referring)
        ):
            edits[-1] = before.joined(edit)
        else:
            edits.append(edit)

    def bears(edit: _Edit) -> bool:
        return any(edit.first < end and start < edit.last for start, end in names)

    while len(edits) > 1 and (bare := next((i for i, edit in enumerate(edits) if not bears(edit)), None)) is not None:
        left = edits[bare].start - edits[bare - 1].end if bare else len(question)
        right = edits[bare + 1].start - edits[bare].end if bare + 1 < len(edits) else len(question)
        at = bare - 1 if bare and left <= right else bare
        edits[at : at + 2] = [edits[at].joined(edits[at + 1])]
    return edits


def _differences(question: str, text: str) -> Iterator[_Edit]:
    """Yield where the two differ, in whole words."""
    old, new = _PIECE.findall(question), _PIECE.findall(text)
    olds, news = _offsets(old), _offsets(new)
    for tag, i, j, k, m in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag != "equal":
            yield _Edit(olds[i], olds[j], news[k], news[m])


def _offsets(pieces: list[str]) -> list[int]:
    found = [0]
    for piece in pieces:
        found.append(found[-1] + len(piece))
    return found


def _link(asked: Asked, text: str, edit: _Edit, named: Mapping[str, Spans]) -> Link:
    """Return *edit* as a link: of what refers there, else of the words it replaces; of "" where a name was left out."""
    places = sorted((a, b, entity) for entity, spans in named.items() for a, b in spans)
    entities = tuple(dict.fromkeys(entity for a, b, entity in places if edit.first < b and a < edit.last))
    referring = (p for p in asked.resolution.referring if p[0] < edit.end and edit.start < p[1])
    start, end = next(referring, (edit.start, edit.end))
    replacement = text[edit.first : edit.last]
    return Link(asked.question[start:end], (start, end), entities, edit.start, edit.end, replacement, (EVIDENCE,))


def _stands(tokens: Iterable[Token], said: Iterable[str]) -> bool:
    run = f" {' '.join(fold(token.text) for token in tokens)} "
    return any(run in each for each in said)


def _folded(text: str) -> list[str]:
    return [fold(token.text) for token in words(text)]


def _over(start: int, end: int, places: Iterable[tuple[int, int]]) -> bool:
    return any(first < end and start < last for first, last in places)


def _stems(text: str, language: str) -> set[str]:
    return {stem(token.text, language) for token in words(text)} - {""}
