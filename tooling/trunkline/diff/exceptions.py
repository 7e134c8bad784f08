"""Exceptions from policy rules in two revisions: each one loosens, for exactly one target."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from trunkline.diff.change import Cause, Edit
from trunkline.diff.phrases import instead, shown, ticked
from trunkline.diff.policies import by_name
from trunkline.diff.reached import Reached

Written = Mapping[str, Any]


def exception_edits(
    before: Sequence[Written], after: Sequence[Written], reached: Reached
) -> Iterator[Edit]:
    """The differences between two lists of exceptions, told apart by rule and target."""
    old, new = _by_target(before), _by_target(after)
    for key in sorted(old.keys() | new.keys()):
        was, now = old.get(key), new.get(key)
        if was == now:
            continue
        written = now if now is not None else was
        assert written is not None
        name = f"the rule {ticked(str(written.get('rule')))}"
        whom = _target(written)
        if was is None:
            until = shown(written.get("expires"))
            kind, told = "exception-added", f"no longer holds for {whom}, until {until}"
        elif now is None:
            kind, told = "exception-removed", f"holds for {whom} again"
        elif _until(now) != _until(was):
            longer = _until(now) > _until(was)
            kind = "exception-extended" if longer else "exception-shortened"
            until = instead(now.get("expires"), was.get("expires"))
            told = f"does not hold for {whom} until {until}"
        else:
            kind, told = (
                "exception-changed",
                f"does not hold for {whom}, by another reason, owner or approver",
            )
        yield Edit(
            kind,
            f"{name} {told}",
            part=f"exception {key}",
            before=dict(was) if was is not None else None,
            after=dict(now) if now is not None else None,
            cause=Cause("policy", reached.path),
            affects=reached.by(written),
        )


def _by_target(exceptions: Sequence[Written]) -> dict[str, Written]:
    return by_name(
        (f"{one.get('rule')} {sorted(one.get('target', {}).items())}", one) for one in exceptions
    )


def _target(written: Written) -> str:
    return ticked("/".join(str(value) for value in written.get("target", {}).values()))


def _until(written: Written) -> str:
    """The last day on which it applies; one without an end never stops."""
    return str(written.get("expires", "9999-99-99"))
