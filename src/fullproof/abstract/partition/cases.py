"""Conditions as disjoint cases, each a conjunction of literals that the solver has shortened."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from fullproof.abstract.literals import ValueChoices, conjuncts, facts_of
from fullproof.abstract.number_sets import NumberSet
from fullproof.abstract.set_text import choices_text, numbers_text
from fullproof.language.formulas import negation, opposite
from fullproof.language.printer import to_text
from fullproof.language.scope import Scope
from fullproof.language.syntax import Binary, Boolean, Comparison, Conditional, Expression, Unary
from fullproof.smt import Solver, Unsat, pushed

Literals = tuple[Expression, ...]

_LONGER = 4


def cases(conditions: Sequence[Expression], solver: Solver) -> Iterator[Literals]:
    """Disjoint conjunctions of literals, of which one holds iff all conditions do; those that cannot hold are left out.

    During the iteration, the solver's assertions include the current case.
    """
    yield from _cases([(condition, True) for condition in conditions], (), solver)


def _cases(waiting: Sequence[tuple[Expression, bool]], found: Literals, solver: Solver) -> Iterator[Literals]:
    if not waiting:
        yield found
        return
    (formula, sign), rest = waiting[0], list(waiting[1:])
    match formula:
        case Boolean():
            if formula.value == sign:
                yield from _cases(rest, found, solver)
        case Unary(operator="not"):
            yield from _cases([(formula.operand, not sign), *rest], found, solver)
        case Binary(operator="->"):
            yield from _cases([(Binary("or", negation(formula.left), formula.right), sign), *rest], found, solver)
        case Binary(operator="and" | "or" as operator) if (operator == "and") == sign:
            yield from _cases([(formula.left, sign), (formula.right, sign), *rest], found, solver)
        case Binary(operator="and" | "or"):
            yield from _cases([(formula.left, sign), *rest], found, solver)
            yield from _cases([(formula.left, not sign), (formula.right, sign), *rest], found, solver)
        case Comparison() if len(formula.operators) > 1:
            links = list(conjuncts(formula, True))
            joined = links[0]
            for link in links[1:]:
                joined = Binary("and", joined, link)
            yield from _cases([(joined, sign), *rest], found, solver)
        case _:
            with pushed(solver):
                solver.add(formula if sign else negation(formula))
                if not isinstance(solver.check(), Unsat):
                    yield from _cases(rest, (*found, _literal(formula, sign)), solver)


def _literal(formula: Expression, sign: bool) -> Expression:
    return formula if sign else opposite(formula)


def tidied(literals: Iterable[Expression], scope: Scope) -> Literals:
    """The same conditions in short form: those on one variable are joined to a set of values. Needs: satisfiable."""
    facts = facts_of([(literal, True) for literal in literals], scope, ())
    found: list[Expression] = []
    for name, values in facts.sets.items():
        if values != facts.universe(name):
            condition = values.condition(name)
            simple = isinstance(values, NumberSet) and isinstance(condition, Comparison | Binary)
            found += conjuncts(condition, True) if simple else [condition]
    given = list(literals)
    return tuple(dict.fromkeys([*found, *(as_written(other, given, scope) for other in facts.others)]))


def as_written(condition: Expression, literals: Iterable[Expression], scope: Scope) -> Expression:
    """The literal that a simplified condition comes from, where it is only slightly longer: ``x + y < 0`` for ``x <
    -y``.
    """
    most = len(to_text(condition)) + _LONGER
    for literal in literals:
        if literal == condition or len(to_text(literal)) > most:
            continue
        alone = facts_of([(literal, True)], scope, ())
        if not alone.sets and alone.others == [condition]:
            return literal
    return condition


def text_of(conditions: Iterable[Expression], solver: Solver, scope: Scope) -> str:
    """The text of a conjunction: ``8 < x <= 18 and y == x ** 3``. Needs: they can hold together."""
    given = list(conditions)
    texts = [_case_text(shortest(case, solver, scope), scope) for case in list(cases(given, solver))]
    if len(texts) == 1:
        return texts[0] or "true"
    by_cases = " or ".join(f"({text})" if " and " in text else text for text in texts) or "false"
    whole = _case_text(shortest(given, solver, scope), scope) or "true"
    return whole if texts and len(whole) <= len(by_cases) else by_cases


def _case_text(literals: Literals, scope: Scope) -> str:
    facts = facts_of([(literal, True) for literal in literals], scope, ())
    parts: list[str] = []
    for name, values in facts.sets.items():
        universe = facts.universe(name)
        if values == universe:
            continue
        if isinstance(values, NumberSet) and isinstance(universe, NumberSet):
            parts += numbers_text(name, values, universe)
        elif isinstance(values, ValueChoices) and isinstance(universe, ValueChoices):
            parts.append(choices_text(name, values.values, universe.values))
    others = [as_written(other, literals, scope) for other in facts.others]
    parts += [f"({to_text(one)})" if _is_loose(one) else to_text(one) for one in others]
    return " and ".join(parts)


def shortest(literals: Iterable[Expression], solver: Solver, scope: Scope) -> Literals:
    """Without the literals that follow from the others. Needs: they can hold together, as far as is known."""
    kept = list(tidied(tuple(literals), scope))
    for literal in sorted(kept, key=lambda one: -len(to_text(one))):
        rest = [other for other in kept if other is not literal]
        with pushed(solver):
            solver.add(*rest, negation(literal))
            if isinstance(solver.check(), Unsat):
                kept = rest
    return tuple(kept)


def _is_loose(condition: Expression) -> bool:
    """Whether a condition needs brackets beside ``and``."""
    return isinstance(condition, Binary | Conditional) and not (
        isinstance(condition, Binary) and condition.operator == "and"
    )
