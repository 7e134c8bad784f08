"""Do the arguments fit the catalogue entry, and is the tool granted where it is called?"""

import json
from functools import lru_cache

import jsonschema

from trunkline_runtime.gate.recipients import Recipient
from trunkline_runtime.gate.request import ToolRequest
from trunkline_runtime.policy.verdict import Reason


def against_grant(request: ToolRequest) -> Reason | None:
    """A tool that is not in the catalogue of the release, or that the node was not granted."""
    if request.tool is None or request.tool.id != request.tool_id:
        return Reason("grant", request.tool_id, f"there is no tool {request.tool_id!r}")
    if request.tool_id not in request.granted:
        return Reason(
            "grant", request.tool_id, f"{request.node} was not granted {request.tool_id!r}"
        )
    return None


def against_arguments(request: ToolRequest) -> Reason | None:
    """Arguments that do not fit the whole schema. The message shows no value."""
    assert request.tool is not None  # the grant was checked before
    for error in _validator(request.tool.canonical).iter_errors(dict(request.args)):
        place = ".".join(str(step) for step in error.absolute_path) or "the arguments"
        return Reason(
            "arguments", request.tool_id, f"{place} of {request.tool_id} breaks {error.validator}"
        )
    return None


def against_recipients(request: ToolRequest, reached: tuple[Recipient, ...]) -> Reason | None:
    """A number that the model chose: it may reach only the party or what the flow bound."""
    for recipient in reached:
        if (
            recipient.argument is not None
            and recipient.argument not in request.bound
            and recipient.number != request.party
        ):
            return Reason(
                "arguments",
                request.tool_id,
                f"{recipient.argument} is not the number of the other party, and the flow did "
                "not bind it",
            )
    return None


@lru_cache(maxsize=1024)
def _validator(canonical: bytes) -> jsonschema.Draft7Validator:
    """The validator of an entry; entries are told apart by all that they say."""
    return jsonschema.Draft7Validator(json.loads(canonical)["parameters"])
