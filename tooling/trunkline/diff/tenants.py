"""Tenants and channels in two revisions: numbers, systems, hours, voice, what takes calls."""

from collections.abc import Iterator, Mapping
from typing import Any

from trunkline.diff.change import Edit
from trunkline.diff.mask import masked_number
from trunkline.diff.phrases import shown, ticked

Written = Mapping[str, Any]
_NOTHING: Written = {}
_PLAIN: Mapping[str, tuple[str, str]] = {
    "display_name": ("display-name-changed", "callers hear another name"),
    "timezone": ("timezone-changed", "the time zone is another"),
    "hours": ("hours-changed", "the opening hours are others"),
}
# `policy` is compared as policy; `id` is the folder's name.
_COMPARED = frozenset(_PLAIN) | {
    *("schema_version", "id", "connections", "numbers", "inbound", "voice", "vars", "policy"),
}


def tenant_edits(before: Written, after: Written) -> Iterator[Edit]:
    """The differences between two versions of one tenant's settings, its policy aside."""
    for key, (kind, message) in _PLAIN.items():
        old, new = before.get(key), after.get(key)
        if old != new:
            told = f"{message}: {shown(new)} instead of {shown(old)}"
            yield Edit(kind, told, part=key, before=old, after=new)
    yield from _number_edits(before.get("numbers", _NOTHING), after.get("numbers", _NOTHING))
    yield from _inbound_edits(before.get("inbound", _NOTHING), after.get("inbound", _NOTHING))
    yield from _named(before, after, "connections", "connection", "connection-setting-changed")
    yield from _named(before, after, "vars", "var", "var-changed")
    voices = before.get("voice", _NOTHING), after.get("voice", _NOTHING)
    for part in sorted(voices[0].keys() | voices[1].keys()):
        old, new = voices[0].get(part), voices[1].get(part)
        if old != new:
            message = f"the {_VOICE.get(part, part)} is {shown(new)} instead of {shown(old)}"
            yield Edit("voice-changed", message, part=f"voice {part}", before=old, after=new)
    for key in sorted((before.keys() | after.keys()) - _COMPARED):
        if before.get(key) != after.get(key):
            yield Edit(
                "tenant-setting-changed",
                f"{ticked(key)} is another",
                part=key,
                before=before.get(key),
                after=after.get(key),
            )


_VOICE = {"llm": "language model", "stt": "speech recognition", "tts": "voice"}


def _number_edits(before: Written, after: Written) -> Iterator[Edit]:
    for name in sorted(before.keys() | after.keys()):
        old, new = before.get(name), after.get(name)
        if old == new:
            continue
        was, now = _last_four(old), _last_four(new)
        part, called = f"number {name}", f"the number {ticked(name)}"
        if was is None:
            yield Edit("number-added", f"{called} is new: {now}", part=part, after=now)
        elif now is None:
            yield Edit("number-removed", f"{called} is gone: {was}", part=part, before=was)
        else:
            other = " (another number that ends alike)" if was == now else ""
            message = f"{called} is {now}{other} instead of {was}"
            yield Edit("number-changed", message, part=part, before=was, after=now)


def _inbound_edits(before: Written, after: Written) -> Iterator[Edit]:
    for number in sorted(before.keys() | after.keys()):
        old, new = before.get(number), after.get(number)
        if old == new:
            continue
        part, called = f"inbound {masked_number(number)}", f"the number {masked_number(number)}"
        if old is None:
            message = f"{called} is now answered, by {ticked(str(new))}"
            yield Edit("inbound-added", message, part=part, after=new)
        elif new is None:
            message = f"{called} is no longer answered; it was by {ticked(old)}"
            yield Edit("inbound-removed", message, part=part, before=old)
        else:
            message = f"{called} is answered by {ticked(new)} instead of {ticked(old)}"
            yield Edit("inbound-changed", message, part=part, before=old, after=new)


def _last_four(number: str | None) -> str | None:
    return None if number is None else masked_number(number)


def _named(before: Written, after: Written, key: str, word: str, changed: str) -> Iterator[Edit]:
    """The differences between two maps from names to settings."""
    old, new = before.get(key, _NOTHING), after.get(key, _NOTHING)
    for name in sorted(old.keys() | new.keys()):
        part, called = f"{word} {name}", f"the {_WORDS[word]} {ticked(name)}"
        if name not in old:
            yield Edit(f"{word}-added", f"{called} is new", part=part, after=new[name])
        elif name not in new:
            yield Edit(f"{word}-removed", f"{called} is gone", part=part, before=old[name])
        elif old[name] != new[name]:
            message = f"{called} is {shown(new[name])} instead of {shown(old[name])}"
            yield Edit(changed, message, part=part, before=old[name], after=new[name])


_WORDS = {"connection": "connection", "var": "variable"}


def channel_edits(before: Written, after: Written) -> Iterator[Edit]:
    """The differences between two versions of a tenant's channels."""
    old = {name: one for name, one in before.items() if name != "schema_version"}
    new = {name: one for name, one in after.items() if name != "schema_version"}
    for name in sorted(old.keys() | new.keys()):
        part, called = f"channel {name}", f"the channel {ticked(name)}"
        if name not in old or name not in new:
            added = name in new
            told = f"is new: {shown(new[name])}" if added else "is gone"
            yield Edit(
                "channel-added" if added else "channel-removed",
                f"{called} {told}",
                part=part,
                before=old.get(name),
                after=new.get(name),
            )
            continue
        was, now = old[name], new[name]
        if was.get("release") != now.get("release"):
            told = f"takes {shown(now.get('release'))} instead of {shown(was.get('release'))}"
            yield Edit(
                "channel-moved",
                f"{called} {told}",
                part=part,
                before=was.get("release"),
                after=now.get("release"),
            )
        share = _percent(was), _percent(now)
        if share[0] != share[1]:
            kind = "channel-widened" if share[1] > share[0] else "channel-narrowed"
            told = f"takes {share[1]} percent of calls instead of {share[0]}"
            yield Edit(
                kind, f"{called} {told}", part=f"{part} percent", before=share[0], after=share[1]
            )


def _percent(channel: Written) -> int:
    percent: int = channel.get("percent", 100)
    return percent
