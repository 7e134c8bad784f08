"""The comment says what was compared, which changed files it judges, and which it does not."""

from trunkline.diff.compared import Compared, sorted_files, told_name
from trunkline.diff.render.markdown import render_markdown
from trunkline.diff.report import Report, compare_revisions

from .conftest import Repository

INVOICE = "flows/acme/invoice.yaml"


def test_files_are_sorted_by_what_they_are() -> None:
    judged, others = sorted_files(
        [
            *(INVOICE, "flows/acme/tenant.yaml", "catalog/tools/crm/look.yaml"),
            *("policy/spend.yaml", "policy/accepted.yaml"),
            *("flows/acme/scenarios/invoice.yaml", "policy/tests/us.yaml", "policy/tests/ca.yaml"),
            *("docs/x.md", "README.md", ".github/workflows/check.yml", "tooling/a.py", "LICENSE"),
        ]
    )
    assert judged == (
        *("catalog/tools/crm/look.yaml", INVOICE, "flows/acme/tenant.yaml"),
        *("policy/accepted.yaml", "policy/spend.yaml"),
    )
    assert dict(others) == {
        **{"scenario test": 1, "policy test": 2, "document": 2},
        **{"workflow file": 1, "code file": 1, "other file": 1},
    }


def test_between_two_commits(repo: Repository) -> None:
    repo.edit(INVOICE, "start: greeting", "start:   greeting # where it begins")
    (repo.top / "README.md").write_text("More.\n", "utf-8")
    (repo.root / "flows/acme/scenarios").mkdir()
    scenarios = repo.root / "flows/acme/scenarios/invoice.yaml"
    scenarios.write_text("name: invoice\nscenarios: []\n", "utf-8")
    head = repo.commit()
    told = render_markdown(compare_revisions(repo.root, "main~1", "main"))
    assert told.startswith("**No change in calls.** What 5 flows compile to")
    assert f"`{INVOICE}` differs only in comments" in told
    assert f"→ `main` at `{head[:12]}`, 5 flows compiled." in told
    assert "Changed, and not judged here: 1 document and 1 scenario test." in told


def test_the_working_tree(repo: Repository) -> None:
    repo.edit("flows/bolt/questions.yaml", "say: Goodbye.", "say: Good day.")
    (repo.root / "flows/acme/extra.yaml").write_text("nothing: yet\n", "utf-8")
    report = compare_revisions(repo.root, "main", None)
    # Tenants that did not change are not read, and counted all the same.
    assert report.compared.flows == 6
    assert report.compared.judged == ("flows/acme/extra.yaml", "flows/bolt/questions.yaml")
    assert "`main` at `" in render_markdown(report)
    assert "→ `working tree`, 6 flows" in render_markdown(report)


def test_nothing_differs(repo: Repository) -> None:
    told = render_markdown(compare_revisions(repo.root, "main", "main"))
    assert told.split("\n")[0] == (
        "**No change in calls.** What 5 flows compile to, the catalogue, the policy, tenants and "
        "channels are the same: none of their files differs."
    )


def test_names_that_say_more_than_the_commit() -> None:
    commit = "4f0c1b6a3d9e"
    for revision, name in (
        *(("main", "main"), ("acme/v3", "acme/v3")),
        *(("HEAD", ""), ("HEAD^1", ""), ("main~2", ""), ("main@{1}", ""), ("4f0c1b6", "")),
    ):
        assert told_name(revision, commit) == name


def test_flows_are_listed_with_direction_and_nodes_and_many_are_folded(repo: Repository) -> None:
    repo.edit("flows/acme/tenant.yaml", '"+12025550101"', '"+12025550102"')
    report = compare_revisions(repo.root, "main", None)
    told = render_markdown(report)
    assert (
        "  In <code>acme/invoice</code> (outbound, at <code>human</code>), "
        "<code>acme/questions</code> (inbound, at <code>human</code>)"
    ) in told
    (change,) = report.changes
    assert change.nodes == (("human",), ("human",))


def test_nothing_is_said_of_what_is_not_known() -> None:
    assert render_markdown(Report("a", "b", ())).startswith("**No change in calls.**\n")
    compared = Compared(judged=tuple(f"flows/acme/f{number}.yaml" for number in range(9)), flows=9)
    assert "and 4 more differ only in" in render_markdown(Report("a", "b", (), compared=compared))
