"""I/O equivalence classes the slow way: every sign vector asked for by itself, or every valuation tried out."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, product

from tests.oracles.symbolic import Enumerated
from tests.oracles.valuations import every

from fullproof.language.evaluate import evaluate
from fullproof.language.scope import Scope
from fullproof.language.syntax import Expression, Unary
from fullproof.language.types import Variable
from fullproof.model import Sfsm
from fullproof.smt import Sat, Unknown, open_solver

Signs = tuple[bool, ...]


def by_solver(expressions: Sequence[Expression], scope: Scope) -> tuple[set[Signs], set[Signs]]:
    """All 2 ** n sign vectors: those that can be satisfied, and those of which the solver cannot tell."""
    sure, open_ = set(), set()
    solver = open_solver(scope)
    for signs in product([False, True], repeat=len(expressions)):
        answer = solver.check_assuming(
            *(e if sign else Unary("not", e) for e, sign in zip(expressions, signs, strict=True))
        )
        if isinstance(answer, Sat):
            sure.add(signs)
        elif isinstance(answer, Unknown):
            open_.add(signs)
    return sure, open_


def completions(
    expressions: Sequence[Expression], scope: Scope, inputs: Sequence[Variable], outputs: Sequence[Variable]
) -> dict[tuple[object, ...], set[Signs]]:
    """For every input, the sign vectors that outputs complete it to, over small types."""
    found: dict[tuple[object, ...], set[Signs]] = {}
    for given in every(inputs):
        found[tuple(given.values())] = {
            tuple(evaluate(e, scope, given | shown) is True for e in expressions) for shown in every(outputs)
        }
    return found


def fewest(covers: Sequence[frozenset[Signs]]) -> int:
    """How many of the sets are needed to cover what all of them cover together."""
    everything = frozenset().union(*covers)
    maximal = [c for c in set(covers) if not any(c < other for other in covers)]
    return next(
        size
        for size in range(len(maximal) + 1)
        if any(frozenset().union(*chosen) == everything for chosen in combinations(maximal, size))
    )


def same_language(one: Sfsm, other: Sfsm) -> bool:
    """Whether two machines over the same small types have the same traces, by subsets of states."""
    sides = (Enumerated(one), Enumerated(other))
    start = (frozenset({one.initial}), frozenset({other.initial}))
    seen, queue = {start}, [start]
    for pair in queue:
        after = [_after(side, states) for side, states in zip(sides, pair, strict=True)]
        if after[0].keys() != after[1].keys():
            return False
        for letter in after[0]:
            following = (frozenset(after[0][letter]), frozenset(after[1][letter]))
            if following not in seen:
                seen.add(following)
                queue.append(following)
    return True


def is_observable(model: Sfsm) -> bool:
    """Whether an input and an output leave no choice of the next state, in any state."""
    side = Enumerated(model)
    return all(len(targets) == 1 for s in model.states for targets in _after(side, frozenset({s})).values())


def _after(side: Enumerated, states: frozenset[str]) -> dict[object, set[str]]:
    found: dict[object, set[str]] = {}
    for state in states:
        for letter, target in side.step(state):
            found.setdefault(letter, set()).add(target)
    return found
