"""The rules of the house on who may import whom, read from the source of both packages."""

import ast
import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

TOP = Path(__file__).parents[2]
SOURCES = {"trunkline": TOP / "tooling", "trunkline_runtime": TOP / "runtime"}

# Where a machine keeps its state: a leaf that shared rooms may ask.
LEAVES = ("trunkline_runtime.state",)

# What the tooling may read of the runtime; its room `scenario`, which runs calls, may read all.
SHARED = tuple(
    f"trunkline_runtime.{room}" for room in ("catalogue", "expression", "policy", "schema", "table")
)
PRINTING = (
    "trunkline.report",
    "trunkline.diff.render",
    "trunkline.forge.render",
    "trunkline.scenario.demo",
    "trunkline.scenario.pytest_plugin",
)
RELEASE = "trunkline_runtime.release"
HEAVY = ("httpx", "langgraph", "livekit", "openai", "sqlalchemy")


@dataclass(frozen=True)
class Import:
    """One import: the module that has it, what it imports, and whether that is done on loading."""

    module: str
    imported: str
    line: int
    lazily: bool


def imports_of(module: str, source: str) -> Iterator[Import]:
    """Every import statement and every call of import_module or find_spec with a fixed name."""
    tree = ast.parse(source)
    lazy = {
        id(inner)
        for outer in ast.walk(tree)
        if isinstance(outer, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        for inner in ast.walk(outer)
    }
    typing_only = {
        id(inner)
        for outer in ast.walk(tree)
        if isinstance(outer, ast.If) and ast.unparse(outer.test).endswith("TYPE_CHECKING")
        for inner in ast.walk(outer)
    }
    for node in ast.walk(tree):
        lazily = id(node) in lazy or id(node) in typing_only
        for name in _imported(node):
            yield Import(module, name, getattr(node, "lineno", 0), lazily)


def _imported(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        assert node.level == 0, "imports are written out in full"
        return [f"{node.module}.{alias.name}" for alias in node.names]
    if isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] in (
        "import_module",
        "__import__",
    ):
        return [
            str(argument.value) for argument in node.args[:1] if isinstance(argument, ast.Constant)
        ]
    return []


@cache
def everything() -> list[Import]:
    """Every import of both packages."""
    found: list[Import] = []
    for package, above in SOURCES.items():
        for path in sorted((above / package).rglob("*.py")):
            module = ".".join(path.relative_to(above).with_suffix("").parts)
            found += imports_of(module, path.read_text(encoding="utf-8"))
    return found


def within(name: str, *rooms: str) -> bool:
    return any(name == room or name.startswith(f"{room}.") for room in rooms)


def broken(imports: list[Import], rule: str) -> list[str]:
    """Where `imports` breaks a rule: `module:line imports what`."""
    return [
        f"{each.module}:{each.line} imports {each.imported}"
        for each in imports
        if RULES[rule](each)
    ]


RULES = {
    "the runtime never imports the tooling or langgraph": lambda each: (
        within(each.module, "trunkline_runtime") and within(each.imported, "trunkline", "langgraph")
    ),
    "the tooling imports only what is shared": lambda each: (
        within(each.module, "trunkline")
        and not within(each.module, "trunkline.scenario")
        and within(each.imported, "trunkline_runtime")
        and not within(each.imported, *SHARED)
    ),
    "what is shared is light": lambda each: (
        within(each.module, *SHARED) and within(each.imported, *HEAVY)
    ),
    "what is shared rests on nothing that is not": lambda each: (
        within(each.module, *SHARED)
        and within(each.imported, "trunkline_runtime")
        and not within(each.imported, *SHARED, *LEAVES)
    ),
    "releases are pulled without LiveKit": lambda each: (
        within(each.module, "trunkline_runtime.release")
        and within(each.imported, *HEAVY, "trunkline_runtime.call", "trunkline_runtime.tools")
        and not within(each.imported, "httpx")
    ),
    "HTTP is loaded in one place, where a store is a registry": lambda each: (
        within(each.module, "trunkline_runtime.release")
        and (
            (within(each.imported, "httpx") and each.module != f"{RELEASE}.transport")
            or (within(each.imported, f"{RELEASE}.transport") and not each.lazily)
        )
    ),
    "langgraph is imported in the graph room, when something must be compiled": lambda each: (
        within(each.imported, "langgraph")
        and not (within(each.module, "trunkline.graph") and each.lazily)
    ),
    "openai is imported in the draft room, when a model is asked": lambda each: (
        within(each.module, "trunkline")
        and not within(each.module, "trunkline.scenario")
        and within(each.imported, "openai")
        and not (within(each.module, "trunkline.draft") and each.lazily)
    ),
    "results know nothing of printing": lambda each: (
        within(each.module, "trunkline")
        and not within(each.module, "trunkline.commands", *PRINTING)
        and within(each.imported, *PRINTING, "rich")
    ),
}


@pytest.mark.parametrize("rule", RULES)
def test_rule(rule: str) -> None:
    assert broken(everything(), rule) == []


@pytest.mark.parametrize(
    ("rule", "module", "source"),
    [
        (
            "the runtime never imports the tooling or langgraph",
            "trunkline_runtime.gate.window",
            "from trunkline.graph import build",
        ),
        (
            "the runtime never imports the tooling or langgraph",
            "trunkline_runtime.gate.window",
            "def f():\n    import langgraph.graph",
        ),
        (
            "the tooling imports only what is shared",
            "trunkline.checks.tl401",
            "from trunkline_runtime.gate import window",
        ),
        (
            "the tooling imports only what is shared",
            "trunkline.checks.tl401",
            "from trunkline_runtime import gate",
        ),
        (
            "the tooling imports only what is shared",
            "trunkline.checks.tl401",
            "import trunkline_runtime.tables",
        ),
        ("what is shared is light", "trunkline_runtime.policy.engine", "import httpx"),
        (
            "what is shared rests on nothing that is not",
            "trunkline_runtime.policy.engine",
            "import trunkline_runtime.failure",
        ),
        (
            "releases are pulled without LiveKit",
            "trunkline_runtime.release.pull",
            "import_module('livekit.agents')",
        ),
        (
            "HTTP is loaded in one place, where a store is a registry",
            "trunkline_runtime.release.pull",
            "def f():\n    import httpx",
        ),
        (
            "HTTP is loaded in one place, where a store is a registry",
            "trunkline_runtime.release.pull",
            "from trunkline_runtime.release.transport import HttpTransport",
        ),
        (
            "langgraph is imported in the graph room, when something must be compiled",
            "trunkline.graph.build",
            "import langgraph",
        ),
        (
            "langgraph is imported in the graph room, when something must be compiled",
            "trunkline.checks.tl201",
            "def f():\n    import langgraph",
        ),
        (
            "openai is imported in the draft room, when a model is asked",
            "trunkline.draft.server",
            "import openai",
        ),
        (
            "results know nothing of printing",
            "trunkline.release.publish",
            "from rich.table import Table",
        ),
    ],
)
def test_a_rule_that_is_broken_is_seen(rule: str, module: str, source: str) -> None:
    assert len(broken(list(imports_of(module, source)), rule)) == 1


def test_what_the_rules_allow_is_not_seen() -> None:
    allowed = [
        *imports_of("trunkline.graph.build", "def f():\n    from langgraph.graph import START"),
        *imports_of("trunkline.scenario.run", "from trunkline_runtime.call import state"),
        *imports_of("trunkline.checks.tl404", "from trunkline_runtime.expression import lexer"),
        *imports_of("trunkline_runtime.call.state", "import livekit.agents, trunkline_runtime"),
    ]
    assert [broken(allowed, rule) for rule in RULES] == [[]] * len(RULES)


_LOADED_BY = """
import json, sys
from importlib import import_module
run = import_module(sys.argv[1]).run
code = run(sys.argv[3:])
json.dump({"code": code, "modules": sorted(sys.modules)}, open(sys.argv[2], "w"))
"""


def loaded_by(package: str, tmp_path: Path, *arguments: str) -> tuple[int, set[str]]:
    """Exit code and top-level packages that a command has loaded by its end."""
    told = tmp_path / "loaded.json"
    command = [sys.executable, "-c", _LOADED_BY, f"{package}.commands.main", str(told), *arguments]
    subprocess.run(command, check=True, capture_output=True, cwd=tmp_path)
    found = json.loads(told.read_bytes())
    return found["code"], {name.split(".")[0] for name in found["modules"]}


def test_check_loads_neither_livekit_nor_openai(tmp_path: Path) -> None:
    repository = tmp_path / "repository"
    for part in ("flows", "catalog", "policy"):
        shutil.copytree(TOP / part, repository / part)
    code, modules = loaded_by("trunkline", tmp_path, "-C", str(repository), "check")
    assert code == 0
    assert "trunkline" in modules
    assert modules.isdisjoint({"livekit", "openai", "httpx", "sqlalchemy"})


def test_a_check_in_which_nothing_changed_loads_hardly_anything(tmp_path: Path) -> None:
    repository = tmp_path / "repository"
    for part in ("flows", "catalog", "policy"):
        shutil.copytree(TOP / "tests/examples/base" / part, repository / part)
    for _ in range(2):
        code, modules = loaded_by("trunkline", tmp_path, "-C", str(repository), "check")
        assert code == 0
    assert "click" in modules
    assert modules.isdisjoint({"yaml", "jsonschema", "rich", "langgraph", "cel_expr_python"})


def test_pulling_loads_neither_livekit_nor_langgraph(tmp_path: Path) -> None:
    code, modules = loaded_by("trunkline_runtime", tmp_path, "pull", "acme", "--from", "nowhere")
    assert code == 2
    assert "trunkline_runtime" in modules
    assert modules.isdisjoint({"livekit", "openai", "langgraph", "httpx", "trunkline"})


def test_help_of_the_runtime_loads_no_command(tmp_path: Path) -> None:
    code, modules = loaded_by("trunkline_runtime", tmp_path, "--help")
    assert code == 0
    assert modules.isdisjoint({"livekit", "openai", "jsonschema", "httpx"})
