"""Whatever is edited, in whatever order: a check of what changed finds what a clean one does."""

import os
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from trunkline.finding import Finding

STEPS = int(os.environ.get("TRUNKLINE_SOAK_EXAMPLES", "0")) // 10 or 16
CASES = sorted((Path(__file__).parents[2] / "examples").glob("TL*/*/*/case.json"))
TENANTS = ("acme", "zeta")
LINK = "kind: link, flow: {}"


@pytest.mark.parametrize("seed", range(3))
def test_any_sequence_of_edits(
    repository: Path,
    same: Callable[[], tuple[Finding, ...]],
    flow: Callable[..., None],
    seed: int,
) -> None:
    chance = Random(seed)
    found = 0
    for _ in range(STEPS):
        edit(repository, flow, chance)
        (repository / "flows").mkdir(exist_ok=True)
        found += len(same())
    assert found > STEPS


def edit(root: Path, flow: Callable[..., None], chance: Random) -> None:
    """Takes a file away, spoils one, links two flows, or puts a case over what is there."""
    files = sorted(root.rglob("*.yaml"))
    what = chance.random()
    if what < 0.15 and files:
        chance.choice(files).unlink()
    elif what < 0.3 and files:
        file = chance.choice(files)
        file.write_bytes(file.read_bytes() + chance.choice((b"# more\n", b"more: 1\n", b"\xff")))
    elif what < 0.5:
        one, two = (f"flow-{chance.randrange(4)}" for _ in range(2))
        flow(one, LINK.format(two), chance.choice(TENANTS))
    else:
        overlay(root, chance.choice(CASES).parent, chance)


def overlay(root: Path, case: Path, chance: Random) -> None:
    """The files of a case of the corpus; its flow under some name, its tenant as one of two."""
    id, tenant = f"flow-{chance.randrange(4)}", chance.choice(TENANTS)
    for file in sorted(case.rglob("*.yaml")):
        path, data = file.relative_to(case).as_posix(), file.read_text("utf-8", "surrogateescape")
        if path == "flows/acme/flow.yaml":
            path, data = f"flows/{tenant}/{id}.yaml", data.replace("id: flow\n", f"id: {id}\n")
        elif path == "flows/acme/tenant.yaml":
            path, data = f"flows/{tenant}/tenant.yaml", data.replace("id: acme", f"id: {tenant}")
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(data, "utf-8", "surrogateescape")
