"""`trunkline-runtime kill`: says what it stops, and refuses what could mean two things."""

from pathlib import Path

import pytest
from shop import new_shop

from trunkline_runtime.commands.main import run
from trunkline_runtime.gate.ledger.place import place_here


@pytest.fixture(autouse=True)
def _own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRUNKLINE_STATE_DIR", str(tmp_path))
    monkeypatch.delenv("TRUNKLINE_LEDGER_URL", raising=False)


def test_a_switch_is_told_listed_and_lifted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = f"the SQLite file {tmp_path}/ledger.sqlite3 of this machine alone"
    words = ["kill", "on", "--tenant", "northwind-energy", "--tool", "take_payment"]
    assert run([*words, "--reason", "charged twice", "--by", "ana"]) == 0
    told = capsys.readouterr()
    id = told.out.strip()
    assert told.err.splitlines()[0] == (
        f"stopped: tenant=northwind-energy tool=take_payment, in {place}; "
        f"`trunkline-runtime kill off {id}` lifts it"
    )
    assert run(["kill", "list"]) == 0
    listed, where = capsys.readouterr()
    assert where == f"1 switch is on in {place}\n"
    assert listed.startswith(f"{id}  tenant=northwind-energy tool=take_payment  ")
    assert listed.endswith("  ana: charged twice\n")
    assert run(["kill", "off", id]) == 0
    capsys.readouterr()
    assert run(["kill", "list"]) == 0
    assert capsys.readouterr() == ("", f"no switch is on in {place}\n")


@pytest.mark.parametrize("words", [["list"], ["off", "0123abcd"]])
def test_where_there_is_no_ledger_none_is_made(
    words: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A folder that was mistyped would look like one in which nothing is stopped."""
    monkeypatch.setenv("TRUNKLINE_STATE_DIR", str(tmp_path / "sate"))
    run(["kill", *words])
    place = f"the SQLite file {tmp_path}/sate/ledger.sqlite3 of this machine alone"
    assert f"on in {place}, which does not exist" in capsys.readouterr().err
    assert not (tmp_path / "sate").exists()


@pytest.mark.parametrize(
    ("url", "place"),
    [
        (
            "postgresql://ops:secret@db.example:5433/books?sslpassword=hidden",
            "the database books on db.example:5433, of TRUNKLINE_LEDGER_URL",
        ),
        ("postgres://ops@db.example/books", "the database books on db.example, of"),
        ("sqlite:////srv/books.db", "the SQLite file /srv/books.db of this machine alone"),
        ("postgresql://ops:secret@db:port/books", "the database of TRUNKLINE_LEDGER_URL"),
    ],
)
def test_a_ledger_is_named_without_credentials(
    url: str, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TRUNKLINE_LEDGER_URL", url)
    said = place_here(Path("/state"))
    assert said.startswith(place)
    assert not any(word in said for word in ("ops", "secret", "hidden"))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--reason", "x"], "say --everything"),
        (["--everything", "--tenant", "northwind-energy", "--reason", "x"], "but not both"),
        (["--tool", "take_payment", "--reason", " "], "say why in --reason"),
        (["--flow", "overdue-invoice", "--reason", "x"], "give --tenant as well"),
    ],
)
def test_what_could_mean_two_things_stops_nothing(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["kill", "on", *words]) == 2
    assert said in capsys.readouterr().err
    assert run(["kill", "list"]) == 0
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(("tenant", "meant"), [("northwind", True), ("northwind-energy", False)])
def test_a_tenant_of_whom_nothing_is_here_is_asked_about(
    tenant: str, meant: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A switch for a tenant that was mistyped stops nothing, and looks as if it did."""
    folder = tmp_path / "releases/northwind-energy"
    folder.mkdir(parents=True)
    (folder / "oci-layout").touch()
    assert run(["kill", "on", "--tenant", tenant, "--reason", "x"]) == 0
    said = "no release of northwind is on this machine; did you mean northwind-energy?"
    assert (said in capsys.readouterr().err) == meant
    assert run(["kill", "list"]) == 0
    assert f"tenant={tenant}" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "doubt"),
    [
        (["--tool", "get_invoise"], "no release on this machine has a tool get_invoise; did you"),
        (
            ["--tenant", "acme", "--tool", "get_invoise"],
            "no release of acme on this machine has a tool get_invoise; did you mean get_invoice?",
        ),
        (
            ["--tenant", "acme", "--flow", "bil"],
            "no release of acme on this machine has a flow bil; did you mean bill?",
        ),
        (
            ["--tenant", "zzz", "--tool", "get_invoice"],
            "no release of zzz is on this machine",
        ),
        (["--tenant", "acme", "--flow", "bill", "--tool", "get_invoice"], None),
        (["--everything"], None),
    ],
)
def test_a_name_that_no_release_knows_is_set_and_doubted(
    words: list[str], doubt: str | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A switch for a tool that was mistyped stops nothing, and looks as if it did."""
    shop = new_shop(tmp_path)
    shop.publish()
    assert run(["pull", "acme", "--from", str(shop.store)]) == 0
    capsys.readouterr()
    assert run(["kill", "on", *words, "--reason", "x"]) == 0
    id, said = capsys.readouterr()
    doubts = [line for line in said.splitlines() if line.startswith("warning: ")]
    if doubt is None:
        assert doubts == []
    else:
        assert len(doubts) == 1
        assert doubt in doubts[0]
    assert run(["kill", "off", id.strip()]) == 0, "and the switch was on all the same"


def test_without_a_release_nothing_tells_whether_a_name_exists(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["kill", "on", "--tool", "take_paymnt", "--reason", "x"]) == 0
    assert capsys.readouterr().err.splitlines()[1] == (
        f"warning: no release was pulled to {tmp_path}/releases: "
        "nothing here tells whether take_paymnt exists"
    )


@pytest.mark.parametrize("words", [["on", "--everything", "--reason", "x"], ["list"]])
def test_a_url_that_is_none_is_the_operators_to_mend(
    words: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TRUNKLINE_LEDGER_URL", "postgresql://ops:secret@db:port/books")
    assert run(["kill", *words]) == 2
    said = capsys.readouterr().err
    assert "TRUNKLINE_LEDGER_URL is no URL of a database" in said
    assert "secret" not in said
