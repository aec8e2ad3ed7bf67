"""What goes wrong at a chat model's server, by the names of ``rag.errors``: from a status, an error, a page."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from rag.answer.connections import Heard
from rag.errors import (
    ModelBrokenStream,
    ModelBusy,
    ModelCut,
    ModelEmpty,
    ModelError,
    ModelFiltered,
    ModelMalformed,
    ModelRefusedKey,
    ModelTimeout,
    ModelUnknown,
    ModelUnreachable,
)

_FILTERED: Final = "content_filter"
_NO_SUCH_MODEL: Final = "model_not_found"


@dataclass(frozen=True, slots=True)
class Failures:
    """The failures of one chat model at one address ("" = OpenAI's), waited for at most *timeout_s* seconds."""

    model: str
    address: str
    timeout_s: float

    @contextmanager
    def named(self) -> Iterator[None]:
        """Raise what the client raises as the error of ``rag.errors`` that it is."""
        import httpx2 as httpx
        import openai

        try:
            yield
        except (openai.APITimeoutError, httpx.TimeoutException) as error:
            raise self.timeout() from error
        except (openai.APIConnectionError, httpx.ConnectError, httpx.InvalidURL) as error:
            raise self.unreachable() from error
        except openai.APIStatusError as error:
            raise self.of_status(error.status_code, error.body, error.response.headers) from error
        except UnicodeEncodeError as error:  # a header is ASCII, so that no server has given out such a key
            raise self.refused() from error
        except (httpx.HTTPError, openai.APIResponseValidationError, ValueError) as error:
            raise self.broken() from error
        except openai.APIError as error:  # an error in the place of a piece
            raise self.of_body(error.body) or self.broken() from error
        except (
            AttributeError,
            IndexError,
            KeyError,
            TypeError,
            RecursionError,
        ) as error:  # so the client fails at what is no answer
            raise self.malformed("what is no answer") from error

    def of_status(self, status: int, body: object, headers: Mapping[str, str] | None = None) -> ModelError:
        """Return the failure that an answer of *status* with the error *body* is."""
        code = _code(body)
        if code == _FILTERED:
            return self.filtered()
        if code == _NO_SUCH_MODEL or (status == 404 and isinstance(body, Mapping) and "detail" not in body):
            return self.unknown()
        if status == 404:  # a server, but no chat model's: the address lacks its /v1, or is another's
            return self.unreachable()
        if status in (401, 403):
            return self.refused()
        if status in (402, 429):
            return self.busy((headers or {}).get("retry-after", ""))
        if status in (408, 504):
            return self.timeout()
        found = f"the server of {self.model!r} answered with status {status}"
        return ModelError(f"found that {found}; expected an answer; see its log", self._values())

    def of_body(self, body: object) -> ModelError | None:
        """Return the failure that an error's *body* names, None where it names none that is known."""
        code = _code(body)
        if code.isdecimal():
            return self.of_status(int(code), body)
        return self.of_status(400, body) if code in (_FILTERED, _NO_SUCH_MODEL) else None

    def of_answer(self, heard: Heard | None) -> ModelError | None:
        """Return the failure that an answer is which the client cannot read: an error under status 200, a page.

        None where it began as it should.
        """
        if heard is None:
            return None
        head = heard.head.strip()
        if head.removeprefix(b"data:").strip() == b"[DONE]":
            return self.empty()
        if not head or heard.kind == "text/event-stream" or head.startswith((b"data:", b"event:", b":")):
            return None
        try:
            whole = json.loads(head)
        except ValueError:
            return self.malformed(heard.kind or "no type")
        error = whole.get("error") if isinstance(whole, dict) else None
        if error is None:
            return self.malformed(heard.kind or "no type")
        return self.of_body(error) or self.of_status(500, error)

    def timeout(self) -> ModelTimeout:
        """Return that no word came in time."""
        seconds = f"{self.timeout_s:g}"
        return ModelTimeout(
            f"found no word from {self.model!r} within {seconds} s; expected one; try again, or raise "
            "REFERENT_CHAT_TIMEOUT",
            self._values(seconds=seconds),
        )

    def unreachable(self) -> ModelUnreachable:
        """Return that no chat model's server is at the address."""
        values = self._values()
        return ModelUnreachable(
            f"found no chat model at {values['address']}; expected a server that knows {self.model!r}; start it, or "
            "correct OPENAI_BASE_URL",
            values,
        )

    def refused(self) -> ModelRefusedKey:
        """Return that the key is not accepted."""
        return ModelRefusedKey(
            f"found that the server of {self.model!r} refuses the key; expected one that may use it; correct "
            "OPENAI_API_KEY",
            self._values(),
        )

    def unknown(self) -> ModelUnknown:
        """Return that the server has no model of that name."""
        return ModelUnknown(
            f"found that the server knows no model {self.model!r}; expected a name that it lists; correct "
            "REFERENT_CHAT_MODEL",
            self._values(),
        )

    def busy(self, seconds: str = "") -> ModelBusy:
        """Return that the server takes no more requests, for *seconds* where it says so."""
        wait = f"wait {seconds} s" if seconds.isdecimal() else "wait"
        return ModelBusy(
            f"found that {self.model!r} takes no more requests; expected room for one; {wait}, or check the quota",
            self._values(seconds=seconds if seconds.isdecimal() else ""),
        )

    def broken(self) -> ModelBrokenStream:
        """Return that the answer has no end."""
        return ModelBrokenStream(
            f"found that the answer of {self.model!r} broke off; expected its end; try again", self._values()
        )

    def empty(self) -> ModelEmpty:
        """Return that the answer has an end and no text."""
        return ModelEmpty(
            f"found no text in the answer of {self.model!r}; expected some; try again or name another model",
            self._values(),
        )

    def cut(self) -> ModelCut:
        """Return that the answer is longer than it may be."""
        return ModelCut(
            f"found that the answer of {self.model!r} is longer than it may be; expected its end sooner; ask for less, "
            "or raise REFERENT_ANSWER_TOKENS",
            self._values(),
        )

    def filtered(self) -> ModelFiltered:
        """Return that the server's filter ended the answer."""
        return ModelFiltered(
            f"found that the filter of {self.model!r} ended its answer; expected all of it; ask in other words, or "
            "name another model",
            self._values(),
        )

    def malformed(self, found: str) -> ModelMalformed:
        """Return that what came can not be read as an answer."""
        values = self._values()
        return ModelMalformed(
            f"found {found} at {values['address']}; expected an answer of {self.model!r}; correct OPENAI_BASE_URL, or "
            "see what stands between",
            values,
        )

    def _values(self, seconds: str = "") -> dict[str, str]:
        return {
            "model": self.model,
            "address": self.address or "api.openai.com",
            **({"seconds": seconds} if seconds else {}),
        }


def _code(body: object) -> str:
    """Return the code in an error's body, "" where it has none."""
    return str(body.get("code") or "") if isinstance(body, Mapping) else ""
