"""From a difference between symbolic states to a run with concrete values, which is then replayed on the model."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from fullproof.analysis.ioco.answers import Differs, IocoUndecided
from fullproof.analysis.ioco.common_language import Alphabet, CodedSwitch, CodedSystem, coded_value, decoded
from fullproof.analysis.ioco.nodes import HIDDEN, EventKind, StatePair, SymbolicLocation, expressions_of
from fullproof.analysis.ioco.normal_form import replacements
from fullproof.analysis.ioco.questions import IocoQuestions, Variables
from fullproof.analysis.ioco.substitution import instantiate, value_of
from fullproof.artefacts.execution import Event, Received, Sent, Silence
from fullproof.core.errors import Bug
from fullproof.language.evaluate import evaluate
from fullproof.language.formulas import compared, has_values, negation
from fullproof.language.printer import to_text, value_to_text
from fullproof.language.residual import residual
from fullproof.language.scope import Scope
from fullproof.language.substitute import literal
from fullproof.language.syntax import TRUE, Expression
from fullproof.language.types import Value
from fullproof.model.sts import TAU
from fullproof.smt.answers import Sat, Unknown, Unsat

SILENCE = "silence"
SECONDS = 30.0
"""The time for making a difference concrete is separate, since the difference was already found."""
FEW = 5
"""At most this many outputs are listed one by one."""


@dataclass(frozen=True, slots=True)
class IocoViolation:
    """A reachable pair in which the implementation does something that the model does not allow."""

    pair: StatePair
    kind: EventKind
    gate: str
    conditions: tuple[Expression, ...]
    values: Mapping[str, Value] | None = None
    """Values of the pair's variables, where they are known already."""


class _Open(Exception):
    """The solver did not find the values whose existence it had reported."""


class Witness:
    """Makes differences concrete."""

    def __init__(self, model: CodedSystem, alphabet: Alphabet) -> None:
        self._model = model
        self._alphabet = alphabet
        self._asking = IocoQuestions(SECONDS)

    def shown(self, violation: IocoViolation, length: int) -> Differs | IocoUndecided:
        """The run that shows a violation after ``length`` events; Undecided where the solver finds no values for it."""
        self._asking = IocoQuestions(SECONDS)
        try:
            observed, values = self._last(violation)
            trace = self._trace(violation.pair, values)
            states = self._replayed(trace)
            refuted = not states or bool(self._after(states, observed))
            allowed = self._allowed(states)
        except _Open as reason:
            return IocoUndecided(depth=length, reasons=(f"a difference exists, but the solver found no run: {reason}",))
        if refuted:
            raise Bug(f"the model allows {observed} after {trace}")
        return Differs(trace=tuple(trace), observed=observed, allowed=allowed)

    def _last(self, violation: IocoViolation) -> tuple[Received | Silence, Mapping[str, Value]]:
        if violation.values is not None:
            return Silence(), violation.values
        parameters = self._alphabet.parameters[violation.gate] if violation.gate else ()
        found = self._solve((*violation.pair.variables, *parameters), violation.conditions)
        observed = self._event(violation.kind, violation.gate, found)
        assert not isinstance(observed, Sent)
        return observed, found

    def _event(self, kind: EventKind, gate: str, found: Mapping[str, Value]) -> Event:
        match kind:
            case EventKind.SILENCE:
                return Silence()
            case EventKind.INPUT:
                return Sent(gate, self._alphabet.values(gate, found))
            case EventKind.OUTPUT:
                return Received(gate, self._alphabet.values(gate, found))
            case EventKind.INTERNAL | EventKind.CLOSING:
                raise Bug("no trace shows an internal step")

    def _solve(self, variables: Variables, conditions: Iterable[Expression]) -> Mapping[str, Value]:
        match self._asking.solve(variables, conditions):
            case Sat(model):
                return model
            case Unknown(reason):
                raise _Open(reason)
            case Unsat():
                raise Bug("a step that was possible has no values")

    def _trace(self, pair: StatePair, values: Mapping[str, Value]) -> list[Event]:
        """Reconstruct the trace backwards: the parent's variables and the event that lead to the states."""
        events: list[Event] = []
        while pair.step is not None:
            step, scope = pair.step, Scope(pair.variables)
            reached = [evaluate(expression, scope, values) for expression in pair.image]
            equations = (
                instantiate(compared(before, "==", literal(after)), {})
                for before, after in zip(expressions_of(step), reached, strict=True)
            )
            conditions = (*step.parent.conditions, *step.conditions, *equations)
            values = self._solve(step.variables, conditions)
            if step.kind not in HIDDEN:
                events.append(self._event(step.kind, step.gate, values))
            pair = step.parent
        return events[::-1]

    def _replayed(self, trace: list[Event]) -> list[SymbolicLocation]:
        states = self._closed([SymbolicLocation(self._model.model.initial, self._model.start)])
        for event in trace:
            states = self._after(states, event)
        return states

    def _after(self, states: list[SymbolicLocation], event: Event) -> list[SymbolicLocation]:
        """The states of the model after one more event; all are concrete."""
        if isinstance(event, Silence):
            return [state for state in states if self._is_quiescent(state)]
        parameters = self._alphabet.parameters[event.gate]
        given = {
            variable.name: literal(coded_value(value, type_))
            for variable, type_, value in zip(parameters, self._alphabet.types[event.gate], event.values, strict=True)
        }
        return self._closed(list(self._targets(states, event.gate, given)))

    def _targets(
        self, states: list[SymbolicLocation], gate: str, given: Mapping[str, Expression]
    ) -> Iterator[SymbolicLocation]:
        for state in states:
            known = {**replacements(self._model.variables, state), **given}
            for switch in self._model.of(state.location, gate):
                if instantiate(switch.guard, known) == TRUE:
                    yield SymbolicLocation(
                        switch.target, tuple(instantiate(update, known) for update in switch.updates)
                    )

    def _closed(self, states: list[SymbolicLocation]) -> list[SymbolicLocation]:
        """The states closed under internal steps, up to the limit that the search uses."""
        found = dict.fromkeys(states)
        waiting = list(found)
        while waiting:
            fresh = [state for state in self._targets(waiting, TAU, {}) if state not in found]
            waiting = list(dict.fromkeys(fresh))
            found.update(dict.fromkeys(waiting))
        return list(found)

    def _is_quiescent(self, state: SymbolicLocation) -> bool:
        return not self._outputs(state) and not any(True for _ in self._targets([state], TAU, {}))

    def _outputs(self, state: SymbolicLocation) -> list[CodedSwitch]:
        """The output switches that a concrete state can take."""
        known = replacements(self._model.variables, state)
        found = []
        for gate in self._alphabet.outputs:
            for switch in self._model.of(state.location, gate):
                possible = self._asking.possible(self._alphabet.parameters[gate], [instantiate(switch.guard, known)])
                if possible is None:
                    raise _Open("the solver could not decide whether the model is silent")
                if possible:
                    found.append(switch)
        return found

    def _allowed(self, states: list[SymbolicLocation]) -> tuple[str, ...]:
        texts: dict[str, None] = {}
        for state in states:
            outputs = self._outputs(state)
            texts.update(dict.fromkeys(text for switch in outputs for text in self._texts(state, switch)))
            if self._is_quiescent(state):
                texts.setdefault(SILENCE)
        return tuple(texts)

    def _texts(self, state: SymbolicLocation, switch: CodedSwitch) -> list[str]:
        """``outX(5)`` for each output where there are few, else ``outX where p > 3``."""
        few = self._few(instantiate(switch.guard, replacements(self._model.variables, state)), switch.gate)
        if few is not None:
            return [gate_text(switch.gate, values) for values in sorted(few, key=str)]
        model = self._model.model
        gate = next(gate for gate in model.outputs if gate.name == switch.gate)
        constants = {constant.name: constant.value for constant in model.description.constants}
        values = {
            variable.name: decoded(value_of(value), variable.type)
            for variable, value in zip(model.variables, state.values, strict=True)
        }
        scope = Scope((*model.variables, *gate.parameters), constants)
        rest = to_text(residual(switch.origin.guard, scope, values))
        return [gate.name if rest == "true" else f"{gate.name} where {rest}"]

    def _few(self, guard: Expression, gate: str) -> list[tuple[Value, ...]] | None:
        """All values of a gate's parameters that satisfy a guard, or None where they are too many or unknown."""
        parameters = self._alphabet.parameters[gate]
        found: list[tuple[Value, ...]] = []
        others: list[Expression] = [guard]
        while len(found) <= FEW:
            match self._asking.solve(parameters, others):
                case Sat(model):
                    found.append(self._alphabet.values(gate, model))
                    others.append(negation(has_values((v.name, model[v.name]) for v in parameters)))
                case Unsat():
                    return found
                case Unknown():
                    return None
        return None


def gate_text(gate: str, values: tuple[Value, ...]) -> str:
    """``outX(5)``, and the gate alone where it carries nothing."""
    return f"{gate}({', '.join(value_to_text(value) for value in values)})" if values else gate
