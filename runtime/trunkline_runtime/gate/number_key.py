"""Phone numbers and other private values in records: an HMAC under a key outside the repository.

A plain hash would protect nothing: all valid North American numbers are hashed in minutes.
"""

import hashlib
import hmac
import os
import secrets
from pathlib import Path

from trunkline_runtime.failure import FatalError

KEY_VARIABLE = "TRUNKLINE_NUMBER_KEY"
_FILE = "number.key"
_SHORTEST = 16


class NumberKey:
    """Turns a private value into a token that is equal for equal values and tells nothing else."""

    def __init__(self, key: bytes) -> None:
        """Raises FatalError for a key that is too short to protect anything."""
        if len(key) < _SHORTEST:
            raise FatalError(f"{KEY_VARIABLE} is too short; give at least {_SHORTEST} characters")
        self._key = key

    def token(self, value: str) -> str:
        """`hmac:` and 32 hexadecimal digits."""
        digest = hmac.new(self._key, value.encode("utf-8", "surrogatepass"), hashlib.sha256)
        return f"hmac:{digest.hexdigest()[:32]}"

    @staticmethod
    def is_there(state: Path) -> bool:
        """Whether there is a key already: who only looks makes none."""
        return bool(os.environ.get(KEY_VARIABLE)) or (state / _FILE).is_file()

    @classmethod
    def of_environment(cls, state: Path) -> "NumberKey":
        """The key of `TRUNKLINE_NUMBER_KEY`, else one made once and kept in `state` (mode 600).

        Raises FatalError if there is neither and none can be written.
        """
        given = os.environ.get(KEY_VARIABLE)
        if given:
            return cls(given.encode())
        path = state / _FILE
        try:
            return cls(_kept(path))
        except OSError as problem:
            raise FatalError(
                f"{path}: {problem.strerror}; set {KEY_VARIABLE} or make the folder writable"
            ) from None


def _kept(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        pass
    path.parent.mkdir(parents=True, exist_ok=True)
    made = path.with_name(f".{path.name}.{os.getpid()}.{secrets.token_hex(4)}")
    handle = os.open(made, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    try:
        os.write(handle, secrets.token_hex(32).encode())
        os.fsync(handle)
    finally:
        os.close(handle)
    try:
        # A link fails if another process was first; its key is then everybody's.
        os.link(made, path)
    except FileExistsError:
        pass
    finally:
        made.unlink()
    return path.read_bytes()
