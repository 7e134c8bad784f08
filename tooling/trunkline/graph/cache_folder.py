"""Where this user's machine keeps what can be computed again."""

import os
from pathlib import Path


def cache_folder() -> Path:
    """The folder that TRUNKLINE_CACHE_DIR names, or one in XDG's cache folder."""
    own = os.environ.get("TRUNKLINE_CACHE_DIR")
    if own:
        return Path(own)
    try:
        base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    except RuntimeError:  # a user without a home
        base = Path(os.devnull)
    return Path(base) / "trunkline"
