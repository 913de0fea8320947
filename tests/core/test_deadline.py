"""One deadline for all rooms."""

import ast
import math
from pathlib import Path

import fullproof
from fullproof.core.deadline import Deadline


def test_it_counts_down_and_stays_passed() -> None:
    times = iter([10.0, 10.0, 11.5, 12.0, 99.0, 99.0])
    deadline = Deadline(2.0, now=lambda: next(times))
    assert (deadline.seconds, deadline.left(), deadline.left()) == (2.0, 2.0, 0.5)
    assert deadline.passed()
    assert deadline.passed()
    assert deadline.left() == 0.0


def test_without_an_end_it_never_passes() -> None:
    for never in (Deadline(None), Deadline(math.inf)):
        assert never.left() == math.inf
        assert not never.passed()
    assert Deadline(0).passed()


def test_what_is_done_while_it_rests_does_not_count() -> None:
    times = iter([10.0, 11.0, 50.0, 50.5, 60.0])
    deadline = Deadline(2.0, now=lambda: next(times))
    with deadline.resting():
        assert not deadline.passed()
    assert deadline.left() == 0.5
    assert deadline.passed()


def test_no_other_module_has_a_deadline_of_its_own() -> None:
    source = Path(fullproof.__file__).parent
    found = [
        str(path.relative_to(source))
        for path in sorted(source.rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef) and "Deadline" in node.name
    ]
    assert found == ["core/deadline.py"]
