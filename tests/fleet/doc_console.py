"""The console blocks of a document, run in order, each line of their output compared.

In a block ```console a line `$ …` is a command, with its continuations after `\\`; the lines below
it are what it prints. `…` stands for any text within a line, and for any lines where it stands
alone. `? 1` as the last line is the exit code, where it is not 0. `<!-- stage: NAME -->` is
something that happens outside the terminal.
"""

import os
import re
import subprocess
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

_BLOCK = re.compile(r"^```console\n(.*?)^```$|^<!-- stage: (.+?) -->$", re.DOTALL | re.MULTILINE)
_END = "--- the command has ended ---"


@dataclass(frozen=True)
class Step:
    """A command with what it prints, or a stage."""

    line: int
    command: str | None
    expected: tuple[str, ...] = ()
    code: int = 0
    stage: str | None = None


def steps(document: Path) -> Iterator[Step]:
    """What a document has to be tried, in its order."""
    text = document.read_text(encoding="utf-8")
    for found in _BLOCK.finditer(text):
        line = text.count("\n", 0, found.start()) + 1
        if found[2] is not None:
            yield Step(line, None, stage=found[2])
        else:
            yield from _commands(found[1].splitlines(), line + 1)


def _commands(lines: list[str], first: int) -> Iterator[Step]:
    at = 0
    while at < len(lines):
        assert lines[at].startswith("$ "), f"line {first + at} is no command: {lines[at]}"
        start, command = at, lines[at][2:]
        while command.endswith("\\"):
            at += 1
            command = command[:-1] + lines[at].strip()
        at += 1
        output = []
        while at < len(lines) and not lines[at].startswith("$ "):
            output.append(lines[at])
            at += 1
        code = 0
        if output and output[-1].startswith("? "):
            code = int(output.pop()[2:])
        yield Step(first + start, command, tuple(output), code)


class Shell:
    """One bash that stays, so that what one block exports the next one has."""

    def __init__(self, folder: Path, environment: Mapping[str, str]) -> None:
        self._bash = subprocess.Popen(
            ["bash", "--norc"],
            cwd=folder,
            env={**os.environ, **environment},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def run(self, command: str) -> tuple[int, list[str]]:
        """The exit code of a command and what it printed, to either stream."""
        assert self._bash.stdin is not None
        assert self._bash.stdout is not None
        self._bash.stdin.write(f"{command}\ncode=$?; echo; echo '{_END}' $code\n")
        self._bash.stdin.flush()
        lines: list[str] = []
        while not (line := self._bash.stdout.readline()).startswith(_END):
            assert line, f"bash ended in {command!r} after {lines}"
            lines.append(line.rstrip())
        # The empty line that the marker begins with, and those that the output ends with.
        while lines and not lines[-1]:
            lines.pop()
        return int(line.split()[-1]), lines

    def close(self) -> None:
        self._bash.kill()
        self._bash.wait()


def differs(expected: tuple[str, ...], printed: list[str]) -> bool:
    """True if the output is not what the document shows."""
    pattern = []
    for line in expected:
        if line.strip() == "…":
            pattern.append(r"(?:.*\n)*?")
        else:
            spaced = re.escape(line.strip()).replace("…", ".*?")
            pattern.append(r"\s*" + re.sub(r"(?:\\ )+", r"\\s+", spaced) + r"\s*\n")
    text = "".join(f"{line}\n" for line in printed)
    return re.fullmatch("".join(pattern), text) is None


def tried(
    document: Path,
    shell: Shell,
    stages: Mapping[str, Callable[[], None]],
    written: Mapping[str, str],
) -> int:
    """Runs a document; `written` says what stands for its example names. Counts the commands."""
    count = 0
    for step in steps(document):
        if step.stage is not None:
            stages[step.stage]()
            continue
        command, expected = _spelled(step, written)
        code, printed = shell.run(command)
        where = f"{document.name}:{step.line}"
        shown = "\n".join(printed)
        assert code == step.code, f"{where}: `{command}` ended with {code}:\n{shown}"
        assert not differs(expected, printed), (
            f"{where}: `{command}` printed\n{shown}\n\nand not\n" + "\n".join(expected)
        )
        count += 1
    return count


def _spelled(step: Step, written: Mapping[str, str]) -> tuple[str, tuple[str, ...]]:
    command, expected = step.command or "", list(step.expected)
    for example, real in written.items():
        command = command.replace(example, real)
        expected = [line.replace(example, real) for line in expected]
    return command, tuple(expected)
