"""Lists as values, and what expressions may do with them: beside Python's own lists, and beside all valuations."""

import pickle
from collections import Counter
from random import Random

import pytest
from tests.oracles.lists import COLOURS, condition
from tests.oracles.valuations import every, satisfiable

from fullproof.analysis.ioco.common_language import coded, coded_type, coded_value
from fullproof.analysis.ioco.substitution import instantiate, value_of
from fullproof.core.errors import UserError
from fullproof.language.box import box_of
from fullproof.language.compile import compile_expression
from fullproof.language.elimination import eliminated
from fullproof.language.evaluate import evaluate
from fullproof.language.list_functions import with_defaults
from fullproof.language.lists import Listed, listed
from fullproof.language.parser import parse_declaration, parse_expression
from fullproof.language.printer import declaration_text, to_text
from fullproof.language.residual import residual
from fullproof.language.scope import Scope
from fullproof.language.substitute import literal
from fullproof.language.type_inference import expect_boolean
from fullproof.language.types import BoolType, EnumType, IntType, ListType, Variable
from fullproof.language.values import count_of, in_range, value_from_json
from fullproof.smt import Sat, Unsat, open_solver

ENUM = EnumType(COLOURS)
SCOPE = Scope(
    (
        Variable(name="p", type=ListType(IntType(0, 1), 2)),
        Variable(name="q", type=ListType(IntType(-1, 0), 1)),
        Variable(name="b", type=ListType(BoolType(), 1)),
        Variable(name="k", type=ListType(ENUM, 1)),
        Variable(name="i", type=IntType(-1, 2)),
        Variable(name="j", type=IntType(0, 1)),
        Variable(name="c", type=BoolType()),
        Variable(name="e", type=ENUM),
    )
)
ALL = list(every(SCOPE.variables))


def plain(values):
    return {name: list(v.items) if isinstance(v, Listed) else v for name, v in values.items()}


def test_evaluation_agrees_with_lists_of_python():
    kinds = Counter()
    for seed in range(150):
        random = Random(f"lists {seed}")
        text, twin = condition(random)
        tree = parse_expression(text)
        expect_boolean(tree, SCOPE)
        assert parse_expression(to_text(tree)) == tree
        ready = with_defaults(tree, SCOPE)
        assert to_text(ready) == to_text(tree)
        closure = compile_expression(ready, SCOPE)
        coded_tree = coded(ready, SCOPE, BoolType())
        for values in random.sample(ALL, 12):
            expected = twin(plain(values))
            kinds[expected] += 1
            assert evaluate(tree, SCOPE, values) is expected, text
            assert closure(values) is expected, text
            some = dict(random.sample(sorted(values.items()), 4))
            assert evaluate(residual(ready, SCOPE, some), SCOPE, values) is expected, text
            terms = {v.name: literal(coded_value(values[v.name], v.type)) for v in SCOPE.variables}
            assert value_of(instantiate(coded_tree, terms)) is expected, text
    assert min(kinds.values()) > 200


def test_the_solver_agrees_with_all_valuations():
    seen = Counter()
    solver = open_solver(SCOPE)
    for seed in range(60):
        (one, f), (two, g) = condition(Random(f"one {seed}")), condition(Random(f"two {seed}"))
        tree = with_defaults(parse_expression(f"({one}) and not ({two})"), SCOPE)
        answer = solver.check_assuming(tree)
        seen[type(answer)] += 1
        expected = any(f(plain(values)) and not g(plain(values)) for values in ALL)
        assert isinstance(answer, Sat if expected else Unsat), tree
        if expected:
            assert in_range(answer.model["p"], SCOPE.variable("p").type)
    assert seen[Unsat] > 2


def test_quantified_questions_agree_with_all_valuations():
    small = Scope(tuple(v for v in SCOPE.variables if v.name in "pqij"))
    inner, outer = small.variables[:1], small.variables[1:]
    for seed in range(30):
        text, _ = condition(Random(f"forall {seed}"), 1)
        tree = parse_expression(text)
        if not {v.name for v in small.variables} >= {n for n in "pqbkijce" if n in names_of(tree)}:
            continue
        tree = with_defaults(tree, SCOPE)
        answer = open_solver(Scope(outer)).check_exists_forall((), inner, tree)
        expected = any(all(evaluate(tree, small, {**o, **i}) for i in every(inner)) for o in every(outer))
        assert isinstance(answer, Sat if expected else Unsat), text


def names_of(tree):
    from fullproof.language.traversal import free_names

    return free_names(tree)


def test_shortcuts_agree_with_all_valuations():
    """Elimination and boxes say what they say only where they are right."""
    used = Counter()
    for seed in range(150):
        random = Random(f"short {seed}")
        (one, _), (two, _) = condition(random, 0), condition(random, 0)
        tree = with_defaults(
            parse_expression(random.choice([f"p == {_term(random)}", one, f"({one}) and ({two})"])), SCOPE
        )
        variable = SCOPE.variable("p")
        rest = eliminated([variable], tree, SCOPE)
        for values in random.sample(ALL, 5):
            expected = [p for p in every([variable]) if evaluate(tree, SCOPE, {**values, **p})]
            if rest is not None:
                used["eliminated"] += 1
                assert evaluate(rest, SCOPE, values) is bool(expected), to_text(tree)
            given = {name: value for name, value in values.items() if name != "p"}
            box = box_of(tree, SCOPE, given, (variable,))
            if box is not None:
                used["boxed"] += 1
                assert box.is_empty() is (not expected), to_text(tree)
                side = box.sides["p"]
                assert [p for p in every([variable]) if p["p"] in side] == expected or box.contradiction
    assert min(used.values()) > 40


def _term(random):
    return random.choice(["append(q, j)", "[i]", "[j, j]", "q", "rest([i, j, i])", "append([j, j], i)"])


@pytest.mark.parametrize(
    "text",
    [
        "list of int 0..3 max 4 = [1, 2]",
        "list of bool max 2",
        "list of enum red, green max 3 = [green]",
        'list of string max 64 = ["a, b]", ""]',
        "list of int 0.. max 1",
    ],
)
def test_declarations_come_back(text):
    variable = parse_declaration(text, name="p", constants={})
    assert declaration_text(variable) == text
    assert pickle.loads(pickle.dumps(variable)) == variable


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("list of real max 3", "a list holds values of type bool, int, enum or string, no reals"),
        ("list of list of int max 2 max 3", "a list holds values of type bool, int, enum or string, no lists"),
        ("list of int", "expected 'max' and a number"),
        ("list of int max 0", "a number from 1 to 64"),
        ("list of int 0..3 max 2 = [4]", "initial value [4] lies outside list of int 0..3 max 2"),
        ("list of bool max 1 = [true, true]", "lies outside"),
        ("list of bool max 2 = [1]", "[1] is list of int, but x is list of bool"),
        ("list of int max 2 = x", "refers to 'x' itself"),
    ],
)
def test_wrong_declarations_are_refused(text, said):
    with pytest.raises(UserError) as raised:
        parse_declaration(text, name="x", constants={})
    assert said in str(raised.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("p < q", "p is list of int, lists have no order: < cannot compare them"),
        ("p == k", "p is list of int, cannot be compared with list k"),
        ("[1, true] == []", "true is bool, but 1 is int"),
        ("[p] == []", "a list holds values of type bool, int, enum or string"),
        ("len(i) == 0", "i is int, len needs a list"),
        ("i[0] == 0", "i is int, [...] needs a list"),
        ("append(p, c) == p", "c is bool, but p is list of int"),
        ("append(p) == p", "append takes two arguments, not 1"),
        ("p[c] == 0", "c is bool, but an index is int"),
        ("[][0] == 0", "[] has no elements"),
        ("p + q == p", "p is list of int, + needs a number"),
        ("p[0 == 1", "expected an operator or ']'"),
    ],
)
def test_wrong_expressions_are_refused(text, said):
    with pytest.raises(UserError) as raised:
        expect_boolean(parse_expression(text), SCOPE)
    assert said in str(raised.value)


def test_a_default_outlives_an_empty_list_in_place_of_a_variable():
    tree = with_defaults(parse_expression("k[0] == e"), SCOPE)
    assert evaluate(residual(tree, SCOPE, {"k": listed(())}), SCOPE, {"e": "red"}) is True


def test_ambiguous_values_belong_to_the_type_of_the_list():
    other = Scope((*SCOPE.variables, Variable(name="s", type=ListType(EnumType(("blue", "red")), 2))))
    tree = with_defaults(parse_expression("s == [red] and s[1] == blue and blue in append(s, s[9])"), other)
    answer = open_solver(other).check_assuming(tree)
    assert isinstance(answer, Sat)
    assert answer.model["s"] == "[red]"
    assert isinstance(answer.model["s"], Listed)


def test_values_from_json():
    type_ = ListType(IntType(0, 3), 2)
    assert value_from_json([1, 2], type_).items == (1, 2)
    assert count_of(type_) == 1 + 4 + 16
    assert [in_range(listed(items), type_) for items in ([], [3], [4], [1, 1, 1], ["x"])] == [True, True] + [False] * 3
    for raw in (3, "[1]", [True], None, [[1]]):
        with pytest.raises(UserError):
            value_from_json(raw, type_)
    assert coded_type(ListType(ENUM, 2)) == ListType(IntType(0, 2), 2)
    assert satisfiable(parse_expression("len(p) == 2"), Scope(SCOPE.variables[:1]))
