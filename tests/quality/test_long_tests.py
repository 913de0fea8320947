"""The list of tests that take long names tests that exist, and is read from what pytest prints."""

import ast
from pathlib import Path

from tests.long_tests import listed, long_tests
from tests.shared import ROOT


def functions(path: Path) -> set[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}


def test_what_is_listed_exists() -> None:
    places = {test.partition("[")[0] for test in listed()}
    found = {place for place in places if place.rpartition("::")[2] in functions(ROOT / place.partition("::")[0])}
    assert places - found == set()


def test_durations_add_up() -> None:
    report = [
        "1.00s setup    tests/a.py::test_x[1 2]",
        "0.60s call     tests/a.py::test_x[1 2]",
        "1.40s call tests/b.py::y",
    ]
    assert long_tests([*report, "2.00s call     other/c.py::z", "noise"]) == ["tests/a.py::test_x[1 2]"]
