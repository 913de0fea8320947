"""The fingerprint of a system under test: the SHA-256 of its files on this machine, by name.

A journal keeps it, so that a run is not continued with another version of the system unnoticed. It covers the file, the
library, the executable that ``--sut`` names, files among the arguments and in mapping files, and the modules that a
Python file imports, those of installed packages included. It does not see what is reached over a network, modules that
are imported by a computed name, data that a system opens by itself, and libraries that the loader adds.
"""

from __future__ import annotations

import hashlib
import os
import platform
import re
import shlex
import shutil
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from fullproof.artefacts.system_spec import is_protocol
from fullproof.execute.python_imports import module_file, python_parts, working_folder

_SCRIPTS = (".py", ".pyw")
_MAPPINGS = (".yaml", ".yml", ".json")
_CODE = frozenset(
    {".class", ".jar", ".py", ".so", ".js", ".mjs", ".rb", ".pl", ".lua", ".php", ".wasm", ".dll", ".beam"}
)
_ARGUMENT = "argument "
"""Before the names of files that may be data as well as code."""
_MOST = 5_000
"""Files of a folder that are looked at."""
_KNOWN: dict[tuple[str, int, int], str] = {}
"""Hashes by path, size and time of the last change: at the end of a run, a file that was not touched is not read."""


def fingerprint(spec: str) -> dict[str, str]:
    """The parts of the system that ``--sut`` names, each with its SHA-256; none where no part of it is on this
    machine.
    """
    scheme, _, rest = spec.partition(":")
    found: dict[str, str] = {}
    if scheme == "python":
        source = rest.rpartition(":")[0]
        path = Path(source) if source.endswith(".py") or "/" in source else module_file(source, working_folder())
        found["Python"] = platform.python_version()
        if path is not None and path.is_file():
            found.update(_of_python(source, path))
        return found
    for name, path in _named(scheme, rest):
        if path.is_dir():
            found[name] = _of_tree(path, _CODE)
        elif path.suffix in _SCRIPTS:
            found.update(_of_python(name, path))
        else:
            found[name] = _of_file(path)
    return found


def differences(old: Mapping[str, str], new: Mapping[str, str]) -> list[str]:
    """The names of changed parts.

    A file that was not there before is no part of what ran before: a system may write to files that its arguments name.
    A module that is imported newly shows in the file that imports it.
    """
    return sorted(name for name in old if old[name] != new.get(name))


def changed_meanwhile(old: Mapping[str, str], new: Mapping[str, str]) -> list[str]:
    """The same for the end of a run, during which a system may write to files of its own, such as a log."""
    return [name for name in differences(old, new) if not name.startswith(_ARGUMENT)]


def _named(scheme: str, rest: str) -> Iterator[tuple[str, Path]]:
    """The files and folders that an address names, those in its mapping files included."""
    try:
        words = shlex.split(rest)
    except ValueError:
        words = [rest]
    if scheme in ("exec", "restart") and words and not is_protocol(f"{scheme}:{rest}"):
        program = shutil.which(words[0])
        if program is not None:
            yield words[0], Path(program)
        if "-m" in words and Path(words[0]).name.startswith(("python", "pypy")):
            name = words[words.index("-m") + 1 : words.index("-m") + 2]
            found = module_file(name[0], working_folder()) if name else None
            if found is not None:
                yield f"-m {name[0]}", found
        words = words[1:]
    else:
        words = [rest, *words] if len(words) > 1 else words
    for word in words:
        for part in {word, word.rpartition("=")[2], word.removeprefix("@"), *word.split(os.pathsep)}:
            path = Path(part)
            if part and (_is(path, folder=scheme in ("exec", "restart"))) and path.resolve() not in _here():
                is_data = scheme in ("exec", "restart") and path.suffix not in (*_CODE, *_MAPPINGS, *_SCRIPTS)
                yield (f"{_ARGUMENT}{part}" if is_data else part), path
                if path.suffix in _MAPPINGS:
                    yield from _mapped(path)
                if _is(beside := path.with_name(f"{path.name}.yaml")):
                    yield str(beside), beside
                    yield from _mapped(beside)


def _here() -> set[Path]:
    """The working directory and those above it: files written there during the run are not part of the system."""
    return {folder for here in working_folder() for folder in (here, *here.parents)}


def _mapped(mapping: Path) -> Iterator[tuple[str, Path]]:
    """The files that a mapping file names."""
    for word in set(re.split(r"[\s\"',\[\]{}]+", mapping.read_bytes().decode("utf-8", "replace"))):
        for path in (mapping.parent / word, Path(word)):
            if word and _is(path):
                yield word, path
                break


def _is(path: Path, *, folder: bool = False) -> bool:
    try:
        return path.is_file() or (folder and path.is_dir())
    except (OSError, ValueError):  # no name at all: too long, or with a NUL
        return False


def _of_python(name: str, path: Path) -> dict[str, str]:
    found = {name: _of_file(path)}
    for module, part in python_parts(path):
        found[f"module {module}"] = _of_tree(part, None) if part.is_dir() else _of_file(part)
    return found


def _of_tree(folder: Path, endings: Iterable[str] | None) -> str:
    """One hash for the files below a folder, or those with such endings."""
    whole = hashlib.sha256()
    count = 0
    for place, folders, files in os.walk(folder):
        folders[:] = sorted(f for f in folders if f != "__pycache__" and not f.startswith("."))
        for file in sorted(files):
            path = Path(place) / file
            if path.suffix == ".pyc" or (endings is not None and path.suffix not in endings) or not _is(path):
                continue
            count += 1
            if count > _MOST:
                return f"{whole.hexdigest()} of {_MOST:,} files"
            whole.update(f"{path.relative_to(folder)}\0{_of_file(path)}\n".encode("utf-8", "surrogateescape"))
    return whole.hexdigest()


def _of_file(path: Path) -> str:
    try:
        state = path.stat()
        key = (str(path), state.st_size, state.st_mtime_ns)
        if key not in _KNOWN:
            with path.open("rb") as file:
                _KNOWN[key] = hashlib.file_digest(file, "sha256").hexdigest()
        return _KNOWN[key]
    except OSError as error:
        return f"cannot be read: {error.strerror}"
