"""A few seconds of the soak: calls at once, back ends that fail, and everything accounted for."""

import subprocess
import sys
from pathlib import Path

SOAK = Path(__file__).parents[2] / "bench/soak_calls.py"


def test_every_call_is_accounted_for() -> None:
    short = "--calls 6 --minutes 0.08 --release-every 99 --pause 0.8 --processes 2"
    command = [sys.executable, str(SOAK), *short.split(), "--only", "atlas-research"]
    made = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert made.returncode == 0, made.stdout + made.stderr
    assert "every call is accounted for" in made.stdout
    assert "releases: 1; " in made.stdout
