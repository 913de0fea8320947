"""Consequences of ioco for locations: unspecified inputs, and places where silence is a correct output."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

from fullproof.artefacts.finding import Finding
from fullproof.check.remarks import note, some_of, values_text
from fullproof.check.running.outcomes import Outcomes
from fullproof.check.running.program import Goal
from fullproof.check.running.sts_program import StsProgram
from fullproof.check.solving.questions import all_of
from fullproof.language.elimination import eliminated
from fullproof.language.formulas import conjunction, negation
from fullproof.model import Sts


class Lack(Enum):
    """The meaning of a goal: an input that no switch accepts, or no possible output."""

    INPUT = "input"
    OUTPUT = "output"


@dataclass(frozen=True, slots=True, eq=False)
class Gap:
    """A state of a location in which an input gate is not accepted, or in which there is no output."""

    lack: Lack
    goal: Goal
    gate: str


def gaps(system: StsProgram) -> list[Gap]:
    """All gaps that locations may have, except silence where an output cannot be eliminated from its guard."""
    found = [
        _unaccepted(system, location, gate.name) for location in system.model.states for gate in system.model.inputs
    ]
    silent = [_silent(system, location) for location in system.model.states]
    return found + [gap for gap in silent if gap is not None]


def unclear(system: StsProgram, listed: Sequence[Gap]) -> list[str]:
    """The locations for which these gaps do not determine whether silence is allowed."""
    told = {gap.goal.location for gap in listed if gap.lack is Lack.OUTPUT}
    return [location for location in system.model.states if location not in told]


def _unaccepted(system: StsProgram, location: str, gate: str) -> Gap:
    # Where an internal step is enabled, its target location determines the gaps.
    guards = [system.guard(switch) for switch in system.switches[location] if switch.gate == gate]
    goal = Goal(
        location=location,
        formula=conjunction(negation(guard) for guard in (*guards, *system.internal(location))),
        parameters=system.parameters[gate],
        about=f"location {location}, gate {gate}",
        shown=system.shown(gate, guards),
    )
    return Gap(Lack.INPUT, goal, gate)


def _silent(system: StsProgram, location: str) -> Gap | None:
    outputs = {gate.name for gate in system.model.outputs}
    scope = system.program.scope(())
    possible = system.internal(location)
    for switch in system.switches[location]:
        if switch.gate in outputs:
            rest = eliminated(system.parameters[switch.gate], system.guard(switch), scope)
            if rest is None:
                return None
            possible.append(rest)
    goal = Goal(
        location=location,
        formula=conjunction(negation(formula) for formula in possible),
        about=f"location {location}",
        shown=system.shown_variables(possible),
    )
    return Gap(Lack.OUTPUT, goal, "")


def input_enabled(listed: Sequence[Gap], found: Outcomes) -> bool | None:
    """Whether every input is accepted in every state that runs reach."""
    verdicts = (found.of(gap.goal) for gap in listed if gap.lack is Lack.INPUT)
    return all_of(None if verdict is None else not verdict for verdict in verdicts)


def gap_findings(model: Sts, listed: Sequence[Gap], found: Outcomes) -> Iterator[Finding]:
    """Notes on locations without outgoing switches, unspecified inputs, and locations where silence is allowed."""
    ends = [location for location in model.states if all(switch.source != location for switch in model.transitions)]
    if ends:
        yield note("dead-end", f"location {some_of(ends)}", "no switch leaves it: only silence can follow")
    open_inputs: dict[str, list[str]] = {}
    for gap in listed:
        if gap.lack is Lack.INPUT and gap.goal in found.met and gap.goal.location not in ends:
            open_inputs.setdefault(gap.goal.location, []).append(gap.gate + _condition(gap, found))
    if open_inputs:
        texts = [f"{location} ({some_of(gates, limit=3)})" for location, gates in open_inputs.items()]
        message = f"inputs that no switch accepts, to which ioco allows any reaction: {some_of(texts, limit=3)}"
        yield note("input-not-enabled", f"{len(open_inputs)} of {len(model.states)} locations", message)
    silent = [gap for gap in listed if gap.lack is Lack.OUTPUT and gap.goal in found.met]
    if silent:
        names = [gap.goal.location + _condition(gap, found) for gap in silent]
        yield note("quiescent", f"location {some_of(names)}", "silence is a correct output there")


def _condition(gap: Gap, found: Outcomes) -> str:
    values = gap.goal.witness(found.met[gap.goal])
    return f" where {values_text(values)}" if values else ""
