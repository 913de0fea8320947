"""Smaller suites by the exact engine."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum

from fullproof.certify.access import pins
from fullproof.certify.answers import Open, Proved
from fullproof.certify.checker import numbered
from fullproof.certify.exact import Survivor, search
from fullproof.certify.machine import UNDEFINED, FlatMachine, Word, minimal, nondeterminism, tabulate
from fullproof.certify.oracle import SurvivorOracle
from fullproof.certify.partial_encoding import inseparable_states
from fullproof.certify.tree import WordTree, maximal, plant
from fullproof.certify.workshop import Workshop
from fullproof.core.budget import Budget
from fullproof.core.deadline import Deadline
from fullproof.core.errors import Bug, UserError
from fullproof.model.fsm import Fsm

_CHECK_SHARE = 0.2
"""The part of the budget that is kept for the last check."""
_NOT_GROWN = "no cheaper suite was grown by counterexamples within the budget"
_GROWN_ENTRIES = 400_000
"""The greatest size of the encoding for which a suite is grown: each is built anew again and again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShrinkLimits:
    """How much work shrinking may be: steps, so that the same call gives the same suite; a clock as a safety net."""

    steps: int = 300_000_000
    """Steps of the solver and of other work in the same unit: about a minute."""
    seconds: float | None = None


class Ended(Enum):
    """Why shrinking stopped."""

    STEADY = "no cheaper suite was found for a while"
    STEPS = "the budget of steps was spent"
    TIME = "cut by --timeout, so that another machine may get another suite"
    INTERRUPTED = "interrupted"
    REFUSED = "nothing was done"


@dataclass(frozen=True, slots=True, kw_only=True)
class ShrinkResult:
    """A suite that is as complete as the one given. Costs are inputs plus resets.

    ``irredundant``: each test catches with its last input a faulty machine that the suite without that input lets pass.
    """

    words: tuple[tuple[str, ...], ...]
    before: float
    after: float
    irredundant: bool
    ended: Ended
    reason: str


def shrink(
    fsm: Fsm,
    words: Iterable[Sequence[str]],
    *,
    extra_states: int,
    limits: ShrinkLimits,
    reset_cost: float = 1.0,
    seed: int = 0,
) -> ShrinkResult:
    """Make a complete suite cheaper. Ctrl-C, the end of the budget and of time give the best suite found so far.

    Guarantee: the result is complete for ``extra_states`` extra states, decided exactly; of partial models for
    quasi-equivalence.
    Needs: a deterministic model and a complete suite that the exact engine can decide in time; otherwise the suite is
    returned without prefixes and repetitions, and the reason says why. Of partial models with inseparable states the
    suite is not trimmed but grown anew, which takes fewer steps.
    """
    if extra_states < 0 or reset_cost < 0:
        raise UserError("extra states and the cost of a reset must be >= 0")
    task = _Task(fsm, maximal(numbered(fsm, words)), reset_cost)
    return _shrunk(task, extra_states=extra_states, limits=limits, seed=seed)


def shrink_beside(
    fsm: Fsm,
    words: Iterable[Sequence[str]],
    known: Iterable[Sequence[str]],
    *,
    extra_states: int,
    limits: ShrinkLimits,
) -> ShrinkResult:
    """The same for words that are complete together with known ones, which cost nothing and are no part of the result.

    Guarantee: the result together with the known words is complete. Needs: the same.
    """
    free = tuple(maximal(numbered(fsm, known)))
    given = set(free)
    suite = [word for word in maximal([*free, *numbered(fsm, words)]) if word not in given]
    return _shrunk(_Task(fsm, suite, 1.0, free), extra_states=extra_states, limits=limits, seed=0)


def grown(
    fsm: Fsm, *, extra_states: int, limits: ShrinkLimits, reset_cost: float = 1.0, seed: int = 0
) -> ShrinkResult | None:
    """A complete suite from nothing, by counterexamples: each machine that passes is caught by the extension or the
    test that catches most for its cost; then the suite is trimmed.

    Guarantee: no machine with at most ``extra_states`` states more than the minimal model passes and is not equivalent,
    not quasi-equivalent where the model is partial; decided exactly (docs/proofs/partial.md, section 5). None where
    the budget ends before that, or the query would be too large. Needs: a deterministic model.
    """
    model = minimal(tabulate(fsm))
    task = _Task(fsm, [], reset_cost)
    effort = Budget(limits.steps, Deadline(limits.seconds))
    nothing = plant(model, [])
    pinned = _pinned_words(model, nothing, extra_states)
    if model.states == 1 or _entries(model, len(pinned), model.states + extra_states) > _GROWN_ENTRIES:
        return None
    work = Workshop(
        SurvivorOracle(model, pinned, extra=extra_states),
        reset_cost=reset_cost,
        effort=effort.share(1 - _CHECK_SHARE),
        seed=seed,
    )
    if not work.create():
        return None
    return task.done(
        work, Ended.TIME if effort.was_cut else Ended.STEPS, _decided_again(model, work.best, extra_states, effort)
    )


def _entries(model: FlatMachine, pinned: int, bound: int) -> int:
    """About how many ways there are from a pair of states to another one, in the encoding for partial models."""
    merged = sum(map(len, inseparable_states(model)))
    return ((bound - pinned) * model.states + merged) * bound * model.inputs


def _shrunk(task: _Task, *, extra_states: int, limits: ShrinkLimits, seed: int) -> ShrinkResult:
    hindrance = nondeterminism(task.fsm)
    if hindrance is not None:
        return task.refused(hindrance)
    model = minimal(tabulate(task.fsm))
    if not all(map(model.defines, [*task.free, *task.suite])):
        return task.refused("the model is partial, and a test has an input that it leaves undefined")
    if max(map(len, inseparable_states(model))) > 1:
        found = grown(task.fsm, extra_states=extra_states, limits=limits, reset_cost=task.reset_cost, seed=seed)
        cheaper = found is not None and found.after < task.price
        return dataclasses.replace(found, before=task.price) if found and cheaper else task.refused(_NOT_GROWN)
    effort = Budget(limits.steps, Deadline(limits.seconds))
    tree = plant(model, [*task.free, *task.suite])
    match search(model, tree, extra=extra_states, deadline=effort.clock, effort=effort):
        case Survivor():
            return task.refused("the suite is not complete")
        case Open(reason):
            return task.refused(reason)
        case Proved():
            pass
    work = Workshop(
        SurvivorOracle(model, _pinned_words(model, tree, extra_states), extra=extra_states),
        reset_cost=task.reset_cost,
        effort=effort.share(1 - _CHECK_SHARE),
        seed=seed,
        free=task.free,
    )
    try:
        steady = work.improve(task.suite)
        ended = Ended.TIME if effort.was_cut else Ended.STEADY if steady else Ended.STEPS
        return task.done(work, ended, _decided_again(model, [*task.free, *work.best], extra_states, effort))
    except KeyboardInterrupt:
        return task.done(work, Ended.INTERRUPTED, "decided exactly")


def _decided_again(model: FlatMachine, words: Sequence[Word], extra: int, effort: Budget) -> str:
    """Decide the result once more with a fresh solver, independent of the state of the incremental one."""
    match search(model, plant(model, words), extra=extra, deadline=effort.clock, effort=effort):
        case Survivor():
            raise Bug("a suite was trimmed too far: a machine survives that the incremental search missed")
        case Proved():
            return "decided exactly, and once more from scratch"
        case Open():
            return "decided exactly; the budget was spent before it was decided once more from scratch"


def _pinned_words(model: FlatMachine, tree: WordTree, extra: int) -> list[Word]:
    """Words to different states that the suite distinguishes; where they are not all of them, shortest access words to
    states that are pairwise separable, those first that are inseparable from few others.
    """
    found = [tree.word(node) for node in pins(tree, tree.observations(), extra=extra)]
    if len(found) == model.states:
        return found
    words: dict[int, Word] = {0: ()}
    for state in (order := [0]):
        for i, target in enumerate(model.target[state]):
            if target != UNDEFINED and target not in words:
                words[target] = (*words[state], i)
                order.append(target)
    merged = inseparable_states(model)
    chosen: list[int] = []
    for state in [0, *sorted(order[1:], key=lambda q: len(merged[q]))]:
        if merged[state].isdisjoint(chosen):
            chosen.append(state)
    return [words[q] for q in words if q in chosen] if len(chosen) > len(found) else found


@dataclass(frozen=True, slots=True)
class _Task:
    """The request, for building the result. ``free`` words cost nothing."""

    fsm: Fsm
    suite: list[Word]
    reset_cost: float
    free: tuple[Word, ...] = ()

    def refused(self, reason: str) -> ShrinkResult:
        """The suite as it was."""
        return self._result(self.suite, irredundant=False, ended=Ended.REFUSED, reason=reason)

    def done(self, work: Workshop, ended: Ended, how: str) -> ShrinkResult:
        """The cheapest suite found."""
        return self._result(
            work.best, irredundant=work.irredundant(), ended=ended, reason=f"complete: {how}; {ended.value}"
        )

    def _result(self, words: list[Word], *, irredundant: bool, ended: Ended, reason: str) -> ShrinkResult:
        return ShrinkResult(
            words=tuple(tuple(self.fsm.inputs[i] for i in word) for word in words),
            before=self.price,
            after=self._cost(words),
            irredundant=irredundant,
            ended=ended,
            reason=reason,
        )

    @property
    def price(self) -> float:
        """What the suite costs."""
        return self._cost(self.suite)

    def _cost(self, words: list[Word]) -> float:
        return sum(map(len, words)) + self.reset_cost * len(words)
