"""The observer's view of a symbolic transition system: the states possible after a trace, and the allowed next events.

Paper 001, definitions 7 and 8, with quiescence: a state is quiescent iff no output switch has parameter values that
satisfy its guard, which is a question without quantifiers once the variables have values, and no internal step is
enabled. What is known after an observation is closed under internal steps: they may have happened since, or not.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import Enum

from fullproof.analysis.sts_internal import Internal, InternalStep
from fullproof.analysis.sts_knowledge import GateValue, Gathering, Knowledge, Position, Route
from fullproof.artefacts.purposes import switch_names
from fullproof.language.box import box_of
from fullproof.language.compile import compile_expression
from fullproof.language.equations import solved_for
from fullproof.language.formulas import has_values
from fullproof.language.printer import to_text, type_to_text, value_to_text
from fullproof.language.residual import residual
from fullproof.language.scope import Scope
from fullproof.language.strings import quoted
from fullproof.language.substitute import literal
from fullproof.language.syntax import TRUE, Comparison, Expression, Name
from fullproof.language.traversal import free_names
from fullproof.language.types import BoolType, EnumType, IntType, ListType, Value, Variable
from fullproof.language.values import coerce, in_range
from fullproof.model.sts import TAU, Sts
from fullproof.smt import Sat, Solver, Unknown, Unsat, open_solver, pushed

_SOLVER_TIMEOUT = 5.0


class Possible(Enum):
    """An answer of three values, since a solver may not decide."""

    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"


class _Compiled:
    """A switch ready to be taken."""

    def __init__(self, number: int, model: Sts, scope: Scope, parameters: tuple[Variable, ...]) -> None:
        self.number = number
        self.switch = model.transitions[number]
        self.scope = scope
        self.parameters = parameters
        self.guard = compile_expression(self.switch.guard, scope)
        updates = {a.variable: compile_expression(a.expression, scope) for a in self.switch.assignments}
        self.updates = [(v, updates.get(v.name)) for v in model.variables]
        used = {name for a in self.switch.assignments for name in free_names(a.expression)}
        self.remembers = [p for p in parameters if p.tolerance is not None and p.name in used]

    def after(self, known: Mapping[str, Value]) -> dict[str, Value]:
        """The new values of the variables by name, within their ranges or not."""
        return {v.name: known[v.name] if update is None else update(known) for v, update in self.updates}

    def target(self, known: Mapping[str, Value]) -> tuple[Value, ...] | None:
        """The new values of the variables; None where one leaves its range, which is an error of the model."""
        values = []
        for variable, update in self.updates:
            value = known[variable.name] if update is None else coerce(update(known), variable.type)
            if update is not None and not in_range(value, variable.type):
                return None
            values.append(value)
        return tuple(values)


class StsSemantics:
    """Follows observations of one model; ready for many tests."""

    def __init__(self, model: Sts) -> None:
        self.model = model
        self.names = switch_names(model)
        constants = {c.name: c.value for c in model.description.constants}
        self.inputs = {gate.name: gate for gate in model.inputs}
        self.outputs = {gate.name: gate for gate in model.outputs}
        gates = {gate.name: gate for gate in model.gates}
        scopes = {name: Scope((*model.variables, *gate.parameters), constants) for name, gate in gates.items()}
        self._variables = tuple(v.name for v in model.variables)
        self.compiled = [
            _Compiled(number, model, scopes[switch.gate], gates[switch.gate].parameters)
            for number, switch in enumerate(model.transitions)
        ]
        self._leaving: dict[tuple[str, str], list[_Compiled]] = {}
        self._emitting: dict[str, list[_Compiled]] = {location: [] for location in model.states}
        self._taking: dict[str, list[_Compiled]] = {location: [] for location in model.states}
        for compiled in self.compiled:
            switch = compiled.switch
            self._leaving.setdefault((switch.source, switch.gate), []).append(compiled)
            if switch.gate != TAU:
                (self._emitting if switch.gate in self.outputs else self._taking)[switch.source].append(compiled)
        self._internal = Internal(self.names, self._internal_steps)
        self._solvers: dict[str, Solver] = {}
        self._speaking: dict[tuple[str, tuple[Value, ...]], Possible] = {}

    def start(self) -> Knowledge:
        """Before anything was observed."""
        values = tuple(coerce(v.initial, v.type) for v in self.model.variables if v.initial is not None)
        found = Gathering("")
        self._reach(found, Position(self.model.initial, values), Route())
        return found.knowledge()

    def after_input(self, knowledge: Knowledge, given: GateValue, *, synchronous: bool) -> Knowledge:
        """After the tester gave an input.

        Where the order of events is not known for certain, the input may also still be under way while an output is.
        """
        found = Gathering(knowledge.astray)
        for position, route in knowledge.routes.items():
            if not synchronous and (position.pending or self.speaks(position) is not Possible.NO):
                found.add(position._replace(pending=(*position.pending, given)), route)
            if not position.pending:
                self._take(found, position, route, given)
        return found.knowledge()

    def after_output(self, knowledge: Knowledge, seen: GateValue) -> Knowledge:
        """After the system gave an output. Needs: ``misfit`` finds nothing wrong with it."""
        found = Gathering(knowledge.astray)
        for position, route in knowledge.routes.items():
            for compiled in self._leaving.get((position.location, seen[0]), ()):
                self._emit(found, position, route, compiled, seen[1])
        return found.knowledge()

    def after_silence(self, knowledge: Knowledge) -> Knowledge:
        """After the system stayed silent: every input has arrived, and the state is quiescent."""
        kept = {
            position: route
            for position, route in knowledge.routes.items()
            if not position.pending and self.is_stable(position) and self.speaks(position) is not Possible.YES
        }
        return Knowledge(kept, knowledge.astray)

    def speaks(self, position: Position) -> Possible:
        """Whether some output is possible in a state; NO makes it quiescent where it is stable."""
        key = (position.location, position.values)
        known = self._speaking.get(key)
        if known is None:
            answers = {self._possible(compiled, position) for compiled in self._emitting[position.location]}
            order = (Possible.YES, Possible.UNKNOWN)
            known = self._speaking[key] = next((answer for answer in order if answer in answers), Possible.NO)
        return known

    def is_stable(self, position: Position) -> bool:
        """Whether no internal step is enabled in a state."""
        return not any(True for _ in self._internal_steps(position))

    def origin(self, knowledge: Knowledge) -> Position | None:
        """The state from which internal steps lead to all other states that the system may be in."""
        if len(knowledge.routes) <= 1:
            return next(iter(knowledge.routes), None)
        for position in knowledge.routes:
            if not position.pending:
                closure = self._internal.closure(position)
                if not closure.astray and {reached.position for reached in closure.reached} == knowledge.routes.keys():
                    return position
        return None

    def step(self, number: int, position: Position, values: tuple[Value, ...]) -> Position | None:
        """Take one switch with exact values; None where it is not enabled."""
        compiled = self.compiled[number]
        known = self._known(position, compiled, values)
        if compiled.switch.source != position.location or not compiled.guard(known):
            return None
        target = compiled.target(known)
        return None if target is None else Position(compiled.switch.target, target)

    def given(self, position: Position) -> dict[str, Value]:
        """The variables by name."""
        return dict(zip(self._variables, position.values, strict=True))

    def taking(self, location: str) -> list[_Compiled]:
        """The input switches of a location."""
        return self._taking[location]

    def emitting(self, location: str) -> list[_Compiled]:
        """The output switches of a location."""
        return self._emitting[location]

    def misfit(self, gate: str, values: tuple[Value, ...]) -> str:
        """Why this is not an output of the model's alphabet; nothing where it is one."""
        if gate not in self.outputs:
            kind = "an input gate" if gate in self.inputs else "not a gate"
            return f"{gate} is {kind} of the model, not one of its output gates"
        parameters = self.outputs[gate].parameters
        if len(values) != len(parameters):
            return f"{gate} has {len(parameters)} values in the model, here {len(values)}"
        for parameter, value in zip(parameters, values, strict=True):
            if not _is_of(value, parameter):
                is_list = isinstance(parameter.type, ListType)  # the text of a string may look like a list
                text = quoted(value) if type(value) is str and is_list else value_to_text(value)
                return f"{gate}: {parameter.name} = {text} is outside {type_to_text(parameter.type)}"
        return ""

    def allowed(self, knowledge: Knowledge) -> list[str]:
        """What may be observed next: ``item(2)``, or ``item(v) with v < 2``. The values of variables are put in."""
        found: dict[str, None] = {}
        for position in knowledge.routes:
            for compiled in self._emitting[position.location]:
                if self._possible(compiled, position) is not Possible.NO:
                    found[self._text(compiled, position)] = None
            if not position.pending and self.is_stable(position) and self.speaks(position) is not Possible.YES:
                found["silence"] = None
        return list(found)

    def _take(self, found: Gathering, position: Position, route: Route, given: GateValue) -> bool:
        taken = False
        for compiled in self._leaving.get((position.location, given[0]), ()):
            known = self._known(position, compiled, given[1])
            if compiled.guard(known):
                taken = True
                self._arrive(found, compiled, known, position.pending, route.then(compiled.number))
        return taken

    def _emit(
        self, found: Gathering, position: Position, route: Route, compiled: _Compiled, values: tuple[Value, ...]
    ) -> None:
        known = self._known(position, compiled, values)
        exact = all(in_range(known[p.name], p.type) for p in compiled.parameters) and compiled.guard(known)
        if not exact:
            near = self._near(compiled, position, values)
            if isinstance(near, Unknown):
                found.astray = found.astray or f"the solver could not decide whether the output fits: {near.reason}"
            if not isinstance(near, dict):
                return
            known |= near
            if compiled.remembers:
                found.astray = found.astray or "an output within its tolerance was remembered by the model"
        self._arrive(found, compiled, known, position.pending, route.then(compiled.number))

    def _arrive(
        self,
        found: Gathering,
        compiled: _Compiled,
        known: Mapping[str, Value],
        pending: tuple[GateValue, ...],
        route: Route,
    ) -> None:
        """Add a state, and what becomes of inputs that wait for it."""
        target = compiled.target(known)
        if target is None:
            found.astray = found.astray or f"{self.names[compiled.number]} takes a variable out of its range"
            return
        self._reach(found, Position(compiled.switch.target, target), route, pending)

    def _reach(self, found: Gathering, start: Position, route: Route, pending: tuple[GateValue, ...] = ()) -> None:
        """Add a state and those that internal steps lead to, and what becomes of inputs that wait for them."""
        closure = self._internal.closure(start)
        found.astray = found.astray or closure.astray
        if pending and not any(self.is_stable(reached.position) for reached in closure.reached):
            found.astray = found.astray or f"internal steps from {start.location} never end, inputs may wait for ever"
        for position, way in closure.routes(route):
            if not pending:
                found.add(position, way)
                continue
            if self.speaks(position) is not Possible.NO:
                found.add(position._replace(pending=pending), way)
            taken = self._take(found, position._replace(pending=pending[1:]), way, pending[0])
            if not taken and self.is_stable(position):
                found.astray = found.astray or (
                    f"an output crossed the input {pending[0][0]}, which the model does not take after it"
                )

    def _internal_steps(self, position: Position) -> Iterator[InternalStep]:
        for compiled in self._leaving.get((position.location, TAU), ()):
            known = self._known(position, compiled, ())
            if compiled.guard(known):
                target = compiled.target(known)
                reached = None if target is None else Position(compiled.switch.target, target)
                yield InternalStep(compiled.number, reached)

    def _known(self, position: Position, compiled: _Compiled, values: tuple[Value, ...]) -> dict[str, Value]:
        known = dict(zip(self._variables, position.values, strict=True))
        known.update(zip((p.name for p in compiled.parameters), values, strict=True))
        return known

    def _possible(self, compiled: _Compiled, position: Position) -> Possible:
        given = self.given(position)
        box = box_of(compiled.switch.guard, compiled.scope, given, compiled.parameters)
        if box is not None:
            return Possible.NO if box.is_empty() else Possible.YES
        match self._ask(compiled, [has_values(given.items())]):
            case Sat():
                return Possible.YES
            case Unsat():
                return Possible.NO
            case _:
                return Possible.UNKNOWN

    def _near(
        self, compiled: _Compiled, position: Position, values: tuple[Value, ...]
    ) -> dict[str, Value] | Unknown | None:
        """Values no farther away than the tolerances that satisfy the guard."""
        if not any(p.tolerance is not None for p in compiled.parameters):
            return None
        close = [_close(p, value) for p, value in zip(compiled.parameters, values, strict=True)]
        match self._ask(compiled, [has_values(self.given(position).items()), *close]):
            case Sat(model):
                return {p.name: model[p.name] for p in compiled.parameters}
            case Unsat():
                return None
            case Unknown() as unknown:
                return unknown

    def _ask(self, compiled: _Compiled, conditions: list[Expression]) -> Sat | Unsat | Unknown:
        gate = compiled.switch.gate
        if gate not in self._solvers:
            self._solvers[gate] = open_solver(compiled.scope, timeout=_SOLVER_TIMEOUT)
        with pushed(self._solvers[gate]) as solver:
            solver.add(compiled.switch.guard, *conditions)
            return solver.check()

    def _text(self, compiled: _Compiled, position: Position) -> str:
        rest = residual(compiled.switch.guard, compiled.scope, self.given(position))
        names = [parameter.name for parameter in compiled.parameters]
        terms = solved_for(rest, names) if names else None
        given = ", ".join(names if terms is None else (to_text(terms[name]) for name in names))
        head = f"{compiled.switch.gate}({given})" if names else compiled.switch.gate
        return head if rest == TRUE or terms is not None else f"{head} with {to_text(rest)}"


def _is_of(value: Value, parameter: Variable) -> bool:
    type_, tolerance = parameter.type, parameter.tolerance
    if in_range(value, type_):
        return True
    if (
        tolerance is None
        or isinstance(value, bool | str)
        or isinstance(type_, BoolType | EnumType | IntType | ListType)
    ):
        return False
    above = type_.low is None or type_.low - tolerance <= value
    return above and (type_.high is None or value <= type_.high + tolerance)


def _close(parameter: Variable, value: Value) -> Expression:
    if parameter.tolerance is None or isinstance(value, bool | str):
        return has_values([(parameter.name, value)])
    low, high = literal(value - parameter.tolerance), literal(value + parameter.tolerance)
    return Comparison((low, Name(parameter.name), high), ("<=", "<="))
