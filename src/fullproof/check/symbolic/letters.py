"""Equivalent states of a symbolic machine that is not observable, by letter classes and the subset construction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fullproof.check.solving.questions import Questions
from fullproof.check.symbolic.distinction import StateBlocks
from fullproof.check.symbolic.steps import GuardedStep
from fullproof.language.compile import compile_expression
from fullproof.language.formulas import conjunction, disjunction, negation
from fullproof.language.syntax import Expression
from fullproof.smt.answers import Sat, Unknown, Unsat

LETTERS = 200
"""Beyond this many kinds of letters the question is left open."""


def state_classes_by_letters(steps: Mapping[str, Sequence[GuardedStep]], questions: Questions) -> StateBlocks | None:
    """The classes of states with the same language, of any machine; None where that would take too long.

    Two letters (input and output) are of one kind where they satisfy the same transitions' formulas: the kinds are the
    symbols of a finite machine with the same equivalent states, decided by the subset construction.
    """
    formulas = list(dict.fromkeys(step.predicate for here in steps.values() for step in here))
    kinds = _kinds(formulas, questions)
    if kinds is None:
        return None
    moves = {
        (state, symbol, step.transition.target)
        for state, here in steps.items()
        for step in here
        for symbol, kind in enumerate(kinds)
        if step.predicate in kind
    }
    return _classes(list(steps), len(kinds), moves)


def _kinds(formulas: Sequence[Expression], questions: Questions) -> list[frozenset[Expression]] | None:
    """The sets of formulas that some letter satisfies, exactly those; each answer of the solver gives a new one."""
    holds = {formula: compile_expression(formula, questions.scope) for formula in formulas}
    kinds: list[frozenset[Expression]] = []
    known: list[Expression] = [disjunction(formulas)]
    while len(kinds) <= LETTERS:
        match questions.ask(*known, about="letters of the machine"):
            case Unsat():
                return kinds
            case Unknown():
                return None
            case Sat(values):
                kind = frozenset(formula for formula in formulas if holds[formula](values))
                kinds.append(kind)
                known.append(negation(conjunction(f if f in kind else negation(f) for f in formulas)))
    return None


def _classes(states: Sequence[str], symbols: int, moves: set[tuple[str, int, str]]) -> StateBlocks | None:
    import numpy as np

    from fullproof.analysis.equivalence import state_classes
    from fullproof.analysis.table import RelationTable
    from fullproof.check.subsets import determinised

    number = {state: k for k, state in enumerate(states)}
    rows = sorted((number[source], symbol, number[target]) for source, symbol, target in moves)
    start = np.searchsorted([row[0] for row in rows], range(len(states) + 1)).astype(np.int32)
    table = RelationTable(
        states=len(states),
        inputs=1,
        outputs=max(1, symbols),
        start=start,
        output=np.array([row[1] for row in rows], dtype=np.int32),
        target=np.array([row[2] for row in rows], dtype=np.int32),
    )
    sets = determinised(table)
    if sets is None:
        return None
    groups: dict[int, list[str]] = {}
    for state, label in zip(states, state_classes(sets)[: len(states)].tolist(), strict=True):
        groups.setdefault(label, []).append(state)
    return StateBlocks(tuple(tuple(group) for group in groups.values()), proven=True)
