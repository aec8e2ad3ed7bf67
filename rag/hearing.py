"""What of an answer enters the discourse, so that the next question may refer to it; and what is in focus.

A quotation names more than the answer is about: the label of its line, the rivals in its sentence, the words of another
language.  Whoever reads "Weight: 1.2 kg" does not go on speaking of the weight.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from languages import fold, load, words
from memory import Catalog, Discourse, Mention, observe
from rag.answer.citations import without_markers
from rag.events import Turn

_MARK: Final = re.compile(r"\s*\[\d+\]")
_QUOTED: Final = re.compile(rf"((?:{_MARK.pattern})+) ?")  # the marks at the end of a quotation
_NUMBER: Final = re.compile(r"\d+")
_LABEL: Final = re.compile(
    r"(?m)(?:^|(?<=[;؛] ))(?P<label>[^:：\n.!?؟;؛]{1,40}?)[ \u00a0\u202f]*[:：][ \u00a0\u202f]+(?=\S)"
)
_KEPT: Final = frozenset({"PERSON"})  # who is named in an answer can be asked about, whatever the question was about
FOCUS_MESSAGES: Final = 6  # three turns back; an older topic is none


def hear(before: Discourse, turn: Turn, *, catalog: Catalog) -> Discourse:
    """Return the discourse after what *turn* answered; *before* has its question already."""
    answer = turn.answer
    if answer is None or not answer.answered:  # "the documents don't say" speaks of nothing
        return observe(before, "assistant", "", language=turn.language, catalogs=(catalog,))
    quoted = answer.method == "extraction"
    said = said_of(turn, catalog) if quoted else without_markers(answer.text)
    after = observe(before, "assistant", said, language=turn.language, catalogs=(catalog,))
    return _about(before, after, turn, catalog=catalog) if quoted and turn.resolution.entities else after


def said_of(turn: Turn, catalog: Catalog) -> str:
    """Return the words of a quoted answer that speak of something: without labels and quotes in another language."""
    if turn.answer is None:
        return ""
    text = _as_quoted(_verdict(turn.answer.text), turn)
    languages = {hit.passage.id: hit.passage.language for hit in turn.hits}
    for citation in turn.answer.citations:
        language = languages.get(citation.passage, turn.language)
        if language and language != turn.language:
            text = text.replace(citation.quote, "…")
    return _LABEL.sub(lambda match: match[0] if catalog.find(match["label"]) else "", text)


def _as_quoted(text: str, turn: Turn) -> str:
    """Return *text* without its marks, as each source has it: two quotations are no sentence, and are set apart.

    The name of what was asked about, which leads a bare line in an answer, is none of that line's words.
    """
    quotes = {each.number: fold(each.quote) for each in (turn.answer.citations if turn.answer else ())}
    language = load(turn.language)
    *parts, rest = _QUOTED.split(text)
    lines: list[str] = []
    for said, marks in zip(parts[::2], parts[1::2], strict=True):
        for number in map(int, _NUMBER.findall(marks)):
            line = said
            for name in turn.resolution.entities:
                if fold(name) not in quotes.get(number, ""):
                    line = line.removeprefix(language.text("answer.row", {"entity": name, "value": ""}))
            if line not in lines[-1:]:
                lines.append(line)
    return "\n".join((*lines, rest)).rstrip()


def _verdict(text: str) -> str:
    """Return the line without a source that sums a comparison up, which the next question is about; else all of *text*.

    >>> _verdict("Longest: Brook 15 (3 years)\\nBrook 13: 2 years [1]\\nBrook 15: 3 years [2]")
    'Longest: Brook 15 (3 years)'
    """
    first, _, rest = text.partition("\n")
    return first if rest and not _MARK.search(first) and _MARK.search(rest) else text


def _about(before: Discourse, after: Discourse, turn: Turn, *, catalog: Catalog) -> Discourse:
    """Return *after* without the rivals of what was asked about that a quotation happens to name."""
    message = before.messages
    topic = {fold(entity) for entity in turn.resolution.entities}
    asked = {fold(token.text) for token in words(turn.resolution.standalone)}

    def stays(mention: Mention) -> bool:
        """Return whether the answer is about *mention*, or it is of a kind that rivals nothing."""
        if mention.message != message or mention.type in _KEPT or fold(mention.entity) in topic:
            return True
        known = catalog.get(mention.entity)
        nouns = (mention.noun, *(known.nouns if known else ()))
        return mention.named and any(fold(noun) in asked for noun in nouns if noun)

    kept = tuple(filter(stays, after.mentions))
    if len(kept) == len(after.mentions):
        return after
    after = replace(after, mentions=kept)
    if after.offered_at == message:
        after = _offering(before, after, {fold(mention.entity) for mention in kept if mention.message == message})
    return after


def _offering(before: Discourse, after: Discourse, kept: Iterable[str]) -> Discourse:
    """Return *after* offering those of *kept* that it offers, or what *before* offered where that is one or none."""
    offered = tuple(name for name in after.offered if fold(name) in kept)
    if len(offered) > 1:
        return replace(after, offered=offered)
    return replace(after, offered=before.offered, offered_at=before.offered_at)


def topic_of(question: str, discourse: Discourse, catalog: Catalog) -> str:
    """Return what *question* is probably about though it names nothing: the focus, unless it asks of another kind.

    "Can I return a laptop?" is not about the headphones that were talked about.
    """
    topic = focus(discourse)
    if topic:
        kinds = [catalog.of_kind(token.text) for token in words(question)]
        if any(names and all(fold(name.name) != fold(topic) for name in names) for names in kinds):
            return ""
    return topic


def focus(discourse: Discourse) -> str:
    """Return the one known thing that the person's last questions were about, "" where there is none or several."""
    asked = [
        mention
        for mention in discourse.mentions
        if mention.role == "user" and mention.known and discourse.messages - mention.message <= FOCUS_MESSAGES
    ]
    if not asked:
        return ""
    last = max(mention.message for mention in asked)
    entities = {mention.entity for mention in asked if mention.message == last}
    return next(iter(entities)) if len(entities) == 1 else ""
