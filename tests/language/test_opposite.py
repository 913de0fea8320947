"""The opposite of a condition holds exactly where the condition does not, and is the only one there is."""

import ast
from pathlib import Path

import pytest

import fullproof
from fullproof.language.evaluate import evaluate
from fullproof.language.formulas import opposite
from fullproof.language.parser import parse_expression
from fullproof.language.printer import to_text
from fullproof.language.scope import Scope
from fullproof.language.types import IntType, Variable

SCOPE = Scope((Variable(name="x", type=IntType()), Variable(name="y", type=IntType())))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x < y", "x >= y"),
        ("x == y", "x != y"),
        ("not x < y", "x < y"),
        ("true", "false"),
        ("1 <= x <= 2", "not 1 <= x <= 2"),
        ("x < 1 and y < 1", "not (x < 1 and y < 1)"),
        ("x / y > 1", "x / y <= 1"),
    ],
)
def test_it_is_written_as_a_person_would_and_means_not(text: str, expected: str) -> None:
    condition = parse_expression(text)
    other = opposite(condition)
    assert to_text(other) == expected
    for x in range(-1, 4):
        for y in range(-1, 3):
            values = {"x": x, "y": y}
            assert evaluate(other, SCOPE, values) is not evaluate(condition, SCOPE, values)


def test_no_other_module_has_one_of_its_own() -> None:
    source = Path(fullproof.__file__).parent
    named = [
        f"{path.relative_to(source)}: {node.name}"
        for path in sorted(source.rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef) and node.name.strip("_") in ("negated", "negation", "negate", "opposite")
    ]
    assert named == [
        "language/formulas.py: negation",
        "language/formulas.py: opposite",
        "language/safety.py: _negation",  # of LTL: keeps atoms as they are
    ]
