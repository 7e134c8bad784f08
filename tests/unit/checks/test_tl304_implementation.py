"""TL304: Python functions that are not there, paths that cannot be filled in; nothing is run."""

from pathlib import Path

import pytest

FLOW = "start: done\nnodes: {done: {kind: end, outcome: done}}\n"
ENTRY = """schema_version: 1
id: own
description: A tool.
parameters:
  type: object
  additionalProperties: false
  required: [name]
  properties:
    name: {type: string}
    note: {type: string}
    parts: {type: array, items: {type: string}}
    place: {type: object, properties: {zip: {type: string}}}
result: {type: object, properties: {}}
effects: []
run: RUN
"""
OWN = "catalog/tools/crm/own.yaml"
TAKES = "def find(name, note=None, parts=None, place=None): ..."


def entry(run: str, mark: str = "") -> dict[str, str]:
    return {OWN: ENTRY.replace("RUN", f"{run}{mark}")}


def python(source: str, mark: str = "", named: str = "my_tools:find") -> dict[str, str]:
    return {**entry(f"{{python: '{named}'}}", mark), "my_tools.py": source}


@pytest.mark.parametrize(
    "source",
    [
        TAKES,
        "async def find(*, name, **rest): ...",
        "def find(**everything): ...",
        "if True:\n    def find(name, note='', parts=(), place=None): ...",
        "try:\n    from fast import find\nexcept ImportError:\n    find = None",
        "from elsewhere import search as find",
        "from elsewhere import *",
        "find = make()",
        "find: object = make()",
        "class find: ...",
        # What a decorator makes of it nobody can read.
        "@cached\ndef find(x): ...",
    ],
)
def test_functions_that_are_there(judge, source: str) -> None:
    judge(FLOW, python(source))


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("", "has no function `find`"),
        ("def fnid(name): ...", "has no function `find`"),
        ("def outer():\n    def find(name): ...", "has no function `find`"),
        ("class Tools:\n    def find(self, name): ...", "has no function `find`"),
        ("def find(:", "cannot be read as Python"),
        ("def find(name): ...\n\0", "cannot be read as Python"),
        ("(" * 100_000, "cannot be read as Python"),
        ("def find(name): ...", "does not take `note`, `parts` and `place`"),
        (TAKES.replace("note=None", "note"), "needs `note`, which the tool may not pass"),
        (TAKES.replace("(name", "(name, account"), "needs `account`, which the tool may not pass"),
        (TAKES.replace("(name,", "(name, /,"), "does not take `name`"),
    ],
)
def test_functions_that_are_not(judge, source: str, said: str) -> None:
    if "note" in source and "note=None" not in source:
        source = source.replace("parts=None, place=None", "parts, place")
    found = judge(FLOW, python(source, "  #! TL304"))
    assert said.split(",")[0] in found[0].message


def test_a_module_is_found_in_the_repository_and_among_what_is_installed(judge) -> None:
    ok = {"src/deep/__init__.py": "", "src/deep/inner.py": TAKES}
    judge(FLOW, {**entry("{python: 'deep.inner:find'}"), **ok})
    judge(FLOW, entry("{python: 'no_such_module:find'}", "  #! TL304"))
    judge(FLOW, entry("{python: 'math:sqrt'}", "  #! TL304"))
    found = judge(FLOW, entry("{python: 'json.decoder:no_such_function'}", "  #! TL304"))
    assert found[0].message == "the module `json.decoder` has no function `no_such_function`"


def test_nothing_of_the_repository_is_run(judge, tmp_path: Path) -> None:
    trap = tmp_path / "sprung"
    source = f"open({str(trap)!r}, 'w').close()\n{TAKES}\n"
    files = {
        **entry("{python: 'pack.tools:find'}"),
        "pack/__init__.py": source,
        "pack/tools.py": source,
    }
    judge(FLOW, files)
    assert not trap.exists()


def test_a_module_that_is_too_large_is_not_read(judge) -> None:
    judge(FLOW, python("#" * 1_100_000, "  #! TL304"))


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("/a/{args.name}", None),
        ("/a/{ args.name }/b", None),
        ("/a/{args.nmae}", "`args.nmae` is not an argument of own"),
        ("/a/{name}", "`name` is not an argument of own"),
        ("/a/{args.note}", "`args.note` may be missing"),
        ("/a/{args.place.zip}", "`args.place.zip` may be missing"),
        ("/a/{args.name", "a brace of this path has no other half"),
        ("/a/args.name}", "a brace of this path has no other half"),
        ("/a/../b", "this path climbs out"),
    ],
)
def test_paths(judge, path: str, said: str | None) -> None:
    mark = "  #! TL304" if said else ""
    found = judge(FLOW, entry(f"{{http: {{method: GET, path: '{path}'}}}}", mark))
    assert [each.message.startswith(said) for each in found] == [True] * bool(said)


def test_a_list_cannot_stand_in_a_path(judge) -> None:
    files = entry("{http: {method: GET, path: '/a/{args.parts}'}}", "  #! TL304")
    listed = {path: text.replace("[name]", "[name, parts]") for path, text in files.items()}
    (finding,) = judge(FLOW, listed)
    assert "is not one value" in finding.message


def test_the_answer_of_a_subagent_is_held_to_a_schema_too(judge) -> None:
    subagent = entry("{subagent: {instructions: Think.}}")
    judge(FLOW, subagent)
    text = subagent[OWN].replace(
        "result: {type: object, properties: {}}",
        "result: {type: object, minProperties: 1, properties: {}}  #! TL304",
    )
    judge(FLOW, {OWN: text})
    http = text.replace("{subagent: {instructions: Think.}}", "{http: {method: GET, path: /a}}")
    judge(FLOW, {OWN: http.replace("  #! TL304", "")})
