"""SysML state machines with run to completion: paper 003, section 2."""

from __future__ import annotations

from collections.abc import Iterator

from fullproof.artefacts.finding import Finding, Profile
from fullproof.check.graph import not_reentered
from fullproof.check.properties import unsafe_properties
from fullproof.check.remarks import error, note, shortened, some_of, values_text, warning
from fullproof.check.running.livelock import Livelocks
from fullproof.check.running.outcomes import Outcomes, outcomes
from fullproof.check.running.statemachine_program import StateMachineProgram
from fullproof.check.running.verdicts import absent, connected, reach_findings, suspicions
from fullproof.check.silence import ignored_signals, silent_states
from fullproof.check.solving.questions import Questions
from fullproof.check.timed import timed_findings
from fullproof.check.unused import names_in, unused, unused_constants
from fullproof.core.deadline import Deadline
from fullproof.language.formulas import disjunction, has_values
from fullproof.model import StateMachine
from fullproof.smt.answers import Sat


def check_statemachine(model: StateMachine, *, timeout: float) -> Profile:
    """Profile of a state machine.

    ``deterministic``: no event allows two transitions with different results in a state that a run reaches.
    ``complete``: every choice point has a way out; events that fire nothing are lost, not refused. ``observable``: a
    deterministic machine is; otherwise it is not decided. ``minimal`` is not decided: it is undecidable.
    """
    system = StateMachineProgram(model)
    deadline = Deadline(timeout)
    livelocks = Livelocks(system, deadline)
    listed = [*system.choices(), *system.gaps(), *system.ranges()]
    goals = [*(suspicion.goal for suspicion in listed), *livelocks.goals]
    questions = Questions(system.program.scope(goals), deadline)
    found = outcomes(system.program, model.states, goals, questions, deadline)
    deterministic = absent(listed, "nondeterministic", found)
    findings = [
        *_no_transitions(model),
        *_triggers_at_choices(system),
        *reach_findings(model.states, system.transits, found, questions, noun="state"),
        *suspicions([*listed, *livelocks.suspicions], found),
        *_open_livelocks(livelocks, found),
        *_restless_start(system, questions),
        *unsafe_properties(model.description.properties),
        *questions.unknown,
        *_greeting(model),
        *ignored_signals(model),
        *silent_states(model),
        *_idle(model),
        *timed_findings(model),
        *not_reentered(model.states, model.initial, [(t.source, t.target) for t in model.transitions]),
    ]
    return Profile(
        kind=model.kind,
        name=model.name,
        states=len(model.states),
        transitions=len(model.transitions),
        deterministic=deterministic,
        complete=absent(listed, "choice-incomplete", found),
        observable=True if deterministic else None,
        minimal=None,
        connected=connected(model.states, found),
        findings=shortened(findings),
    )


def _no_transitions(model: StateMachine) -> Iterator[Finding]:
    if not model.transitions:
        yield error("no-transitions", "machine", "there is no transition: nothing can ever happen")


def _triggers_at_choices(system: StateMachineProgram) -> Iterator[Finding]:
    for state in system.model.choices:
        for number, t in enumerate(system.leaving[state], 1):
            if t.trigger is not None:
                message = "a transition from a choice point has no trigger: the event is consumed by then"
                yield error("choice-trigger", system.where(t, number), message, at=t.at)


def _open_livelocks(livelocks: Livelocks, found: Outcomes) -> Iterator[Finding]:
    """Findings where freedom from livelocks is not proven and no other finding says so."""
    states = livelocks.undecided(found)
    if states:
        message = "a cycle of transitions without trigger; it is not proven that every run leaves it"
        yield note("livelock-unknown", f"state{'s' if len(states) > 1 else ''} {some_of(states)}", message)


def _restless_start(system: StateMachineProgram, questions: Questions) -> Iterator[Finding]:
    """Paper 003 assumes that the machine starts in a quiescent state."""
    initial = has_values((v.name, v.initial) for v in system.attributes if v.initial is not None)
    guards = [t.guard for t in system.leaving[system.model.initial] if t.trigger is None]
    answer = questions.ask(initial, disjunction(guards), about=f"state {system.model.initial}")
    if isinstance(answer, Sat):
        witness = {variable.name: answer.model[variable.name] for variable in system.model.inputs}
        given = f" with {values_text(witness)}" if witness else ""
        message = f"a transition without trigger leaves it at once{given}; paper 003 starts in a quiescent state"
        yield note("initial-not-quiescent", f"state {system.model.initial}", message, witness=witness)


def _greeting(model: StateMachine) -> Iterator[Finding]:
    """What is sent before the first input."""
    if model.greeting:
        message = f"sent before the first input, where no answer shows it: {some_of(model.greeting)}; no test sees it"
        yield warning("unseen-start", f"state {model.initial}", message)


def _idle(model: StateMachine) -> Iterator[Finding]:
    heard = frozenset(t.trigger for t in model.transitions if t.trigger is not None)
    said = frozenset((*model.greeting, *(signal for t in model.transitions for signal in t.sends)))
    yield from unused("unused-input", "input signals", model.signals_in, heard)
    yield from unused("unused-output", "output signals", model.signals_out, said)
    actions = [action for t in model.transitions for action in t.actions]
    guards = [t.guard for t in model.transitions]
    used = names_in(model.description, [*guards, *(action.expression for action in actions)])
    written = frozenset(action.variable for action in actions)
    yield from unused("unused-input", "input attributes", [v.name for v in model.inputs], used)
    yield from unused("unused-output", "output attributes", [v.name for v in model.outputs], used | written)
    yield from unused("unused-variable", "variables", [v.name for v in model.variables], used)
    durations = {timer.duration for timer in model.timers}
    used |= {constant.name for constant in model.description.constants if constant.value in durations}
    yield from unused_constants(model.description, (*model.inputs, *model.outputs, *model.variables), used)
