"""Deterministically reachable states (paper 002, section 5.5)."""

from __future__ import annotations

from collections import deque

from fullproof.analysis.responses import Responses
from fullproof.core.errors import UserError

SUBSETS_LIMIT = 200_000
"""The determinised machine may be exponentially large; fewer d-reachable states only make a suite larger."""


def deterministic_cover(machine: Responses, *, limit: int = SUBSETS_LIMIT) -> dict[int, tuple[int, ...]]:
    """A shortest word for each d-reachable state, which the word reaches for all outputs: state -> word, initial state
    first.

    A word counts only if it is strongly defined: after all outputs before it, each of its inputs is defined. The
    search through sets of states stops early once every state is reached, or at ``limit`` sets; states not found by
    then are treated as not d-reachable, which is safe.
    """
    if machine.states == 0:
        raise UserError("the machine has no states")
    cover: dict[int, tuple[int, ...]] = {0: ()}
    seen = {frozenset((0,))}
    queue: deque[tuple[frozenset[int], tuple[int, ...]]] = deque([(frozenset((0,)), ())])
    while queue and len(cover) < machine.states and len(seen) < limit:
        states, word = queue.popleft()
        common = frozenset.intersection(*(machine.defined(s) for s in states))
        for symbol in sorted(common):
            reached = frozenset(t for s in states for t in machine.after[s][symbol].values())
            if reached in seen:
                continue
            seen.add(reached)
            queue.append((reached, (*word, symbol)))
            if len(reached) == 1:
                cover[next(iter(reached))] = (*word, symbol)
    return cover


def trace_cover(machine: Responses) -> dict[int, tuple[int, ...]]:
    """A shortest word for each state that some trace with these inputs reaches: state -> word, initial state first.

    Enough where a passing system must show every trace of the model, as for equivalence.
    """
    cover: dict[int, tuple[int, ...]] = {0: ()}
    queue = deque([0])
    while queue:
        state = queue.popleft()
        for symbol, answers in sorted(machine.after[state].items()):
            for target in sorted(set(answers.values())):
                if target not in cover:
                    cover[target] = (*cover[state], symbol)
                    queue.append(target)
    return cover
