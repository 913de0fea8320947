"""Indices out of range: ``p[i]`` is then the default of its type, which is seldom intended."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from fullproof.artefacts.finding import Severity
from fullproof.check.remarks import values_text
from fullproof.check.running.program import Goal
from fullproof.check.running.sts_program import StsProgram
from fullproof.check.running.verdicts import Suspicion, Transit
from fullproof.language.formulas import compared, conjunction, disjunction, negation
from fullproof.language.printer import to_text, value_to_text
from fullproof.language.substitute import substitute
from fullproof.language.syntax import Binary, Call, Conditional, Expression, Integer, Name
from fullproof.language.traversal import children
from fullproof.language.types import Value
from fullproof.model.sts import Switch

Use = tuple[tuple[Expression, ...], Call]
"""An index with the conditions under which its value matters."""


def indices(system: StsProgram) -> Iterator[Suspicion]:
    """For each index of a guard or an update: a run gets there, and the list has no such element.

    Operands that a false condition short-circuits are ignored: ``len(p) > 0 and p[0] == 1`` evaluates p[0] only where p
    has an element, and an update is made only where the guard of its switch holds.
    """
    switches = [switch for here in system.switches.values() for switch in here]
    for switch, transit in zip(switches, system.transits, strict=True):
        uses = dict.fromkeys(_uses(switch.guard, ()))
        for assignment in switch.assignments:
            uses.update(dict.fromkeys(_uses(assignment.expression, (switch.guard,))))
        for conditions, use in uses:
            yield _outside(system, switch, transit, conditions, use)


def _uses(node: Expression, conditions: tuple[Expression, ...]) -> Iterator[Use]:
    match node:
        case Binary(operator="and" | "->", left=left, right=right):
            yield from _uses(left, conditions)
            yield from _uses(right, (*conditions, left))
        case Binary(operator="or", left=left, right=right):
            yield from _uses(left, conditions)
            yield from _uses(right, (*conditions, negation(left)))
        case Conditional(condition=condition, then=then, otherwise=otherwise):
            yield from _uses(condition, conditions)
            yield from _uses(then, (*conditions, condition))
            yield from _uses(otherwise, (*conditions, negation(condition)))
        case _:
            if isinstance(node, Call) and node.function == "at":
                yield conditions, node
            for child in children(node):
                yield from _uses(child, conditions)


def _outside(
    system: StsProgram, switch: Switch, transit: Transit, conditions: tuple[Expression, ...], use: Call
) -> Suspicion:
    items, index = use.arguments[:2]
    length = Call("len", (items,))
    outside = disjunction([compared(index, "<", Integer(0)), compared(index, ">=", length)])
    names = {old: Name(new) for old, new in system.labels[switch.gate].items()}
    goal = Goal(
        location=switch.source,
        formula=substitute(conjunction([*conditions, outside]), names),
        parameters=system.parameters[switch.gate],
        about=transit.where,
        shown=system.shown(switch.gate, [substitute(use, names)]),
    )
    return Suspicion(
        goal=goal,
        rule="index-outside",
        subject=to_text(use),
        said=_said(use),
        at=transit.at,
        certain=Severity.WARNING,
        doubtful=Severity.NOTE,
    )


def _said(use: Call) -> Callable[[Mapping[str, Value]], str]:
    def said(values: Mapping[str, Value]) -> str:
        where = f" where {values_text(values)}" if values else ""
        default = to_text(use.arguments[2]) if len(use.arguments) == 3 else value_to_text(0)
        return f"there is no {to_text(use)}{where}; its value is the default {default}"

    return said
