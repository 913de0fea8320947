"""Symbolic finite state machines: paper 000, sections 3.1 to 3.5."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from fullproof.artefacts.finding import Finding, Profile
from fullproof.check.graph import not_reentered, reached, unreachable
from fullproof.check.properties import unsafe_properties
from fullproof.check.remarks import error, first_few, note, shortened, some_of, warning, written_states_note
from fullproof.check.solving.questions import Questions
from fullproof.check.symbolic.choices import choices
from fullproof.check.symbolic.distinction import StateBlocks, state_classes
from fullproof.check.symbolic.letters import state_classes_by_letters
from fullproof.check.symbolic.possible_outputs import responses, taking
from fullproof.check.symbolic.steps import GuardedStep, scope_of, steps_of
from fullproof.check.unused import names_in, unused, unused_constants
from fullproof.core.deadline import Deadline
from fullproof.model import Sfsm
from fullproof.smt.answers import Answer, Sat


def check_sfsm(model: Sfsm, *, timeout: float) -> Profile:
    """Profile of a symbolic finite state machine.

    ``deterministic``: an input allows at most one output and next state. ``complete``: every input allows an output in
    every state. ``observable``: an input and an output allow at most one next state. ``minimal``: every state can be
    reached, no two have the same language. All are statements on values within the declared ranges that keep the
    assumptions of the model.
    """
    questions = Questions(scope_of(model), Deadline(timeout))
    steps = steps_of(model)
    taken = taking(model, steps, questions)
    alive = {state: taken.alive(here) for state, here in steps.items()}
    answered = responses(model, alive, questions, taken=taken.answers)
    chosen = choices(model, alive, questions)
    found = reached(model.initial, *_edges(alive, taken.answers))
    connected = found.connected(model.states)
    classes = _classes(alive, taken.answers, questions, observable=chosen.observable)
    findings = [
        *_no_transitions(model),
        *taken.findings,
        *unreachable(model.states, model.initial, found),
        *_equivalent(classes),
        *_written_states(model, classes, observable=chosen.observable),
        *chosen.findings,
        *answered.findings,
        *unsafe_properties(model.description.properties),
        *questions.unknown,
        *_idle(model),
        *not_reentered(model.states, model.initial, [(t.source, t.target) for t in model.transitions]),
    ]
    return Profile(
        kind=model.kind,
        name=model.name,
        states=len(model.states),
        transitions=len(model.transitions),
        deterministic=chosen.deterministic,
        complete=answered.complete,
        observable=chosen.observable,
        minimal=_minimal(connected, classes),
        connected=connected,
        findings=shortened(findings),
    )


_Edges = list[tuple[str, str]]


def _edges(alive: Mapping[str, Sequence[GuardedStep]], taken: Mapping[GuardedStep, Answer]) -> tuple[_Edges, _Edges]:
    """The edges that can be taken, and those for which that is unknown."""
    edges: tuple[_Edges, _Edges] = [], []
    for step in (step for here in alive.values() for step in here):
        sure, open_ = edges
        kind = sure if isinstance(taken[step], Sat) else open_
        kind.append((step.transition.source, step.transition.target))
    return edges


def _classes(
    alive: Mapping[str, Sequence[GuardedStep]],
    taken: Mapping[GuardedStep, Answer],
    questions: Questions,
    *,
    observable: bool | None,
) -> StateBlocks | None:
    if observable:
        letters = [answer.model for answer in taken.values() if isinstance(answer, Sat)]
        return state_classes(alive, letters, questions)
    return state_classes_by_letters(alive, questions)


def _minimal(connected: bool | None, classes: StateBlocks | None) -> bool | None:
    distinct = None if classes is None else classes.distinct
    if connected is False or distinct is False:
        return False
    return True if connected and distinct else None


def _no_transitions(model: Sfsm) -> Iterator[Finding]:
    if not model.transitions:
        yield error("no-transitions", "machine", "there is no transition: the machine never answers")


def _equivalent(classes: StateBlocks | None) -> Iterator[Finding]:
    if classes is None:
        message = "the machine is not observable and too large to tell which states are equivalent"
        yield note("minimality-unknown", "machine", message)
    elif classes.distinct is None:
        undecided = [f"{', '.join(block)}" for block in classes.blocks if len(block) > 1]
        message = "nothing was found that distinguishes them, nor a proof that nothing can"
        yield note("minimality-unknown", f"states {some_of(undecided)}", message)
    elif classes.distinct is False:
        yield from first_few([block for block in classes.blocks if len(block) > 1], _merged)


def _written_states(model: Sfsm, classes: StateBlocks | None, *, observable: bool | None) -> Iterator[Finding]:
    """Of an observable machine: suites for others count the states of an observable one."""
    if classes is not None and classes.distinct is False and observable:
        yield from written_states_note(model, {state: k for k, block in enumerate(classes.blocks) for state in block})


def _merged(block: Sequence[str]) -> Finding:
    message = "no input sequence distinguishes them; methods count them as one state"
    return warning("equivalent-states", f"states {some_of(block)}", message, witness={"states": list(block)})


def _idle(model: Sfsm) -> Iterator[Finding]:
    parts = [part for t in model.transitions for part in (t.guard, t.output)]
    used = names_in(model.description, [*parts, *model.assumptions])
    yield from unused("unused-input", "inputs", [v.name for v in model.inputs], used)
    yield from unused("unused-output", "outputs", [v.name for v in model.outputs], used)
    yield from unused_constants(model.description, (*model.inputs, *model.outputs), used)
