"""All that is known of a flow, or of one node, for a person."""

from rich.console import Console
from rich.text import Text

from trunkline.graph.account import FlowAccount, NodeAccount, ToolAccount
from trunkline.graph.cap_loads import CapLoad
from trunkline.graph.worst_case import WorstCase
from trunkline.report.printable import printable
from trunkline.report.terminal import drawn

_ARROW = " ──▶ "
_MICROS = 1_000_000


def flow_text(about: FlowAccount) -> str:
    """The flow, its worst case, and for each node where it stands and how a call comes there."""
    return drawn(lambda console: _flow(console, about))


def node_text(about: NodeAccount) -> str:
    """Everything of one node: origin, what is known on entry, tools, neighbours, shortest path."""
    return drawn(lambda console: _node(console, about))


def _flow(console: Console, about: FlowAccount) -> None:
    console.print(Text(printable(about.name), style="bold"))
    for file in about.files:
        console.print(Text(f"  made of     {printable(file)}"))
    for line in _worst(about.worst):
        console.print(Text(f"  at worst    {line}"))
    for load in about.caps:
        console.print(Text(f"  of a cap    {_load(load)}", style=_style(load)))
    for node in about.nodes:
        console.print()
        _node(console, node)


def _node(console: Console, about: NodeAccount) -> None:
    mark = about.place.mark
    where = f"{printable(about.place.path)}:{mark.line}"
    console.print(Text.assemble((printable(about.id), "bold"), f"  {about.kind}  ", (where, "dim")))
    if about.path is None:
        console.print(Text("  no path leads here", style="bold red"))
    else:
        rows = [
            ("path", _ARROW.join(about.path)),
            ("proven", ", ".join(about.facts) or "nothing"),
            ("set", ", ".join(about.slots) or "nothing"),
        ]
        for title, text in rows:
            console.print(Text(f"  {title:11} {printable(text)}"))
    for tool in about.tools:
        console.print(Text(f"  tool        {printable(_tool(tool))}"))
    for title, nodes in (("comes from", about.comes_from), ("goes to", about.goes_to)):
        if nodes:
            console.print(Text(f"  {title:11} {printable(', '.join(nodes))}"))


def _tool(tool: ToolAccount) -> str:
    parts = [f"{tool.id}, at most {tool.max_calls} call{'' if tool.max_calls == 1 else 's'}"]
    parts += [f"effects: {', '.join(tool.effects)}"] if tool.effects else []
    parts += [f"needs: {', '.join(tool.requires)}"] if tool.requires else []
    parts += [f"can establish: {', '.join(tool.establishes)}"] if tool.establishes else []
    return "; ".join(parts)


def _worst(worst: WorstCase) -> list[str]:
    lines = [f"{worst.minutes:g} minutes"]
    lines += [f"{micros / _MICROS:.2f} {currency}" for currency, micros in worst.micros.items()]
    lines += [f"{count} calls with the effect {name}" for name, count in worst.calls.items()]
    return lines


def _load(load: CapLoad) -> str:
    used, most = load.micros / _MICROS, load.limit / _MICROS
    return f"{used:.2f} of {most:.2f} {load.currency} a {load.per} ({printable(load.rule)})"


def _style(load: CapLoad) -> str:
    return "bold red" if load.micros > load.limit else ""
