"""Symbolic transition systems: paper 001, sections 2 and 3."""

from __future__ import annotations

from collections.abc import Iterator

from fullproof.artefacts.finding import Finding, Profile
from fullproof.check.graph import not_reentered
from fullproof.check.properties import unsafe_properties
from fullproof.check.remarks import error, note, shortened, some_of
from fullproof.check.running.indices import indices
from fullproof.check.running.livelock import Livelocks
from fullproof.check.running.outcomes import Outcomes, outcomes
from fullproof.check.running.silence import gap_findings, gaps, input_enabled, unclear
from fullproof.check.running.silent_runs import undecided_silence
from fullproof.check.running.sts_program import StsProgram
from fullproof.check.running.verdicts import absent, connected, reach_findings, suspicions
from fullproof.check.solving.questions import Questions, all_of
from fullproof.check.unused import names_in, unused, unused_constants
from fullproof.core.deadline import Deadline
from fullproof.model import Sts


def check_sts(model: Sts, *, timeout: float) -> Profile:
    """Profile of a symbolic transition system.

    ``deterministic`` and ``observable``: in every state that a run reaches, a gate with its values allows at most one
    next state, and no run takes an internal step. ``complete``: input-enabled, every input gate with all its values is
    accepted wherever no internal step is enabled. ``minimal`` is not decided:
    it is undecidable.
    """
    system = StsProgram(model)
    listed = [*system.choices(), *system.ranges(), *indices(system)]
    lacking = gaps(system)
    deadline = Deadline(timeout)
    cycles = Livelocks(system, deadline)
    goals = [*(suspicion.goal for suspicion in listed), *(gap.goal for gap in lacking), *cycles.goals]
    questions = Questions(system.program.scope(goals), deadline)
    found = outcomes(system.program, model.states, goals, questions, deadline)
    hidden = [transit.taken(found) for transit in system.internal_transits]
    visible = all_of(None if taken is None else not taken for taken in hidden)
    deterministic = all_of([absent(listed, "nondeterministic", found), visible])
    findings = [
        *_no_switches(model),
        *reach_findings(model.states, system.transits, found, questions, noun="location"),
        *suspicions([*listed, *cycles.suspicions], found),
        *_open_cycles(cycles, found),
        *gap_findings(model, lacking, found),
        *undecided_silence(system, unclear(system, lacking)),
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
        deterministic=deterministic,
        complete=input_enabled(lacking, found),
        observable=deterministic,
        minimal=None,
        connected=connected(model.states, found),
        findings=shortened(findings),
    )


def _no_switches(model: Sts) -> Iterator[Finding]:
    if not model.transitions:
        yield error("no-transitions", "system", "there is no switch: nothing can ever happen")


def _open_cycles(cycles: Livelocks, found: Outcomes) -> Iterator[Finding]:
    """Findings where it is not proven that internal steps end and no other finding says so."""
    locations = cycles.undecided(found)
    if locations:
        message = "a cycle of internal steps; it is not proven that every run leaves it"
        yield note("divergence-unknown", f"location{'s' if len(locations) > 1 else ''} {some_of(locations)}", message)


def _idle(model: Sts) -> Iterator[Finding]:
    gates = frozenset(switch.gate for switch in model.transitions)
    yield from unused("unused-input", "input gates", [gate.name for gate in model.inputs], gates)
    yield from unused("unused-output", "output gates", [gate.name for gate in model.outputs], gates)
    updates = [assignment.expression for switch in model.transitions for assignment in switch.assignments]
    used = names_in(model.description, [*(switch.guard for switch in model.transitions), *updates])
    yield from unused("unused-variable", "variables", [variable.name for variable in model.variables], used)
    parameters = [parameter for gate in (*model.inputs, *model.outputs) for parameter in gate.parameters]
    yield from unused_constants(model.description, (*model.variables, *parameters), used)
