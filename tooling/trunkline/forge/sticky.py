"""One comment and one label on a pull request, changed in place and only when they differ."""

from collections.abc import Mapping
from typing import Any, Literal
from urllib.parse import quote

from trunkline.forge.github import GitHub

# The comment is found by this line, which GitHub does not show.
MARKER = "<!-- trunkline: what changes in calls -->"
LABELS: Mapping[str, tuple[str, str]] = {
    "calls:none": ("ededed", "Nothing changes in calls"),
    "calls:info": ("c5def5", "Words change in calls"),
    "calls:risky": ("fbca04", "Calls change in a way that a reviewer must weigh"),
    "calls:breaking": ("d93f0b", "Calls change in a way that compliance must accept"),
}
_INSIDERS = frozenset({"OWNER", "MEMBER", "COLLABORATOR"})

Placed = Literal["made", "changed", "same"]


def sticky(github: GitHub, number: int) -> tuple[int, str] | None:
    """Id and body of our comment on a pull request; None where there is none yet.

    Anyone may write the marker into a comment of their own: only one by a bot, or by somebody who
    may write to the repository, is taken for ours.
    """
    for comment in github.every(f"issues/{number}/comments"):
        ours = (comment.get("user") or {}).get("type") == "Bot" or (
            comment.get("author_association") in _INSIDERS
        )
        if ours and str(comment["body"]).startswith(MARKER):
            return int(comment["id"]), str(comment["body"])
    return None


def place(github: GitHub, number: int, body: str) -> Placed:
    """Makes `body` (which begins with MARKER) the comment of the pull request."""
    found = sticky(github, number)
    if found is None:
        github.send("POST", f"issues/{number}/comments", {"body": body})
        return "made"
    id, now = found
    # GitHub gives lines back as the web editor sends them.
    if now.replace("\r\n", "\n").strip() == body.strip():
        return "same"
    github.send("PATCH", f"issues/comments/{id}", {"body": body})
    return "changed"


def label(github: GitHub, number: int, wanted: str) -> Placed:
    """Makes `wanted` the only one of LABELS on the pull request."""
    there: list[Any] = list(github.every(f"issues/{number}/labels"))
    names = {str(one["name"]) for one in there}
    if wanted not in names:
        if github.find(f"labels/{quote(wanted, safe='')}") is None:
            colour, description = LABELS[wanted]
            new = {"name": wanted, "color": colour, "description": description}
            github.send("POST", "labels", new)
        github.send("POST", f"issues/{number}/labels", {"labels": [wanted]})
    wrong = sorted((names & set(LABELS)) - {wanted})
    for name in wrong:
        github.send("DELETE", f"issues/{number}/labels/{quote(name, safe='')}", {})
    if wanted in names and not wrong:
        return "same"
    return "changed" if wrong or names & set(LABELS) else "made"
