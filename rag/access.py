"""Who is in front of the page, and what they may do: from the claims of a sign-in and the settings, to values.

Nothing here asks a provider or reads a cookie.  The claims are those of an ID token that the server has checked.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from memory.store.conversations import person_id
from rag.errors import SettingsInvalid
from rag.settings import PREFIX, Settings, variable

Role = Literal["customer", "administrator"]
Claims = Mapping[str, object]

CALLBACK: Final = "/oauth2callback"  # where the provider sends people back to; Streamlit's own address
_LATE_S: Final = 300.0  # how far the provider's clock may be ahead of ours
_NAMES: Final = ("name", "preferred_username", "email")


@dataclass(frozen=True, slots=True)
class SignIn:
    """How people sign in: an OpenID Connect provider, and what this application is to it."""

    metadata_url: str
    client_id: str
    client_secret: str = field(repr=False)
    cookie_secret: str = field(repr=False)
    public_url: str
    scope: str

    def secrets(self) -> dict[str, Any]:
        """Return what Streamlit would otherwise read from ``.streamlit/secrets.toml``."""
        return {
            "auth": {
                "redirect_uri": f"{self.public_url}{CALLBACK}",
                "cookie_secret": self.cookie_secret,
                "client_id": self.client_id,
                "client_secret": self.client_secret,
                "server_metadata_url": self.metadata_url,
                "client_kwargs": {"scope": self.scope},
            }
        }


def sign_in(settings: Settings) -> SignIn | None:
    """Return how people sign in, None where nothing of it is set: then there is one local person.

    Raises: SettingsInvalid where something of it is set and something else is missing.  Nobody gets in by a gap.
    """
    secret = settings.oidc_client_secret.get_secret_value().strip() if settings.oidc_client_secret else ""
    needed = {
        "oidc_metadata_url": settings.oidc_metadata_url,
        "oidc_client_id": settings.oidc_client_id.strip(),
        "oidc_client_secret": secret,
    }
    if not any(needed.values()):
        return None
    needed["public_url"] = settings.public_url.rstrip("/")
    missing = next((name for name, value in needed.items() if not value), None)
    if missing is not None:
        raise SettingsInvalid(
            f"Found a sign-in without the setting {variable(missing)}. Expected it beside the others: "
            f"{', '.join(map(variable, needed))}. Set it, or none of the {PREFIX}OIDC_ ones.",
            {"name": variable(missing), "problem": "missing"},
        )
    sealed = settings.cookie_secret.get_secret_value() if settings.cookie_secret else secrets.token_hex(32)
    return SignIn(
        needed["oidc_metadata_url"],
        needed["oidc_client_id"],
        secret,
        sealed,
        needed["public_url"],
        settings.oidc_scope,
    )


def signed_in_person(claims: Claims, settings: Settings, now: float) -> str | None:
    """Return the id of whoever signed in, None where nobody did, or it was too long before *now* (seconds since 1970).

    A sign-in without issuer, subject or time of issue is none: several people could share it.
    """
    issuer, subject, issued = claims.get("iss"), claims.get("sub"), claims.get("iat")
    if claims.get("is_logged_in") is not True or not isinstance(issuer, str) or not isinstance(subject, str):
        return None
    if not issuer or not subject or isinstance(issued, bool) or not isinstance(issued, int | float):
        return None
    valid = -_LATE_S <= now - issued <= settings.sign_in_hours * 3600
    return person_id(issuer, subject) if valid else None


def role_of(claims: Claims, settings: Settings) -> Role:
    """Return the role of whoever has these claims: administrators are named one by one, or by a role of theirs.

    An e-mail address counts where the provider says that it has checked it; else people could take one.
    """
    named = {each.casefold() for each in settings.administrators}
    email, subject = claims.get("email"), claims.get("sub")
    if isinstance(email, str) and claims.get("email_verified") in {True, "true"} and email.casefold() in named:
        return "administrator"
    if isinstance(subject, str) and subject in settings.administrators:
        return "administrator"
    return "administrator" if settings.administrator_role in roles_in(claims, settings.role_claim) else "customer"


def roles_in(claims: Claims, path: str) -> frozenset[str]:
    """Return the roles that the claim *path* holds, one or a list of them; dots lead into a claim.

    >>> sorted(roles_in({"realm_access": {"roles": ["a", "b"]}}, "realm_access.roles"))
    ['a', 'b']
    >>> sorted(roles_in({"https://x.example/role": "a"}, "https://x.example/role")), sorted(roles_in({}, ""))
    (['a'], [])
    """
    if not path:
        return frozenset()
    found: object = claims.get(path)
    if found is None:
        found = claims
        for part in path.split("."):
            found = found.get(part) if isinstance(found, Mapping) else None
    listed = found if isinstance(found, list | tuple) else [found]
    return frozenset(each for each in listed if isinstance(each, str))


def called(claims: Claims) -> str:
    """Return what whoever signed in is called: their name, else their address, "" where the provider gives none."""
    return next((value.strip() for name in _NAMES if isinstance(value := claims.get(name), str) and value.strip()), "")
