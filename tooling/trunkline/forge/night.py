"""The nightly page: what ran out or drifted apart, in Markdown and as one issue on GitHub."""

from collections.abc import Sequence
from typing import Literal

from trunkline.forge.expiry import Notice, NoticeKind
from trunkline.forge.github import GitHub

MARKER = "<!-- trunkline: nightly -->"
TITLE = "Something ran out or drifted apart"

_HEADS: dict[NoticeKind, str] = {
    "check": "Flows that no longer pass",
    "exception": "Exceptions",
    "list": "Do-Not-Call lists",
    "acceptance": "Accepted changes that are released",
    "drift": "What is released and what is not",
}

Placed = Literal["opened", "changed", "closed", "same"]


def page(notices: Sequence[Notice]) -> str:
    """The notices as Markdown, by kind; what has happened before what is about to."""
    if not notices:
        return "Nothing ran out or drifted apart.\n"
    lines: list[str] = []
    for kind, head in _HEADS.items():
        mine = [notice for notice in notices if notice.kind == kind]
        if not mine:
            continue
        lines += [f"### {head}", ""]
        ordered = sorted(mine, key=lambda notice: not notice.urgent)
        lines += [*(f"- {notice.message}" for notice in ordered), ""]
    return "\n".join(lines)


def keep_issue(github: GitHub, text: str, *, urgent: bool) -> Placed:
    """One open issue for as long as something is urgent; closed by itself once nothing is."""
    found = _issue(github)
    body = f"{MARKER}\n{text}\n<sub>`trunkline nightly` keeps this issue, and closes it.</sub>\n"
    if found is None:
        if not urgent:
            return "same"
        github.send("POST", "issues", {"title": TITLE, "body": body})
        return "opened"
    number, now = found
    if not urgent:
        github.send("PATCH", f"issues/{number}", {"state": "closed", "body": body})
        return "closed"
    if now.replace("\r\n", "\n").strip() == body.strip():
        return "same"
    github.send("PATCH", f"issues/{number}", {"body": body})
    return "changed"


def _issue(github: GitHub) -> tuple[int, str] | None:
    """Number and body of our open issue. Only a bot's is ours: anyone may write the marker."""
    for issue in github.every("issues", state="open"):
        bot = (issue.get("user") or {}).get("type") == "Bot"
        if bot and "pull_request" not in issue and str(issue["body"] or "").startswith(MARKER):
            return int(issue["number"]), str(issue["body"])
    return None
