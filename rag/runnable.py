"""A LangChain runnable that stands before any retriever: a question and its history in, the standalone question out.

It takes what ``create_history_aware_retriever`` takes, ``{"input", "chat_history"}``, and calls no model::

    retrieve = StandaloneQuestion(catalog=catalog) | retriever

The annotations of this module are evaluated, since LangChain makes the schemas of a runnable from them.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from langchain_core.documents import Document
from langchain_core.messages import AIMessage, BaseMessage, ChatMessage, HumanMessage, convert_to_messages
from langchain_core.prompt_values import PromptValue
from langchain_core.runnables import Runnable, RunnableLambda

from memory import Catalog, NameIndex, Resolution, Scorer
from memory.types import Role
from rag.errors import InputInvalid, QuestionEmpty
from rag.history import Resolver, Said

_QUESTION: Final = "input"
_HISTORY: Final = "chat_history"
_ROLES: Final[Mapping[str, Role]] = MappingProxyType(
    {"human": "user", "user": "user", "ai": "assistant", "assistant": "assistant"}
)


class StandaloneQuestion(RunnableLambda[Mapping[str, Any], str]):
    """Gives the standalone question as a string; an ambiguous question and a complete one as they are.

    *catalog* holds the names that the application knows; without it, those count that the messages bring.  Without
    *language* that of each message is detected; without *scorer* the rules decide alone.  invoke, batch, stream and
    their asynchronous forms are LangChain's; any number of threads may share one.

    Raises: UnknownLanguage; with each input InputInvalid, QuestionEmpty.
    """

    def __init__(
        self, *, catalog: Catalog | None = None, language: str | None = None, scorer: Scorer | None = None
    ) -> None:
        known = catalog if catalog is not None else NameIndex.of(())
        self._resolver = Resolver(known, language=language, scorer=scorer)
        super().__init__(self.standalone, name="StandaloneQuestion")

    def __repr__(self) -> str:
        return "StandaloneQuestion()"

    def with_resolution(self) -> Runnable[Mapping[str, Any], Resolution]:
        """Return the runnable that gives the whole resolution: status, links with their evidence, candidates."""
        return RunnableLambda(self.resolution, name="Resolution")

    def standalone(self, given: Mapping[str, Any]) -> str:
        """Return the standalone question of *given*.

        Raises: InputInvalid, QuestionEmpty.
        """
        return self.resolution(given).standalone

    def resolution(self, given: Mapping[str, Any]) -> Resolution:
        """Return the resolution of *given*.

        Raises: InputInvalid, QuestionEmpty.
        """
        return self._resolver.resolve(question_of(given), history_of(given))


def reference_aware_retriever(
    retriever: Runnable[str, list[Document]], question: StandaloneQuestion
) -> Runnable[Mapping[str, Any], list[Document]]:
    """Return the documents that *retriever* finds for the standalone question.

    It stands where ``create_history_aware_retriever(model, retriever, prompt)`` stood, with the same input.
    """
    return (question | retriever).with_config(run_name="reference_aware_retriever")


def question_of(given: object) -> str:
    """Return the question of a runnable's input: a string, a message, or a message's content blocks.

    Raises: InputInvalid, QuestionEmpty.
    """
    if not isinstance(given, Mapping):
        raise InputInvalid(
            f"found {_kind(given)} as input; expected a mapping with {_QUESTION!r} and {_HISTORY!r}; "
            f'write {{"{_QUESTION}": question, "{_HISTORY}": messages}}'
        )
    if _QUESTION not in given:
        found = ", ".join(sorted(repr(key)[:40] for key in given)[:10]) or "none"
        raise InputInvalid(f"found the keys {found}; expected {_QUESTION!r}; put the person's question under it")
    question = _text(given[_QUESTION])
    if not question.strip():
        raise QuestionEmpty(
            f"found no text in {_QUESTION!r}; expected a question; call the retriever only when there is one"
        )
    return question


def history_of(given: Mapping[str, Any]) -> tuple[Said, ...]:
    """Return what the person and the assistant said before, oldest first; () where the input has no history.

    Messages of other roles (system, tool) and messages without text are left out.

    Raises: InputInvalid.
    """
    history = given.get(_HISTORY)
    if history is None:
        return ()
    if isinstance(history, PromptValue):
        history = history.to_messages()
    if isinstance(history, str | bytes) or not isinstance(history, Sequence):
        raise InputInvalid(
            f"found {_kind(history)} in {_HISTORY!r}; expected a list of messages or of (role, text) pairs; "
            "leave it out where there is none"
        )
    said = (_said(message, place) for place, message in enumerate(history))
    return tuple((role, text) for role, text in said if role is not None and text.strip())


def _said(given: object, place: int) -> tuple[Role | None, str]:
    """Return who said what in the message at *place*; None for a role that takes no part in the conversation."""
    match given:
        case [str() as speaker, str() as text] if speaker.casefold() in _ROLES:
            return _ROLES[speaker.casefold()], text  # as it is: LangChain refuses texts with half a character in them
    message = _message(given, f"message {place} of {_HISTORY!r}")
    role: Role | None = None
    if isinstance(message, ChatMessage):
        role = _ROLES.get(message.role.casefold())
    elif isinstance(message, HumanMessage):
        role = "user"
    elif isinstance(message, AIMessage):
        role = "assistant"
    return role, str(message.text)


def _message(given: object, where: str) -> BaseMessage:
    problem = f"found {_kind(given)} as {where}; expected a message of LangChain or a (role, text) pair"
    if isinstance(given, str):  # LangChain would take it for the person's: a lone pair looks like two of them
        raise InputInvalid(f"{problem}; say whose it is")
    try:
        (message,) = convert_to_messages([given])  # type: ignore[list-item]  # it says itself what it cannot convert
    except (NotImplementedError, ValueError, TypeError, KeyError) as error:
        raise InputInvalid(f"{problem}, whose role is one of LangChain's and whose content it can read") from error
    return message


def _text(content: object) -> str:
    if isinstance(content, str):
        return str(content)
    if isinstance(content, BaseMessage):
        return str(content.text)
    if isinstance(content, list):
        return str(_message(("user", content), repr(_QUESTION)).text)
    raise InputInvalid(
        f"found {_kind(content)} in {_QUESTION!r}; expected a string, a message or a list of content blocks; "
        "put the person's question there"
    )


def _kind(value: object) -> str:
    return "nothing" if value is None else f"a value of type {type(value).__name__}"
