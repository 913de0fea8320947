"""``python -m release.installs dist``: install the wheel and the source archive of a folder in fresh environments.

The wheel without a compiler; the archive with one, and without. In each, ``release/probe.py`` says whether it works.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import venv
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NO_COMPILER = {"CC": "/bin/false", "CXX": "/bin/false"}
MADE = (".so", ".pyd", ".pyc", ".c")


def missing(archive: Path) -> list[str]:
    """Files of the package that a wheel or a source archive lacks."""
    source = ROOT / "src"
    files = [path.relative_to(source).as_posix() for path in sorted((source / "fullproof").rglob("*")) if _kept(path)]
    if archive.suffix == ".whl":
        with zipfile.ZipFile(archive) as opened:
            held = set(opened.namelist())
    else:
        with tarfile.open(archive) as opened_tar:
            held = {name.split("/src/", 1)[-1] for name in opened_tar.getnames()}
    return [name for name in files if name not in held]


def _kept(path: Path) -> bool:
    return path.is_file() and path.suffix not in MADE and "__pycache__" not in path.parts


def try_install(archive: Path, environment: Mapping[str, str], expected: str) -> None:
    """Install an archive in a new environment, and use it there."""
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        python = Path(folder) / ("Scripts" if os.name == "nt" else "bin") / "python"
        pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        # Without its cache, in which pip keeps what it has built from an archive: that of the other environment.
        _run([*pip, "--no-cache-dir", "--no-deps", archive.resolve()], environment, folder)
        _run([*pip, "fullproof"], environment, folder)
        _run([python, "-m", "pip", "check"], environment, folder)
        _run([python, ROOT / "release" / "probe.py", expected], environment, folder)


def _run(words: Iterable[str | Path], environment: Mapping[str, str], folder: str) -> None:
    given = [str(word) for word in words]
    clean = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "FULLPROOF_PURE")}
    done = subprocess.run(given, env=clean | environment, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(given)}: exit code {done.returncode}\n{done.stdout}{done.stderr}")


def _only(folder: Path, pattern: str) -> Path:
    found = sorted(folder.glob(pattern))
    if len(found) != 1:
        raise SystemExit(f"{folder}: expected one {pattern}, found {len(found)}")
    return found[0]


def main(folder: Path) -> None:
    """Try all of them; end with a message at the first that does not work."""
    wheel, source = _only(folder, "fullproof-*.whl"), _only(folder, "fullproof-*.tar.gz")
    for archive in (wheel, source):
        lacking = missing(archive)
        if lacking:
            raise SystemExit(f"{archive.name} lacks {len(lacking)} files of the package: {', '.join(lacking[:5])}")
    trials = [(wheel, "without a compiler", NO_COMPILER, "compiled")]
    if shutil.which("cc") is not None:
        trials.append((source, "with a compiler", {}, "compiled"))
    trials.append((source, "without a compiler", NO_COMPILER, "uncompiled"))
    for archive, said, environment, expected in trials:
        start = time.monotonic()
        try_install(archive, environment, expected)
        print(f"{archive.name} {said}: works, kernels {expected} ({time.monotonic() - start:.0f} s)", flush=True)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit("usage: python -m release.installs FOLDER")
    main(Path(sys.argv[1]))
