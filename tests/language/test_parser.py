"""Texts and their trees: precedence, names that look like operators, places."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fullproof.core.errors import Place, UserError
from fullproof.language import parse_assignment, parse_declaration, parse_expression, parse_formula
from fullproof.language.syntax import (
    Binary,
    Boolean,
    Call,
    Comparison,
    Conditional,
    Decimal,
    Integer,
    Name,
    Temporal,
    Unary,
)

a, b, c, x, y = (Name(n) for n in "abcxy")


@pytest.mark.parametrize(
    ("text", "grouped"),
    [
        ("a or b and c", "a or (b and c)"),
        ("not a and b", "(not a) and b"),
        ("not a == b", "not (a == b)"),
        ("not not a", "not (not a)"),
        ("a -> b -> c", "a -> (b -> c)"),
        ("a or b -> c and a", "(a or b) -> (c and a)"),
        ("a U b U c", "a U (b U c)"),
        ("a U b -> c", "(a U b) -> c"),
        ("a or b W c and a", "(a or b) W (c and a)"),
        ("G a and b", "(G(a)) and b"),
        ("X a U b", "(X(a)) U b"),
        ("G x >= 1", "G(x >= 1)"),
        ("not G F a", "not (G(F(a)))"),
        ("x - y - 1", "(x - y) - 1"),
        ("x - y + 1", "(x - y) + 1"),
        ("x / y * 2", "(x / y) * 2"),
        ("x + y * 2 % 3", "x + ((y * 2) % 3)"),
        ("-x ** 2", "-(x ** 2)"),
        ("-x * y", "(-x) * y"),
        ("x ** 2 ** 3", "x ** (2 ** 3)"),
        ("2 ** -x ** 2", "2 ** (-(x ** 2))"),
        ("x - -y", "x - (-y)"),
        ("x + 1 < y * 2", "(x + 1) < (y * 2)"),
        ("x == if a then x else y + 1", "x == (if a then x else (y + 1))"),
        ("if a then if b then x else y else 1", "if a then (if b then x else y) else 1"),
        ("if a -> b then x else y", "if (a -> b) then x else y"),
        ("not if a then b else c and a", "not (if a then b else (c and a))"),
    ],
)
def test_precedence(text: str, grouped: str) -> None:
    assert parse_formula(text) == parse_formula(grouped)


def test_trees() -> None:
    assert parse_expression("true") == Boolean(True)
    assert parse_expression("007") == Integer(7)
    assert parse_expression("1.10") == Decimal(Fraction(11, 10))
    assert parse_expression("1e3") == Decimal(Fraction(1000))
    assert parse_expression("2E-3") == Decimal(Fraction(1, 500))
    assert parse_expression("-3") == Unary("-", Integer(3))
    assert parse_expression("x <= y == 3") == Comparison((x, y, Integer(3)), ("<=", "=="))
    assert parse_expression("max(x, y, 1)") == Call("max", (x, y, Integer(1)))
    assert parse_expression("if a then x else y") == Conditional(a, x, y)
    assert parse_formula("a W b") == Temporal("W", (a, b))
    assert parse_formula("X(a)") == parse_formula("X a") == Temporal("X", (a,))
    assert parse_assignment(" m = x / 2 ") == ("m", Binary("/", x, Integer(2)))
    assert parse_assignment("b = x == 2") == ("b", Comparison((x, Integer(2)), ("==",)))


def test_names_may_look_like_operators_functions_and_types() -> None:
    assert parse_expression("y == W") == Comparison((y, Name("W")), ("==",))
    assert parse_formula("(y < A) W (x > max)") == Temporal(
        "W", (Comparison((y, Name("A")), ("<",)), Comparison((x, Name("max")), (">",)))
    )
    assert parse_formula("W W W") == Temporal("W", (Name("W"), Name("W")))
    assert parse_formula("X U G") == Temporal("U", (Name("X"), Name("G")))
    assert parse_formula("G(U)") == Temporal("G", (Name("U"),))
    assert parse_expression("X - 1 < F and G or R") == parse_expression("(((X) - 1) < (F) and (G)) or (R)")
    assert parse_expression("if X then F else G") == Conditional(Name("X"), Name("F"), Name("G"))
    assert parse_expression("max(max, min)") == Call("max", (Name("max"), Name("min")))
    assert parse_expression("max  (x)") == Call("max", (x,))
    assert parse_expression("real + int") == Binary("+", Name("real"), Name("int"))
    for name in ("andy", "orange", "nothing", "iffy", "trueish", "größe", "x_1", "Δ", "_", "max2", "XX", "G1"):
        assert parse_expression(name) == Name(name)
        assert parse_formula(f"G({name} U {name})") == Temporal("G", (Temporal("U", (Name(name), Name(name))),))


def test_places() -> None:
    at = Place(file="m.yaml", line=12, column=10)
    tree = parse_expression("x +\n  y", at=at)
    assert isinstance(tree, Binary)
    assert tree.at == at
    assert tree.right.at == Place(file="m.yaml", line=13, column=3)
    formula = parse_formula("(a) W (b)", at=at)
    assert formula.at == Place(file="m.yaml", line=12, column=14)
    assert parse_expression("  x").at == Place(column=3)
    assert parse_expression("\nx").at == Place(line=2, column=1)
    assert parse_expression("  x", at=Place(line=7)).at == Place(line=7)


def test_places_do_not_count() -> None:
    here, there = parse_expression("x + 1"), parse_expression("  (x  + 1)")
    assert here == there
    assert hash(here) == hash(there)


WHERE = Place(file="m.yaml", line=12, column=1)


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("x = 3", 3, "unexpected '='; did you mean ==?"),
        ("x === 3", 3, "unexpected '==='; did you mean ==?"),
        ("a && b", 3, "unexpected '&&'; did you mean and?"),
        ("a || b", 3, "unexpected '||'; did you mean or?"),
        ("a & b", 3, "unexpected '&'; did you mean and?"),
        ("!a", 1, "unexpected '!'; did you mean not?"),
        ("a and !(b)", 7, "unexpected '!'; did you mean not?"),
        ("~a", 1, "unexpected '~'; did you mean not?"),
        ("a => b", 3, "unexpected '=>'; did you mean -> (implies) or >=?"),
        ("a =< b", 3, "unexpected '=<'; did you mean <=?"),
        ("a <> b", 3, "unexpected '<>'; did you mean !=?"),
        ("x ^ 2", 3, "unexpected '^'; did you mean **?"),
        ("x // 2", 3, "unexpected '//'; did you mean floor(a / b)?"),
        ("x ≤ 2", 3, "unexpected '≤'; did you mean <=?"),
        ("a ? x : y", 3, "unexpected '?'; did you mean if c then a else b?"),
        ("a AND b", 3, "unexpected 'AND'; did you mean and?"),
        ("a implies b", 3, "unexpected 'implies'; did you mean ->?"),
        ("x mod 2", 3, "unexpected 'mod'; did you mean %?"),
        ("(x + 1", 1, "'(' is never closed"),
        ("max(x, (y + 1)", 4, "'(' is never closed"),
        ("x + 1)", 6, "')' without '('"),
        ("x +", 4, "the text ends too early; expected a value"),
        ("if a then b", 12, "the text ends too early; expected an operator or 'else'"),
        ("", 1, "the text is empty; expected a value"),
        ("  ", 1, "the text is empty; expected a value"),
        ("a b", 3, "unexpected 'b'; expected an operator or the end"),
        ("(a b)", 4, "unexpected 'b'; expected an operator or ')'"),
        ("max(a b)", 7, "unexpected 'b'; expected an operator, ',' or ')'"),
        ("x, y", 2, "unexpected ','; expected an operator or the end"),
        ("x $ y", 3, "unexpected '$'; expected an operator or the end"),
        ("x ~ 3", 3, "unexpected '~'; expected an operator or the end"),
        ("a == == b", 6, "unexpected '='; expected a value"),
        ("a == not b", 6, "'not' binds weaker than what stands before it; put it in parentheses: (not ...)"),
        ("x + .5", 5, "unexpected '.'; a number has digits on both sides of its point, as in 0.5 and 5.0"),
        ("5.", 2, "unexpected '.'; a number has digits on both sides of its point, as in 0.5 and 5.0"),
        ("3x", 1, "'3x' is neither a number nor a name"),
        ("1e", 1, "'1e' is neither a number nor a name"),
        ("foo(3)", 4, "'foo' is not a function; expected one of abs, min, max, floor, len, append, rest"),
        ("max()", 5, "unexpected ')'; expected a value"),
        ("X(a)", 1, "X is a temporal operator; only properties may use it"),
        ("(a) U b", 5, "U is a temporal operator; only properties may use it"),
        ("1e999999999", 1, "the number 1e999999999 has more than 1000 digits"),
        ("1e-999999999999999999999", 1, "the number 1e-99999999999999... has more than 1000 digits"),
        ("1" * 100_000, 1, "the number 11111111111111111... has more than 1000 digits"),
        ("(" * 10_000 + "x" + ")" * 10_000, 151, "parentheses are nested more than 150 deep"),
        (
            "not " * 10_000 + "x",
            1,
            "nested more than 150 deep; parentheses can make long chains of operators shallower",
        ),
        (
            "1" + "+ 1" * 10_000,
            1,
            "nested more than 150 deep; parentheses can make long chains of operators shallower",
        ),
    ],
)
def test_errors_say_where_and_what(text: str, column: int, message: str) -> None:
    with pytest.raises(UserError) as caught:
        parse_expression(text, at=WHERE)
    assert (caught.value.at.column, caught.value.message) == (column, message)
    assert str(caught.value).startswith("m.yaml, line 12, column ")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("m == x", "unexpected '=='; did you mean =?"),
        ("m := x", "unexpected ':='; did you mean =?"),
        ("m", "the text ends too early; expected '='"),
        ("m = ", "the text ends too early; expected a value"),
        ("3 = x", "unexpected '3'; expected a name"),
        ("if = x", "'if' is a word of the language and cannot be a name"),
        ("x y = 3", "unexpected 'y'; expected '='"),
        ("m = X(a)", "X is a temporal operator; only properties may use it"),
        ("m = x = 3", "unexpected '='; did you mean ==?"),
    ],
)
def test_assignment_errors(text: str, message: str) -> None:
    with pytest.raises(UserError) as caught:
        parse_assignment(text)
    assert caught.value.message == message


def test_temporal_operators_stay_outside_of_state_formulas() -> None:
    for text in ("(G a) == b", "max(x, 1) > 2 and (X a) == b", "if G(a) then b else c", "if a then X(b) else c"):
        with pytest.raises(UserError, match="inside a comparison, function or conditional"):
            parse_formula(text)


PIECES = [*"abxyXFGUWR", *"()(),=~.+-*/%<>!", "..", "==", "<=", "**", "->", "and", "or", "not", "if", "then", "else"]
PIECES += ["true", "1", "2.5", "1e9", "max", "abs", "real", "int", "enum", "bool", " ", "\n", "é", "'", "\\", "@", "3x"]


@given(st.lists(st.sampled_from(PIECES), max_size=14).map(" ".join) | st.text(max_size=30))
def test_any_text_is_read_or_refused_with_a_place(text: str) -> None:
    for read in (
        lambda: parse_expression(text, at=WHERE),
        lambda: parse_formula(text, at=WHERE),
        lambda: parse_assignment(text, at=WHERE),
        lambda: parse_declaration(text, name="v", constants={"b": 3, "x": Fraction(1, 3)}, at=WHERE),
    ):
        try:
            read()
        except UserError as error:
            assert error.at.file == "m.yaml"
            assert error.at.line is not None
            assert error.at.column is not None
            assert "\n" not in str(error)
