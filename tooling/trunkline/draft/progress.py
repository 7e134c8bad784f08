"""What has been answered in an interview, on disk after each answer: an interruption loses nothing.

It lies in `.trunkline/`, which says itself that no commit holds it: what an operator answered is
nobody else's.
"""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, get_args

from trunkline.draft.keep import keep
from trunkline.draft.questions import Question
from trunkline.failure import FatalError
from trunkline_runtime.table.canonical import digest

_IGNORED = ".trunkline/.gitignore"

# given: not yet decided. keeping: the file is about to be written. The others are done with.
State = Literal["given", "keeping", "kept", "dropped", "unchanged", "skipped"]


@dataclass
class Progress:
    """node → question → answer, state, and the digest of the file that keeping it makes."""

    root: Path
    path: str
    answers: dict[str, dict[str, dict[str, Any]]] = field(default_factory=dict)

    @classmethod
    def read(cls, root: Path, tenant: str, flow: str) -> "Progress":
        """What is on disk; nothing, if there is none. Raises FatalError if it cannot be read."""
        path = f".trunkline/interview/{tenant}/{flow}.json"
        file = root / path
        if not file.exists():
            return cls(root, path)
        try:
            found = json.loads(file.read_text(encoding="utf-8"))
            for answers in found.values():
                for each in answers.values():
                    if each["state"] not in get_args(State) or not isinstance(each["answer"], str):
                        raise ValueError
        except (OSError, ValueError, KeyError, AttributeError, TypeError):
            raise FatalError(f"{file}: this cannot be read; delete it to begin anew") from None
        return cls(root, path, found)

    def answer(self, question: Question) -> str | None:
        """What was answered and not yet decided; None if nothing was."""
        found = self._found(question)
        return found["answer"] if found.get("state") in ("given", "keeping") else None

    def is_done(self, question: Question, text: str, answer: str | None = None) -> bool:
        """True if the question needs no more; `text` is the flow as it is on disk.

        One that now gets another `answer` does need it. Of one that was being kept when something
        stopped, the file itself knows.
        """
        found = self._found(question)
        if answer is not None and answer != found.get("answer"):
            return False
        if found.get("state") == "keeping":
            return bool(found["digest"] == digest(text.encode("utf-8")))
        return bool(found.get("state", "given") != "given")

    def note(self, question: Question, answer: str, state: State, text: str = "") -> None:
        """Remembers, on disk before it returns; `text` is the file that keeping it makes."""
        noted = {"answer": answer, "state": state}
        if state == "keeping":
            noted["digest"] = digest(text.encode("utf-8"))
        self.answers.setdefault(question.node, {})[question.id] = noted
        written = json.dumps(self.answers, ensure_ascii=False, indent=1)
        if not (self.root / _IGNORED).exists():
            keep(self.root, _IGNORED, "*\n")
        keep(self.root, self.path, written + "\n")

    def _found(self, question: Question) -> dict[str, Any]:
        return self.answers.get(question.node, {}).get(question.id, {})
