"""Which files a Python file imports, found by reading it: nothing of it is executed."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

_INSTALLED = frozenset({"site-packages", "dist-packages"})
_OURS = "fullproof"


def working_folder() -> list[Path]:
    """The working directory; none where it was removed meanwhile."""
    try:
        return [Path.cwd()]
    except FileNotFoundError:
        return []


def python_parts(path: Path) -> Iterator[tuple[str, Path]]:
    """The modules that a file imports, directly or not, each with its file; of an installed package, its folder."""
    root = path.resolve().parent
    places = [root, *working_folder(), *(Path(entry) for entry in sys.path if entry)]
    waiting, seen = [(path.resolve(), root)], {path.resolve()}
    given: set[str] = set()
    while waiting:
        file, package = waiting.pop()
        for name, level in sorted(_imports(file)):
            start = [package.joinpath(*[".."] * (level - 1)).resolve()] if level else places
            found = module_file(name, start)
            if found is None or found in seen:
                continue
            seen.add(found)
            top = name.partition(".")[0]
            if _INSTALLED & set(found.parts):
                part = _installed_part(found, top)
                if top not in given:
                    given.add(top)
                    yield top, part
                continue
            yield _name(found, root, name), found
            if found.suffix == ".py":
                waiting.append((found, found.parent))


def module_file(name: str, places: Sequence[Path]) -> Path | None:
    """The file of a module of that name in one of the folders; None for one of the standard library, or of ours."""
    parts = name.split(".")
    if parts[0] in sys.stdlib_module_names or parts[0] == _OURS:
        return None
    for place in places:
        base = place.joinpath(*parts)
        for candidate in (base.with_name(f"{base.name}.py"), base / "__init__.py"):
            if candidate.is_file():
                return candidate.resolve()
        for candidate in sorted(base.parent.glob(f"{parts[-1]}.*")) if base.parent.is_dir() else ():
            if candidate.suffix in (".so", ".pyd") and candidate.is_file():
                return candidate.resolve()
    return None


def _imports(file: Path) -> set[tuple[str, int]]:
    """Names of modules, each with how many folders up it is looked for: 0 for everywhere, 1 for beside the file."""
    try:
        tree = ast.parse(file.read_bytes())
    except (OSError, ValueError, SyntaxError, RecursionError, MemoryError):
        return set()
    names: set[tuple[str, int]] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                names |= {(name, 0) for name in _with_packages(alias.name)}
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            names |= {(name, node.level) for name in _with_packages(base)}
            names |= {(f"{base}.{alias.name}".lstrip("."), node.level) for alias in node.names if alias.name != "*"}
    return names


def _with_packages(name: str) -> set[str]:
    """``a``, ``a.b`` and ``a.b.c`` for ``a.b.c``: importing a module runs its packages."""
    parts = name.split(".") if name else []
    return {".".join(parts[:end]) for end in range(1, len(parts) + 1)}


def _installed_part(found: Path, top: str) -> Path:
    """The folder of an installed package, or its one file."""
    for above in found.parents:
        if above.name == top and above.parent.name in _INSTALLED:
            return above
    return found


def _name(found: Path, root: Path, name: str) -> str:
    try:
        return str(found.relative_to(root))
    except ValueError:
        return name
