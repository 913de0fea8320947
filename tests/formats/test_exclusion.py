"""A guard that gives way to another holds where it holds and the other does not: for all pairs, on all values."""

from itertools import product

from tests.strategies.charts import SCOPE

from fullproof.formats.charts.exclusion import guard_unless
from fullproof.language.compile import compile_expression
from fullproof.language.formulas import opposite
from fullproof.language.parser import parse_expression
from fullproof.language.printer import to_text
from fullproof.language.syntax import Expression
from fullproof.language.types import Value

VALUES: list[dict[str, Value]] = [
    {"x": x, "n": n, "e": e, "h": 0, "fuel": 0} for x, n, e in product(range(-2, 3), range(-1, 3), ["L", "M", "H"])
]
COMPARED = [
    f"{left} {operator} {right}"
    for operator in ("==", "!=", "<", "<=", ">", ">=")
    for left, right in (("x", "0"), ("x", "c"), ("x", "n"), ("n", "x"), ("-1", "x"), ("e", "M"))
]
OTHERS = [
    *("true", "false", "x > 0 and n >= 2", "n >= 2 and x > 0", "x > 0 or n >= 2", "not (x > 0)", "e == L", "L == e"),
    *(
        "-1 <= x <= 1",
        "0 <= x < n",
        "not (0 <= x < n)",
        "x > n and not (e == L)",
        "e < H and x != 0",
        "e == M or x == c",
    ),
    *("-x > 0", "x > -1", "x + n > 0", "x + n <= 0", "x > 0.5", "x <= 0.5", "x - 1 == n"),
]


def where(guard: Expression) -> list[bool]:
    holds = compile_expression(guard, SCOPE)
    return [bool(holds(values)) for values in VALUES]


def test_every_pair() -> None:
    parsed = {text: parse_expression(text) for text in [*COMPARED, *OTHERS]}
    known = {text: where(guard) for text, guard in parsed.items()}
    for number, (mine, other) in enumerate(product(parsed, parsed)):
        for scope in (SCOPE, None)[: 1 if number % 5 else 2]:
            made = guard_unless(parsed[mine], [parsed[other]], scope)
            expected = [a and not b for a, b in zip(known[mine], known[other], strict=True)]
            found = [False] * len(VALUES) if made is None else where(made)
            assert found == expected, (mine, other, made and to_text(made))
            if made is not None:
                assert parse_expression(to_text(made)) == made


def test_several_at_once() -> None:
    for first, second in product(OTHERS, OTHERS):
        guard = guard_unless(parse_expression("x < n"), [parse_expression(first), parse_expression(second)], SCOPE)
        found = [False] * len(VALUES) if guard is None else where(guard)
        assert found == where(parse_expression(f"x < n and not ({first}) and not ({second})")), (first, second)


def test_negation() -> None:
    for text in [*COMPARED, *OTHERS]:
        guard = parse_expression(text)
        assert where(opposite(guard)) == [not value for value in where(guard)]
