"""What a model is told of a vocabulary, and of the findings of its draft."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from trunkline.draft.placing import node_at
from trunkline.draft.vocabulary import Vocabulary
from trunkline.finding import Finding
from trunkline.source import Document
from trunkline_runtime.catalogue.entry import ToolEntry

_NONE = "none"


def about(words: Vocabulary) -> dict[str, str]:
    """The closed lists, as the prompts have them filled in."""
    return {
        "tenant": f"{words.tenant.id} ({words.tenant.written['display_name']})",
        "purposes": _listed(
            {
                name: f"{each['description']} ({each.get('direction', 'both directions')})"
                for name, each in words.purposes.items()
            }
        ),
        "facts": _listed(
            {
                name: f"{text}{' (a confirm step)' if name in words.confirmable else ''}"
                for name, text in words.facts.items()
            }
        ),
        "numbers": ", ".join(words.numbers) or _NONE,
        "outcomes": _listed(words.outcomes),
        "disclosures": ", ".join(words.disclosures) or _NONE,
        "rules": "\n".join(f"- {text}" for text in words.rules.values()) or _NONE,
    }


def in_short(tools: Iterable[ToolEntry]) -> str:
    """One line for each tool: enough to choose it."""
    return _listed({tool.id: f"{tool.description}{_effects(tool)}" for tool in tools})


def in_full(tools: Iterable[ToolEntry]) -> str:
    """What each tool takes, gives, needs and establishes."""
    return "\n".join(_in_full(tool) for tool in tools) or _NONE


def findings_text(findings: Iterable[Finding], document: Document | None) -> str:
    """The findings, each with its node, its line and what to write instead."""
    lines = document.text.splitlines() if document is not None else []
    return "\n".join(_finding(each, document, lines) for each in findings)


def _finding(finding: Finding, document: Document | None, lines: list[str]) -> str:
    where = ""
    if document is not None and finding.path == document.path:
        node = node_at(document, finding.line)
        line = lines[finding.line - 1].strip() if finding.line <= len(lines) else ""
        where = f" at node {node}" if node else ""
        where += f", line {finding.line} (`{line}`)"
    trace = f" Path: {' -> '.join(finding.trace)}." if finding.trace else ""
    help = f" {finding.help}" if finding.help else ""
    return f"- {finding.severity} {finding.code}{where}: {finding.message}.{trace}{help}"


def as_text(value: Mapping[str, Any]) -> str:
    """An answer as JSON on one line."""
    return json.dumps(value, ensure_ascii=False)


def _in_full(tool: ToolEntry) -> str:
    required = tool.parameters.get("required", ())
    arguments = [
        f"{name}: {schema.get('type', 'any')}{'' if name in required else ' (optional)'}"
        f"{' (must come from what the caller said)' if name in tool.spoken else ''}"
        for name, schema in tool.parameters.get("properties", {}).items()
    ]
    results = [
        f"{name}: {schema.get('type', 'any')}"
        for name, schema in tool.result.get("properties", {}).items()
    ]
    facts = [f"{fact} when {condition}" for fact, condition in tool.establishes.items()]
    return (
        f"- {tool.id}: {' '.join(tool.description.split())}{_effects(tool)}"
        f" Takes {', '.join(arguments) or 'nothing'}. Gives {', '.join(results) or 'nothing'}."
        + (f" Establishes {'; '.join(facts)}." if facts else "")
        + (f" Ends {', '.join(sorted(tool.revokes))}." if tool.revokes else "")
    )


def _effects(tool: ToolEntry) -> str:
    return f" [{', '.join(sorted(tool.effects))}]" if tool.effects else ""


def _listed(named: Mapping[str, str]) -> str:
    return "\n".join(f"- {name}: {' '.join(text.split())}" for name, text in named.items()) or _NONE
