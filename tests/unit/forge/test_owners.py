"""CODEOWNERS: the committed file is fresh, and each fault of owners.yaml has one clear message."""

from pathlib import Path

import pytest

from trunkline.commands.main import run
from trunkline.failure import FatalError
from trunkline.forge.owners import Owners, codeowners, read_owners, tenants_of

ROOT = Path(__file__).parents[3]
OWNERS = Owners("@acme/platform", "@acme/compliance", "@acme/{tenant}", {"two": "@two-lead"})


def test_the_committed_file_is_what_the_tenants_make_of_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["-C", str(ROOT), "codeowners", "--check"]) == 0
    assert capsys.readouterr().out == ".github/CODEOWNERS is fresh\n"


def test_of_the_lines_that_match_a_path_the_last_names_who_must_review() -> None:
    assert codeowners(OWNERS, ["two", "one"]) == (
        "# Made by `trunkline codeowners` from .github/owners.yaml and the tenants.\n"
        "*                    @acme/platform\n"
        "/flows/              @acme/platform\n"
        "/flows/one/          @acme/one\n"
        "/flows/two/          @two-lead\n"
        "/flows/shared/       @acme/platform\n"
        "/catalog/            @acme/compliance\n"
        "/policy/             @acme/compliance\n"
        "/schemas/            @acme/platform\n"
        "/tooling/            @acme/platform\n"
        "/runtime/            @acme/platform\n"
        "/.github/            @acme/platform\n"
        "/.github/owners.yaml @acme/compliance\n"
        "/.github/CODEOWNERS  @acme/compliance\n"
    )


def test_an_owner_of_a_tenant_that_is_gone_is_said() -> None:
    with pytest.raises(FatalError, match="there is no tenant of that name"):
        codeowners(OWNERS, ["one"])


def repository(folder: Path, owners: str | None, *tenants: str) -> Path:
    for tenant in tenants:
        (folder / "flows" / tenant).mkdir(parents=True)
        (folder / "flows" / tenant / "tenant.yaml").touch()
    (folder / ".github").mkdir()
    if owners is not None:
        (folder / ".github/owners.yaml").write_text(owners, encoding="utf-8")
    return folder


GOOD = (
    'platform: "@acme/platform"\ncompliance: "@acme/compliance @lead"\ntenant: "@acme/{tenant}"\n'
)


@pytest.mark.parametrize(
    ("owners", "message"),
    [
        (None, "there is no .github/owners.yaml: write there, for example"),
        ("platform: [", ".github/owners.yaml can't be read: "),
        ("- one", ".github/owners.yaml is no mapping"),
        (GOOD.replace("tenant:", "team:"), "has the unknown key team"),
        (GOOD.replace('platform: "@acme/platform"\n', ""), "names no platform"),
        (GOOD.replace("@acme/platform", "platform team"), "platform is no owner that GitHub knows"),
        (GOOD.replace("@acme/platform", ""), "platform is no owner that GitHub knows"),
        (GOOD + "tenants: [one]\n", "tenants maps a tenant's id to its owner"),
        (GOOD + "tenants: {one: 7}\n", "tenants.one is no owner that GitHub knows"),
    ],
)
def test_a_fault_of_owners_yaml_has_one_clear_message(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], owners: str | None, message: str
) -> None:
    root = repository(tmp_path, owners, "one")
    assert run(["-C", str(root), "codeowners"]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert message in said.err
    assert len(said.err.splitlines()) == 1
    assert not (root / ".github/CODEOWNERS").exists()


def test_a_new_tenant_makes_the_file_stale_until_it_is_written_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root = repository(tmp_path, GOOD, "one")
    assert run(["-C", str(root), "codeowners"]) == 0
    before = (root / ".github/CODEOWNERS").read_bytes()
    (root / "flows/two").mkdir()
    (root / "flows/two/tenant.yaml").touch()
    assert tenants_of(root) == ("one", "two")
    assert run(["-C", str(root), "codeowners", "--check"]) == 1
    assert (root / ".github/CODEOWNERS").read_bytes() == before
    assert "run `trunkline codeowners` and commit it" in capsys.readouterr().out
    assert run(["-C", str(root), "codeowners"]) == 0
    assert run(["-C", str(root), "codeowners", "--check"]) == 0
    assert read_owners(root).compliance == "@acme/compliance @lead"
