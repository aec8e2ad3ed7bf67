"""Sentences about all things of a kind, which are about each of them: "All courses are taught by …"."""

from __future__ import annotations

from languages import codes, fold, words
from languages.grammar import grammar_of, hooks_of
from languages.lexicon import lexicon
from rag.answer.request import AnswerRequest
from rag.answer.stems import stem
from rag.answer.subjects import About, Subject
from rag.answer.units import Unit


def speaks_of_kind(request: AnswerRequest, unit: Unit, subject: Subject | None, inside: About) -> bool:
    """Return whether a sentence that names no thing speaks in the plural of what *subject* is called."""
    if subject is None or inside is not About.NOTHING or unit.cells or subject.person:
        return False
    at = 0 if grammar_of(request.language).noun_first else -1
    heads = {noun.split()[at] for name in request.names if name.name == subject.name for noun in name.nouns}
    if not any(in_plural(unit.plain, head, request.language_of(unit.hit)) for head in heads):
        return False
    named = request.named[unit.hit] if unit.hit < len(request.named) else ()
    return not any(unit.start <= found.start < unit.end and found.name.type == subject.type for found in named)


def in_plural(text: str, noun: str, code: str) -> bool:
    """Return whether *text*, in the language *code*, has the plural of *noun*.

    >>> in_plural("All courses begin at nine.", "course", "en"), in_plural("The course ends.", "course", "en")
    (True, False)
    """
    kind = lexicon(code).kind(noun) if code in codes() else None
    if kind is None:
        return False
    plurals = {fold(form) for form in kind.plurals} - {fold(kind.lemma)}
    if not plurals:  # a language that makes them by rule
        own = stem(noun, code)
        return any(fold(token.text) != fold(noun) and stem(token.text, code) == own for token in words(text))
    bare = hooks_of(code).bare
    return any(fold(token.text) in plurals or fold(bare(token.text)) in plurals for token in words(text))
