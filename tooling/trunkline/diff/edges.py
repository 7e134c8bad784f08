"""Exits: added, removed, retargeted; their words, their guards, what they clear, their order."""

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations

from trunkline.diff.change import Edit
from trunkline.diff.exits import Exit
from trunkline.diff.guards import guard_change, guard_text, in_words, moved
from trunkline.diff.pairing import pair, words_of
from trunkline.diff.phrases import doing, listed, ticked
from trunkline.diff.speech import say_edits
from trunkline_runtime.table.canonical import Json

# What a target leads to in the later revision: `payment`, `transfer`, both or neither.
Leads = Callable[[str], frozenset[str]]


def edge_edits(
    before: Sequence[Exit], after: Sequence[Exit], leads: Leads, language: str
) -> Iterator[Edit]:
    """Every difference between the exits of one node, or of a flow, in two revisions."""
    pairing = pair(before, after)
    for exit in pairing.removed:
        yield Edit(
            "edge-removed",
            f"calls can no longer go on to {ticked(exit.to)} {_condition(exit)}",
            part=_part(exit),
            to=exit.to,
            before=_json(exit),
        )
    for exit in pairing.added:
        yield Edit(
            "edge-added",
            f"calls can now go on to {ticked(exit.to)}{doing(leads(exit.to))} {_condition(exit)}",
            part=_part(exit),
            to=exit.to,
            after=_json(exit),
            circumstances=leads(exit.to),
        )
    for old, new in pairing.pairs:
        yield from _pair_edits(old, new, leads, language)
    yield from _order_edits(pairing.pairs, before, after)


def _pair_edits(old: Exit, new: Exit, leads: Leads, language: str) -> Iterator[Edit]:
    part = _part(new)
    if old.to != new.to:
        yield Edit(
            "edge-retargeted",
            f"{new.name}, calls go on to {ticked(new.to)}{doing(leads(new.to))} instead of "
            f"{ticked(old.to)}",
            part=part,
            to=new.to,
            before=old.to,
            after=new.to,
            circumstances=leads(new.to),
        )
    if old.when != new.when:
        yield Edit(
            "when-changed",
            f"the model goes on to {ticked(new.to)} by other words (wording only, not judged)",
            part=part,
            before=old.when,
            after=new.when,
        )
    yield from guard_edits(old, new, f"calls can go on to {ticked(new.to)}", part)
    was, now = old.written.get("say"), new.written.get("say")
    yield from say_edits(was, now, "say", f"on the way to {ticked(new.to)}", language)
    yield from _set_edits("clears", old, new, part)
    if bool(old.written.get("correction")) != bool(new.written.get("correction")):
        added = bool(new.written.get("correction"))
        yield Edit(
            "correction-added" if added else "correction-removed",
            f"{ticked(new.to)} {'asks again' if added else 'no longer asks again'} for what it "
            "collects, when a call comes to it from here",
            part=part,
            before=not added,
            after=added,
        )


def guard_edits(old: Exit, new: Exit, subject: str, part: str) -> Iterator[Edit]:
    """What became of the guard of an exit or a tool; `subject` is what the guard holds back."""
    kind = guard_change(old.guard, new.guard)
    if kind is not None:
        told = _GUARDED[kind].format(
            subject=subject,
            now=in_words(new.guard),
            was=in_words(old.guard),
            gone=in_words(old.guard - new.guard),
            way=moved(old.guard - new.guard, new.guard - old.guard),
            come=in_words(new.guard - old.guard),
            kept=f"; {in_words(kept)} was and is needed" if (kept := old.guard & new.guard) else "",
        )
        yield Edit(
            kind,
            told,
            part=part,
            to=new.to,
            before=guard_text(old.guard),
            after=guard_text(new.guard),
        )


_GUARDED = {
    "guard-added": "{subject} only with {now} now",
    "guard-removed": "{subject} without {was} now, and nothing else is needed",
    "guard-strengthened": "{subject} only with {come} too now; {was} was needed already",
    "guard-weakened": "{subject} without {gone} now; {now} is still needed",
    "guard-changed": "{subject} with {come} now instead of {gone} ({way}){kept}",
}


def _set_edits(key: str, old: Exit, new: Exit, part: str) -> Iterator[Edit]:
    before, after = set(old.written.get(key, ())), set(new.written.get(key, ()))
    for kind, names, verb in (
        ("clears-added", after - before, "now forget"),
        ("clears-removed", before - after, "no longer forget"),
    ):
        if names:
            yield Edit(
                kind,
                f"calls that go on to {ticked(new.to)} {verb} {listed(sorted(names))}",
                part=part,
                before=sorted(before),
                after=sorted(after),
            )


def _order_edits(
    pairs: Sequence[tuple[Exit, Exit]], before: Sequence[Exit], after: Sequence[Exit]
) -> Iterator[Edit]:
    """The order of exits counts where the first that holds is taken."""
    was = {id(exit): index for index, exit in enumerate(before)}
    now = {id(exit): index for index, exit in enumerate(after)}
    edges = [(old, new) for old, new in pairs if old.is_edge]
    swapped = [
        (one, other)
        for one, other in combinations(edges, 2)
        if (was[id(one[0])] < was[id(other[0])]) != (now[id(one[1])] < now[id(other[1])])
    ]
    if not swapped:
        return
    matters = any(_compete(one[0], other[0]) for one, other in swapped)
    told = (
        "calls may take another exit where two hold: the first is taken, and their order is new"
        if matters
        else "the model is offered the same exits in another order"
    )
    yield Edit(
        "edge-order-changed" if matters else "offer-order-changed",
        told,
        part="order",
        before=[_line(new) for old, new in sorted(edges, key=lambda both: was[id(both[0])])],
        after=[_line(new) for _, new in sorted(edges, key=lambda both: now[id(both[1])])],
    )


def _compete(one: Exit, other: Exit) -> bool:
    """True for two exits of which the runtime takes the first that holds."""
    silent = one.how != "when" and other.how != "when"
    return silent or (one.how == other.how and one.to == other.to)


def _part(exit: Exit) -> str:
    """The same for the same exit in another flow, wherever it leads there."""
    if exit.how == "when":
        return f"exit when {' '.join(words_of(exit))}"
    return f"exit {exit.how} {guard_text(exit.guard)}"


def _condition(exit: Exit) -> str:
    return f"{exit.name}, only with {in_words(exit.guard)}" if exit.guard else exit.name


def _line(exit: Exit) -> str:
    return f"{exit.to} ({_condition(exit)})"


def _json(exit: Exit) -> Json:
    return dict(exit.written) if exit.is_edge else {"to": exit.to, "how": exit.how}
