"""The checker of suites shares no code with what makes them."""

import ast
from pathlib import Path

import pytest

import fullproof

PACKAGE = Path(fullproof.__file__).parent
FOREIGN = {"generate", "analysis", "formats"}


def imported(path: Path) -> set[str]:
    """The modules of the package that a file imports, at its head or inside of functions."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
        elif isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
    return {name for name in names if name.startswith("fullproof.")}


def file_of(module: str) -> Path | None:
    path = PACKAGE.joinpath(*module.split(".")[1:])
    return next((p for p in (path.with_suffix(".py"), path / "__init__.py") if p.is_file()), None)


@pytest.mark.requirement("CERTIFY-5")
def test_nothing_of_the_generators_is_reached_by_imports():
    seen, waiting = set(), set((PACKAGE / "certify").rglob("*.py"))
    while waiting:
        path = waiting.pop()
        seen.add(path)
        waiting |= {found for name in imported(path) if (found := file_of(name))} - seen
    rooms = {path.relative_to(PACKAGE).parts[0] for path in seen}
    assert "certify" in rooms
    assert not rooms & FOREIGN
