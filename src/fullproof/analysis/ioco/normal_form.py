"""A normal form of a set of pairs: variables that the states do not depend on are eliminated.

Every rule preserves the set of pairs exactly: equations are solved, conditions on values that no state depends on are
dropped or eliminated, compound expressions over a small type are split into their values.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from fullproof.analysis.ioco.nodes import PairStep, StatePair, SymbolicLocation, expressions_of
from fullproof.analysis.ioco.projection import projected
from fullproof.analysis.ioco.questions import IocoQuestions, Variables, flat, scope_of
from fullproof.analysis.ioco.substitution import instantiate, is_literal
from fullproof.language.evaluate import evaluate
from fullproof.language.formulas import FALSE, compared, conjunction, in_bounds
from fullproof.language.printer import to_text
from fullproof.language.scope import Scope
from fullproof.language.substitute import literal, substitute
from fullproof.language.syntax import TRUE, Call, Comparison, Expression, Name, Unary
from fullproof.language.traversal import free_names, nodes
from fullproof.language.type_inference import is_real
from fullproof.language.types import BoolType, IntType, RealType, Type, Value, Variable
from fullproof.smt.answers import Sat, Unknown, Unsat

SMALL = 64
"""A compound expression over a type of at most this many values is split into them."""

TINY = 4
"""A variable of a type of at most this many values is split, too, where conditions refer to it."""


def settled(step: PairStep, types: Sequence[Type], asking: IocoQuestions) -> Iterator[StatePair]:
    """The pairs after a step; ``types`` are those of all its expressions in order."""
    conditions = tuple(flat((*step.parent.conditions, *step.conditions)))
    for image, more in _split(expressions_of(step), types, step.variables, conditions, asking):
        for simple in _simplest(image, tuple(flat((*conditions, *more))), step.variables, asking):
            yield _named(step, *simple)


def _split(
    expressions: tuple[Expression, ...],
    types: Sequence[Type],
    variables: Variables,
    conditions: tuple[Expression, ...],
    asking: IocoQuestions,
) -> Iterator[tuple[tuple[Expression, ...], tuple[Expression, ...]]]:
    """The expressions with values for those of small types that are compound, in all possible ways."""
    for expression, type_ in zip(expressions, types, strict=True):
        if not is_literal(expression) and not isinstance(expression, Name) and _is_small(type_, most=SMALL):
            break
    else:
        yield expressions, ()
        return
    for value in _values(expression, variables, conditions, asking):
        equation = _equation(expression, value)
        known = tuple(literal(value) if e == expression else e for e in expressions)
        for rest, more in _split(known, types, variables, (*conditions, equation), asking):
            yield rest, (equation, *more)


def _is_small(type_: Type, *, most: int) -> bool:
    match type_:
        case BoolType():
            return True
        case IntType(low=int(low), high=int(high)):
            return high - low < most
        case _:
            return False


def _equation(expression: Expression, value: Value) -> Expression:
    return instantiate(compared(expression, "==", literal(value)), {})


def _values(
    expression: Expression, variables: Variables, conditions: tuple[Expression, ...], asking: IocoQuestions
) -> Iterator[Value]:
    found: list[Expression] = []
    while True:
        match asking.solve(variables, (*conditions, *found)):
            case Sat(model):
                value = evaluate(expression, scope_of(variables), model)
                yield value
                found.append(Unary("not", _equation(expression, value)))
            case Unsat():
                return
            case Unknown(reason):
                asking.give_up(f"the solver could not list the values of a variable: {reason}")
                return


_Written = tuple[tuple[Expression, ...], tuple[Expression, ...]]
"""The expressions of all states, and the conditions."""


def _simplest(
    image: tuple[Expression, ...], conditions: tuple[Expression, ...], variables: Variables, asking: IocoQuestions
) -> Iterator[_Written]:
    scope = scope_of(variables)
    conditions, image = _solved(conditions, image, scope)
    conditions = _forgotten(conditions, image, scope)
    while any(_solution(part) is not None for part in conditions):  # each iteration removes a variable
        conditions, image = _solved(conditions, image, scope)
        conditions = _forgotten(conditions, image, scope)
    used = frozenset().union(*(free_names(part) for part in conditions))
    tiny = next((v for v in variables if v.name in used and _is_small(v.type, most=TINY)), None)
    if tiny is None or not any(tiny.name in free_names(expression) for expression in image):
        yield image, conditions
        return
    for value in _values(Name(tiny.name), variables, conditions, asking):
        yield from _simplest(image, (*conditions, _equation(Name(tiny.name), value)), variables, asking)


def _named(step: PairStep, image: tuple[Expression, ...], conditions: tuple[Expression, ...]) -> StatePair:
    """The pair with its variables named in order, so that equal pairs look equal."""
    states = list(_states(step, image))
    model = sorted(dict.fromkeys(states[:-1]), key=_anonymous)
    names = _names([value for state in (*model, states[-1]) for value in state.values], conditions)
    renaming: dict[str, Expression] = {name: Name(f"v{number}") for number, name in enumerate(names)}
    types = {variable.name: variable.type for variable in step.variables}
    return StatePair(
        variables=tuple(Variable(name=f"v{number}", type=types[name]) for number, name in enumerate(names)),
        conditions=tuple(sorted((instantiate(part, renaming) for part in conditions), key=to_text)),
        model=tuple(_renamed(state, renaming) for state in model),
        other=_renamed(states[-1], renaming),
        step=step,
        image=tuple(instantiate(expression, renaming) for expression in image),
    )


def _renamed(state: SymbolicLocation, renaming: Mapping[str, Expression]) -> SymbolicLocation:
    return replace(state, values=tuple(instantiate(value, renaming) for value in state.values))


def _anonymous(state: SymbolicLocation) -> tuple[str, ...]:
    """A representation of a state that does not depend on the names of its variables."""
    values = (substitute(value, dict.fromkeys(free_names(value), Name("_"))) for value in state.values)
    return state.location, *(to_text(value) for value in values)


def _states(step: PairStep, image: Sequence[Expression]) -> Iterator[SymbolicLocation]:
    position = 0
    for state in (*step.model, step.other):
        yield replace(state, values=tuple(image[position : position + len(state.values)]))
        position += len(state.values)


def _names(image: Iterable[Expression], conditions: Iterable[Expression]) -> list[str]:
    """The variables in the order in which they occur, those of the states first."""
    trees = [*image, *sorted(conditions, key=to_text)]
    return list(dict.fromkeys(node.name for tree in trees for node in nodes(tree) if isinstance(node, Name)))


def _solved(
    conditions: tuple[Expression, ...], image: tuple[Expression, ...], scope: Scope
) -> tuple[tuple[Expression, ...], tuple[Expression, ...]]:
    """Replace variables by what equations say they are, as long as there are equations."""
    while True:
        found = next((pair for part in conditions if (pair := _solution(part)) is not None), None)
        if found is None:
            return conditions, image
        name, term = found
        solution = {name: term}
        rest = (*(instantiate(part, solution) for part in conditions), *within(term, scope.variable(name).type, scope))
        conditions = tuple(flat(rest))
        image = tuple(instantiate(expression, solution) for expression in image)


def _solution(part: Expression) -> tuple[str, Expression] | None:
    match part:
        case Name(name=name):
            return name, TRUE
        case Unary(operator="not", operand=Name(name=name)):
            return name, FALSE
        case Comparison(operators=("==",), operands=(left, right)):
            for side, term in ((right, left), (left, right)):
                if isinstance(side, Name) and side.name not in free_names(term):
                    return side.name, term
    return None


def within(term: Expression, type_: Type, scope: Scope) -> list[Expression]:
    """What a number must satisfy to be a value of a type, beside what its own type says."""
    must = within_bounds(term, type_, scope)
    if isinstance(type_, IntType) and is_real(term, scope):
        must.append(instantiate(compared(Call("floor", (term,)), "==", term), {}))
    return [part for part in must if part != TRUE]


def within_bounds(term: Expression, type_: Type, scope: Scope) -> list[Expression]:
    """The bounds of a type that a term does not keep by its own type or value."""
    if isinstance(term, Name) and is_part(scope.variable(term.name).type, type_):
        return []
    bounds = (instantiate(bound, {}) for bound in in_bounds(term, type_))
    return [bound for bound in bounds if bound != TRUE]


def is_part(own: Type, type_: Type) -> bool:
    """Whether the range of a type lies within another's."""
    match own, type_:
        case ((IntType() | RealType()), (IntType() | RealType())):
            low = type_.low is None or (own.low is not None and own.low >= type_.low)
            return low and (type_.high is None or (own.high is not None and own.high <= type_.high))
        case _:
            return own == type_


def _forgotten(
    conditions: tuple[Expression, ...], image: tuple[Expression, ...], scope: Scope
) -> tuple[Expression, ...]:
    """Drop satisfiable conditions on variables that no state depends on; eliminate these variables elsewhere."""
    remembered = frozenset().union(*(free_names(expression) for expression in image))
    kept: list[Expression] = []
    for names, parts in _components(conditions):
        if not names & remembered:
            continue
        others = [scope.variable(name) for name in sorted(names - remembered)]
        simpler = _without(others, parts, scope) if others else None
        kept += parts if simpler is None else simpler
    return tuple(dict.fromkeys(kept))


def _without(variables: list[Variable], parts: list[Expression], scope: Scope) -> list[Expression] | None:
    found = projected(variables, conjunction(parts), scope)
    if found is None:
        return None
    simpler = list(flat([found]))
    # Enumerating all values of a variable may make a formula much larger.
    return simpler if _size(simpler) <= 2 * _size(parts) + 20 else None


def _size(parts: Iterable[Expression]) -> int:
    return sum(1 for part in parts for _ in nodes(part))


def _components(conditions: Iterable[Expression]) -> list[tuple[frozenset[str], list[Expression]]]:
    """Conditions grouped by the variables they share."""
    groups: list[tuple[frozenset[str], list[Expression]]] = []
    for part in conditions:
        names, joined = free_names(part), [part]
        apart = []
        for known, parts in groups:
            if known & names:
                names, joined = names | known, [*parts, *joined]
            else:
                apart.append((known, parts))
        groups = [*apart, (names, joined)]
    return groups


def replacements(names: Iterable[Variable], state: SymbolicLocation) -> Mapping[str, Expression]:
    """What the variables of a system stand for in a state."""
    return {variable.name: value for variable, value in zip(names, state.values, strict=True)}
