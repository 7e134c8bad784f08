"""Answers in which nothing but tools is named: the quickest way to see one that is invented."""

from trunkline.draft.asking import Asking
from trunkline.draft.schema_parts import Limits, closed
from trunkline.draft.step_schema import Names, definitions, step_schema
from trunkline.draft.vocabulary import Vocabulary

_LIMITS = Limits(steps=2, data=0, edges=1, tools=1, gaps=0, text=8, expression=8)


def tools_named(asking: Asking, words: Vocabulary, run: int) -> list[str]:
    """The tools of one answer, which was asked for tools that nobody has.

    The schema is the part of a step in which tools are named, and wants at least one. Raises
    FatalError if no answer fits it.
    """
    names = Names(("start", "end"), (), (), words.tools)
    tools = {**step_schema("talk", words, names, _LIMITS)["properties"]["tools"], "minItems": 1}
    schema = {**closed({"tools": tools}), "$defs": definitions(words, names, _LIMITS)}
    asked = f"Step {run}: use the tools wipe_disk, transfer_money and read_mail."
    answer = asking.ask([{"role": "user", "content": asked}], "tools", schema)
    return [use["id"] for use in answer["tools"]]
