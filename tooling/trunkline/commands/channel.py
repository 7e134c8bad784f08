"""`trunkline channel`: points a channel at a release at once, until a pull request changes it."""

from collections.abc import Collection, Iterable
from datetime import UTC, datetime
from pathlib import Path

import click

from trunkline.commands.storing import told
from trunkline.failure import FatalError
from trunkline.release.channel_plan import Mover
from trunkline.release.movers import cut, user
from trunkline.release.open_store import open_store
from trunkline.release.repoint import Repoint, Repointed, Target, repoint
from trunkline.release.signing import signing_here
from trunkline.release.store import Store, releases
from trunkline.release.unknown_tenant import unknown_tenant
from trunkline.report.repointed import as_json, as_text
from trunkline_runtime.table.channel import STABLE
from trunkline_runtime.table.layout import POLICY_NAME


@click.command("channel")
@click.argument("words", nargs=-1, metavar="TENANT CHANNEL TAG | --all [CHANNEL]")
@click.option(
    "--to",
    "place",
    metavar="STORE",
    envvar="TRUNKLINE_STORE",
    show_envvar=True,
    required=True,
    help="A folder or oci://HOST/PREFIX.",
)
@click.option("--reason", required=True, help="Why: it stands in the record.")
@click.option("--by", help="Who; by default GITHUB_ACTOR or the user of this machine.")
@click.option("--percent", type=click.IntRange(0, 100), help="The share of calls of a canary.")
@click.option("--all", "every", is_flag=True, help="Every tenant that --changed-by names.")
@click.option("--changed-by", metavar="REV", help="Tenants whose calls this commit changed.")
@click.option(
    "--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True
)
@click.pass_obj
def command(
    root: Path,
    words: tuple[str, ...],
    place: str,
    reason: str,
    by: str | None,
    percent: int | None,
    every: bool,
    changed_by: str | None,
    form: str,
) -> int:
    """Points a channel at a release at once, and holds it there.

    With --all --changed-by REV, every tenant whose calls that commit changed goes back to its last
    release that is known to be without it. A hold ends when a pull request changes the channel in
    channels.yaml. A fleet follows within one poll.
    """
    if not reason.strip():
        raise FatalError("--reason is empty: whoever finds the channel held will want to know why")
    store = open_store(place)
    channel, tenants, target, absent = (
        _all(root, store, words, changed_by) if every else _one(store, words, changed_by)
    )
    mover = Mover(by or user(), cut(reason))
    wish = Repoint(
        channel,
        percent,
        mover,
        datetime.now(UTC),
        only_back=every,
        declared=lambda tenant: _declared(root, tenant),
    )
    with told(place):
        moved = repoint(store, signing_here(), tenants, target, wish)
    lacking = (Repointed(name, None, None, "the store holds no release of it") for name in absent)
    done = sorted((*moved, *lacking), key=lambda one: one.tenant)
    click.echo(as_json(done) if form == "json" else as_text(done), nl=False)
    return int(any(one.missed for one in done))


def _one(
    store: Store, words: tuple[str, ...], changed_by: str | None
) -> tuple[str, Iterable[str], Target, Iterable[str]]:
    if changed_by is not None:
        raise FatalError("--changed-by names many tenants: say --all with it")
    if len(words) != 3:
        raise FatalError("name a tenant, a channel and a tag: trunkline channel acme stable v12 …")
    tenant, channel, tag = words
    if tenant != POLICY_NAME and not releases(store, tenant):
        # Asked before the store is held: what is mistyped leaves no folder behind.
        raise unknown_tenant(store, tenant)
    return channel, [tenant], lambda *_: (tag, ""), ()


def _declared(root: Path, tenant: str) -> Collection[str]:
    """The channels that the tenant's file names in this repository, if there is one to read."""
    from trunkline.source.reader import read_document

    path = f"flows/{tenant}/channels.yaml"
    try:
        document, _ = read_document(path, "channels", (root / path).read_bytes())
    except OSError:
        return ()
    named = document.data if document is not None else {}
    return [name for name in named if name != "schema_version"]


def _all(
    root: Path, store: Store, words: tuple[str, ...], changed_by: str | None
) -> tuple[str, Iterable[str], Target, Iterable[str]]:
    # Comparing two commits needs the compiler; pointing one channel at a tag does not.
    from trunkline.release.changed_by import changed_tenants, last_before

    if changed_by is None:
        raise FatalError("--all needs --changed-by REV: the commit whose change is to be undone")
    if len(words) > 1:
        raise FatalError("with --all, name at most a channel: the tags are found")
    commit, changed = changed_tenants(root, changed_by)
    if not changed:
        raise FatalError(f"{commit[:12]} changes the calls of no tenant")
    held = set(store.names())

    def target(tenant: str, taken: str | None) -> tuple[str | None, str]:
        return last_before(store, root, tenant, commit, taken)

    here, absent = [t for t in changed if t in held], [t for t in changed if t not in held]
    return words[0] if words else STABLE, here, target, absent
