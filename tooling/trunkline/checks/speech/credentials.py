"""Values that have the name of a secret and are written out: a password, a key, a token."""

import re
from collections.abc import Iterator, Mapping

from trunkline.graph.lexed import names_read
from trunkline.model.flow import Flow
from trunkline.model.nodes import LinkNode, SubflowNode, TalkNode
from trunkline.model.place import Place
from trunkline.model.tool_use import ToolUse

# The end of the name counts: `api_key` is one, `key_to_press` and `token_count` are none.
_NAME = re.compile(
    r"(?i)(?:^|[-_])(?:password|passwd|passphrase|secret|token|(?:api|access|private|secret)[-_]?key"
    r"|authorization|credentials?)$"
)
_STRING = re.compile(r"\"[^\"]*[^\"\s][^\"]*\"|'[^']*[^'\s][^']*'")


def written_in_flow(flow: Flow) -> Iterator[Place]:
    """Where a flow gives a tool or another flow a secret as fixed text."""
    for name, value in flow.given.items():
        if _NAME.search(name) and isinstance(value, str) and value.strip():
            yield flow.place.at("with", name)
    uses: list[ToolUse] = list(flow.after_call)
    for node in flow.nodes.values():
        if isinstance(node, TalkNode):
            uses += node.tools
        if isinstance(node, SubflowNode | LinkNode):
            yield from _fixed(node.bind, node.place.at("with"))
    for use in uses:
        yield from _fixed(use.bind, use.place.at("with"))


def written_in_request(run: Mapping[str, object], place: Place) -> Iterator[Place]:
    """Where the request of a tool has one; `place` is that of `run`."""
    http = run.get("http")
    if isinstance(http, Mapping):
        for part in ("query", "headers", "json"):
            yield from _fixed(http.get(part, {}), place.at("http", part))


def _fixed(value: object, place: Place, name: str = "") -> Iterator[Place]:
    """The expressions below a value that stand under such a name and read nothing."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _fixed(inner, place.at(key), str(key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _fixed(inner, place.at(index), name)
    elif isinstance(value, str) and _NAME.search(name) and _is_fixed(value):
        yield place


def _is_fixed(expression: str) -> bool:
    """True for one that says something and reads nothing."""
    return not names_read(expression) and _STRING.search(expression) is not None


def is_secret_name(name: str) -> bool:
    """True for `api_key`, `X-Auth-Token`, `password` and the like."""
    return _NAME.search(name) is not None


def texts_below(value: object, place: Place) -> Iterator[tuple[str, Place]]:
    """`(text, place)` of every text in a document."""
    if isinstance(value, str):
        yield value, place
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            yield from texts_below(inner, place.at(key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from texts_below(inner, place.at(index))
