"""`trunkline key`: makes a key that signs releases, and shows the half that a fleet trusts."""

import os
from pathlib import Path

import click

from trunkline.failure import FatalError
from trunkline_runtime.table.trust.keys import (
    SIGNING_VARIABLE,
    TRUSTED_VARIABLE,
    KeyProblem,
    new_key,
    public_pem,
    signing_key,
)


@click.group("key")
def command() -> None:
    """Keys that sign what is published."""


@command.command("new")
@click.argument("path", type=click.Path(path_type=Path))
def new(path: Path) -> None:
    """Writes a new private key to PATH (mode 600) and the public one to PATH.pub.

    PATH is what TRUNKLINE_SIGNING_KEY names where releases are published, and PATH.pub what
    TRUNKLINE_TRUSTED_KEYS names where calls run. A file that is there is never overwritten.
    """
    pem, signer = new_key()
    public = path.with_name(f"{path.name}.pub")
    _write(public, public_pem(signer.public_key), 0o644)
    try:
        _write(path, pem, 0o600)
    except FatalError:
        public.unlink(missing_ok=True)
        raise
    click.echo(
        f"key {signer.public_key.keyid}\n"
        f"  {path}  signs: name it in {SIGNING_VARIABLE}, and keep a copy where none can read it\n"
        f"  {public}  is trusted: name it in {TRUSTED_VARIABLE}"
    )


@command.command("show")
def show() -> None:
    """Shows the id of the key in TRUNKLINE_SIGNING_KEY, and its public half."""
    try:
        signer = signing_key(os.environ)
    except KeyProblem as problem:
        raise FatalError(str(problem)) from None
    if signer is None:
        raise FatalError(f"{SIGNING_VARIABLE} is not set")
    click.echo(f"key {signer.public_key.keyid}")
    click.echo(public_pem(signer.public_key), nl=False)


def _write(path: Path, data: bytes, mode: int) -> None:
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, mode)
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(handle)
    except FileExistsError:
        raise FatalError(f"{path} is there already, and a key is never overwritten") from None
    except OSError as error:
        raise FatalError(f"{path} can't be written: {error.strerror}") from None
