"""A chat model behind an OpenAI-compatible address, by langchain-openai; its failures by name."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

from pydantic import BaseModel

from memory.types import Message
from rag.answer.structured import parse
from rag.errors import (
    ModelBrokenStream,
    ModelBusy,
    ModelEmpty,
    ModelError,
    ModelRefusedKey,
    ModelTimeout,
    ModelUnknown,
    ModelUnreachable,
)
from rag.settings import Settings

if TYPE_CHECKING:
    from langchain_core.messages import BaseMessage
    from langchain_openai import ChatOpenAI

Schema = TypeVar("Schema", bound=BaseModel)

_NO_KEY = "not-needed"  # local servers want none; the client wants something


class OpenAIChat:
    """A chat model by name at an address; made without a call, connects at the first question."""

    def __init__(self, name: str, *, key: str = "", address: str = "", timeout_s: float = 60.0) -> None:
        self._name = name
        self._key = key
        self._address = address
        self._timeout_s = timeout_s
        self._client: ChatOpenAI | None = None

    @property
    def name(self) -> str:
        """Return the model's name as its server knows it."""
        return self._name

    def stream(self, messages: tuple[Message, ...]) -> Iterator[str]:
        """Yield the pieces of the answer as they come; closing the iterator closes the connection.

        Raises: ModelError, at any piece.
        """
        begun, silent = False, True
        try:
            with self._named_failures():
                for chunk in self._chat().stream(_spoken(messages)):
                    piece = chunk.text
                    if piece:
                        begun, silent = True, silent and not piece.strip()
                        yield piece
        except ModelUnreachable as error:
            if begun:  # it was reached, and then lost
                raise self._broken() from error
            raise
        if silent:
            raise self._empty()

    def structured(self, messages: tuple[Message, ...], schema: type[Schema]) -> Schema:
        """Return the answer as a *schema*, asked for by JSON schema, repaired where it is fenced or cut short.

        Raises: ModelMalformed, or another ModelError.
        """
        form = {"name": schema.__name__, "schema": schema.model_json_schema()}
        with self._named_failures():
            bound = self._chat().bind(response_format={"type": "json_schema", "json_schema": form})
            text = bound.invoke(_spoken(messages)).text
        if not text.strip():
            raise self._empty()
        return parse(text, schema, model=self._name)

    def _chat(self) -> ChatOpenAI:
        if self._client is None:
            from langchain_openai import ChatOpenAI
            from pydantic import SecretStr

            self._client = ChatOpenAI(
                model=self._name,
                api_key=SecretStr(self._key or _NO_KEY),
                base_url=self._address or None,
                timeout=self._timeout_s,
                max_retries=0,  # the extractive answer stands ready: a person need not wait for a second try
            )
        return self._client

    @contextmanager
    def _named_failures(self) -> Iterator[None]:
        """Raise what the client raises as the error of ``rag.errors`` that it is."""
        import httpx
        import openai

        try:
            yield
        except (openai.APITimeoutError, httpx.TimeoutException) as error:
            raise self._timeout() from error
        except (openai.APIConnectionError, httpx.ConnectError) as error:
            raise self._unreachable() from error
        except (openai.AuthenticationError, openai.PermissionDeniedError) as error:
            raise self._refused() from error
        except openai.NotFoundError as error:
            raise self._unknown() from error
        except openai.RateLimitError as error:
            raise self._busy() from error
        except (httpx.HTTPError, openai.APIResponseValidationError, ValueError) as error:
            raise self._broken() from error
        except openai.APIStatusError as error:
            found = f"the server of {self._name!r} answered with status {error.status_code}"
            raise ModelError(f"found that {found}; expected an answer; see its log", self._values()) from error
        except openai.APIError as error:
            raise self._broken() from error

    def _values(self, seconds: str = "") -> dict[str, str]:
        return {
            "model": self._name,
            "address": self._address or "api.openai.com",
            **({"seconds": seconds} if seconds else {}),
        }

    def _timeout(self) -> ModelTimeout:
        seconds = f"{self._timeout_s:g}"
        return ModelTimeout(
            f"found no word from {self._name!r} within {seconds} s; expected one; try again, or raise "
            "REFERENT_CHAT_TIMEOUT",
            self._values(seconds=seconds),
        )

    def _unreachable(self) -> ModelUnreachable:
        values = self._values()
        return ModelUnreachable(
            f"found no server at {values['address']}; expected one that knows {self._name!r}; start it, or correct "
            "OPENAI_BASE_URL",
            values,
        )

    def _refused(self) -> ModelRefusedKey:
        return ModelRefusedKey(
            f"found that the server of {self._name!r} refuses the key; expected one that may use it; correct "
            "OPENAI_API_KEY",
            self._values(),
        )

    def _unknown(self) -> ModelUnknown:
        return ModelUnknown(
            f"found that the server knows no model {self._name!r}; expected a name that it lists; correct "
            "REFERENT_CHAT_MODEL",
            self._values(),
        )

    def _busy(self) -> ModelBusy:
        return ModelBusy(
            f"found that {self._name!r} takes no more requests; expected room for one; wait, or check the quota",
            self._values(),
        )

    def _broken(self) -> ModelBrokenStream:
        return ModelBrokenStream(
            f"found that the answer of {self._name!r} broke off; expected its end; try again", self._values()
        )

    def _empty(self) -> ModelEmpty:
        return ModelEmpty(
            f"found no text in the answer of {self._name!r}; expected some; try again or name another model",
            self._values(),
        )


def open_model(settings: Settings) -> OpenAIChat:
    """Return the chat model that *settings* name."""
    key = settings.openai_api_key.get_secret_value().strip() if settings.openai_api_key else ""
    return OpenAIChat(
        settings.chat_model,
        key=key,
        address=(settings.openai_base_url or "").strip(),
        timeout_s=settings.chat_timeout,
    )


def _spoken(messages: tuple[Message, ...]) -> list[BaseMessage]:
    from langchain_core.messages import AIMessage, HumanMessage, SystemMessage

    kinds = {"system": SystemMessage, "user": HumanMessage, "assistant": AIMessage}
    return [kinds[message.role](content=message.content) for message in messages]
