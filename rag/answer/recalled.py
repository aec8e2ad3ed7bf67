"""What the person said before, where they ask for it: their own sentence is the answer.

"What was my budget again?" is about no document.  The person's statements in this conversation are weighed by meaning
and by words; of two that fit alike the later one counts, because it may correct the earlier.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final

from languages import codes, detect, fold, load, sentences, words
from languages.grammar import grammar_of, hooks_of, key
from languages.lexicon import lexicon
from memory.types import Embedder
from rag.answer.questions import asks_own_name, corrects
from rag.answer.stems import stems
from rag.events import Answer

# Source: tried on conversations in four languages: cosines of what fits and what does not differ by 0.03 to 0.08.
_ALIKE: Final = 0.012
_WORD: Final = 0.02  # for each word of the question that a statement has
_LONGEST: Final = 240
_STATEMENTS: Final = 60  # the newest


def recall(question: str, said: Sequence[str], language: str, embedder: Embedder) -> Answer:
    """Return what the person said that answers *question*, which asks for that.

    *said* are the person's messages of this conversation, oldest first.
    """
    texts = load(language)
    stated = list(statements(said))[-_STATEMENTS:]
    asked = {stem for word in _content(question) for stem in (word, *stems(word, language))}
    told = [text for text in stated if _tells(text, asked, language)]
    named = [text for text in stated if introduces(text)] if asks_own_name(question, language) else []
    if not told and not named:
        return Answer(texts.text("answer.not_recalled"), answered=False, method="recalled")
    answer = named[-1] if named else _likeliest(question, told, language, embedder)
    return Answer(texts.text("answer.recalled", {"words": answer}), answered=True, method="recalled")


def _likeliest(question: str, told: Sequence[str], language: str, embedder: Embedder) -> str:
    """Return the statement that fits *question* best, or the later one that takes it back."""
    asked = set(stems(question, language))
    vectors = embedder.embed_queries((question, *told))
    best, chosen = 0.0, 0
    for number, (statement, vector) in enumerate(zip(told, vectors[1:], strict=True)):
        score = float(vectors[0] @ vector) + _WORD * len(asked & set(stems(statement, language)))
        if score >= best - _ALIKE:
            best, chosen = max(best, score), number
    held = _content(told[chosen])
    later = [
        text
        for text in told[chosen + 1 :]
        if held & _content(text) and corrects(text, detect(text, previous=language).code)
    ]
    return later[-1] if later else told[chosen]


def _tells(statement: str, asked: set[str], language: str) -> bool:
    """Return whether *statement* can answer: it is about the person, takes something back, or shares a word asked."""
    spoken = detect(statement, previous=language).code
    grammar, hooks = grammar_of(spoken), hooks_of(spoken)
    said = {key(token.text, folded=grammar.letters_folded) for token in words(statement)}
    own = said & {key(word, folded=grammar.letters_folded) for word in grammar.first_persons}
    owned = any(hooks.is_owned(token.text) for token in words(statement))
    shared = {*_content(statement), *stems(statement, language)} & asked
    return bool(own or owned or shared) or corrects(statement, spoken)


def _content(statement: str) -> set[str]:
    """Return the words of a statement that name something: folded, without stop words of any language."""
    return {word for token in words(statement) if len(word := fold(token.text)) > 2 and word not in _stop_words()}


@lru_cache(maxsize=1)
def _stop_words() -> frozenset[str]:
    return frozenset[str]().union(*(load(code).stop_words for code in codes()))


def introduces(statement: str) -> bool:
    """Return whether the person says who they are: "je m'appelle Inès", "ich bin Odette", أنا ريم.

    >>> introduces("Hi, I'm Odette."), introduces("It is raining.")
    (True, False)
    """
    for code in codes():
        opening = grammar_of(code).introductions.removesuffix("$").removesuffix(r"\s*")
        names = lexicon(code)
        for match in re.finditer(rf"(?<!\w){opening}\s+(\w[\w'-]*)", statement, re.IGNORECASE) if opening else ():
            word = match.group(1)
            if names.person_gender(word) is not None or (word[0].isupper() and not names.parts(word)):
                return True
    return False


def statements(messages: Iterable[str]) -> Iterable[str]:
    """Yield the sentences of *messages* that ask nothing, oldest first.

    >>> list(statements(["Hi, I'm Odette. Which battery does it take?"]))
    ["Hi, I'm Odette."]
    """
    for message in messages:
        for span in sentences(message):
            text = " ".join(span.text.split())
            if not text.endswith(("?", "؟")) and len(text) > 1:
                yield text if len(text) <= _LONGEST else text[:_LONGEST].rsplit(" ", 1)[0] + " …"
