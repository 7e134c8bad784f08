"""Where the ledger of this machine is, in words, and whether it is there, without making it."""

import os
from pathlib import Path

from sqlalchemy import make_url
from sqlalchemy.exc import ArgumentError

from trunkline_runtime.gate.ledger.ledger import LEDGER_FILE, URL_VARIABLE


def place_here(state: Path) -> str:
    """The database that `Ledger.of_environment` opens, without user, password and options."""
    file = _file(state)
    if file is not None:
        absent = "" if file.is_file() else ", which does not exist"
        return f"the SQLite file {file} of this machine alone{absent}"
    try:
        url = make_url(os.environ[URL_VARIABLE])
    except (ArgumentError, ValueError):
        return f"the database of {URL_VARIABLE}"
    port = f":{url.port}" if url.port is not None else ""
    host = f"{url.host}{port}" if url.host else "its default host"
    return f"the database {url.database or 'of its user'} on {host}, of {URL_VARIABLE}"


def is_there(state: Path) -> bool:
    """Whether there is a ledger to read. A server is asked for when it is opened."""
    file = _file(state)
    return file is None or file.is_file()


def _file(state: Path) -> Path | None:
    url = os.environ.get(URL_VARIABLE)
    if not url:
        return state / LEDGER_FILE
    return Path(make_url(url).database or "") if url.startswith("sqlite:///") else None
