"""What a publish did: for a person a row per tenant and a note on what was left, or JSON."""

import json
from collections.abc import Iterator

from rich.console import Console
from rich.text import Text

from trunkline.release.publish import Publication, Published
from trunkline.report.terminal import drawn

VERSION = 1


def as_text(publication: Publication) -> str:
    """Tenant, tag, digest and whether it is new; the tables of what is new; then the notes."""
    return drawn(lambda console: _draw(console, publication))


def as_json(publication: Publication) -> str:
    """`{"version", "store", "commit", "policy": {…} or null, "releases": [{…}]}`."""
    policy = publication.policy
    document = {
        "version": VERSION,
        "store": str(publication.store),
        "commit": str(publication.commit) if publication.commit else None,
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
    for row in _everything(publication):
        if row.git_tag == "elsewhere":
            yield f"the git tag {row.name}/{row.tag} stands on another commit and was not moved"
        elif row.git_tag == "refused":
            yield f"git refused to make the tag {row.name}/{row.tag}"
