"""Announcing: each release of the store becomes a release on GitHub, once, with its notes.

What is announced already is asked of GitHub, so a run that was killed, or never ran, is made good
by the next one, and running it twice changes nothing.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from trunkline.failure import FatalError
from trunkline.forge.github import GitHub
from trunkline.forge.held import Held, held, names
from trunkline.release.store import Store

MAX_BODY = 120_000  # characters; GitHub takes 125,000 in the body of a release
_MOST = 50  # a run announces no more than that: a new repository with an old store is no flood


@dataclass(frozen=True)
class Pending:
    """A release that GitHub does not show yet, and the one before it."""

    release: Held
    before: Held | None


# The notes of a release: Markdown for what changed since the one before it.
Notes = Callable[[Pending], str]


def pending(github: GitHub, store: Store, root: Path) -> tuple[Pending, ...]:
    """What is to be announced, by name and the oldest first.

    Only what git can tag: a release from a working tree that no commit describes is nobody's.
    """
    found: list[Pending] = []
    for name in names(store, root):
        mine: list[Pending] = []
        later: Held | None = None
        for one in held(store, name):
            if later is not None and later.commit is not None:
                mine.append(Pending(later, one))
            if _announced(github, one):
                break
            later = one
        else:
            if later is not None and later.commit is not None:
                mine.append(Pending(later, None))
        found += reversed(mine)
    return tuple(found[:_MOST])


def announce(github: GitHub, what: Pending, notes: Notes) -> None:
    """Makes the release on GitHub, on its tag.

    Raises FatalError if the tag is missing or stands on another commit: GitHub would then make
    one of its own, and a tag once used is burnt.
    """
    release = what.release
    tag = github.find(f"git/ref/tags/{quote(release.git_tag)}")
    if tag is None:
        raise FatalError(f"there is no tag {release.git_tag} on GitHub: `git push origin --tags`")
    if _commit(github, tag["object"]) != release.commit:
        raise FatalError(
            f"the tag {release.git_tag} on GitHub is not on {release.commit}, which it was "
            "released from; a tag is never moved, so find out who moved this one"
        )
    body = {
        "tag_name": release.git_tag,
        "name": f"{release.name} {release.tag}",
        "body": _cut(notes(what)),
        # "Latest" would name one tenant's release for all of them.
        "make_latest": "false",
    }
    github.send("POST", "releases", body)


def checksums(what: tuple[Pending, ...]) -> str:
    """A line for each: the SHA-256 of its manifest, and its name, as `sha256sum` writes them."""
    return "".join(
        f"{one.release.digest.removeprefix('sha256:')}  {one.release.git_tag}\n" for one in what
    )


def _announced(github: GitHub, one: Held) -> bool:
    return github.find(f"releases/tags/{quote(one.git_tag)}") is not None


def _commit(github: GitHub, target: Any) -> str:
    """The commit of a tag; an annotated one names it in an object of its own."""
    if target["type"] == "tag":
        target = github.get(f"git/tags/{target['sha']}")["object"]
    return str(target["sha"])


def _cut(text: str) -> str:
    if len(text) <= MAX_BODY:
        return text
    note = "\n\nThe rest is left out: `trunkline diff` between the two commits shows it all.\n"
    return text[: MAX_BODY - len(note)].rsplit("\n", 1)[0] + note
