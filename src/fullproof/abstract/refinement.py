"""Refinement of a symbolic machine by expressions (paper 000, section 3.6)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from fullproof.abstract.alphabet import scope_of
from fullproof.abstract.budget import SolverBudget
from fullproof.abstract.sign_cases import literals, possible_signs
from fullproof.language.shallow_trees import conjunction
from fullproof.language.syntax import TRUE, Expression
from fullproof.language.traversal import free_names
from fullproof.model import Sfsm


def refined(model: Sfsm, expressions: Sequence[Expression], *, timeout: float | None = 60.0) -> Sfsm:
    """Q(M): each transition is split by the signs of expressions over inputs and outputs.

    Expressions over inputs alone are added to guards, the others to output expressions, all with their signs;
    unsatisfiable combinations are left out. Lemma 1: the language stays the same, since the signs that a valuation has
    pick exactly one of the transitions that a transition is split into, and each of those implies the original one.
    That holds even where the solver cannot decide whether a transition can be taken: then it is kept.

    The fault domain is unchanged: a caller that tests the refined machine adds ``expressions`` to the alphabet.
    """
    outputs = {variable.name for variable in model.outputs}
    distinct = list(dict.fromkeys(expressions))
    of_inputs = [e for e in distinct if not free_names(e) & outputs]
    of_outputs = [e for e in distinct if free_names(e) & outputs]
    scope, budget = scope_of(model), SolverBudget(timeout)
    transitions = []
    for t in model.transitions:
        for signs in possible_signs([*of_inputs, *of_outputs], scope, budget, where=(t.guard, t.output)):
            guard = literals(of_inputs, signs[: len(of_inputs)])
            output = literals(of_outputs, signs[len(of_inputs) :])
            transitions.append(
                replace(
                    t,
                    guard=_all([t.guard, *guard]),
                    output=_all([t.output, *output]),
                )
            )
    return replace(model, transitions=tuple(transitions))


def _all(conditions: Sequence[Expression]) -> Expression:
    return conjunction(dict.fromkeys(condition for condition in conditions if condition != TRUE))
