"""What applications do today to a question that leans on the conversation: four ways, small, none of them ours.

Each takes a ``Conversation`` and returns a ``Rewrite``.  Those that need to know what was named get the names that our
own analysis finds, the newest last, outside the time that is measured: what is compared is what they make of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from types import MappingProxyType
from typing import Any

from languages import default_code, detect
from memory import Discourse, Name, NameIndex, observe

DELAY = 0.3  # seconds until a chat model has rewritten a question
NO_THING = frozenset(("TIME", "MONEY"))  # a date or a price is named, but nobody goes on speaking of it
CLOSING = re.compile(r"[\s?!.؟…]*$")

# "il, elle, ce produit, cela, celui-ci" is the list that the substring way was published with; the others say the same.
REPLACED: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "en": ("it", "she", "this product", "that", "this one"),
        "fr": ("il", "elle", "ce produit", "cela", "celui-ci"),
        "de": ("er", "sie", "dieses Produkt", "das", "dieser"),
        "ar": ("هو", "هي", "هذا المنتج", "ذلك", "هذا"),
    }
)
PRONOUNS: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "en": frozenset("it he she they him them this that".split()),
        "fr": frozenset("il elle ils elles lui eux cela ça celui-ci celle-ci".split()),
        "de": frozenset("er sie es ihn ihm ihnen dieser dieses".split()),
        "ar": frozenset("هو هي هم هما هذا هذه ذلك تلك".split()),
    }
)
POSSESSIVES: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "en": frozenset("its his her their".split()),
        "fr": frozenset("son sa ses leur leurs".split()),
        "de": frozenset("sein seine seinen seinem seiner seines ihr ihre ihren ihrem ihrer ihres".split()),
        "ar": frozenset(),  # written on the noun
    }
)


@dataclass(frozen=True, slots=True)
class Conversation:
    """A question with what was said before; *named* in the order of the last mention, *here* in the question."""

    question: str
    language: str
    history: tuple[tuple[str, str], ...] = ()  # role, text
    named: tuple[str, ...] = ()
    here: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Rewrite:
    """A standalone question, and where a name took a word's place; *told* is False where nobody can say."""

    standalone: str
    links: tuple[tuple[int, int, str], ...] = ()  # start, end in the question, the name
    told: bool = True


Baseline = Callable[[Conversation], Rewrite]


def read_conversation(case: Mapping[str, Any]) -> Conversation:
    """Return the conversation of a case as ``referent resolve --jsonl`` takes it."""
    catalog = NameIndex.of(
        [Name(e["name"], e.get("type", "OTHER"), tuple(e.get("aliases", ()))) for e in case["catalog"]]
    )
    discourse, language, named = Discourse(), default_code(), dict[str, None]()
    for message in case["history"]:
        language = detect(message["text"], previous=language).code
        discourse = observe(discourse, message["role"], message["text"], language=language, catalogs=(catalog,))
        for mention in discourse.mentions:
            if mention.named and mention.type not in NO_THING and mention.message == discourse.messages - 1:
                named.pop(mention.entity, None)
                named[mention.entity] = None
    language = case.get("lang") or detect(case["question"], previous=language).code
    asked = observe(discourse, "user", case["question"], language=language, catalogs=(catalog,))
    here = tuple(m.entity for m in asked.mentions if m.named and m.message == discourse.messages)
    history = tuple((message["role"], message["text"]) for message in case["history"])
    return Conversation(case["question"], language, history, tuple(named), here)


def replace_substrings(conversation: Conversation) -> Rewrite:
    """Return the question with the first place of each listed string replaced by the thing named last.

    The way of the articles that this project grew from: a string is there where the lower-cased question contains it,
    be it inside a word, and is replaced as it is written in the list.  Their chat model, which says what it means, is
    played by the newest of the names.

    >>> replace_substrings(Conversation("Et pour la ville de Lille ?", "fr", named=("Cairn 13",))).standalone
    'Et pour la vCairn 13le de Lille ?'
    """
    text, links = conversation.question, []
    places: list[int] = list(range(len(text)))  # where each character stands in the question; -1 in a name put in
    for word in REPLACED[conversation.language] if conversation.named else ():
        name, start = conversation.named[-1], text.find(word)
        if word not in text.lower() or start < 0:
            continue
        end = start + len(word)
        if -1 not in places[start:end]:
            links.append((places[start], places[end - 1] + 1, name))
        text = text[:start] + name + text[end:]
        places[start:end] = [-1] * len(name)
    return Rewrite(text, tuple(links))


def take_last(conversation: Conversation) -> Rewrite:
    """Return the question asked of the thing named last, wherever it names nothing itself: the last entity wins.

    A slot carried over, as in dialogue systems: in place of the first pronoun, in brackets after a possessive, else in
    brackets at the end.

    >>> take_last(Conversation("Und seine Garantie?", "de", named=("Cairn 13", "Tern 7"))).standalone
    'Und seine (Tern 7) Garantie?'
    >>> take_last(Conversation("And the battery?", "en", named=("Tern 7",))).standalone
    'And the battery (Tern 7)?'
    """
    question, language = conversation.question, conversation.language
    if conversation.here or not conversation.named:
        return Rewrite(question)
    name = conversation.named[-1]
    for found in re.finditer(r"[\w'’]+(?:-ci)?", question):
        word, (start, end) = found.group().casefold(), found.span()
        if word in PRONOUNS[language]:
            return Rewrite(question[:start] + name + question[end:], ((start, end, name),))
        if word in POSSESSIVES[language]:
            return Rewrite(f"{question[:end]} ({name}){question[end:]}", ((start, end, name),))
    closing = CLOSING.search(question)
    end = closing.start() if closing else len(question)
    return Rewrite(f"{question[:end]} ({name}){question[end:]}", ((end, end, name),))


def glue_turns(conversation: Conversation) -> Rewrite:
    """Return all that the person has said, then the question, as one text.

    >>> said = (("user", "Is there a Tern 7?"), ("assistant", "Yes."))
    >>> glue_turns(Conversation("And in blue?", "en", said)).standalone
    'Is there a Tern 7? And in blue?'
    """
    said = [text for role, text in conversation.history if role == "user"]
    return Rewrite(" ".join((*said, conversation.question)), told=False)


def has_langchain() -> bool:
    """Return whether langchain-classic is installed (requirements-benchmarks.txt)."""
    return find_spec("langchain_classic") is not None


def rewrite_by_langchain(script: str, delay: float = DELAY) -> Baseline:
    """Return langchain-classic's history-aware retriever over a chat model that says *script* after *delay* seconds.

    What its retriever is asked is the standalone question.  Without a history it asks no model.
    """
    from langchain_classic.chains import create_history_aware_retriever
    from langchain_core.documents import Document
    from langchain_core.language_models import FakeListChatModel
    from langchain_core.prompts import ChatPromptTemplate, MessagesPlaceholder
    from langchain_core.runnables import RunnableLambda

    task = "Write the person's last question so that it is understood without the conversation. Do not answer it."
    prompt = ChatPromptTemplate.from_messages(
        [("system", task), MessagesPlaceholder("chat_history"), ("human", "{input}")]
    )
    retriever = RunnableLambda(lambda asked: [Document(page_content=asked)])
    model = FakeListChatModel(responses=[script], sleep=delay)
    chain = create_history_aware_retriever(model, retriever, prompt)

    def rewrite(conversation: Conversation) -> Rewrite:
        history = [("ai" if role == "assistant" else "human", text) for role, text in conversation.history]
        found = chain.invoke({"input": conversation.question, "chat_history": history})
        return Rewrite(found[0].page_content, told=False)

    return rewrite


def as_result(conversation: Conversation, rewrite: Rewrite) -> dict[str, Any]:
    """Return a rewrite as ``referent resolve`` would print it; none of the four ever asks back."""
    same = rewrite.standalone == conversation.question
    references = [
        {"text": conversation.question[start:end], "start": start, "end": end, "entities": [name]}
        for start, end, name in rewrite.links
    ]
    return {
        "status": "unchanged" if same else "resolved",
        "standalone": rewrite.standalone,
        "references": references,
        "candidates": [],
    }
