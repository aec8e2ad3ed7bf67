"""Settings say what they are for, errors have a text in every language."""

from __future__ import annotations

import inspect
from pathlib import Path

import pytest

from languages import codes, load
from rag import errors
from rag.settings import Settings, read_settings


def test_every_setting_says_what_it_is_for() -> None:
    assert [name for name, field in Settings.model_fields.items() if not field.description] == []


def test_the_environment_is_read_and_the_argument_goes_before_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("REFERENT_SHELVES", "shared, demo")
    monkeypatch.setenv("REFERENT_DATA_DIR", str(tmp_path / "one"))
    assert read_settings().shelves == ("shared", "demo")
    assert read_settings().data_dir == tmp_path / "one"
    assert read_settings(tmp_path / "two").data_dir == tmp_path / "two"


@pytest.mark.parametrize(
    ("name", "value", "is_set"),
    [("OPENAI_API_KEY", "k", True), ("OPENAI_BASE_URL", "http://x/v1", True), ("OPENAI_API_KEY", " ", False)],
)
def test_a_key_or_an_address_sets_a_model(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str, value: str, is_set: bool
) -> None:
    monkeypatch.chdir(tmp_path)
    assert not read_settings().chat_model_set
    monkeypatch.setenv(name, value)
    assert read_settings().chat_model_set is is_set
    assert value.strip() == "" or value not in repr(read_settings().openai_api_key)


def test_a_wrong_setting_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("REFERENT_PASSAGES", "many")
    with pytest.raises(errors.SettingsInvalid, match="REFERENT_PASSAGES"):
        read_settings()


@pytest.mark.parametrize("code", codes())
def test_every_error_has_a_text(code: str) -> None:
    found = [error for _, error in inspect.getmembers(errors, inspect.isclass) if hasattr(error, "key")]
    assert [error.__name__ for error in found if error.key not in load(code).texts] == []
