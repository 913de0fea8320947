"""The case studies of docs/case-studies.md, run on the programs that are installed here, with date and versions.

Argument ``--install`` installs those of Python and Node in the versions of that page into a folder that is removed at
the end; the others come with a system (``apt-get install redis-server mosquitto``). Each study prints what the page
quotes: its command and what ``fullproof run`` answers.
"""

from __future__ import annotations

import contextlib
import datetime
import os
import platform
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

SYSTEMS = Path(__file__).parents[1] / "examples" / "systems"
PACKAGES = ("amqtt==0.12.1", "transitions==0.9.3", "json-server@0.17.4")
_JSON_SERVER_PORT = 18085
_EXPAT = "import ctypes.util as u, ctypes; f = ctypes.CDLL(u.find_library('expat')).XML_ExpatVersion; " + (
    "f.restype = ctypes.c_char_p; print(f().decode())"
)


@dataclass(frozen=True, slots=True)
class Study:
    """A program, what prints its version, and the run; ``server`` has to run meanwhile."""

    program: str
    folder: str
    version: tuple[str, ...]
    arguments: tuple[str, ...]
    server: tuple[str, ...] = ()

    @property
    def command(self) -> str:
        """As a user types it."""
        return " ".join(("fullproof", "run", *self.arguments))


STUDIES = (
    Study("Redis", "redis", ("redis-server", "--version"), ("model.yaml", "--sut", "tcp:redis.yaml")),
    Study("mosquitto", "mosquitto", ("mosquitto", "-h"), ("model.yaml", "--sut", "tcp:mosquitto.yaml")),
    Study("amqtt", "mosquitto", ("amqtt", "--version"), ("model.yaml", "--sut", "tcp:amqtt.yaml")),
    Study("libexpat", "expat", (sys.executable, "-c", _EXPAT), ("model.yaml", "--sut", "lib:expat.yaml")),
    Study(
        "json-server",
        "json-server",
        ("json-server", "--version"),
        ("model.yaml", "--sut", "http:json-server.yaml"),
        ("json-server", "--port", str(_JSON_SERVER_PORT), "db.json"),
    ),
    Study(
        "transitions",
        "transitions",
        (sys.executable, "-c", "import transitions; print(transitions.__version__)"),
        ("model.yaml", "--sut", "python:machine.py:Regions", "--relation", "reduction"),
    ),
    Study(
        "SMTP server of Python",
        "smtp",
        (sys.executable, "-W", "ignore", "-c", "import platform, smtpd; print(platform.python_version())"),
        ("model.yaml", "--sut", "tcp:smtp.yaml"),
    ),
)


def main() -> None:
    """Print a section for each study."""
    print(f"{datetime.datetime.now(datetime.UTC):%d %B %Y}, {platform.platform()}")
    with tempfile.TemporaryDirectory() as folder:
        if "--install" in sys.argv:
            _install(Path(folder))
        environment = _environment(Path(folder))
        for study in STUDIES:
            print(f"\n## {study.program} {version_of(study, environment) or 'is not installed'}", flush=True)
            if version_of(study, environment):
                print(f"$ {study.command}\n{transcript(study, environment)}", flush=True)


def version_of(study: Study, environment: dict[str, str]) -> str:
    """The version of a program, "" where it is not installed."""
    program = shutil.which(study.version[0], path=environment["PATH"])
    if program is None:
        return ""
    said = subprocess.run(
        (program, *study.version[1:]), env=environment, capture_output=True, text=True, timeout=60, check=False
    )
    found = re.search(r"\d+(\.\d+)+", said.stdout)
    return found[0] if found else ""


def transcript(study: Study, environment: dict[str, str]) -> str:
    """What the run prints, in a copy of the study's folder."""
    with tempfile.TemporaryDirectory() as parent:
        folder = Path(shutil.copytree(SYSTEMS / study.folder, Path(parent) / study.folder))
        with _served(study, folder, environment):
            said = subprocess.run(
                (sys.executable, "-m", "fullproof", "run", *study.arguments),
                cwd=folder,
                env=environment,
                capture_output=True,
                text=True,
                check=False,
            )
    return (said.stdout + said.stderr).rstrip()


def _install(folder: Path) -> None:
    """A broker gets an environment of its own; what the run imports must not bring other versions of its packages."""
    subprocess.run((sys.executable, "-m", "venv", folder / "venv"), check=True)
    subprocess.run((folder / "venv/bin/pip", "install", "--quiet", PACKAGES[0]), check=True)
    pip = (sys.executable, "-m", "pip", "install", "--quiet", "--target", folder / "imported")
    subprocess.run((*pip, PACKAGES[1]), check=True)
    subprocess.run(("npm", "install", "--silent", "--prefix", folder, PACKAGES[2]), check=True)


def _environment(folder: Path) -> dict[str, str]:
    own = [str(Path(sys.executable).parent), os.environ.get("PATH", ""), "/usr/sbin"]
    installed = [str(folder / "node_modules/.bin")]
    amqtt = folder / "venv/bin/amqtt"
    if amqtt.exists():  # this program alone: the environment has a Python of its own
        (folder / "bin").mkdir()
        (folder / "bin/amqtt").symlink_to(amqtt)
        installed.append(str(folder / "bin"))
    return {**os.environ, "PATH": os.pathsep.join((*installed, *own)), "PYTHONPATH": str(folder / "imported")}


@contextlib.contextmanager
def _served(study: Study, folder: Path, environment: dict[str, str]) -> Iterator[None]:
    if not study.server:
        yield
        return
    quiet = subprocess.DEVNULL
    with subprocess.Popen(study.server, cwd=folder, env=environment, stdout=quiet, stderr=quiet) as server:
        try:
            _wait_for(_JSON_SERVER_PORT, server)
            yield
        finally:
            server.terminate()


def _wait_for(port: int, server: subprocess.Popen[bytes]) -> None:
    while server.poll() is None:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return
        time.sleep(0.1)


if __name__ == "__main__":
    main()
