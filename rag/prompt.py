"""The prompt of an answer: rules, what is known, passages between markers, the question; all in its own language.

Sections are left out where they are empty and cut where the budget ends; the rules and the question never are.
"""

from __future__ import annotations

import re
import secrets
from dataclasses import dataclass

from languages import Language, load
from languages.remembering import remembering
from memory.knowledge.ranking import EntityContext
from memory.types import Fact, Message, Name
from rag.events import Hit
from rag.safety import fence, without_controls

_NOT_LATIN = re.compile("[^\\x00-\\u024f]+")
_MOST_ATTRIBUTES = 12  # of one entity
_LEAST_PASSAGE = 40  # tokens: less of a passage says nothing


@dataclass(frozen=True, slots=True)
class PromptRequest:
    """What a prompt is made from; ``tokens`` is its budget, ``nonce`` random letters where none are given.

    ``rules`` say how to speak to the person, a line each.
    """

    standalone: str
    raw: str
    language: str
    hits: tuple[Hit, ...] = ()
    names: tuple[Name, ...] = ()
    facts: tuple[Fact, ...] = ()
    remembered: tuple[EntityContext, ...] = ()
    tokens: int = 3000
    nonce: str = ""
    rules: str = ""


@dataclass(frozen=True, slots=True)
class Prompt:
    """The messages, and the hits that are numbered 1, 2, … in them."""

    messages: tuple[Message, ...]
    hits: tuple[Hit, ...]


def render(request: PromptRequest) -> Prompt:
    """Return the prompt for *request*, about ``tokens`` tokens long at most."""
    language = load(request.language)
    nonce = request.nonce or secrets.token_hex(8)
    rules = "\n".join(filter(None, (language.prompts.system, request.rules)))
    system = f"{rules}\n\n{language.text('label.data_only', {'marker': f'<<<{nonce} … {nonce}>>>'})}"
    question = _question(language, request)
    left = request.tokens - tokens(system) - tokens(question)
    known = _known(language, request, nonce=nonce, budget=left // 3)
    left -= tokens(known)
    shown, passages = _passages(language, request.hits, nonce=nonce, budget=left)
    body = "\n\n".join(part for part in (known, passages, question) if part)
    return Prompt((Message("system", system), Message("user", body)), shown)


def tokens(text: str) -> int:
    """Return about how many tokens *text* has, rather too many than too few.

    Three characters of Latin script a token and two of others: counted on the tokenizers of GPT-4o and Llama 3, which
    need 3.5 to 4.5 and 2 to 3.
    """
    latin = latin_in(text)
    return tokens_of(latin, len(text) - latin)


def latin_in(text: str) -> int:
    """Return how many characters of *text* are of Latin script, or marks and figures."""
    return len(text) if text.isascii() else len(_NOT_LATIN.sub("", text))


def tokens_of(latin: int, others: int) -> int:
    """Return about how many tokens so many characters are, of Latin and of other scripts."""
    return latin // 3 + others // 2 + 1


def _question(language: Language, request: PromptRequest) -> str:
    lines = [f"{language.text('label.question')}: {without_controls(request.raw)}"]
    if request.standalone.strip() != request.raw.strip():
        lines.append(f"{language.text('label.standalone')}: {without_controls(request.standalone)}")
    lines.append(language.text("label.answer_language"))
    return "\n".join(lines)


def _known(language: Language, request: PromptRequest, *, nonce: str, budget: int) -> str:
    """Return the sections of what is known of the person and of the entities; their values are data as well."""
    if budget < _LEAST_PASSAGE:
        return ""
    parts: list[tuple[str, str]] = []
    called = remembering(language.code)
    told = "\n".join(_fact(language, called.key(fact.key), fact.value, fact.subject) for fact in request.facts)
    if told:
        parts.append((language.text("label.profile"), told))
    for each in request.remembered:
        stated = [_fact(language, called.key(fact.key), fact.value) for fact in each.facts]
        parts.append((called.context.replace("{entity}", each.name).rstrip(" :"), "\n".join((*stated, *each.snippets))))
    blocks = []
    for name in request.names:
        facts = [_fact(language, each.key, each.value) for each in name.attributes[:_MOST_ATTRIBUTES]]
        if facts:
            blocks.append("\n".join((name.name, *facts)))
    if blocks:
        parts.append((language.text("label.entities"), "\n\n".join(blocks)))
    share = budget // max(len(parts), 1) - 20
    return fence([(label, _cut(text, share)) for label, text in parts], nonce)


def _fact(language: Language, key: str, value: str, subject: str = "") -> str:
    attribute = f"{subject}, {key}" if subject else key
    return language.text("label.fact", {"attribute": attribute, "value": value})


def _passages(language: Language, hits: tuple[Hit, ...], *, nonce: str, budget: int) -> tuple[tuple[Hit, ...], str]:
    """Return the hits that fit and their section; the last one is cut to what is left."""
    shown: list[Hit] = []
    parts: list[tuple[str, str]] = []
    for hit in hits:
        passage = hit.passage
        label = language.text("label.passage", {"number": str(len(shown) + 1), "document": passage.document})
        head = f"{passage.heading}\n" if passage.heading else ""
        text = head + (passage.context or passage.text)
        room = budget - tokens(label) - 20
        if tokens(text) > room:
            if room < _LEAST_PASSAGE:
                break
            text = _cut(text, room)
        parts.append((label, text))
        shown.append(hit)
        budget -= tokens(label) + tokens(text) + 20
    if not parts:
        return (), language.text("label.no_passages")
    return tuple(shown), f"{language.text('label.passages')}:\n{fence(parts, nonce)}"


def _cut(text: str, budget: int) -> str:
    """Return the head of *text* that has at most *budget* tokens, whole words of it."""
    if tokens(text) <= budget:
        return text
    if budget <= 0:
        return ""
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if tokens(text[:middle]) < budget else (low, middle - 1)
    return text[:low].rpartition(" ")[0] + " …" if low else ""
