"""Who we are to a registry: from the environment, else from what `docker login` left.

Never from the command line, and never shown: neither in a message nor in a repr.
"""

import base64
import json
import os
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from trunkline_runtime.table.registry.failure import Denied

USER_VARIABLE = "TRUNKLINE_REGISTRY_USER"
PASSWORD_VARIABLE = "TRUNKLINE_REGISTRY_PASSWORD"
_HELPER_SECONDS = 20.0


@dataclass(frozen=True)
class Credentials:
    """A user and a password, or a token that stands in its place."""

    user: str = field(repr=False)
    password: str = field(repr=False)

    @property
    def basic(self) -> str:
        """The value of an `authorization` header."""
        pair = f"{self.user}:{self.password}".encode()
        return "Basic " + base64.b64encode(pair).decode("ascii")


def credentials_for(host: str, environment: Mapping[str, str]) -> Credentials | None:
    """What is configured for a registry; None if nothing is.

    Raises Denied for a docker config that can't be read or a helper that fails: going on without
    would end in a refusal that says less.
    """
    user, password = (environment.get(name) for name in (USER_VARIABLE, PASSWORD_VARIABLE))
    if user and password:
        return Credentials(user, password)
    if user or password:
        missing = PASSWORD_VARIABLE if user else USER_VARIABLE
        raise Denied(f"{missing} is not set, and its counterpart is")
    path = _docker_config(environment)
    try:
        config = json.loads(path.read_bytes())
    except FileNotFoundError:
        return None
    except (OSError, ValueError):
        raise Denied(f"docker's configuration {path} can't be read") from None
    if not isinstance(config, dict):
        raise Denied(f"docker's configuration {path} can't be read")
    return _from_docker(config, host)


def _docker_config(environment: Mapping[str, str]) -> Path:
    folder = environment.get("DOCKER_CONFIG")
    return (Path(folder) if folder else Path.home() / ".docker") / "config.json"


def _from_docker(config: Mapping[str, Any], host: str) -> Credentials | None:
    """Source: docker/cli, config.json: a helper for the host, the store for all, then `auths`."""
    helper = _mapping(config, "credHelpers").get(host) or config.get("credsStore")
    if isinstance(helper, str):
        found = _from_helper(helper, host)
        if found is not None:
            return found
    auths = _mapping(config, "auths")
    entry = auths.get(host) or auths.get(f"https://{host}")
    if not isinstance(entry, dict):
        return None
    if entry.get("identitytoken"):
        raise _unusable(host)
    if entry.get("username"):
        return Credentials(str(entry["username"]), str(entry.get("password", "")))
    if not entry.get("auth"):
        return None  # docker leaves an empty entry where a helper knows the rest
    try:
        text = base64.b64decode(entry["auth"], validate=True).decode()
        user, password = text.split(":", 1)
    except (ValueError, TypeError):
        raise Denied(f"what docker's configuration holds for {host} can't be read") from None
    return Credentials(user, password)


def _from_helper(helper: str, host: str) -> Credentials | None:
    """Asks a credential helper. Source: docker/docker-credential-helpers, `get`."""
    if os.sep in helper:
        raise Denied("docker's configuration names a credential helper by a path")
    try:
        ran = subprocess.run(
            [f"docker-credential-{helper}", "get"],
            input=host.encode(),
            capture_output=True,
            timeout=_HELPER_SECONDS,
            check=False,
        )
        if ran.returncode != 0:
            return None  # it knows none: that is how it says so
        told = json.loads(ran.stdout)
        user, password = str(told["Username"]), str(told["Secret"])
    except (OSError, ValueError, KeyError, TypeError, subprocess.TimeoutExpired):
        raise Denied(f"docker's credential helper {helper!r} gave no usable answer") from None
    if user == "<token>":
        raise _unusable(host)
    return Credentials(user, password)


def _unusable(host: str) -> Denied:
    return Denied(
        f"what docker holds for {host} is an identity token, which can't be used here: give "
        f"{USER_VARIABLE} and {PASSWORD_VARIABLE}"
    )


def _mapping(config: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    found = config.get(key)
    return found if isinstance(found, dict) else {}
