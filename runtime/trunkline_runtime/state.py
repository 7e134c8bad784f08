"""Where this machine keeps what outlives a call: releases, decisions, lists."""

import os
from pathlib import Path

STATE_VARIABLE = "TRUNKLINE_STATE_DIR"


def state_folder() -> Path:
    """`TRUNKLINE_STATE_DIR`, else `trunkline` in the user's state folder (XDG base directories).

    The folder need not exist.
    """
    named = os.environ.get(STATE_VARIABLE)
    if named:
        return Path(named)
    above = os.environ.get("XDG_STATE_HOME")
    return (Path(above) if above else Path.home() / ".local" / "state") / "trunkline"
