"""The scenario files of a repository: which flow each is about, and where its scenarios stand."""

from collections.abc import Sequence
from dataclasses import dataclass

from trunkline.failure import FatalError
from trunkline.nearest import did_you_mean
from trunkline.source.document import Document
from trunkline.source.repository import Sources
from trunkline_runtime.script.scenario import Scenario


@dataclass(frozen=True)
class Suite:
    """The scenarios of one flow; `lines` are where their labels stand in the file `path`.

    `fault` says why none of them can be played: the file cannot be relied on.
    """

    tenant: str
    flow: str
    path: str
    scenarios: tuple[Scenario, ...] = ()
    lines: tuple[int, ...] = ()
    fault: str | None = None
    fault_line: int = 1

    @property
    def name(self) -> str:
        return f"{self.tenant}/{self.flow}"

    @classmethod
    def of(cls, document: Document) -> "Suite":
        """The suite of a file that fits its schema."""
        written = document.data["scenarios"]
        return cls(
            tenant=document.tenant or "",
            flow=document.stem,
            path=document.path,
            scenarios=tuple(Scenario.from_document(each) for each in written),
            lines=tuple(
                document.mark(("scenarios", index, "label"), of="key").line
                for index in range(len(written))
            ),
        )


def suites_of(sources: Sources, names: Sequence[str] = ()) -> tuple[Suite, ...]:
    """The suites of a repository, or of the tenants and flows that `names` says, by path.

    A file with errors gives a suite with a `fault`. Raises FatalError for a name that is neither
    a tenant nor a flow, and for a flow without scenarios.
    """
    found = [Suite.of(document) for document in sources.of_kind("scenarios")]
    found += [_broken(path, sources) for path in sources.broken if "/scenarios/" in path]
    chosen: dict[str, Suite] = {}
    for name in names or ("",):
        wanted = [suite for suite in found if not name or _is_of(suite, name)]
        if name and not wanted:
            raise FatalError(_nothing(name, found, sources))
        chosen.update({suite.path: suite for suite in wanted})
    return tuple(suite for _, suite in sorted(chosen.items()))


def _is_of(suite: Suite, name: str) -> bool:
    return name in (suite.tenant, suite.name)


def _broken(path: str, sources: Sources) -> Suite:
    _, tenant, _, file = path.split("/")
    first = next(finding for finding in sources.findings if finding.path == path)
    told = f"line {first.line}, column {first.column}: {first.message}. {first.help or ''}".rstrip()
    return Suite(tenant, file.removesuffix(".yaml"), path, fault=told, fault_line=first.line)


def _nothing(name: str, found: Sequence[Suite], sources: Sources) -> str:
    tenant, slash, flow = name.partition("/")
    flows = {f"{document.tenant}/{document.stem}" for document in sources.of_kind("flow")}
    if slash and name in flows:
        return f"{name} has no scenarios yet: write flows/{tenant}/scenarios/{flow}.yaml"
    known = {suite.name for suite in found} | {suite.tenant for suite in found}
    hint = did_you_mean(name, known) or f"Known: {', '.join(sorted(known)) or 'none'}."
    return f"there are no scenarios of {name!r}. {hint}"
