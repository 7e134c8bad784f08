"""Who moves a channel and why: the commits that a publish is made from, asked of git."""

import getpass
import os
from collections.abc import Callable
from pathlib import Path

from trunkline.release import git
from trunkline.release.channel_plan import Mover
from trunkline_runtime.table.layout import POLICY_NAME

_LONGEST = 200  # characters of a reason


def movers(
    root: Path, commit: git.Commit | None
) -> tuple[Callable[[str], Mover], Callable[[str], Mover]]:
    """Who last changed a tenant's `channels.yaml`, and who made the commit that is released.

    Where git can't say, it is the user who publishes.
    """

    def changed(name: str) -> Mover:
        if name == POLICY_NAME:
            return released("the policy")
        path = f"flows/{name}/channels.yaml"
        made = git.last_change(root, path) if commit else None
        if made is None:
            return Mover(user(), f"published, and no commit holds {path}")
        return Mover(made.author, cut(f"{made.subject} ({made.sha[:12]})"))

    def released(what: str) -> Mover:
        made = git.last_change(root, ".") if commit and not commit.dirty else None
        if made is None:
            return Mover(user(), f"{what} was published")
        return Mover(made.author, cut(f"{what} was published: {made.subject} ({made.sha[:12]})"))

    return changed, released


def user() -> str:
    """Who runs this: the person whom a workflow runs for, else the user of this machine."""
    try:
        return os.environ.get("GITHUB_ACTOR") or getpass.getuser()
    except (OSError, KeyError):
        return "unknown"


def cut(text: str) -> str:
    """A reason in one line of bearable length, without what a terminal would act on."""
    plain = "".join(c if c.isprintable() else " " for c in text).strip()
    return plain if len(plain) <= _LONGEST else plain[: _LONGEST - 1] + "…"
