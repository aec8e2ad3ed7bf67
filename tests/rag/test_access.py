"""Who a sign-in stands for, what they may do, and that no gap in the settings lets anybody in."""

from __future__ import annotations

import pytest
from pydantic import SecretStr

from memory.store.conversations import person_id
from rag.access import called, role_of, sign_in, signed_in_person
from rag.errors import SettingsInvalid
from rag.settings import Settings, read_settings

NOW = 1_800_000_000.0
CLAIMS = {"is_logged_in": True, "iss": "https://id.example", "sub": "7", "iat": int(NOW) - 60}
WHOLE = {
    "public_url": "https://chat.example.org/",
    "oidc_metadata_url": "https://id.example/.well-known/openid-configuration",
    "oidc_client_id": "referent",
    "oidc_client_secret": SecretStr("not to be seen"),
}


def test_nothing_set_is_no_sign_in() -> None:
    assert sign_in(Settings()) is None
    assert sign_in(Settings(public_url="https://chat.example.org")) is None, "an address alone asks for none"


def test_what_is_set_is_handed_to_streamlit_and_not_shown() -> None:
    found = sign_in(Settings.model_validate(WHOLE | {"cookie_secret": "c" * 32}))
    assert found is not None
    assert found.secrets()["auth"] == {
        "redirect_uri": "https://chat.example.org/oauth2callback",
        "cookie_secret": "c" * 32,
        "client_id": "referent",
        "client_secret": "not to be seen",
        "server_metadata_url": "https://id.example/.well-known/openid-configuration",
        "client_kwargs": {"scope": "openid email profile"},
    }
    assert "not to be seen" not in repr(found)
    assert "c" * 32 not in repr(found)
    assert "not to be seen" not in repr(Settings.model_validate(WHOLE))


def test_without_a_seal_each_start_makes_its_own() -> None:
    one, two = sign_in(Settings.model_validate(WHOLE)), sign_in(Settings.model_validate(WHOLE))
    assert one is not None
    assert two is not None
    assert len(one.cookie_secret) >= 32
    assert one.cookie_secret != two.cookie_secret


@pytest.mark.parametrize("missing", WHOLE)
def test_a_sign_in_that_is_set_by_half_is_refused_by_the_name_of_what_is_missing(missing: str) -> None:
    given = {name: value for name, value in WHOLE.items() if name != missing}
    with pytest.raises(SettingsInvalid, match=f"REFERENT_{missing.upper()}") as failure:
        sign_in(Settings.model_validate(given))
    assert "not to be seen" not in str(failure.value)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("REFERENT_COOKIE_SECRET", "too short"),
        ("REFERENT_PUBLIC_URL", "https://chat.example.org/under/here"),
        ("REFERENT_OIDC_METADATA_URL", "id.example"),
        ("REFERENT_OIDC_SCOPE", "email"),
        ("REFERENT_SIGN_IN_HOURS", "0"),
        ("REFERENT_UPLOADS", "nobody"),
        ("REFERENT_FRAME_ANCESTORS", "https://a.example; script-src *"),
        ("REFERENT_FRAME_ANCESTORS", "'none', 'self'"),
        ("REFERENT_FRAME_ANCESTORS", "*"),
    ],
)
def test_a_setting_that_cannot_be_is_named_and_a_secret_is_not_repeated(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(SettingsInvalid, match=name) as failure:
        read_settings()
    assert "too short" not in str(failure.value)


def test_a_person_is_a_hash_of_issuer_and_subject() -> None:
    found = signed_in_person(CLAIMS, Settings(), NOW)
    assert found == person_id("https://id.example", "7")
    assert found != signed_in_person(CLAIMS | {"iss": "https://other.example"}, Settings(), NOW)
    assert found != signed_in_person(CLAIMS | {"sub": "8"}, Settings(), NOW)
    assert found == signed_in_person(CLAIMS | {"email": "new@example.org"}, Settings(), NOW)


@pytest.mark.parametrize(
    "change",
    [
        {"is_logged_in": False},
        {"is_logged_in": "true"},
        {"iss": ""},
        {"sub": ""},
        {"iss": None},
        {"sub": None},
        {"sub": 7},
        {"iat": None},
        {"iat": True},
        {"iat": "1800000000"},
        {"iat": NOW - 12 * 3600 - 1},
        {"iat": NOW + 3600},
    ],
)
def test_what_is_no_sign_in_is_nobody(change: dict[str, object]) -> None:
    assert signed_in_person(CLAIMS | change, Settings(), NOW) is None


def test_a_sign_in_ends_after_the_hours_that_are_set() -> None:
    late = NOW + 3 * 3600
    assert signed_in_person(CLAIMS, Settings(sign_in_hours=2), late) is None
    assert signed_in_person(CLAIMS, Settings(sign_in_hours=4), late) is not None


NAMED = Settings(administrators=("Ada@example.org", "7-ada"))
BY_ROLE = Settings(role_claim="groups", administrator_role="desk")
WITHIN = Settings(role_claim="realm_access.roles", administrator_role="desk")


@pytest.mark.parametrize(
    ("settings", "claims", "administers"),
    [
        (NAMED, {"email": "ada@EXAMPLE.org", "email_verified": True}, True),
        (NAMED, {"email": "ada@example.org", "email_verified": "true"}, True),
        (NAMED, {"email": "ada@example.org", "email_verified": False}, False),
        (NAMED, {"email": "ada@example.org"}, False),
        (NAMED, {"email": "ben@example.org", "email_verified": True}, False),
        (NAMED, {"sub": "7-ada"}, True),
        (NAMED, {"sub": "7-ADA"}, False),
        (NAMED, {"name": "7-ada"}, False),
        (BY_ROLE, {"groups": ["staff", "desk"]}, True),
        (BY_ROLE, {"groups": "desk"}, True),
        (BY_ROLE, {"groups": "desk help"}, False),
        (BY_ROLE, {"groups": ["Desk"]}, False),
        (BY_ROLE, {"groups": {"desk": True}}, False),
        (BY_ROLE, {"roles": ["desk"]}, False),
        (BY_ROLE, {}, False),
        (WITHIN, {"realm_access": {"roles": ["desk"]}}, True),
        (WITHIN, {"realm_access": ["desk"]}, False),
        (WITHIN, {"realm_access.roles": ["desk"]}, True),
        (Settings(), {"email": "", "email_verified": True, "sub": "", "groups": ["administrator"]}, False),
        (Settings(), {"": "administrator"}, False),
    ],
)
def test_who_administers(settings: Settings, claims: dict[str, object], administers: bool) -> None:
    assert (role_of(claims, settings) == "administrator") == administers


def test_whoever_signed_in_is_called_by_their_name_or_address() -> None:
    assert called({"name": " Anna ", "email": "a@x.example"}) == "Anna"
    assert called({"name": "", "email": "a@x.example"}) == "a@x.example"
    assert called({"name": 7}) == ""
