"""`trunkline policy`: what its help says beyond the options."""

import pytest

from trunkline.commands.main import run


def test_why_says_what_its_exit_code_means(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["policy", "why", "--help"]) == 0
    told = " ".join(capfd.readouterr().out.split())
    assert "it is 0 for an allow and for a deny, and 2 for what can't be asked" in told
