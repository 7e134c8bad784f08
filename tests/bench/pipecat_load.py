"""Milliseconds of processor that pipecat-ai takes to load made flows in its own format.

Run by a Python that has pipecat-ai, with a folder of the files that `pipecat_flow` made.
"""

import sys
import time
from pathlib import Path


def main(folder: str) -> None:
    from pipecat.flows.config import FlowConfig

    files = sorted(Path(folder).glob("*.yaml"))
    FlowConfig.from_file(files[0])
    began = time.process_time()
    for file in files:
        FlowConfig.from_file(file)
    print((time.process_time() - began) * 1000 / len(files))


if __name__ == "__main__":
    main(sys.argv[1])
