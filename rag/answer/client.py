"""LangChain's client for OpenAI-compatible servers, without what they say of their consumption.

Nothing here uses those figures, and the client fails over them where a server fills in what is none: an answer would
be lost for the sake of its bill.
"""

from __future__ import annotations

from typing import Any

from langchain_core.outputs import ChatGenerationChunk, ChatResult
from langchain_openai import ChatOpenAI
from openai import BaseModel


class Client(ChatOpenAI):
    """The client, which reads an answer whatever stands in its ``usage``."""

    def _convert_chunk_to_generation_chunk(
        self,
        chunk: dict[str, Any],
        default_chunk_class: type,
        base_generation_info: dict[str, Any] | None,
    ) -> ChatGenerationChunk | None:
        spoken = {**chunk, "usage": None}
        return super()._convert_chunk_to_generation_chunk(spoken, default_chunk_class, base_generation_info)

    def _create_chat_result(
        self, response: dict[str, Any] | BaseModel, generation_info: dict[str, Any] | None = None
    ) -> ChatResult:
        if isinstance(response, BaseModel):
            response = response.model_dump(warnings=False)
        return super()._create_chat_result({**response, "usage": None}, generation_info)
