"""A chat model behind an OpenAI-compatible address, by langchain-openai; its failures by name."""

from __future__ import annotations

import weakref
from collections.abc import Generator, Iterator, Mapping
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Any, Final, TypeVar

from pydantic import BaseModel

from memory.types import Message
from rag.answer.connections import Connections, within
from rag.answer.failures import Failures
from rag.answer.structured import parse
from rag.answer.thought import Answering
from rag.errors import ModelBrokenStream, ModelMalformed, ModelUnreachable
from rag.settings import Settings

if TYPE_CHECKING:
    from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage

    from rag.answer.client import Client

Schema = TypeVar("Schema", bound=BaseModel)

_NO_KEY: Final = "not-needed"  # local servers want none; the client wants something
_FILTERED: Final = "content_filter"
_CUT: Final = "length"
_LIMIT: Final = "max_completion_tokens"
_CHARACTERS: Final = 4  # a token, about: in Latin scripts; in others it has fewer, and the limit is the wider


class OpenAIChat:
    """A chat model by name at an address; made without a call, connects at the first question."""

    def __init__(
        self, name: str, *, key: str = "", address: str = "", timeout_s: float = 60.0, answer_tokens: int = 4000
    ) -> None:
        self._name = name
        self._key = key
        self._address = address
        self._timeout_s = timeout_s
        self._longest = answer_tokens * _CHARACTERS
        self._limit: dict[str, Any] = {_LIMIT: answer_tokens}
        self._client: Client | None = None
        self._connections = Connections()
        self._failures = Failures(name, address, timeout_s)

    @property
    def name(self) -> str:
        """Return the model's name as its server knows it."""
        return self._name

    def stream(self, messages: tuple[Message, ...]) -> Iterator[str]:
        """Yield the pieces of the answer as they come; closing the iterator closes the connection.

        A piece is waited for as long as the timeout allows, all in all: for the server, for what it thinks before it
        speaks, for comments that only keep the connection open.

        Raises: ModelError, at any piece; ModelCut after the last one where the answer is longer than it may be.
        """
        chat = self._chat()
        try:
            yield from within(self._timeout_s, lambda: self._pieces(chat, messages), self._connections.hang_up)
        except TimeoutError as error:
            raise self._failures.timeout() from error

    def structured(self, messages: tuple[Message, ...], schema: type[Schema]) -> Schema:
        """Return the answer as a *schema*, asked for by JSON schema, repaired where it is fenced or cut short.

        Raises: ModelMalformed, or another ModelError.
        """
        form = {"name": schema.__name__, "schema": schema.model_json_schema()}
        chat = self._chat()
        try:
            (message,) = within(self._timeout_s, lambda: self._whole(chat, messages, form), self._connections.hang_up)
        except TimeoutError as error:
            raise self._failures.timeout() from error
        if message.response_metadata.get("finish_reason") == _FILTERED:
            raise self._failures.filtered()
        answering = Answering()
        text = answering.feed(message.text) + answering.end()
        if not answering.said:
            raise self._failures.empty()
        return parse(text, schema, model=self._name)

    def _pieces(self, chat: Client, messages: tuple[Message, ...]) -> Generator[str, None, None]:
        """Yield the pieces of the answer that are said, and see that it came to its end."""
        begun, finish, answering, room = False, "", Answering(), self._longest
        try:
            with self._named_failures(), closing(self._chunks(chat, messages)) as chunks:
                for chunk in chunks:
                    begun = True
                    finish = chunk.response_metadata.get("finish_reason") or finish
                    piece = answering.feed(chunk.text)[:room]
                    room -= len(piece)
                    if piece:
                        yield piece
                    if not room:  # the server knows of no limit, or means another
                        raise self._failures.cut()
        except ModelUnreachable as error:
            if begun:  # it was reached, and then lost
                raise self._failures.broken() from error
            raise
        heard = self._connections.last()
        if finish == _FILTERED:
            raise self._failures.filtered()
        if not finish and not (heard and heard.ended):  # a proxy may close in the middle as if all were well
            raise self._failures.broken()
        rest = answering.end()
        if not answering.said:
            raise self._failures.empty()
        if rest:
            yield rest
        if finish == _CUT:
            raise self._failures.cut()

    def _chunks(self, chat: Client, messages: tuple[Message, ...]) -> Generator[AIMessageChunk, None, None]:
        """Yield what the client makes of the answer, asked for with a limit where the server takes one."""
        import openai

        try:
            yield from chat.stream(_spoken(messages), **self._limit)
        except (openai.BadRequestError, openai.UnprocessableEntityError) as error:
            if not self._limit or _LIMIT not in str(error.body):
                raise
            self._limit = {}  # a server that refuses what it does not know is not asked again: we count by ourselves
            yield from chat.stream(_spoken(messages))

    def _whole(
        self, chat: Client, messages: tuple[Message, ...], form: Mapping[str, object]
    ) -> Generator[AIMessage, None, None]:
        """Yield the one answer that is asked for in *form*."""
        with self._named_failures():
            bound = chat.bind(response_format={"type": "json_schema", "json_schema": form})
            yield bound.invoke(_spoken(messages))

    @contextmanager
    def _named_failures(self) -> Iterator[None]:
        """Raise what the client raises by its name; what it cannot make out, by what was heard from the server."""
        try:
            with self._failures.named():
                yield
        except (ModelBrokenStream, ModelMalformed) as error:
            found = self._failures.of_answer(self._connections.last())
            if found is None:
                raise
            raise found from error

    def _chat(self) -> Client:
        """Return the client, loaded at the first question: what that takes is none of the server's time.

        Raises: ModelUnreachable where the address cannot be one.
        """
        if self._client is None:
            from openai import DefaultHttpxClient
            from pydantic import SecretStr

            from rag.answer.client import Client

            http = DefaultHttpxClient(event_hooks={"response": [self._connections.listen]})
            weakref.finalize(self, http.close)
            with self._failures.named():
                self._client = Client(
                    model=self._name,
                    api_key=SecretStr(self._key or _NO_KEY),
                    base_url=self._address or None,
                    timeout=self._timeout_s,
                    max_retries=0,  # the extractive answer stands ready: a person need not wait for a second try
                    http_client=http,
                )
        return self._client


def open_model(settings: Settings, *, timeout_s: float | None = None) -> OpenAIChat:
    """Return the chat model that *settings* name; *timeout_s* goes before their timeout."""
    key = settings.openai_api_key.get_secret_value().strip() if settings.openai_api_key else ""
    return OpenAIChat(
        settings.chat_model,
        key=key,
        address=(settings.openai_base_url or "").strip(),
        timeout_s=settings.chat_timeout if timeout_s is None else timeout_s,
        answer_tokens=settings.answer_tokens,
    )


def _spoken(messages: tuple[Message, ...]) -> list[BaseMessage]:
    from langchain_core.messages import AIMessage, HumanMessage, SystemMessage

    kinds = {"system": SystemMessage, "user": HumanMessage, "assistant": AIMessage}
    return [kinds[message.role](content=message.content) for message in messages]
