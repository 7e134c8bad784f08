"""The entry point: every failure is one message and an exit code, and little is loaded."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import click
import pytest

from trunkline.commands import check as check_module
from trunkline.commands.main import run
from trunkline.commands.main import trunkline as group

Trunkline = Callable[..., tuple[int, str, str]]


def test_a_bug_is_told_as_one(trunkline: Trunkline, monkeypatch: pytest.MonkeyPatch) -> None:
    def breaks(root: Path, day: object, clean: bool) -> None:
        raise ZeroDivisionError("the inside")

    monkeypatch.setattr(check_module, "check_repository", breaks)
    code, out, err = trunkline("check")
    assert (code, out) == (3, "")
    assert "this is a bug of Trunkline (ZeroDivisionError)" in err
    assert "Traceback" not in err
    monkeypatch.setenv("TRUNKLINE_DEBUG", "1")
    with pytest.raises(ZeroDivisionError):
        trunkline("check")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["chek"], "there is no command 'chek'. Did you mean `check`?"),
        (["main"], "there is no command 'main'."),
        (["../check"], "there is no command '../check'."),
        (["check", "--format", "xml"], "Invalid value for '--format'"),
        (["check", "--strickt"], "No such option"),
        (["explain"], "Missing argument"),
        (["-C"], "Option '-C' requires an argument"),
    ],
)
def test_wrong_usage(arguments: list[str], message: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(arguments) == 2
    assert message in capfd.readouterr().err


@pytest.mark.parametrize(
    ("code", "message"),
    [("TL999", "there is no such check"), ("zebra", "this is neither a code")],
)
def test_explain_what_is_not_there(trunkline: Trunkline, code: str, message: str) -> None:
    exit_code, out, err = trunkline("explain", code)
    assert (exit_code, out) == (2, "")
    assert message in err


@pytest.mark.parametrize("code", ["TL001", "tl401"])
def test_explain_a_code(trunkline: Trunkline, code: str) -> None:
    exit_code, out, _ = trunkline("explain", code)
    assert exit_code == 0
    assert out.startswith(code.upper())
    assert "Why it matters on the phone" in out


def test_help_names_every_command(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["--help"]) == 0
    out = capfd.readouterr().out
    context = click.Context(group)
    names = group.list_commands(context)
    assert {"check", "compile", "explain"} <= set(names)
    for name in names:
        assert f"\n  {name} " in out
        assert group.get_command(context, name) is not None


def test_an_interrupt(trunkline: Trunkline, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(root: Path, day: object, clean: bool) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(check_module, "check_repository", interrupted)
    code, out, err = trunkline("check")
    assert (code, out, err.strip()) == (130, "", "trunkline: interrupted")


def test_a_reader_that_has_seen_enough(repository: Path) -> None:
    """`trunkline … | head -1` ends without a traceback."""
    command = [sys.executable, "-c", "from trunkline.commands.main import main; main()"]
    with subprocess.Popen(
        [*command, "explain", "TL401"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        process.stdout.close()
        assert process.stderr is not None
        assert process.stderr.read() == b""


_LOADED = """
import sys
from trunkline.commands.main import run
code = run(sys.argv[1:])
names = {name.split('.')[0] for name in sys.modules}
print(sorted(names & {'livekit', 'openai', 'langgraph', 'httpx', 'sqlalchemy', 'rich'}))
"""


@pytest.mark.parametrize(
    ("arguments", "loaded"),
    [(["--help"], []), (["explain", "TL001"], ["rich"]), (["check", "--format", "json"], [])],
)
def test_little_is_loaded(repository: Path, arguments: list[str], loaded: list[str]) -> None:
    """No call is run here, so neither LiveKit nor OpenAI; without flows no LangGraph either."""
    ran = subprocess.run(
        [sys.executable, "-c", _LOADED, "-C", str(repository), *arguments],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "NO_COLOR": "1"},
    )
    assert ran.stdout.splitlines()[-1] == str(loaded)


def test_check_on_flows_loads_neither_livekit_nor_openai(
    repository: Path, put: Callable[[str], Path]
) -> None:
    put("graph/good")
    ran = subprocess.run(
        [sys.executable, "-c", _LOADED, "-C", str(repository), "check"],
        capture_output=True,
        text=True,
        check=True,
    )
    loaded = ran.stdout.splitlines()[-1]
    assert "livekit" not in loaded
    assert "openai" not in loaded


@pytest.mark.parametrize(
    ("redirected", "code", "message"),
    [
        (">/dev/full", 2, "trunkline: it cannot be written: No space left on device\n"),
        (">&-", 0, ""),  # closed: nobody wants to read it
    ],
)
def test_where_the_output_cannot_go(redirected: str, code: int, message: str) -> None:
    command = f"{Path(sys.executable).with_name('trunkline')} explain TL401 {redirected}"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (code, "", message)
