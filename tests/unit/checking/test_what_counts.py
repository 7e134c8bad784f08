"""Each thing that a finding rests on: when it changes, so does what the next check finds."""

from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from trunkline.checking import check, compiler
from trunkline.checking.check import check_repository
from trunkline.finding import Finding

Same = Callable[..., tuple[Finding, ...]]
Put = Callable[[str, str | None], None]
DAY = date(2026, 11, 29)
OBLIGATION = """
schema_version: 1
obligations:
  - id: human
    kind: human
    level: {}
    description: A human can be reached.
    source: company policy
    verified: "2026-01-01"
    effective_from: "2026-06-01"
"""
PART = """
schema_version: 1
id: part
exits: [out]
start: ask
nodes:
  ask:
    instructions: {}
    edges: [{{to: {}}}]
"""
LINK = "kind: link, flow: {}"
LINK_WITH = "kind: link, flow: {}, with: {{{}: '\"x\"'}}"


def codes(found: tuple[Finding, ...]) -> list[str]:
    return [finding.code for finding in found]


@pytest.fixture
def flows(flow: Callable[..., None], same: Same) -> None:
    """Two flows that have nothing to do with each other."""
    flow("one")
    flow("two")
    assert same() == ()


@pytest.mark.usefixtures("flows")
class TestOfTwoFlows:
    def test_the_flow(self, flow: Callable[..., None], same: Same) -> None:
        flow("one", "kind: end, outcome: nowhere")
        assert codes(same()) == ["TL103"]

    def test_the_tenant(self, flow: Callable[..., None], put: Put, same: Same) -> None:
        flow("one", "kind: transfer, number: support, mode: cold, on_failure: hello")
        same()
        put("flows/acme/tenant.yaml", None)
        assert "TL101" in codes(same())

    def test_outcomes(self, put: Put, same: Same) -> None:
        put("catalog/outcomes.yaml", "schema_version: 1\noutcomes: {over: {description: Over.}}\n")
        assert codes(same()) == ["TL103", "TL103"]

    def test_the_policy(self, put: Put, same: Same) -> None:
        put(
            "policy/obligations.yaml",
            OBLIGATION.format("mandatory"),
        )
        assert codes(same()) == ["TL501", "TL501"]

    def test_another_flow_of_a_name_that_a_link_gives(
        self, flow: Callable[..., None], put: Put, same: Same
    ) -> None:
        flow("one", LINK.format("three"))
        assert codes(same()) == ["TL103"]
        flow("three")
        assert same() == ()
        put("flows/acme/three.yaml", None)
        assert codes(same()) == ["TL103"]

    def test_the_flow_that_a_link_leads_to(self, flow: Callable[..., None], same: Same) -> None:
        flow("one", LINK.format("two"))
        assert same() == ()
        flow("two", LINK.format("one"))
        found = same()
        flow("two", LINK_WITH.format("one", "absent"))
        assert len(same()) == len(found) + 1

    def test_a_link_in_a_third_flow(
        self, flow: Callable[..., None], put: Put, same: Same, repository: Path
    ) -> None:
        """A slot that a link fills was said by nobody, so what rests on its being said falls."""
        case = Path(__file__).parents[2] / "examples/TL403/failing"
        said = next(each for each in sorted(case.iterdir()) if "link" in each.name)
        for file in sorted(said.rglob("*.yaml")):
            put(file.relative_to(said).as_posix(), file.read_text("utf-8"))
        assert "TL403" in codes(same())
        holder = next(
            file
            for file in sorted((repository / "flows/acme").glob("*.yaml"))
            if "kind: link" in file.read_text("utf-8")
        )
        put(holder.relative_to(repository).as_posix(), None)
        assert "TL403" not in codes(same())

    def test_a_shared_flow(self, flow: Callable[..., None], put: Put, same: Same) -> None:
        flow("one", "kind: subflow, flow: shared/part, exits: {out: hello}")
        assert "TL103" in codes(same())
        put("flows/shared/part.yaml", PART.format("Ask.", "exit/out"))
        assert "TL103" not in codes(same())
        put("flows/shared/part.yaml", PART.format("Ask.", "exit/in"))
        assert "TL103" in codes(same())

    def test_a_fault_in_a_shared_flow_tells_how_many_it_affects(
        self, flow: Callable[..., None], put: Put, same: Same
    ) -> None:
        put("flows/shared/part.yaml", PART.format("Call 202 555 0100.", "exit/out"))
        use = "kind: subflow, flow: shared/part, exits: {out: hello}"
        for count, id in enumerate(("one", "two"), start=1):
            flow(id, use)
            found = [each for each in same() if each.code == "TL601"]
            assert [f"affects {count} flow" in each.message for each in found] == [True]

    def test_an_id_that_another_tool_has(self, put: Put, same: Same, repository: Path) -> None:
        tool = (repository / "catalog/tools/crm/look_up.yaml").read_text("utf-8")
        put("catalog/tools/other/look_up.yaml", tool)
        assert "TL102" in codes(same())
        put("catalog/tools/other/look_up.yaml", None)
        assert same() == ()

    def test_the_source_of_a_python_tool(self, put: Put, same: Same, repository: Path) -> None:
        tool = (repository / "catalog/tools/crm/look_up.yaml").read_text("utf-8")
        put(
            "catalog/tools/crm/look_up.yaml",
            tool[: tool.index("run:")] + "run: {python: own:go}\n",
        )
        assert codes(same()) == ["TL304"]
        put("own.py", "def go(**given): ...\n")
        assert same() == ()
        put("own.py", "def come(**given): ...\n")
        assert codes(same()) == ["TL304"]

    def test_a_comment_that_ignores_nothing(self, put: Put, same: Same, repository: Path) -> None:
        text = (repository / "flows/acme/one.yaml").read_text("utf-8")
        put("flows/acme/one.yaml", f"# trunkline: ignore[TL303] why not\n{text}")
        assert codes(same()) == ["TL106"]

    def test_scenarios_and_channels(self, put: Put, same: Same) -> None:
        put("flows/acme/channels.yaml", "schema_version: 1\nstable: 1\n")
        assert codes(same()) == ["TL101"]
        put("flows/acme/scenarios/one.yaml", "scenarios: 1\n")
        assert codes(same()) == ["TL101", "TL101"]

    def test_the_day(self, put: Put, same: Same) -> None:
        put(
            "policy/obligations.yaml",
            OBLIGATION.format("overridable"),
        )
        put(
            "policy/exceptions.yaml",
            "schema_version: 1\nexceptions:\n  - {rule: human, target: {tenant: acme, flow: one}, "
            "reason: R., owner: o@acme.example, approver: a@acme.example, "
            'created: "2026-07-01", expires: "2026-07-31"}\n',
        )
        told = {
            day: codes(same(date.fromisoformat(day)))
            for day in (
                *("2026-05-31", "2026-06-01", "2026-06-02", "2026-06-30", "2026-07-01"),
                *("2026-07-16", "2026-07-17", "2026-07-31", "2026-08-01", "2026-12-01"),
            )
        }
        counts = [each.count("TL501") for each in told.values()]
        assert counts == [0, 2, 2, 2, 1, 1, 1, 1, 2, 2]

    def test_the_compiler(self, repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        done: list[str] = []
        real = check_repository.__globals__["_found"]
        monkeypatch.setattr(check, "_found", lambda *asked: done.append("asked") or real(*asked))
        before = compiler.compiler_digest()
        assert before == compiler.compiler_digest()
        monkeypatch.setattr(compiler.sys, "version", "another Python")
        assert compiler.compiler_digest() != before
        assert check_repository(repository, DAY) == ()
        assert done == ["asked"]


def test_the_compiler_is_its_sources_its_schemas_and_what_is_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = [file.rsplit("/", 1)[-1] for file in compiler._files()]
    assert {"tl401_unproven_tool.py", "changed.py", "flow.schema.json", "clock.py"} <= set(files)
    before = compiler.compiler_digest()
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "langgraph-99.dist-info").mkdir()
    assert compiler.compiler_digest() != before
