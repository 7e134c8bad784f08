"""The demo: the same from any folder, as often as one likes, and whatever else is set up."""

import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from trunkline.compile import compile_repository
from trunkline.scenario.demo import __main__ as demo

ROOT = Path(__file__).parents[2]


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A fresh clone, as far as the demo looks at one: committed, and without a build."""
    for folder in ("flows", "catalog", "policy"):
        shutil.copytree(ROOT / folder, tmp_path / "clone" / folder)
    (tmp_path / "clone" / ".gitignore").write_text("build/\n")
    who = ("-c", "user.name=n", "-c", "user.email=n@example.com")
    for arguments in (["init", "-q"], ["add", "."], [*who, "commit", "-q", "-m", "all"]):
        subprocess.run(["git", "-C", str(tmp_path / "clone"), *arguments], check=True)
    return tmp_path / "clone"


def test_twice_from_anywhere_with_the_network_gone(
    checkout: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    reached = socket.socket.connect

    def only_this_machine(self: socket.socket, address: tuple[str, int]) -> None:
        assert self.family == socket.AF_UNIX or address[0] in ("127.0.0.1", "::1")
        reached(self, address)

    monkeypatch.setattr(socket.socket, "connect", only_this_machine)
    monkeypatch.setenv("TRUNKLINE_SANDBOX_ERROR_RATE", "1")
    monkeypatch.setenv("TRUNKLINE_STORE", str(tmp_path / "another"))
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    monkeypatch.chdir(tmp_path)
    assert demo.main(checkout) == 0
    first = capsys.readouterr().out
    assert demo.main(checkout) == 0
    assert capsys.readouterr().out == first
    assert Path.cwd() == tmp_path
    assert not (tmp_path / "another").exists()

    digests = compile_repository(checkout).digests
    for (tenant, flow), digest in digests.items():
        assert f"{tenant}/{flow}" in first
        assert digest in first
    for tenant, flow, outcome in (
        ("northwind-energy", "overdue-invoice", "paid"),
        ("harbor-medical", "appointments", "transferred"),
    ):
        assert f"outcome    {outcome}\n" in first
        assert f"pinned to  {tenant}/{flow} v1 {digests[tenant, flow]}\n" in first
    assert "take_payment" in first
    assert "allowed by [purpose:collections, verify-before-payment" in first
    assert "Amira from aesthetics. I have your answers here already." in first
    assert "fact: identity_verified is not proven, and payment needs it" in first
    assert "decisions  1 allowed, 1 denied\n" in first
    assert "What to try next" in first

    tags = subprocess.run(["git", "-C", str(checkout), "tag"], capture_output=True, check=True)
    assert tags.stdout == b""


def test_a_finding_stops_it_with_the_finding(
    checkout: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    flow = checkout / "flows" / "northwind-energy" / "overdue-invoice.yaml"
    flow.write_text(flow.read_text().replace("start: greeting", "start: greetings"))
    assert demo.main(checkout) == 1
    printed = capsys.readouterr()
    assert "TL103" in printed.out
    assert printed.err == "the demo stopped: `check` did not succeed\n"


def test_without_a_checkout_it_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert demo.main(tmp_path) == 2
    assert capsys.readouterr().err == (
        "the demo stopped: it needs a checkout of Trunkline, with its flows/\n"
    )


def test_it_is_what_make_demo_runs() -> None:
    makefile = (ROOT / "Makefile").read_text()
    assert f"-m {demo.__package__}\n" in makefile
    ended = subprocess.run(
        [sys.executable, "-c", f"import {demo.__package__}"],
        cwd="/",
        check=False,
        capture_output=True,
    )
    assert ended.stderr == b""
