"""Tenants and channels in two revisions: numbers, systems, hours, voice, what takes calls."""

from collections.abc import Iterator, Mapping
from typing import Any

from trunkline.diff.change import Edit
from trunkline.diff.mask import masked_number
from trunkline.diff.phrases import instead, shown, ticked
from trunkline.diff.telephone import same_place

Written = Mapping[str, Any]
_NOTHING: Written = {}
_PLAIN: Mapping[str, tuple[str, str]] = {
    "display_name": ("display-name-changed", "callers hear another name of the tenant"),
    "timezone": ("timezone-changed", "the tenant's hours are read in another time zone"),
    "hours": ("hours-changed", "the tenant is open at other hours"),
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
            told = f"{message}: {instead(new, old)}"
            yield Edit(kind, told, part=key, before=old, after=new)
    yield from _number_edits(before.get("numbers", _NOTHING), after.get("numbers", _NOTHING))
    yield from _inbound_edits(before.get("inbound", _NOTHING), after.get("inbound", _NOTHING))
    yield from _named(before, after, "connections", "connection", "connection-setting-changed")
    yield from _named(before, after, "vars", "var", "var-changed")
    voices = before.get("voice", _NOTHING), after.get("voice", _NOTHING)
    for part in sorted(voices[0].keys() | voices[1].keys()):
        old, new = voices[0].get(part), voices[1].get(part)
        if old != new:
            message = f"callers {_VOICE.get(part, f'meet another {part}')}: {instead(new, old)}"
            yield Edit("voice-changed", message, part=f"voice {part}", before=old, after=new)
    for key in sorted((before.keys() | after.keys()) - _COMPARED):
        if before.get(key) != after.get(key):
            yield Edit(
                "tenant-setting-changed",
                f"{ticked(key)} of the tenant is {instead(after.get(key), before.get(key))}",
                part=key,
                before=before.get(key),
                after=after.get(key),
            )


_VOICE = {
    "llm": "are answered by another language model",
    "stt": "are heard by another speech recognition",
    "tts": "hear another voice",
}


def _number_edits(before: Written, after: Written) -> Iterator[Edit]:
    for name in sorted(before.keys() | after.keys()):
        old, new = before.get(name), after.get(name)
        if old == new:
            continue
        was, now = _last_four(old), _last_four(new)
        part, called = f"number {name}", f"the number {ticked(name)}"
        if was is None:
            message = f"callers can be put through to {now}, {called}, which is new"
            yield Edit("number-added", message, part=part, after=now)
        elif now is None:
            message = f"callers can no longer be put through to {was}, {called}, which is gone"
            yield Edit("number-removed", message, part=part, before=was)
        else:
            message = (
                f"callers put through to {called} now reach {now} instead of {was} "
                f"({same_place(str(old), str(new))})"
            )
            yield Edit("number-changed", message, part=part, before=was, after=now)


def _inbound_edits(before: Written, after: Written) -> Iterator[Edit]:
    for number in sorted(before.keys() | after.keys()):
        old, new = before.get(number), after.get(number)
        if old == new:
            continue
        part, called = f"inbound {masked_number(number)}", f"the number {masked_number(number)}"
        if old is None:
            message = f"{called} is now answered: whoever dials it meets {ticked(str(new))}"
            yield Edit("inbound-added", message, part=part, after=new, effect_of=f"flow {new}")
        elif new is None:
            message = f"{called} is no longer answered: whoever dials it met {ticked(old)} before"
            yield Edit("inbound-removed", message, part=part, before=old, effect_of=f"flow {old}")
        else:
            message = f"whoever dials {masked_number(number)} now meets {instead(new, old)}"
            yield Edit(
                "inbound-changed",
                message,
                part=part,
                before=old,
                after=new,
                effect_of=f"flow {old}",
            )


def _last_four(number: str | None) -> str | None:
    return None if number is None else masked_number(number)


def _named(before: Written, after: Written, key: str, word: str, changed: str) -> Iterator[Edit]:
    """The differences between two maps from names to settings."""
    old, new = before.get(key, _NOTHING), after.get(key, _NOTHING)
    for name in sorted(old.keys() | new.keys()):
        part, called = f"{word} {name}", f"the {_WORDS[word]} {ticked(name)}"
        if name not in old:
            message = f"{called} is new{_NEW[word]}"
            yield Edit(f"{word}-added", message, part=part, after=new[name])
        elif name not in new:
            message = f"{called} is gone{_GONE[word]}"
            yield Edit(f"{word}-removed", message, part=part, before=old[name])
        elif old[name] != new[name]:
            message = _MOVED[word].format(called, instead(new[name], old[name]))
            yield Edit(changed, message, part=part, before=old[name], after=new[name])


_WORDS = {"connection": "connection", "var": "variable"}
_MOVED = {"connection": "tools of {} now reach {}", "var": "texts that say {} now say {}"}
_NEW = {
    "connection": ": flows of the tenant may now use its tools",
    "var": ": texts may now say it",
}
_GONE = {
    "connection": ": flows of the tenant can no longer use its tools",
    "var": ": texts can no longer say it",
}


def channel_edits(before: Written, after: Written) -> Iterator[Edit]:
    """The differences between two versions of a tenant's channels."""
    old = {name: one for name, one in before.items() if name != "schema_version"}
    new = {name: one for name, one in after.items() if name != "schema_version"}
    for name in sorted(old.keys() | new.keys()):
        part, called = f"channel {name}", f"the channel {ticked(name)}"
        if name not in old or name not in new:
            added = name in new
            told = f"now runs calls: {shown(new[name])}" if added else "no longer runs calls"
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
            told = f"runs calls on {instead(now.get('release'), was.get('release'))}"
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
