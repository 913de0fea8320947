"""Single faults of a finite machine that may explain why a run failed, and the closest machine that does."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING

from fullproof.artefacts.execution import Execution
from fullproof.artefacts.request import SuiteRequest
from fullproof.core.blanks import instead_of
from fullproof.core.counted import counted
from fullproof.core.errors import NOWHERE, UserError
from fullproof.kinds.fsm.offers import offer_faults
from fullproof.kinds.suspects import FaultSuspect, ProbesAsked, SuspectFaults, explaining_offers
from fullproof.model import Fsm
from fullproof.model.fsm import FsmTransition

if TYPE_CHECKING:
    from fullproof.artefacts.suite import TestInput
    from fullproof.judge.diagnosis import SingleFault, SplitFault, Suspects

_MANY = 2
"""Transitions from which on other names of their outputs are one fault, and not one of a transition."""
_LARGEST = 20_000
"""Inputs that a suite would have at least, up to which it is made; most of them are more than a diagnosis may run."""


def suspects_of(model: Fsm, asked: SuspectFaults) -> Iterator[Iterable[FaultSuspect]]:
    """Single faults; then, of a deterministic machine, those behind an extra state.

    First other names of outputs, which concern all transitions that have them.
    A machine that says every answer comes before one that explains a failure by an input that is undefined in it.
    """
    shown = any(trace.shows_offers for trace in asked.failing)
    offers = offer_faults(model, asked) if shown else iter(())
    if asked.observes or len({t[:2] for t in model.transitions}) < len(model.transitions):
        yield chain(offers, _changes(model, asked))
        yield _both(model, asked)
        return
    from fullproof.judge.diagnosis import Suspects

    known = Suspects(model, asked.failing)

    def made(fault: SingleFault | SplitFault, *, says_all: bool = False) -> FaultSuspect:
        found = _finite_suspect(model, known, fault, says_all=says_all)
        return explaining_offers(found, asked.faults.relation, asked.failing, asked.allows)

    yield (
        explaining_offers(suspect, asked.faults.relation, asked.failing, asked.allows)
        for suspect in _renamed(model, asked, known)
    )
    is_partial = model.is_partial
    if is_partial:
        # A wrong target, too, is seen by what is offered there.
        yield chain(offers, (made(fault, says_all=True) for fault in known.single()))
    yield map(made, known.single())
    if asked.faults.extra_states:
        yield (made(fault, says_all=is_partial) for fault in known.split())


def _renamed(model: Fsm, asked: SuspectFaults, known: Suspects) -> Iterator[FaultSuspect]:
    """Outputs that have other names in the system, wherever they come: what it answered instead, one for each."""
    answers = known.answers_seen(asked.kept)
    names: dict[str, str] = {}
    for cell, seen in answers.items():
        names.setdefault(known.table[cell][0], seen)
    wrong = {right: seen for right, seen in names.items() if seen != right}
    if sum(known.table[cell][0] in wrong for cell in answers) < _MANY:
        return
    if not {*wrong.values()} & {*model.outputs} <= {*wrong}:
        return  # two outputs of the model would have one name: this is no renaming
    transitions = tuple(t._replace(output=wrong.get(t.output, t.output)) for t in model.transitions)
    machine = dataclasses.replace(
        model, outputs=tuple(dict.fromkeys((*model.outputs, *wrong.values()))), transitions=transitions
    )
    if not _answers_like(machine, asked.failing):
        return
    faults = tuple(f"output {instead_of(seen, right)} everywhere" for right, seen in wrong.items())
    yield FaultSuspect("; ".join(faults), partial(_answers_like, machine), lambda: machine, None, faults)


def closest_suspect(model: Fsm, seen: Sequence[Execution]) -> FaultSuspect | None:
    """The machine that explains everything seen with the fewest changes to a finite, deterministic model.

    None where what is offered was wrong, which these changes do not explain.
    """
    from fullproof.explain.closest_machine import closest_machine, observations_of

    if model.description.unobserved is not None:
        return None
    table = {(t.source, t.input): (t.output, t.target) for t in model.transitions}
    if len(table) < len(model.transitions) or not table:
        return None
    observations = [*observations_of([(step.input, step.output) for step in trace.steps] for trace in seen)]
    found = closest_machine(model.initial, table, observations)
    if found is None:
        return None
    outputs = tuple(dict.fromkeys((*model.outputs, *(output for output, _ in found.table.values()))))
    transitions = tuple(FsmTransition(*cell, *answer) for cell, answer in found.table.items())
    states = tuple(dict.fromkeys((*model.states, *(cell[0] for cell in found.table))))
    machine = dataclasses.replace(model, states=states, outputs=outputs, transitions=transitions)
    faults = tuple(_changed_cell(cell, table[cell], found.table[cell]) for cell in found.changed)
    what = f"{counted(len(found.extra), 'extra state')} and " if found.extra else ""
    number = counted(len(faults), "fault")
    text = f"{what}{number}: {'; '.join(faults)}"
    alone = (
        ()
        if found.extra
        else tuple(partial(_answers_as, {**table, cell: found.table[cell]}, model.initial) for cell in found.changed)
    )
    return FaultSuspect(text, partial(_answers_like, machine), lambda: machine, None, faults, alone)


def probes_of(model: Fsm, machine: Fsm, asked: ProbesAsked) -> Iterator[Sequence[TestInput]]:
    """A complete suite for all systems that the run is about, and for one more state where there are steps for it.

    Raises UserError at the end where a suite for all of them would be too large.
    """
    from fullproof.analysis.minimise import prime
    from fullproof.analysis.table import relation_table

    states = prime(relation_table(machine)).relation.states
    # A system has as many states as the machine was written with, though some of those may be equivalent, and who has
    # found one state that the model does not know may find another one behind it.
    written = len(machine.states) + (len(machine.states) > len(model.states))
    needed = max(written, prime(relation_table(model)).relation.states + asked.extra_states) - states
    if _least(machine, states, needed + 1) <= asked.steps:
        wider = asked.afforded(_suite(machine, needed + 1))
        if wider is not None:
            yield from wider
            return
    is_made = _least(machine, states, needed) <= _LARGEST
    yield from _suite(machine, needed if is_made else 0)
    if not is_made:
        raise UserError("a suite for all systems that the run is about is too large")


def _least(machine: Fsm, states: int, extra: int) -> int:
    """About how many inputs a suite has at least: after each state all words of one input more than extra states."""
    return states * int(len(machine.inputs) ** (extra + 1))


def _suite(machine: Fsm, extra: int) -> Iterator[Sequence[TestInput]]:
    """By one method: of a partial machine by one for partial machines, whose states may be inseparable."""
    from fullproof.kinds.fsm.suite import suite_for

    request = SuiteRequest(extra_states=extra, method="h")
    if len({t[:2] for t in machine.transitions}) < len(machine.states) * len(machine.inputs):
        request = dataclasses.replace(request, method="hsi")
        try:
            suite = suite_for(machine, request, "", NOWHERE)
        except UserError:
            suite = suite_for(machine, dataclasses.replace(request, method="counting"), "", NOWHERE)
    else:
        suite = suite_for(machine, request, "", NOWHERE)
    return (test.inputs for test in suite.tests())


def _changed_cell(cell: tuple[str, str], right: tuple[str, str], wrong: tuple[str, str]) -> str:
    from fullproof.judge.diagnosis import SingleFault

    both = right[0] != wrong[0] and right[1] != wrong[1]
    return f"{SingleFault(cell, right, wrong)}{f', and target {wrong[1]}' if both else ''}"


def _answers_like(machine: Fsm, traces: Iterable[Execution]) -> bool:
    return _answers_as({t[:2]: (t.output, t.target) for t in machine.transitions}, machine.initial, traces)


def _answers_as(table: Mapping[tuple[str, str], tuple[str, str]], initial: str, traces: Iterable[Execution]) -> bool:
    """Whether a table answers as observed, as far as it is defined: after that, anything goes."""
    for trace in traces:
        state = initial
        for step in trace.steps:
            known = table.get((state, str(step.input)))
            if known is None:
                break
            if known[0] != step.output:
                return False
            state = known[1]
    return True


def _finite_suspect(
    model: Fsm, known: Suspects, fault: SingleFault | SplitFault, *, says_all: bool = False
) -> FaultSuspect:
    return FaultSuspect(str(fault), partial(_fits, known, fault, says_all), partial(fault.machine, model))


def _fits(suspects: Suspects, fault: SingleFault | SplitFault, says_all: bool, traces: Iterable[Execution]) -> bool:
    return all(fault.fits(suspects, trace, says_all=says_all) for trace in traces)


def _changes(fsm: Fsm, asked: SuspectFaults) -> Iterator[FaultSuspect]:
    """Another output, which may be one that only the system has, or another target; ``_both`` has both at once."""
    for k, t in enumerate(fsm.transitions):
        changed = [("output", (o, t.output), t._replace(output=o)) for o in _outputs(fsm, asked) if o != t.output]
        changed += [("target", (s, t.target), t._replace(target=s)) for s in fsm.states if s != t.target]
        for what, (wrong, right), new in changed:
            text = f"{what} {instead_of(wrong, right)} on {_arrow(t)}"
            yield asked.changed(text, _with(fsm, k, new), (wrong, right), asked.faults.relation)


def _both(fsm: Fsm, asked: SuspectFaults) -> Iterator[FaultSuspect]:
    """Another target, too, where the system gave another output, which tells what was taken: else it excuses much."""
    told = {t[:3] for t in fsm.transitions}
    shown = min(asked.failing, key=lambda trace: len(trace.steps)).steps
    wrong = dict.fromkeys((str(step.input), str(step.output)) for step in shown)
    for k, t in enumerate(fsm.transitions):
        for output in (output for symbol, output in wrong if symbol == t.input and (*t[:2], output) not in told):
            for target in fsm.states:
                if target != t.target:
                    text = f"output {instead_of(output, t.output)} on {_arrow(t)}, and target {target}"
                    mutant = _with(fsm, k, t._replace(output=output, target=target))
                    yield asked.changed(text, mutant, (output, t.output), asked.faults.relation)


def _outputs(fsm: Fsm, asked: SuspectFaults) -> Sequence[str]:
    """Those of the model, and what the system answered in their place."""
    seen = (str(step.output) for trace in asked.failing for step in trace.steps)
    return tuple(dict.fromkeys((*fsm.outputs, *seen)))


def _with(fsm: Fsm, place: int, new: FsmTransition) -> Fsm:
    transitions = (*fsm.transitions[:place], new, *fsm.transitions[place + 1 :])
    outputs = tuple(dict.fromkeys((*fsm.outputs, new.output)))
    return dataclasses.replace(fsm, outputs=outputs, transitions=tuple(dict.fromkeys(transitions)))


def _arrow(t: FsmTransition) -> str:
    return f"{t.source} --{t.input}/{t.output}--> {t.target}"
