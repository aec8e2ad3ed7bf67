"""The settings of the application: ``REFERENT_*`` in the environment or in ``.env``.

``OPENAI_API_KEY`` and ``OPENAI_BASE_URL`` are honoured under their own names: people have them set already.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Literal

from platformdirs import user_cache_path, user_data_path
from pydantic import AliasChoices, Field, SecretStr, ValidationError, field_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from languages import codes
from rag.errors import SettingsInvalid
from rag.shelf.blocks import ReadingLimits

BUNDLED = "bundled"
PREFIX = "REFERENT_"

_SELF, _NOBODY = "'self'", "'none'"
_SITE = re.compile(r"^https?://(\*\.)?[A-Za-z0-9.-]+(:\d{1,5})?$")


class Settings(BaseSettings):
    """What a person may set.  Read once at start; passed on as plain values."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX,
        env_file=".env",
        env_file_encoding="utf-8",
        env_ignore_empty=True,
        extra="ignore",
        frozen=True,
        populate_by_name=True,
    )

    data_dir: Path = Field(
        default_factory=lambda: user_data_path("referent", appauthor=False),
        description="The folder of conversations, memory and indexes; else one in the person's data folder.",
    )
    cache_dir: Path = Field(
        default_factory=lambda: user_cache_path("referent", appauthor=False),
        description="The folder of what can be made again, such as the prepared model weights.",
    )
    embedding_model: str = Field(
        default=BUNDLED,
        min_length=1,
        description='The embedding model: "bundled", or a sentence-transformers model by name or path.',
    )
    embedding_dtype: Literal["auto", "float32", "bfloat16"] = Field(
        default="auto",
        description="The number format to embed in; auto takes the one that is faster on this processor.",
    )
    scorer: Literal["auto", "off"] = Field(
        default="auto",
        description="The learned scorer beside the rules of reference resolution; auto uses it with its own model.",
    )
    chroma_url: str = Field(
        default="",
        pattern=r"^(https?://[^/?#\s]+/?)?$",
        description="The address of a Chroma server for the index, such as http://localhost:8000; else a folder.",
    )
    selector: Literal["auto", "off"] = Field(
        default="auto",
        description="The learned choice of the sentence that answers; auto uses it with its own model.",
    )
    reranker: str = Field(
        default="",
        description="A cross-encoder that orders the passages found anew, by name or path; else none, which is faster.",
    )
    shelves: Annotated[tuple[str, ...], NoDecode] = Field(
        default=("shared", "demo"),
        description="The shared shelves to search, separated by commas; demo holds the demonstration documents.",
    )
    chat_model: str = Field(
        default="gpt-4o-mini",
        min_length=1,
        description="The chat model's name as its server knows it.",
    )
    openai_api_key: SecretStr | None = Field(
        default=None,
        validation_alias=AliasChoices("REFERENT_OPENAI_API_KEY", "OPENAI_API_KEY"),
        description="The key of the chat model's server; local servers need none.",
    )
    openai_base_url: str | None = Field(
        default=None,
        validation_alias=AliasChoices("REFERENT_OPENAI_BASE_URL", "OPENAI_BASE_URL"),
        description="The address of an OpenAI-compatible server, such as http://localhost:11434/v1.",
    )
    chat_timeout: float = Field(
        default=60.0,
        gt=0,
        description="How many seconds the chat model may keep us waiting for its next word.",
    )
    answer_tokens: int = Field(
        default=4000,
        ge=100,
        description="How many tokens the chat model may write for an answer, with what it thinks before.",
    )
    turn_tokens: int = Field(
        default=0,
        ge=0,
        description="How many tokens the chat model may cost for the answer of a turn, about; 0 sets no bound.",
    )
    day_tokens: int = Field(
        default=0,
        ge=0,
        description="How many tokens the chat model may cost for a person's answers in a day, about; 0 sets no bound.",
    )
    rewrite: Literal["auto", "off"] = Field(
        default="off",
        description="Asking the chat model what a question refers to where rules and scorer are unsure; auto asks it.",
    )
    rewrite_timeout: float = Field(
        default=5.0,
        gt=0,
        description="How many seconds that may take; after them the reading by rules and scorer stands.",
    )
    extraction_model: str | None = Field(
        default=None,
        description="A chat model that reads each turn afterwards for what to remember; without a name none does.",
    )
    arbitration: Literal["auto", "off"] = Field(
        default="off",
        description="Asking the chat model after a turn which of two contradicting facts holds; off: the latest.",
    )
    entity_types: str = Field(
        default="commerce",
        min_length=1,
        description="The types of things to remember: a set of data/types, or the path of an own file.",
    )
    assistant_name: str = Field(
        default="",
        max_length=60,
        description="What the assistant calls itself; without it, nothing.",
    )
    tone: Literal["neutral", "warm", "brief"] = Field(
        default="neutral",
        description="The tone that a chat model is asked for: neutral, warm or brief.",
    )
    formality: Literal["formal", "familiar"] = Field(
        default="formal",
        description="How the person is spoken to: formal (Sie, vous) or familiar (du, tu).",
    )
    escalation: Mapping[str, str] = Field(
        default_factory=dict,
        description='Whom to turn to where the documents do not answer, as JSON by language: {"en": "Call 555 0100."}.',
    )
    profile: str = Field(
        default="general",
        min_length=1,
        description="The details that a person's profile shows: a set of data/profiles, or the path of an own file.",
    )
    cases: Path | None = Field(
        default=None,
        description="A file or folder of cases that the page “Evaluate” offers to run; else those that are uploaded.",
    )
    prompt_tokens: int = Field(
        default=3000,
        ge=500,
        description="How many tokens a prompt may have, about.",
    )
    passages: int = Field(
        default=8,
        ge=1,
        le=50,
        description="How many passages an answer may rest on.",
    )
    question_characters: int = Field(
        default=4000,
        ge=100,
        description="How long a question may be, in characters.",
    )
    port: int = Field(
        default=8501,
        ge=1,
        le=65535,
        description="The port that the chat page is served on.",
    )
    public_url: str = Field(
        default="",
        pattern=r"^(https?://[^/?#\s]+/?)?$",
        description="The address that people open the page at, such as https://chat.example.org; signing in needs it.",
    )
    oidc_metadata_url: str = Field(
        default="",
        pattern=r"^(https?://\S+)?$",
        description="The address of an OpenID Connect provider's metadata; with it, people have to sign in.",
    )
    oidc_client_id: str = Field(
        default="",
        description="The id under which that provider knows this application.",
    )
    oidc_client_secret: SecretStr | None = Field(
        default=None,
        description="The secret that goes with this id.",
    )
    oidc_scope: str = Field(
        default="openid email profile",
        pattern=r"^openid( [\x21\x23-\x5b\x5d-\x7e]+)*$",
        description="What the provider is asked to say of a person, separated by spaces; openid is the first.",
    )
    cookie_secret: SecretStr | None = Field(
        default=None,
        min_length=32,
        description="What sign-ins are sealed with, 32 characters or more; else made at each start, which ends them.",
    )
    sign_in_hours: float = Field(
        default=12.0,
        gt=0,
        le=720,
        description="How many hours a sign-in is valid; roles are read anew with each.",
    )
    administrators: Annotated[tuple[str, ...], NoDecode] = Field(
        default=(),
        description="Who administers, by verified e-mail address or by the provider's subject, separated by commas.",
    )
    role_claim: str = Field(
        default="",
        description="The claim that holds a person's roles, such as groups; realm_access.roles lies within another.",
    )
    administrator_role: str = Field(
        default="administrator",
        min_length=1,
        description="The role of that claim whose bearers administer.",
    )
    uploads: Literal["administrators", "everyone"] = Field(
        default="administrators",
        description="Who of those signed in may add documents: administrators, or everyone their own.",
    )
    questions_per_minute: int = Field(
        default=30,
        ge=0,
        description="How many questions each person who signed in may ask in a minute; 0 sets no bound.",
    )
    frame_ancestors: Annotated[tuple[str, ...], NoDecode] = Field(
        default=("'self'",),
        min_length=1,
        description="The sites that may show the page within theirs, separated by commas: https://www.example.org.",
    )
    max_file_mb: float = Field(
        default=25.0,
        gt=0,
        description="The largest file that is read, in megabytes.",
    )
    max_pages: int = Field(
        default=2000,
        ge=1,
        description="The most pages or slides of a document that are read.",
    )
    max_rows: int = Field(
        default=50_000,
        ge=1,
        description="The most rows of tables in a document that are read.",
    )
    max_expansion: int = Field(
        default=200,
        ge=1,
        description="How many times its size an Office file may grow when it is unpacked; one of 60 MB or less may.",
    )

    @field_validator("shelves", "administrators", "frame_ancestors", mode="before")
    @classmethod
    def _split(cls, value: object) -> object:
        """Return the parts of ``"shared, demo"`` one by one."""
        if isinstance(value, str):
            return tuple(part.strip() for part in value.split(",") if part.strip())
        return value

    @field_validator("frame_ancestors")
    @classmethod
    def _sites(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        """Return the sites, each written as a content security policy may name it: they go into a header."""
        if value == (_NOBODY,):
            return value
        unfit = [each for each in value if each != _SELF and not _SITE.match(each)]
        if unfit:
            raise ValueError(f"found {unfit[0]!r}; expected {_SELF}, {_NOBODY} alone, or https://www.example.org")
        return value

    @field_validator("escalation")
    @classmethod
    def _spoken(cls, value: Mapping[str, str]) -> Mapping[str, str]:
        """Return the texts, each in a language that is spoken here."""
        unknown = sorted(value.keys() - set(codes()))
        if unknown:
            raise ValueError(f"found {unknown[0]!r}; expected one of {', '.join(codes())}")
        return value

    @field_validator("data_dir", "cache_dir")
    @classmethod
    def _absolute(cls, value: Path) -> Path:
        """Return the folder in full: a later change of the working directory does not move it."""
        return value.expanduser().absolute()

    @property
    def chat_model_set(self) -> bool:
        """Return whether a chat model can be called: there is a key or an address."""
        key = self.openai_api_key.get_secret_value().strip() if self.openai_api_key else ""
        return bool(key or (self.openai_base_url or "").strip())

    @property
    def reading(self) -> ReadingLimits:
        """Return how much a file may hold."""
        size = int(self.max_file_mb * 1_000_000)
        return ReadingLimits(size, self.max_pages, self.max_rows, self.max_expansion)


def variable(field: str) -> str:
    """Return the name in the environment that sets *field*.

    >>> variable("port"), variable("openai_api_key")
    ('REFERENT_PORT', 'OPENAI_API_KEY')
    """
    return field.upper() if field.startswith("openai_") else f"{PREFIX}{field.upper()}"


SECRETS = frozenset(name for name, field in Settings.model_fields.items() if "SecretStr" in str(field.annotation))


def read_settings(data_dir: Path | None = None) -> Settings:
    """Return the settings in force; *data_dir* goes before the environment.

    Raises: SettingsInvalid, naming the first setting that cannot be used, or a ``.env`` that cannot be read.
    """
    try:
        return Settings(data_dir=data_dir) if data_dir is not None else Settings()
    except (UnicodeDecodeError, OSError) as error:
        what = "is not in UTF-8" if isinstance(error, UnicodeDecodeError) else f"cannot be read ({error.strerror})"
        raise SettingsInvalid(
            f"Found that .env in this folder {what}. Expected text in UTF-8. Save it again as UTF-8, or move it.",
            {"name": ".env", "problem": what},
        ) from error
    except ValidationError as error:
        first = error.errors()[0]
        name = ".".join(str(part) for part in first["loc"]) or "?"
        known = Settings.model_fields.get(name)
        meant = f" It means: {known.description}" if known and known.description else ""
        found = "a secret that is not shown" if name in SECRETS else repr(first.get("input"))
        raise SettingsInvalid(
            f"The setting {variable(name)} is {found}: {first['msg']}.{meant} "
            "Correct it in the environment or in .env.",
            {"name": variable(name), "problem": first["msg"]},
        ) from error
