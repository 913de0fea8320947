"""Conditions and values of SCXML mean what ECMAScript says, and what is written means what the model says."""

import json
import random
import shutil
import subprocess
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.strategies.conditions import conditions, values_of

from fullproof.core.errors import Place, UserError
from fullproof.formats.scxml.expressions import read_expression
from fullproof.formats.scxml.printer import ecmascript
from fullproof.formats.scxml.tree import Attribute
from fullproof.language.evaluate import evaluate
from fullproof.language.parser import parse_expression
from fullproof.language.printer import to_text
from fullproof.language.scope import Scope
from fullproof.language.syntax import Expression
from fullproof.language.types import BoolType, EnumType, IntType, RealType, Value, Variable

VARIABLES = (
    Variable(name="x", type=IntType(-5, 5)),
    Variable(name="r", type=RealType(Fraction(0), Fraction(4))),
    Variable(name="b", type=BoolType()),
    Variable(name="e", type=EnumType(("L", "M", "H"))),
)
SCOPE = Scope(VARIABLES, {"c": 2})


def read(text: str) -> Expression:
    return read_expression(Attribute(text, lambda offset: Place(file="m", line=1, column=offset + 1)))


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        ("a && b || c", "a and b or c"),
        ("a || b && c", "a or b and c"),
        ("!a && b", "not a and b"),
        ("!(a == b)", "not (a == b)"),
        ("!a == b", "(not a) == b"),
        ("x === 1 && y !== 2", "x == 1 and y != 2"),
        ("x < 1 == b", "(x < 1) == b"),
        ("a == b == c", "(a == b) == c"),
        ("x - 1 - y * 2 % 3", "x - 1 - y * 2 % 3"),
        ("-x + +y", "-x + y"),
        ("x ** 2 ** 3", "x ** 2 ** 3"),
        ("a ? 1 : b ? 2 : 3", "if a then 1 else (if b then 2 else 3)"),
        ("Math.max(x, 1.50, .5, 2.)", "max(x, 1.5, 0.5, 2.0)"),
        ("Math.floor(x / 2)", "floor(x / 2)"),
        ("e == 'red' || e != \"M\"", "e == red or e != M"),
        ("1e3 + 5E-1", "1e3 + 5e-1"),
        ("!!true", "not not true"),
        ("$x_1 == 1".replace("$", ""), "x_1 == 1"),
    ],
)
def test_reads(theirs: str, ours: str) -> None:
    assert read(theirs) == parse_expression(ours)


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("", 1, "an expression is missing"),
        ("x = 1", 3, "did you mean ==?"),
        ("x & y", 3, "did you mean &&?"),
        ("x | y", 3, "did you mean ||?"),
        ("x &&", 5, "the expression ends too early, expected a value"),
        ("x > 1 y", 7, "unexpected 'y' after an expression"),
        ("1 < x < 5", 7, "a second '<'"),
        ("x and y", 3, "unexpected 'and' after an expression"),
        ("not x", 1, "'not' is a word of another language"),
        ("(x > 1", 7, "expected ')' after an expression in parentheses, found the end"),
        ("x > 1)", 6, "unexpected ')' after an expression"),
        ("_event.data.n > 1", 1, "events carry no values here"),
        ("x.length > 1", 1, "a value has no parts here"),
        ("Math.sin(x)", 1, "unknown 'Math.sin'"),
        ("Math.abs", 9, "expected '(' after Math.abs"),
        ("In(s)", 4, "expected a state in quotes, as in In('idle')"),
        ("a ? 1", 6, "expected ':' between the two values after '?', found the end"),
        ("e == 'dark red'", 6, "'dark red' cannot be a value of an enum"),
        ("e == 'red", 6, "a text without its closing quote"),
        ("x++", 4, "the expression ends too early"),
        ("[1]", 1, "lists are not known here"),
        ("x; y", 2, "only one expression"),
        ("12ab", 3, "unexpected 'ab' after a number"),
        ("x # y", 3, "unexpected '#' in an expression"),
        ("(" * 500 + "x" + ")" * 500, 51, "nested more than 50 deep"),
        ("x ** " * 500 + "x", 251, "nested more than 50 deep"),
        ("b ? x : " * 500 + "x", 397, "nested more than 50 deep"),
        ("!" * 500 + "x", 1, "nested more than 150 deep"),
        ("-".join(["x"] * 200), 1, "nested more than 150 deep"),
        ("1e99999", 1, "more than 1000 digits"),
    ],
)
def test_complaints(text: str, column: int, message: str) -> None:
    with pytest.raises(UserError) as caught:
        read(text)
    assert message in caught.value.message
    assert (caught.value.at.line, caught.value.at.column) == (1, column)


values = st.fixed_dictionaries({variable.name: values_of(variable.type) for variable in VARIABLES})


@given(conditions(VARIABLES, {"c": 2}), values)
@settings(max_examples=150, deadline=None)
def test_what_is_written_means_the_same(expression: Expression, given_values: dict[str, Value]) -> None:
    text, exact = ecmascript(expression, frozenset("LMH"))
    again = read(text)
    assert exact == (again == expression)
    assert evaluate(again, SCOPE, given_values) == evaluate(expression, SCOPE, given_values), text


def truths(rng: random.Random, depth: int) -> str:
    """A condition without more parentheses than it needs, so that precedence decides."""
    if depth == 0:
        return rng.choice(["true", "false", "p", "q", "!p", "!q"])
    match rng.randrange(6):
        case 0 | 1:
            return f"{truths(rng, depth - 1)} {rng.choice(['&&', '||'])} {truths(rng, depth - 1)}"
        case 2:
            comparison = rng.choice(["<", "<=", ">", ">=", "==", "!=", "===", "!=="])
            return f"{numbers(rng, depth - 1)} {comparison} {numbers(rng, depth - 1)}"
        case 3:
            return f"!{rng.choice('pq')} {rng.choice(['==', '!=='])} {rng.choice('pq')}"
        case 4:
            return f"{rng.choice('pq')} ? {truths(rng, depth - 1)} : {truths(rng, depth - 1)}"
        case _:
            return f"!({truths(rng, depth - 1)})"


def numbers(rng: random.Random, depth: int) -> str:
    if depth == 0:
        return rng.choice(["x", "y", "1", "2.5", "-y", "Math.max(x, 2)"])
    operator = rng.choice(["+", "-", "*", "%"])
    left = numbers(rng, depth - 1)
    return f"{left} % 3 {operator} 1" if operator == "%" and "-" not in left else f"{left} + {numbers(rng, 0)} * 2"


@pytest.mark.skipif(shutil.which("node") is None, reason="needs node, which speaks ECMAScript")
def test_like_a_reader_of_ecmascript() -> None:
    rng = random.Random(7)
    scope = Scope(
        (
            *(Variable(name=name, type=IntType()) for name in "xy"),
            *(Variable(name=name, type=BoolType()) for name in "pq"),
        )
    )
    cases: list[tuple[str, dict[str, Value]]] = [
        (truths(rng, 3), {"x": rng.randrange(5), "y": rng.randrange(5), "p": p, "q": q})
        for _ in range(150)
        for p, q in [(rng.random() < 0.5, rng.random() < 0.5)]
    ]
    program = "".join(
        f"out.push((({', '.join(given_values)}) => ({text}))(...{json.dumps(list(given_values.values()))}));\n"
        for text, given_values in cases
    )
    script = f"const out = [];\n{program}console.log(JSON.stringify(out));"
    answer = subprocess.run(["node", "-e", script], capture_output=True, text=True, check=True, timeout=60)
    for (text, given_values), expected in zip(cases, json.loads(answer.stdout), strict=True):
        assert evaluate(read(text), scope, given_values) == expected, (text, to_text(read(text)), given_values)
