"""Silence in locations whose outputs cannot be eliminated from their guards.

With values for the variables that is a query without quantifiers, so concrete runs show where silence is allowed. That
silence is never allowed is a query with one alternation of quantifiers, which a solver sometimes answers.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterator

from fullproof.analysis.sts_knowledge import Position
from fullproof.analysis.sts_semantics import Possible, StsSemantics
from fullproof.analysis.sts_successors import StateCells, Successors
from fullproof.artefacts.finding import Finding
from fullproof.check.remarks import note, some_of, values_text
from fullproof.check.running.sts_program import StsProgram
from fullproof.language.formulas import conjunction, negation
from fullproof.language.scope import Scope
from fullproof.language.traversal import free_names
from fullproof.language.types import Value
from fullproof.smt import Unsat, open_solver

_STATES = 400
_EFFORT = 0.25
_PATIENCE = 100.0
"""Steps of the solver for one question, as seconds, and how much longer they may take."""


def undecided_silence(system: StsProgram, locations: Collection[str]) -> Iterator[Finding]:
    """Findings on silence in these locations: a run that shows it, a proof against it (no finding), or neither."""
    if not locations:
        return
    shown = _by_runs(system, locations)
    if shown:
        names = [
            f"{location}{_where(system, location, shown[location])}" for location in locations if location in shown
        ]
        yield note("quiescent", f"location {some_of(names)}", "silence is a correct output there")
    left = [location for location in locations if location not in shown and not _always_speaks(system, location)]
    if left:
        message = "no run was found in which silence is a correct output there, nor a proof that none has it"
        yield note("quiescent-unknown", f"location {some_of(left)}", message)


def _by_runs(system: StsProgram, locations: Collection[str]) -> dict[str, dict[str, Value]]:
    semantics = StsSemantics(system.model)
    cells = StateCells(system.model)
    successors = Successors(semantics, cells)
    found: dict[str, dict[str, Value]] = {}
    start = next(iter(semantics.start().routes))
    queue: deque[Position] = deque([start])
    seen = {cells.of(start)}
    for _ in range(_STATES):
        if not queue or len(found) == len(locations):
            break
        here = queue.popleft()
        wanted = here.location in locations and here.location not in found
        if wanted and semantics.is_stable(here) and semantics.speaks(here) is Possible.NO:
            found[here.location] = semantics.given(here)
        for step in successors.of(here):
            if cells.of(step.target) not in seen:
                seen.add(cells.of(step.target))
                queue.append(step.target)
    return found


def _where(system: StsProgram, location: str, values: dict[str, Value]) -> str:
    outputs = {gate.name for gate in system.model.outputs}
    guards = [switch.guard for switch in system.switches[location] if switch.gate in outputs]
    used = {name for guard in guards for name in free_names(guard)}
    shown = {name: value for name, value in values.items() if name in used}
    return f" where {values_text(shown)}" if shown else ""


def _always_speaks(system: StsProgram, location: str) -> bool:
    outputs = {gate.name for gate in system.model.outputs}
    here = [switch for switch in system.switches[location] if switch.gate in outputs]
    bound = {p.name: p for switch in here for p in system.parameters[switch.gate]}
    silent = conjunction(negation(guard) for guard in (*map(system.guard, here), *system.internal(location)))
    scope = Scope(system.model.variables, system.program.constants)
    solver = open_solver(scope, timeout=_EFFORT, patience=_PATIENCE)
    return isinstance(solver.check_exists_forall((), list(bound.values()), silent), Unsat)
