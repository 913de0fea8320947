"""Single faults of a state machine that may explain why a run failed."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain
from random import Random
from typing import TYPE_CHECKING

from fullproof.artefacts.execution import Execution
from fullproof.artefacts.request import Relation, SuiteRequest
from fullproof.core.errors import NOWHERE, UserError
from fullproof.formats.charts.machine import flat_machine
from fullproof.formats.charts.unfolding import ChartUnfolding
from fullproof.kinds.limits import moved_limits
from fullproof.kinds.statemachine.borrowed_actions import BorrowedAction, borrowed_actions
from fullproof.kinds.statemachine.chart_faults import chart_faults, is_nested
from fullproof.kinds.statemachine.seen_answers import SeenAnswer, seen_answers
from fullproof.kinds.suspects import FaultSuspect, ProbesAsked, SuspectFaults
from fullproof.language.scope import Scope
from fullproof.model import Model, StateMachine
from fullproof.model.chart_model import ChartModel
from fullproof.model.unflattened import UnflattenedMachine, unflattened

if TYPE_CHECKING:
    from fullproof.artefacts.suite import TestInput

_WALKS = 30


def suspects_of(model: StateMachine, asked: SuspectFaults) -> Iterator[Iterable[FaultSuspect]]:
    """Faults of the chart, single ones, limits that lie elsewhere, actions of other transitions, answers of the system,
    single ones of a copied state. None of a model that is not flattened.
    """
    if isinstance(model, UnflattenedMachine):
        return
    if model.timers:
        from fullproof.kinds.statemachine.timed_suspects import timed_suspects

        yield chain(timed_suspects(model, asked), _changes(model, asked, splits=False))
        return
    if model.chart is not None and is_nested(model.chart) and not asked.observes:
        yield _of_chart(model.chart, asked)
    yield _changes(model, asked, splits=False)
    yield _moved(model, asked)
    yield _elsewhere(borrowed_actions(model), asked)
    yield _elsewhere(seen_answers(model, asked), asked)
    if asked.faults.extra_states:
        yield _changes(model, asked, splits=True)


def _of_chart(chart: ChartModel, asked: SuspectFaults) -> Iterator[FaultSuspect]:
    """Faults of the chart, each in all configurations at once. A chart is played without being flattened."""
    for fault in chart_faults(chart):
        play = partial(unflattened, fault.chart, flat_machine, ChartUnfolding)
        make = partial(_flat, fault.chart)
        yield FaultSuspect(fault.text, partial(_behaves_like, play, asked), make, fault.replaced)


def _flat(chart: ChartModel) -> StateMachine | None:
    try:
        return flat_machine(chart)
    except UserError:  # its configurations are too many, or mean nothing
        return None


def probes_of(_model: StateMachine, machine: StateMachine, asked: ProbesAsked) -> Iterator[Sequence[TestInput]]:
    """Walks with values at the boundaries of the guards, then a suite for systems as large as the run says they may be.

    With a UserError at the end where that suite takes more steps than are left, and for charts with nested states, of
    which it takes too long to be made here: walks alone miss second faults.
    """
    if machine.timers:
        raise UserError("walks know no time")
    from fullproof.analysis.machine_pairs.random_words import walks
    from fullproof.kinds.statemachine.suite import suite_for

    first = walks(machine, Random(0))[:_WALKS]
    yield from first
    if machine.chart is not None and is_nested(machine.chart):
        raise UserError("walks do not meet all that a chart may do")
    left = dataclasses.replace(asked, steps=asked.steps - sum(len(word) + 1 for word in first))
    suite = suite_for(machine, SuiteRequest(extra_states=asked.extra_states), "", NOWHERE)
    words = left.afforded(test.inputs for test in suite.tests())
    if words is None:
        raise UserError("a suite for all systems that the run is about is too large")
    yield from words


def _changes(model: StateMachine, asked: SuspectFaults, *, splits: bool) -> Iterator[FaultSuspect]:
    """Single faults, or with ``splits`` those of a copied state."""
    from fullproof.mutate.statemachine import SmOperator
    from fullproof.mutate.statemachine import faults as faults_of

    for fault in faults_of(model, splits=splits):
        if (fault.operator == SmOperator.SPLIT.value) == splits:
            allows = partial(_behaves_like, fault.make, asked)
            yield FaultSuspect(fault.where, allows, partial(_made, fault.make, asked), fault.replaced)


def _moved(model: StateMachine, asked: SuspectFaults) -> Iterator[FaultSuspect]:
    """Limits that lie elsewhere."""
    known = {constant.name: constant.value for constant in model.description.constants}
    scope = Scope((*model.inputs, *model.outputs, *model.variables), known)
    for fault in moved_limits(model, asked, scope):
        make = partial(dataclasses.replace, fault.machine)
        yield FaultSuspect(fault.text, partial(_behaves_like, make, asked), partial(_made, make, asked), fault.replaced)


def _elsewhere(faults: Iterable[SeenAnswer | BorrowedAction], asked: SuspectFaults) -> Iterator[FaultSuspect]:
    """What the system answered, or another transition does, as what a transition does."""
    for fault in faults:
        make = partial(dataclasses.replace, fault.machine)
        yield FaultSuspect(fault.text, partial(_behaves_like, make, asked), partial(_made, make, asked), fault.replaced)


def _made(make: Callable[[], StateMachine | None], asked: SuspectFaults) -> Model | None:
    mutant = make()
    seen: Model | None = None if mutant is None else asked.seen_as(mutant)
    return seen


def _behaves_like(make: Callable[[], StateMachine | None], asked: SuspectFaults, traces: Iterable[Execution]) -> bool:
    try:
        mutant = make()
        return mutant is not None and asked.allows(asked.seen_as(mutant), Relation.EQUIVALENCE, traces)
    except UserError:  # the mutation goes wrong where the system answered
        return False
