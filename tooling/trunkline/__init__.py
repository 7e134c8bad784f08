"""The compiler and its command line: call flows in, proofs and node tables out."""

from importlib.metadata import version


def __getattr__(name: str) -> str:
    """`trunkline.__version__`, looked up when asked for: reading metadata takes 10 ms."""
    if name == "__version__":
        return version("trunkline")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
