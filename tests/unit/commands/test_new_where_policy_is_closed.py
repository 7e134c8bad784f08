"""`trunkline new tenant` where the policy's folder may not be looked into."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest


def test_it_says_nothing_of_the_policy(
    trunkline: Callable[..., tuple[int, str, str]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As root, who may look into every folder, the system's answer is put in its place."""
    (tmp_path / "flows").mkdir()
    (tmp_path / "policy").mkdir()
    (tmp_path / "policy/purposes.yaml").write_text("schema_version: 1\n")
    found = os.stat

    def refused(path: object, **options: object) -> os.stat_result:
        if str(path).endswith("purposes.yaml"):
            raise PermissionError(13, "Permission denied")
        return found(path, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(os, "stat", refused)
    code, out, err = trunkline("-C", str(tmp_path), "new", "tenant", "acme")
    assert (code, err) == (0, "")
    assert "next: trunkline new flow acme ID" in out
    assert "purpose" not in out
