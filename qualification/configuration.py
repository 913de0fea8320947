"""The configuration index: what exactly was tested, and with what."""

import hashlib
import platform
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

ROOT = Path(__file__).parent.parent
ITEMS = ("src/fullproof/certify", "src/fullproof/judge", "checker", "proofs/coq", "qualification/requirements.yaml")
"""What a verdict rests on: the checkers, the judge, the proof. Sources and compiled kernels alike."""
_SUFFIXES = {".py", ".pxd", ".so", ".pyd", ".v", ".ml", ".mli", ".yaml"}


@dataclass(frozen=True)
class Configuration:
    """Versions, and the hash of each file."""

    versions: tuple[tuple[str, str], ...]
    files: tuple[tuple[str, str], ...]


def read_configuration() -> Configuration:
    """The configuration of this environment."""
    return Configuration(tuple(_versions()), tuple(_files()))


def _versions() -> Iterator[tuple[str, str]]:
    yield "fullproof", metadata.version("fullproof")
    yield "commit", _commit()
    yield "Python", sys.version.split()[0]
    yield "platform", platform.platform()
    yield "Coq", _answer("coqc", "--print-version").split(" ")[0] or "not installed"
    for requirement in metadata.requires("fullproof") or ():
        name = re.split(r"[^\w.-]", requirement, maxsplit=1)[0]
        if "extra ==" not in requirement:
            yield name, metadata.version(name)


def _commit() -> str:
    commit = _answer("git", "rev-parse", "HEAD")
    if not commit:
        return "unknown: not a clone"
    return f"{commit}, with changes that are not committed" if _answer("git", "status", "--porcelain") else commit


def _files() -> Iterator[tuple[str, str]]:
    for item in ITEMS:
        path = ROOT / item
        for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
            if file.suffix in _SUFFIXES:
                yield file.relative_to(ROOT).as_posix(), hashlib.sha256(file.read_bytes()).hexdigest()


def _answer(*command: str) -> str:
    try:
        return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""
