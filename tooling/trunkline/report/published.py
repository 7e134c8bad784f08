"""What a publish did: for a person a row per tenant and a note on what was left, or JSON."""

import json
from collections.abc import Iterator

from rich.console import Console
from rich.text import Text

from trunkline.release.publish import Publication, Published
from trunkline.report.counting import counted
from trunkline.report.terminal import drawn
from trunkline_runtime.table.layout import POLICY_NAME

VERSION = 1


def as_text(publication: Publication) -> str:
    """Tenant, tag, digest and whether it is new; the tables of what is new; then the notes."""
    return drawn(lambda console: _draw(console, publication))


def as_json(publication: Publication) -> str:
    """`{"version", "store", "commit", "key", "policy": {…} or null, "releases": [{…}]}`."""
    policy = publication.policy
    document = {
        "version": VERSION,
        "store": publication.store,
        "commit": str(publication.commit) if publication.commit else None,
        "key": publication.key,
        "policy": _row(policy) if policy else None,
        "releases": [
            {"tenant": release.name, **_row(release), "flows": dict(release.flows)}
            for release in publication.releases
        ],
    }
    return json.dumps(document, indent=2, ensure_ascii=True) + "\n"


def _row(published: Published) -> dict[str, object]:
    return {
        "tag": published.tag,
        "sequence": published.sequence,
        "digest": published.digest,
        "content": published.content,
        "new": published.new,
        "git_tag": published.git_tag,
        "mended": published.mended,
        "channels": [
            {
                "channel": channel.name,
                "release": channel.release,
                "percent": channel.percent,
                "sequence": channel.sequence,
                "expires": channel.expires.isoformat(),
                "by": channel.by,
                "reason": channel.reason,
                "hold": channel.hold,
                "moved": channel.name in published.moved,
            }
            for channel in published.channels
        ],
    }


def _draw(console: Console, publication: Publication) -> None:
    rows = _everything(publication)
    wide = max((len(row.name) for row in rows), default=0)
    tags = max((len(row.tag) for row in rows), default=0)
    for row in rows:
        state = ("new", "bold green") if row.new else ("unchanged", "dim")
        name = (f"{row.name:{wide}}", "bold")
        console.print(Text.assemble(name, f"  {row.tag:{tags}}  {row.digest}  ", state))
        for flow, digest in sorted(row.flows.items()) if row.new else ():
            console.print(
                Text.assemble(f"{'':{wide}}  {'':{tags}}  ", (f"{digest}  {flow}", "dim"))
            )
        for channel in row.channels:
            if channel.hold or (channel.name in row.moved and row.name != POLICY_NAME):
                said = ("held", "yellow") if channel.hold else ("moved", "bold green")
                line = f"{'':{wide}}  {channel.name} takes {channel.release} ({channel.percent}%)  "
                console.print(Text.assemble(line, said))
    console.print(Text(f"store: {publication.store}"))
    for note in _notes(publication):
        console.print(Text.assemble(("note: ", "cyan"), note))


def _everything(publication: Publication) -> list[Published]:
    return [*([publication.policy] if publication.policy else []), *publication.releases]


def _notes(publication: Publication) -> Iterator[str]:
    commit = publication.commit
    if publication.policy is None:
        yield "there are no policy documents: what needs one is denied when calls run"
    if commit is None:
        yield "no git commit was found: none is recorded, and nothing is tagged in git"
    elif commit.dirty and any(row.new for row in _everything(publication)):
        yield (
            f"the working tree differs from its commit: {commit} is recorded, "
            "and nothing is tagged in git"
        )
    if publication.key is not None:
        yield f"signed by the key {publication.key}"
    for row in _everything(publication):
        if row.mended:
            blobs = counted(row.mended, "blob")
            yield (
                f"{row.name} {row.tag}: {blobs} of it had been altered or lost in the store, and "
                "what was published is there again: find out by whom"
            )
        for channel in row.channels:
            if channel.hold:
                yield (
                    f"{row.name} {channel.name} is held on {channel.release} by {channel.by} "
                    f"({channel.reason}) until a pull request changes that channel"
                )
        if row.git_tag == "elsewhere":
            yield f"the git tag {row.name}/{row.tag} stands on another commit and was not moved"
        elif row.git_tag == "refused":
            yield f"git refused to make the tag {row.name}/{row.tag}"
