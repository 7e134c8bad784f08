"""Real git repositories, made for one test each, with nothing of the machine's own settings."""

import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

BASE = Path(__file__).parents[2] / "examples" / "diff" / "base"


@dataclass(frozen=True)
class Repository:
    """A git repository in a folder; `top` is where git's own data lies, `root` where flows do."""

    top: Path
    root: Path

    def git(self, *arguments: str) -> str:
        environment = {
            **{key: value for key, value in os.environ.items() if not key.startswith("GIT_")},
            **{"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull},
            **{"GIT_AUTHOR_DATE": "2026-11-29T10:00:00Z"},
            **{"GIT_COMMITTER_DATE": "2026-11-29T10:00:00Z"},
        }
        command = ["git", "-c", "user.name=A", "-c", "user.email=a@example.com", *arguments]
        done = subprocess.run(
            command, cwd=self.top, env=environment, capture_output=True, text=True, check=True
        )
        return done.stdout.strip()

    def commit(self, message: str = "A change") -> str:
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--message", message)
        return self.git("rev-parse", "HEAD")

    def edit(self, path: str, old: str, new: str) -> None:
        file = self.root / path
        text = file.read_text("utf-8")
        assert old in text
        file.write_text(text.replace(old, new, 1), "utf-8")


def repository(top: Path, below: str = ".") -> Repository:
    """The base of the examples as the first commit of a new repository."""
    root = top / below
    shutil.copytree(BASE, root, dirs_exist_ok=True)
    made = Repository(top, root)
    made.git("init", "--quiet", "--initial-branch", "main")
    made.commit("The first")
    return made


@pytest.fixture
def repo(tmp_path: Path) -> Repository:
    return repository(tmp_path / "repo")
