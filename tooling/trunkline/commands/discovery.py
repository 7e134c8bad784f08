"""Finds the commands among the modules of this package without importing them."""

import re
from functools import cached_property
from importlib import import_module
from pathlib import Path

import click

from trunkline.nearest import did_you_mean

_FIRST_LINE = re.compile(r"`trunkline (?P<name>[a-z-]+)`: (?P<help>.+)")


class CommandsByName(click.Group):
    """A group whose commands are modules, imported when they are run: `check` loads no other."""

    @cached_property
    def helps(self) -> dict[str, str]:
        """Command → what it does, from the first line of its module."""
        import ast  # only help asks for it

        found = {}
        for file in sorted(Path(__file__).parent.glob("*.py")):
            docstring = ast.get_docstring(ast.parse(file.read_bytes())) or ""
            match = _FIRST_LINE.match(docstring)
            if match is not None and match["name"] == _name(file.stem):
                found[match["name"]] = match["help"]
        return found

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.helps)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if not _is_command(cmd_name):
            return None
        module = import_module(f"{__package__}.{cmd_name.replace('-', '_')}")
        command = module.command
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and not args[0].startswith("-") and not _is_command(args[0]):
            hint = did_you_mean(args[0], self.helps) or f"Known: {', '.join(self.helps)}."
            ctx.fail(f"there is no command {args[0]!r}. {hint}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(self.helps.items()))


def _name(stem: str) -> str:
    return stem.replace("_", "-")


def _is_command(name: str) -> bool:
    """True if a module of that name says that it is a command; only that file is looked at."""
    if re.fullmatch(r"[a-z-]+", name) is None:
        return False
    file = Path(__file__).with_name(f"{name.replace('-', '_')}.py")
    return file.is_file() and f'"""`trunkline {name}`: ' in file.read_text(encoding="utf-8")
