"""Debian's docker-registry on loopback: found, or taken from Debian, started and stopped."""

import fcntl
import os
import shutil
import socket
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

PACKAGE = "docker-registry"
_READY_SECONDS = 10.0
_CONFIG = """\
version: 0.1
log: {{level: error, accesslog: {{disabled: true}}}}
storage: {{filesystem: {{rootdirectory: {data}}}, delete: {{enabled: {deletes}}}}}
http: {{addr: "127.0.0.1:{port}"}}
{auth}"""
# The user `fleet` with the password `open-sesame`, as htpasswd writes it.
USER, PASSWORD = "fleet", "open-sesame"
_HTPASSWD = "fleet:$2b$05$abcdefghijklmnopqrstuutXu9KzOt.1yBoZUeFWoT/914/JfszCO\n"


def program() -> Path:
    """The registry's program. Without the package installed it is unpacked into the environment,
    which needs no root; where there is no apt, that is said.
    """
    installed = shutil.which(PACKAGE)
    if installed is not None:
        return Path(installed)
    folder = Path(sys.prefix) / "share" / PACKAGE
    unpacked = folder / "usr/bin" / PACKAGE
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # tests run in several processes
        if not unpacked.exists():
            _unpack(folder)
    return unpacked


def _unpack(folder: Path) -> None:
    if shutil.which("apt-get") is None:
        raise RuntimeError(f"install Debian's {PACKAGE}, or put its program on the PATH")
    download = ["apt-get", "download", "--quiet", PACKAGE]
    if subprocess.run(download, cwd=folder, capture_output=True, check=False).returncode != 0:
        # A fresh machine has no lists yet, and only root may fetch them.
        become = [] if os.geteuid() == 0 else ["sudo", "-n"]
        update = [*become, "apt-get", "update", "--quiet"]
        subprocess.run(update, check=True, capture_output=True)
        subprocess.run(download, cwd=folder, check=True, capture_output=True)
    (package,) = folder.glob(f"{PACKAGE}_*.deb")
    subprocess.run(["dpkg-deb", "--extract", package, folder], check=True, capture_output=True)
    package.unlink()


@dataclass
class DockerRegistry:
    """One registry. It keeps its port and its data when it is killed and started again."""

    folder: Path
    login: bool = False
    deletes: bool = True
    port: int = field(default_factory=lambda: _free_port())
    _process: subprocess.Popen[bytes] | None = None

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.port}"

    def start(self) -> "DockerRegistry":
        self.folder.mkdir(parents=True, exist_ok=True)
        auth = ""
        if self.login:
            (self.folder / "htpasswd").write_text(_HTPASSWD)
            auth = f"auth: {{htpasswd: {{realm: fleet, path: {self.folder}/htpasswd}}}}\n"
        config = self.folder / "config.yml"
        deletes = str(self.deletes).lower()
        config.write_text(
            _CONFIG.format(data=self.folder / "data", port=self.port, auth=auth, deletes=deletes)
        )
        command = [program(), "serve", config]
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                command, stdout=log, stderr=log, env={**os.environ, "OTEL_TRACES_EXPORTER": "none"}
            )
        self._wait()
        return self

    def kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def _wait(self) -> None:
        until = time.monotonic() + _READY_SECONDS
        while time.monotonic() < until:
            with suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 0.2):
                return
            time.sleep(0.01)
        raise RuntimeError(f"{PACKAGE} did not start: {(self.folder / 'log').read_text()[-500:]}")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
