"""Credentials: from the environment or docker's configuration, and never shown."""

import base64
import json
from pathlib import Path
from typing import Any

import pytest

from trunkline_runtime.table.registry.credentials import Credentials, credentials_for
from trunkline_runtime.table.registry.failure import Denied

HOST = "ghcr.io"


def config(folder: Path, **parts: Any) -> dict[str, str]:
    (folder / "config.json").write_text(json.dumps(parts))
    return {"DOCKER_CONFIG": str(folder)}


def helper(folder: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    program = folder / "docker-credential-test"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(folder), prepend=":")


def pair(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def test_the_environment_comes_first(tmp_path: Path) -> None:
    environment = config(tmp_path, auths={HOST: {"auth": pair("docker:x")}})
    environment |= {"TRUNKLINE_REGISTRY_USER": "ada", "TRUNKLINE_REGISTRY_PASSWORD": "secret"}
    found = credentials_for(HOST, environment)
    assert found == Credentials("ada", "secret")
    assert found.basic == "Basic " + pair("ada:secret")


def test_credentials_are_not_shown() -> None:
    assert "secret" not in repr(Credentials("ada", "secret"))
    assert "ada" not in repr(Credentials("ada", "secret"))


@pytest.mark.parametrize("name", ["TRUNKLINE_REGISTRY_USER", "TRUNKLINE_REGISTRY_PASSWORD"])
def test_half_of_them_is_said(tmp_path: Path, name: str) -> None:
    with pytest.raises(Denied, match="is not set, and its counterpart is") as caught:
        credentials_for(HOST, {"DOCKER_CONFIG": str(tmp_path), name: "secret"})
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    "entry",
    [
        {"auth": pair("ada:sec:ret")},
        {"username": "ada", "password": "sec:ret"},
    ],
)
@pytest.mark.parametrize("key", [HOST, f"https://{HOST}"])
def test_docker_login_left_them(tmp_path: Path, entry: dict[str, str], key: str) -> None:
    environment = config(tmp_path, auths={key: entry})
    assert credentials_for(HOST, environment) == Credentials("ada", "sec:ret")
    assert credentials_for("other.example", environment) is None


@pytest.mark.parametrize("parts", [{"credsStore": "test"}, {"credHelpers": {HOST: "test"}}])
def test_a_helper_is_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, parts: dict[str, Any]
) -> None:
    helper(
        tmp_path,
        monkeypatch,
        f'read host; [ "$1 $host" = "get {HOST}" ] && '
        'echo \'{"Username":"ada","Secret":"secret"}\'',
    )
    environment = config(tmp_path, **parts)
    assert credentials_for(HOST, environment) == Credentials("ada", "secret")


def test_a_helper_that_knows_none_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    helper(tmp_path, monkeypatch, "exit 1")
    environment = config(tmp_path, credsStore="test", auths={HOST: {"auth": pair("ada:x")}})
    assert credentials_for(HOST, environment) == Credentials("ada", "x")


@pytest.mark.parametrize("script", ["echo nonsense", "echo '{}'", "echo '{\"Username\":7}'"])
def test_a_helper_that_answers_nonsense_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str
) -> None:
    helper(tmp_path, monkeypatch, script)
    with pytest.raises(Denied, match="gave no usable answer"):
        credentials_for(HOST, config(tmp_path, credsStore="test"))


def test_a_helper_that_is_not_there_or_not_a_name(tmp_path: Path) -> None:
    with pytest.raises(Denied, match="gave no usable answer"):
        credentials_for(HOST, config(tmp_path, credsStore="no-such-helper"))
    with pytest.raises(Denied, match="by a path"):
        credentials_for(HOST, config(tmp_path, credsStore="/bin/sh"))


def test_an_identity_token_is_no_password(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(Denied, match="identity token"):
        credentials_for(HOST, config(tmp_path, auths={HOST: {"identitytoken": "secret"}}))
    helper(tmp_path, monkeypatch, 'echo \'{"Username":"<token>","Secret":"secret"}\'')
    with pytest.raises(Denied, match="identity token"):
        credentials_for(HOST, config(tmp_path, credsStore="test"))


def test_no_configuration_is_no_credentials(tmp_path: Path) -> None:
    assert credentials_for(HOST, {"DOCKER_CONFIG": str(tmp_path)}) is None
    assert credentials_for(HOST, config(tmp_path)) is None


@pytest.mark.parametrize("text", ["", "[]", "{", '{"auths": {"ghcr.io": {"auth": "%"}}}'])
def test_a_configuration_that_can_not_be_read_is_said(tmp_path: Path, text: str) -> None:
    (tmp_path / "config.json").write_text(text)
    with pytest.raises(Denied, match="can't be read"):
        credentials_for(HOST, {"DOCKER_CONFIG": str(tmp_path)})
