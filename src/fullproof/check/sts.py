"""Symbolic transition systems: paper 001, sections 2 and 3."""

from __future__ import annotations

from collections.abc import Iterator

from fullproof.artefacts.finding import Finding, Profile
from fullproof.check.graph import not_reentered
from fullproof.check.properties import unsafe_properties
from fullproof.check.remarks import error, shortened
from fullproof.check.running.outcomes import outcomes
from fullproof.check.running.silence import gap_findings, gaps, input_enabled
from fullproof.check.running.sts_program import StsProgram
from fullproof.check.running.verdicts import absent, connected, reach_findings, suspicions
from fullproof.check.solving.questions import Budget, Questions
from fullproof.check.unused import names_in, unused, unused_constants
from fullproof.model import Sts


def check_sts(model: Sts, *, timeout: float) -> Profile:
    """Profile of a symbolic transition system.

    ``deterministic`` and ``observable``: in every state that a run reaches, a gate with its values allows at most one
    next state. ``complete``: input-enabled, every input gate with all its values is accepted. ``minimal`` is not asked:
    it is undecidable.
    """
    system = StsProgram(model)
    listed = [*system.choices(), *system.ranges()]
    lacking = gaps(system)
    goals = [*(suspicion.goal for suspicion in listed), *(gap.goal for gap in lacking)]
    budget = Budget(timeout)
    questions = Questions(system.program.scope(goals), budget)
    found = outcomes(system.program, model.states, goals, questions, budget)
    deterministic = absent(listed, "nondeterministic", found)
    findings = [
        *_no_switches(model),
        *reach_findings(model.states, system.transits, found, questions, noun="location"),
        *suspicions(listed, found),
        *gap_findings(model, lacking, found),
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


def _idle(model: Sts) -> Iterator[Finding]:
    gates = frozenset(switch.gate for switch in model.transitions)
    yield from unused("unused-input", "input gates", [gate.name for gate in model.inputs], gates)
    yield from unused("unused-output", "output gates", [gate.name for gate in model.outputs], gates)
    updates = [assignment.expression for switch in model.transitions for assignment in switch.assignments]
    used = names_in(model.description, [*(switch.guard for switch in model.transitions), *updates])
    yield from unused("unused-variable", "variables", [variable.name for variable in model.variables], used)
    parameters = [parameter for gate in (*model.inputs, *model.outputs) for parameter in gate.parameters]
    yield from unused_constants(model.description, (*model.variables, *parameters), used)
