"""The compiler and its command line: call flows in, proofs and node tables out."""


def __getattr__(name: str) -> str:
    """`trunkline.__version__`, looked up when asked for: it takes 50 ms that few commands need."""
    if name == "__version__":
        from importlib.metadata import version

        return version("trunkline")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
