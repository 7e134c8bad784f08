"""Disclosures in two revisions: exact words, by language, that no flow can reword."""

from collections.abc import Iterator, Mapping
from typing import Any

from trunkline.diff.change import Cause, Edit, FlowId
from trunkline.diff.phrases import ticked
from trunkline.diff.reached import Reached

Texts = Mapping[str, Any]
_HEAD = ("description", "source", "verified", "effective_from")


def disclosure_text_edits(before: Texts, after: Texts, reached: Reached) -> Iterator[Edit]:
    """The differences between the words of all disclosures."""
    for name in sorted(before.keys() | after.keys()):
        old, new = before.get(name, {}), after.get(name, {})
        texts = old.get("texts", {}), new.get("texts", {})
        for language in sorted(texts[0].keys() | texts[1].keys()):
            was, now = texts[0].get(language), texts[1].get(language)
            if was == now:
                continue
            if was is None:
                kind, told = "disclosure-text-added", "callers can now hear {} in {}"
            elif now is None:
                kind, told = "disclosure-text-removed", "callers can no longer hear {} in {}"
            else:
                kind, told = "disclosure-text-changed", "callers hear {} in {} in other words"
            yield Edit(
                kind,
                told.format(f"the disclosure {ticked(name)}", ticked(language)),
                part=f"disclosure {name} {language}",
                before=was,
                after=now,
                cause=Cause("policy", reached.path),
                affects=_speaking(name, language, reached),
            )
        head = [{key: one.get(key) for key in _HEAD} for one in (old, new)]
        if old and new and head[0] != head[1]:
            message = f"the disclosure {ticked(name)} has another description, source or date"
            yield Edit(
                "rule-reworded",
                message,
                part=f"disclosure {name}",
                before=head[0],
                after=head[1],
                cause=Cause("policy", reached.path),
            )


def _speaking(name: str, language: str, reached: Reached) -> tuple[FlowId, ...]:
    """The flows in that language that speak the disclosure."""
    return tuple(
        sorted(
            id
            for id, tables in reached.flows.items()
            for table in tables
            if table.get("language") == language
            and any(name in node.get("speak", ()) for node in table["nodes"].values())
        )
    )
