"""TL604: a language in which what callers say is not read (a warning).

Finds: a confirm node, or a slot that is collected, of a kind that the runtime does not read in the
flow's language. A yes or a no is known in English, Spanish, French, German, Italian, Portuguese and
Dutch; days, times, digits, numbers and e-mail addresses in English, Spanish, French and German.

On the phone: a confirm node hears no spoken yes, and only the keys 1 and 2 answer it. A slot takes
what the model writes (`2026-07-04`, `15:30`, `42`) and nothing that it merely repeats ("czwartego
lipca"): then the caller is asked once more.

Fails:

    language: pl-PL
    nodes:
      sure: {kind: confirm, say: "Czy to prawda?", on_yes: done, on_no: done, on_unclear: done}

Passes:

    language: es-US
    nodes:
      sure: {kind: confirm, say: "¿Es correcto?", on_yes: done, on_no: done, on_unclear: done}
"""

from collections.abc import Iterator

from trunkline.checks.at import listed, warning_at
from trunkline.finding import Finding
from trunkline.graph.analysis import Analysis
from trunkline.model.nodes import ConfirmNode, TalkNode
from trunkline_runtime.table.spoken_languages import READ, is_read

CODE = "TL604"


def check(analysis: Analysis) -> Iterator[Finding]:
    """Confirm nodes that hear no answer, and slots whose spoken values are not read."""
    flow = analysis.inlined.whole
    language = flow.language
    if language is None:
        return
    place = flow.place.at("language")
    nodes = [inner.node for inner in analysis.inlined.nodes.values()]
    if any(isinstance(node, ConfirmNode) for node in nodes) and not is_read("answer", language):
        message = (
            f"a spoken yes or no is not understood in {language}: only the keys 1 and 2 answer"
        )
        yield warning_at(CODE, place, message, f"Understood are {_languages('answer')}.")
    collected = {
        name for node in nodes if isinstance(node, TalkNode) for name in node.collect
    } & flow.slots.keys()
    unread = sorted(name for name in collected if not is_read(flow.slots[name].type, language))
    if unread:
        message = (
            f"what callers say for {listed(tuple(unread))} is not read in {language}: the model "
            "must write the value itself"
        )
        kinds = sorted({flow.slots[name].type for name in unread})
        known = "; ".join(f"{kind} in {_languages(kind)}" for kind in kinds)
        help = f"Read are: {known}. Try the flow with callers of that language."
        yield warning_at(CODE, place, message, help)


def _languages(kind: str) -> str:
    return ", ".join(sorted(READ[kind]))
