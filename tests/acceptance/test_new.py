"""`trunkline new` writes files that pass the check as they are, and never over another."""

import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest

from trunkline.commands.main import run as trunkline

TOP = Path(__file__).parents[2]


@pytest.fixture
def shipped(tmp_path: Path) -> Path:
    for folder in ("flows", "catalog", "policy"):
        shutil.copytree(TOP / folder, tmp_path / folder)
    return tmp_path


@dataclass(frozen=True)
class Ran:
    exit_code: int
    output: str


class Commands:
    """Runs a command on a repository, with what it printed on either stream."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def __call__(self, root: Path, *words: str) -> Ran:
        code = trunkline(["-C", str(root), *words])
        return Ran(code, "".join(self._capsys.readouterr()))


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Commands:
    return Commands(capsys)


def test_a_new_tenant_and_flow_pass_the_check(run: Commands, shipped: Path) -> None:
    (shipped / ".github").mkdir()
    shutil.copy(TOP / ".github/owners.yaml", shipped / ".github")
    new = run(shipped, "new", "tenant", "maple-dental")
    assert new.exit_code == 0
    for said in (
        "trunkline new flow maple-dental ID",
        "trunkline codeowners",
        "a purpose in policy",
    ):
        assert said in new.output
    made = run(shipped, "new", "flow", "maple-dental", "reception")
    assert made.exit_code == 0, made.output
    checked = run(shipped, "check", "--strict")
    assert (checked.exit_code, checked.output) == (0, "No findings.\n")


def test_calls_that_no_purpose_allows_are_not_begun(run: Commands, shipped: Path) -> None:
    assert run(shipped, "new", "tenant", "maple-dental").exit_code == 0
    refused = run(shipped, "new", "flow", "maple-dental", "campaign", "--direction", "outbound")
    assert refused.exit_code == 2
    assert "have compliance grant one" in refused.output
    assert not (shipped / "flows/maple-dental/campaign.yaml").exists()


@pytest.mark.parametrize(
    ("tenant", "direction", "purpose"),
    [("harbor-medical", "inbound", "care"), ("northwind-energy", "outbound", "collections")],
)
def test_a_new_flow_has_a_purpose_that_was_granted(
    run: Commands, shipped: Path, tenant: str, direction: str, purpose: str
) -> None:
    made = run(shipped, "new", "flow", tenant, "second", "--direction", direction)
    assert made.exit_code == 0, made.output
    text = (shipped / f"flows/{tenant}/second.yaml").read_text()
    assert f"\npurpose: {purpose}\n" in text
    assert "{" not in text.replace("{{ tenant.display_name }}", "")
    checked = run(shipped, "check", "--strict")
    assert (checked.exit_code, checked.output) == (0, "No findings.\n")


def test_it_begins_an_empty_repository(run: Commands, tmp_path: Path) -> None:
    assert run(tmp_path, "new", "tenant", "acme").exit_code == 0
    for direction in ("inbound", "outbound"):
        made = run(tmp_path, "new", "flow", "acme", f"{direction}-one", "--direction", direction)
        assert made.exit_code == 0, made.output
    checked = run(tmp_path, "check", "--strict")
    assert (checked.exit_code, checked.output) == (0, "No findings.\n")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["tenant", "Acme"], "cannot be an id"),
        (["tenant", "../acme"], "cannot be an id"),
        (["tenant", "acme\n"], "cannot be an id"),
        (["tenant", "shared"], "take another id"),
        (["tenant", "northwind-energy"], "is there already"),
        (["flow", "northwind-energy", "overdue-invoice"], "is there already"),
        (["flow", "northwind-energy", "tenant"], "take another id"),
        (["flow", "northwind-enrgy", "x"], "did you mean"),
        (["flow", "nobody", "x"], "trunkline new tenant nobody"),
    ],
)
def test_what_cannot_be_made_is_one_message(
    run: Commands, shipped: Path, words: list[str], message: str
) -> None:
    before = {path: path.read_bytes() for path in shipped.rglob("*") if path.is_file()}
    refused = run(shipped, "new", *words)
    assert refused.exit_code == 2
    assert message.lower() in refused.output.lower()
    assert len(refused.output.strip().splitlines()) == 1
    assert {path: path.read_bytes() for path in shipped.rglob("*") if path.is_file()} == before
