"""The solver port: the stack, ranges, irrational solutions, time, interruption, quantifiers."""

import signal
import subprocess
import sys
import time
from fractions import Fraction

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.oracles.valuations import exists_forall, satisfiable
from tests.strategies.expressions import LIGHT, MODE, conditions

from fullproof.core.errors import Bug, UserError
from fullproof.language import Scope, evaluate, free_names, parse_declaration, parse_expression
from fullproof.language.syntax import Comparison, Expression, Name, Unary
from fullproof.language.types import BoolType, EnumType, IntType, RealType, Variable
from fullproof.smt import Sat, Solver, Unknown, Unsat, open_solver, pushed


def variable(name: str, text: str) -> Variable:
    return parse_declaration(text, name=name, constants={})


def solver_over(*, timeout: float | None = 10.0, **declarations: str) -> Solver:
    variables = tuple(variable(name, text) for name, text in declarations.items())
    return open_solver(Scope(variables, {"vmax": 200, "third": Fraction(1, 3)}), timeout=timeout)


def E(text: str) -> Expression:  # noqa: N802
    return parse_expression(text)


def test_values_come_back_exactly() -> None:
    solver = solver_over(x="real 0..400", y="enum O, W, A", n="int", b="bool")
    solver.add(E("3 * x == 20"), E("O < y < A"), E("n * 2 == -14"), E("not b"))
    assert solver.check() == Sat({"x": Fraction(20, 3), "y": "W", "n": -7, "b": False})


def test_every_variable_has_a_value_of_its_range() -> None:
    solver = solver_over(x="real 5..6", y="enum O", n="int 7..7", b="bool", z="real ..-3")
    answer = solver.check()
    assert isinstance(answer, Sat)
    assert answer.model["n"] == 7
    assert answer.model["y"] == "O"
    assert Fraction(5) <= Fraction(answer.model["x"]) <= 6
    assert Fraction(answer.model["z"]) <= -3
    assert solver.check_assuming(E("x > 6")) == Unsat()
    assert solver.check_assuming(E("n != 7")) == Unsat()
    assert solver.check_assuming(E("y != O")) == Unsat()


def test_the_stack() -> None:
    solver = solver_over(x="real")
    solver.add(E("x > vmax"))
    with pushed(solver):
        solver.add(E("x < 200"))
        assert solver.check() == Unsat()
        with pushed(solver):
            solver.add(E("x == third"))
            assert solver.check() == Unsat()
    assert isinstance(solver.check(), Sat)
    assert solver.check_assuming(E("x < 201"), E("x > 201")) == Unsat()
    assert isinstance(solver.check_assuming(E("x < 201")), Sat)
    with pytest.raises(ZeroDivisionError), pushed(solver):
        solver.add(E("false"))
        raise ZeroDivisionError
    assert isinstance(solver.check(), Sat)
    with pytest.raises(Bug):
        solver.pop()


def test_ill_typed_conditions_are_the_users_error() -> None:
    solver = solver_over(x="real", y="enum O, W")
    for text in ("x", "x == W", "xx > 3", "x ** 1000 > 0"):
        with pytest.raises(UserError):
            solver.add(E(text))
    assert isinstance(solver.check(), Sat)


def test_too_deep_a_condition_is_unknown_while_it_stands() -> None:
    solver = solver_over(b="bool")
    deep = E("b")
    for _ in range(5000):
        deep = Unary("not", deep)
    assert isinstance(solver.check_assuming(deep), Unknown)
    assert isinstance(solver.check(), Sat)


def test_copies_of_variables_are_just_names() -> None:
    copies = tuple(Variable(name=f"x@{i}", type=IntType(0, 3)) for i in range(3))
    solver = open_solver(Scope(copies))
    solver.add(Comparison(tuple(Name(v.name) for v in copies), (">", ">")))
    answer = solver.check()
    assert isinstance(answer, Sat)
    assert answer.model["x@0"] > answer.model["x@1"] > answer.model["x@2"]  # type: ignore[operator]


@pytest.mark.parametrize(
    "text",
    ["x * x > 2 and x > 0", "x * x >= 2 and x * x <= 2.000001 and x < 0", "x * x * x == 2 + z", "x ** 2 + z ** 2 == 1"],
)
def test_irrational_solutions_have_rational_neighbours(text: str) -> None:
    solver = solver_over(x="real", z="real 0..0.9")
    solver.add(E(text))
    answer = solver.check()
    assert isinstance(answer, Sat)
    assert evaluate(E(text), solver.scope, answer.model) is True


def test_what_has_irrational_solutions_only_is_unknown() -> None:
    solver = solver_over(x="real", z="real")
    assert isinstance(solver.check_assuming(E("x * x == 2")), Unknown)
    assert isinstance(solver.check_assuming(E("x * x == 3 and z > x and z * x < 3.1")), Unknown)
    assert solver.check_assuming(E("x * x == 2 and x * x * x == 2")) == Unsat()
    assert isinstance(solver.check_assuming(E("x == 2")), Sat)


def test_time_is_limited() -> None:
    # Fermat: no solution, and no end of trying.
    solver = solver_over(a="int 1..", b="int 1..", c="int 1..", timeout=0.3)
    start = time.monotonic()
    answer = solver.check_assuming(E("a ** 3 + b ** 3 == c ** 3"))
    assert isinstance(answer, Unknown)
    assert time.monotonic() - start < 5
    assert isinstance(solver.check_assuming(E("a ** 2 + b ** 2 == c ** 2")), Sat)


def test_ctrl_c_interrupts_a_check() -> None:
    program = (
        "import sys\n"
        "from fullproof.language import Scope, parse_declaration, parse_expression\n"
        "from fullproof.smt import open_solver\n"
        "scope = Scope(tuple(parse_declaration('int 1..', name=n, constants={}) for n in 'abc'))\n"
        "solver = open_solver(scope, timeout=None)\n"
        "solver.add(parse_expression('a ** 3 + b ** 3 == c ** 3'))\n"
        "print('ready', flush=True)\n"
        "try:\n    solver.check()\n"
        "except KeyboardInterrupt:\n    sys.exit(42)\n"
    )
    process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=20) == 42
    finally:
        process.kill()


def test_answers_do_not_depend_on_other_solvers() -> None:
    def ask() -> object:
        solver = solver_over(x="real 0..400", y="enum O, W, A", n="int 0..9")
        return [solver.check_assuming(E(text)) for text in ("x > vmax", "x * n > 3", "x != 7 and y != O")]

    first = ask()
    noisy = solver_over(x="int", z="real")
    noisy.add(E("z * x > 17"))
    noisy.check()
    assert ask() == first


FINITE = Scope(
    (
        Variable(name="p", type=BoolType()),
        Variable(name="X", type=BoolType()),
        Variable(name="i", type=IntType(-2, 2)),
        Variable(name="j", type=IntType(-1, 3)),
        Variable(name="light", type=LIGHT),
        Variable(name="mode", type=MODE),
    ),
    {"k": 3, "zero": 0, "minus": -2, "third": Fraction(1, 3), "yes": True, "r": Fraction(1, 2), "s": Fraction(-3)},
)


@given(st.lists(conditions(depth=3), min_size=1, max_size=3))
@settings(max_examples=60)
def test_satisfiability_is_what_trying_everything_says(asserted: list[Expression]) -> None:
    solver = open_solver(FINITE)
    for condition in asserted:
        expected = satisfiable(condition, FINITE)
        answer = solver.check_assuming(condition)
        assert isinstance(answer, Sat if expected else Unsat)


INNER = ("j", "mode", "X")


@given(conditions(depth=3))
@settings(max_examples=60)
def test_quantified_questions_are_what_trying_everything_says(formula: Expression) -> None:
    assume(free_names(formula) & set(INNER))
    inner = [v for v in FINITE.variables if v.name in INNER]
    outer = [v for v in FINITE.variables if v.name not in INNER]
    expected = exists_forall(outer, inner, formula, FINITE)
    answer = open_solver(FINITE).check_exists_forall(outer, inner, formula)
    assert isinstance(answer, Sat if expected else Unsat)
    if isinstance(answer, Sat):
        assert set(answer.model) == {v.name for v in outer}


def test_quantified_questions_over_reals() -> None:
    solver = solver_over(x="real 0..400")
    y, k = variable("y", "real 0..10"), variable("k", "int")
    assert isinstance(solver.check_exists_forall([k], [y], E("y * k <= 50 and k > 4")), Sat)
    assert solver.check_exists_forall([k], [y], E("y * k <= 50 and k > 5")) == Unsat()
    solver.add(E("x >= 300"))
    answer = solver.check_exists_forall([], [y], E("y == 2 + (x - vmax) / 100 -> y < 3.5 and y > 2.5"))
    assert isinstance(answer, Sat)
    assert Fraction(300) <= Fraction(answer.model["x"]) < 350
    assert solver.check_exists_forall([], [y], E("y == 2 + (x - vmax) / 100 -> y < 3")) == Unsat()
    assert solver.check_exists_forall([], [], E("x < 301")) != Unsat()


def test_refinement_alone_decides_finite_questions() -> None:
    from fullproof.smt.backends.z3_backend import Z3Solver
    from fullproof.smt.backends.z3_quantified import Query, by_refinement

    scope = Scope((variable("x", "int 0..20"), variable("m", "enum O, W, A"), variable("o", "enum A, W, O")))
    y, q = variable("y", "int 0..20"), Variable(name="q", type=EnumType(("A", "W", "O")))
    solver = Z3Solver(scope, timeout=10)
    for text, expected in (
        ("x * y >= 5 * y and (q <= o)", Sat),
        ("x * y >= 25 * y", Unsat),
        ("q < o or m == A", Sat),
        ("q < o", Unsat),
    ):
        query = Query(solver, [], [y, q], E(text), lambda scope, seconds: Z3Solver(scope, timeout=seconds))
        answer = by_refinement(query)
        assert isinstance(answer, expected)


def test_bound_variables_are_not_asserted_about() -> None:
    solver = solver_over(x="real", y="real")
    solver.add(E("y > 3"))
    with pytest.raises(Bug):
        solver.check_exists_forall([], [Variable(name="y", type=RealType())], E("x > y"))


def test_z3_is_imported_when_a_solver_is_opened() -> None:
    program = (
        "import sys\n"
        "import fullproof.language, fullproof.smt\n"
        "assert not {'z3', 'lark'} & set(sys.modules)\n"
        "fullproof.smt.open_solver(fullproof.language.Scope())\n"
        "assert 'z3' in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
