"""A visitor of the page without a browser: Streamlit's protocol over a real connection, signed in by a real cookie."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import TracebackType
from typing import Final, Self

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from streamlit.web.server.starlette.starlette_app_utils import create_signed_value, generate_xsrf_token_string
from streamlit.web.server.starlette.starlette_server_config import USER_COOKIE_NAME, XSRF_COOKIE_NAME
from websockets.exceptions import WebSocketException
from websockets.sync.client import ClientConnection, connect

LARGEST: Final = 200_000_000  # bytes of a message


class PageFailed(Exception):
    """Raised where the page shows an error, or its run fails."""


def cookies_of(subject: str, *, address: str, seal: str, issuer: str = "https://id.example") -> tuple[str, str]:
    """Return the cookies of somebody who has just signed in at *address*, and the token that goes with them."""
    token = generate_xsrf_token_string()
    claims = {"iss": issuer, "sub": subject, "iat": int(time.time()), "provider": "default"}
    kept = json.dumps(claims | {"origin": address, "is_logged_in": True})
    sealed = create_signed_value(seal, USER_COOKIE_NAME, kept).decode("ascii")
    return f'{USER_COOKIE_NAME}={sealed}; {XSRF_COOKIE_NAME}="{token}"', token


@dataclass
class Visitor:
    """Somebody at the page; ``frames`` is all that the server has sent them, as it came."""

    address: str
    cookies: str
    token: str
    query: str = ""
    frames: list[bytes] = field(default_factory=list)
    _page: str = ""
    _input: str = ""  # the id of the question's field
    _connection: ClientConnection | None = None

    def __enter__(self) -> Self:
        self._connection = connect(
            self.address.replace("http", "ws", 1) + "/_stcore/stream",
            origin=self.address,  # type: ignore[arg-type] - plain text will do
            additional_headers={"Cookie": self.cookies},
            subprotocols=["streamlit", self.token],  # type: ignore[list-item] - the same
            max_size=LARGEST,
            open_timeout=60,
            ping_interval=None,  # a browser asks for no sign of life either
        )
        self._run({})
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._connection is not None:
            self._connection.close()

    def ask(self, question: str) -> None:
        """Send *question* and wait until all of the page is drawn.

        Raises: PageFailed.
        """
        if not self._input:
            raise PageFailed("there is no field for a question")
        self._run({self._input: question})

    def _run(self, written: Mapping[str, str]) -> None:
        connection = self._connection
        if connection is None:
            raise PageFailed("there is no connection")
        asked = BackMsg()
        state = asked.rerun_script
        state.query_string, state.page_script_hash = self.query, self._page
        state.context_info.timezone, state.context_info.locale = "UTC", "en-GB"
        for id_, text in written.items():
            widget = WidgetState(id=id_)
            widget.chat_input_value.data = text
            state.widget_states.widgets.append(widget)
        connection.send(asked.SerializeToString())
        try:
            while not self._take(connection.recv(timeout=600)):
                pass
        except WebSocketException as error:
            raise PageFailed(f"the connection has ended: {error}") from error

    def _take(self, frame: str | bytes) -> bool:
        """Keep a message of the server; return whether it says that the page is drawn."""
        raw = frame.encode("utf-8") if isinstance(frame, str) else frame
        self.frames.append(raw)
        message = ForwardMsg()
        message.ParseFromString(raw)
        kind = message.WhichOneof("type")
        if kind == "page_info_changed":
            self.query = message.page_info_changed.query_string
        elif kind == "navigation":
            self._page = message.navigation.page_script_hash
        elif kind == "delta":
            element = message.delta.new_element
            if element.WhichOneof("type") == "chat_input":
                self._input = element.chat_input.id
            elif element.WhichOneof("type") == "exception":
                raise PageFailed(element.exception.message)
            elif element.WhichOneof("type") == "alert" and element.alert.format == element.alert.ERROR:
                raise PageFailed(element.alert.body)
        elif kind == "script_finished":
            if message.script_finished == ForwardMsg.FINISHED_SUCCESSFULLY:
                return True
            if message.script_finished == ForwardMsg.FINISHED_WITH_COMPILE_ERROR:
                raise PageFailed("the page does not run")
        return False
