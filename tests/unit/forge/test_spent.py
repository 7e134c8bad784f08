"""At night: an acceptance whose change is released is spent, and said to be."""

import shutil
from datetime import UTC, datetime
from pathlib import Path

from trunkline.compile import compile_repository
from trunkline.forge.notices import notices
from trunkline.release.folder_store import FolderStore
from trunkline.release.publish import publish

from .test_drift import git

BASE = Path(__file__).parents[2] / "examples" / "diff" / "base"
NOW = datetime(2026, 11, 30, tzinfo=UTC)
ACCEPTED = """schema_version: 1
accepted:
  - fingerprint: 5f0c1b6a3d9e47218c0b9f6e2a4d7135
    reason: A pilot.
    approver: compliance@example.com
"""


def test_an_acceptance_is_spent_once_its_change_is_released(tmp_path: Path) -> None:
    root, store = tmp_path / "repository", FolderStore(tmp_path / "store")
    shutil.copytree(BASE, root)
    (root / "policy/accepted.yaml").write_text(ACCEPTED, "utf-8")
    git(root, "init", "--quiet", "--initial-branch", "main")
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "--message", "one")
    publish(compile_repository(root), store, root, "0.1.0", ["acme", "bolt"])

    def told() -> list[str]:
        return [one.message for one in notices(root, store, NOW) if one.kind == "acceptance"]

    assert told() == [
        "5f0c1b6a3d9e47218c0b9f6e2a4d7135 (compliance@example.com) is released: take it out of "
        "policy/accepted.yaml"
    ]
    # What is still to be released may hold the change that was accepted.
    invoice = root / "flows/acme/invoice.yaml"
    invoice.write_text(invoice.read_text("utf-8").replace("Goodbye.", "Good day."), "utf-8")
    assert told() == []
