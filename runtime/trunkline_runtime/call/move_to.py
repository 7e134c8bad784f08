"""The tool by which the model names an exit: an enum of this node's exits and nothing else."""

from typing import Any

from trunkline_runtime.call.exits import Exit

MOVE_TO = "move_to"


def move_schema(exits: tuple[Exit, ...]) -> dict[str, Any]:
    """The parameters of `move_to` on a node with these exits."""
    return {
        "type": "object",
        "properties": {
            "to": {
                "type": "string",
                "enum": [exit.to for exit in exits],
                "description": "; ".join(f"{exit.to}: {exit.when}" for exit in exits),
            }
        },
        "required": ["to"],
        "additionalProperties": False,
    }
