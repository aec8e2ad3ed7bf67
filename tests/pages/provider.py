"""An OpenID Connect provider on this machine, in a process of its own, and the settings that name it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from benchmarks.served import free_port, wait_for

SECRET = "the-provider-told-it-to-nobody-else"
SEAL = "what-the-cookies-of-this-test-are-sealed-with"


@contextmanager
def provider(folder: Path, people: Sequence[Mapping[str, object]]) -> Iterator[str]:
    """Run a provider that knows these *people*, each with the claims it tells of them; yield its address."""
    port = free_port()
    address = f"http://127.0.0.1:{port}"
    command = [sys.executable, "-m", "oidc_provider_mock", "--port", str(port)]
    command += [part for each in people for part in ("--user-claims", json.dumps(each))]
    with (
        (folder / "provider.log").open("w", encoding="utf-8") as log,
        subprocess.Popen(command, stdout=log, stderr=log) as process,
    ):
        try:
            wait_for(f"{address}/.well-known/openid-configuration", seconds=30)
            yield address
        finally:
            process.terminate()
            process.wait(timeout=10)


def settings_for(provided: str, page: str) -> dict[str, str]:
    """Return the settings of a page at *page* whose people sign in with the provider at *provided*."""
    return {
        "REFERENT_PUBLIC_URL": page,
        "REFERENT_OIDC_METADATA_URL": f"{provided}/.well-known/openid-configuration",
        "REFERENT_OIDC_CLIENT_ID": "referent",
        "REFERENT_OIDC_CLIENT_SECRET": SECRET,
        "REFERENT_COOKIE_SECRET": SEAL,
    }
