"""The observer's view of SysML state machines: the model is executed beside the system, with exact values."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence

from fullproof.analysis.delays import delays, next_expiry
from fullproof.analysis.run_to_completion import (
    CompletedRun,
    Configuration,
    RunGoesWrong,
    RunToCompletion,
)
from fullproof.artefacts.execution import Columns
from fullproof.artefacts.suite import TestInput
from fullproof.core.errors import UserError
from fullproof.judge.output_fit import almost_in_range
from fullproof.judge.semantics import Following, JudgedMove, Outcome, RequiredStep, Shown
from fullproof.language.printer import value_to_text
from fullproof.language.types import Value
from fullproof.language.values import coerce
from fullproof.model import StateMachine
from fullproof.model.inputs import SENDS, Advance, SignalEvent, written
from fullproof.model.unflattened import drawn_transitions


class StateMachineSemantics:
    """Any state machine: after each input or delay the signals sent and the output attributes must be those of a run.

    A node is the set of configurations that fit what was seen; of a deterministic model it has one. Real outputs are
    compared exactly, or within the tolerance of their variable.
    """

    is_deterministic = False  # that would need a proof; nondeterminism is detected where a run meets it
    has_choices = False

    def __init__(self, model: StateMachine) -> None:
        self._model = model
        self._machine = RunToCompletion(model)
        self._interface = model.interface
        self._inputs = {v.name: v for v in model.inputs}
        self._tolerant = any(v.tolerance for v in model.outputs)
        self.transitions = len(drawn_transitions(model))
        start = frozenset({self._machine.start})
        self._sets = [start]
        self._numbers = {start: 0}
        self._known: dict[tuple[int, SignalEvent | Advance], list[CompletedRun]] = {}

    def move(self, node: int, symbol: TestInput, output: object) -> JudgedMove:
        """Follow one observed step."""
        fitting = [run for run in self._runs(node, symbol) if self._fits(run, output)]
        if not fitting:
            return JudgedMove(Outcome.REJECTED, reason="the model does not answer like this here")
        target = self._number(frozenset(run.end for run in fitting))
        return JudgedMove(target, fitting[0].transitions if len(fitting) == 1 else ())

    def follow(self, steps: Columns) -> Following:
        """Follow the steps of a black box as far as they lead to nodes."""
        node, done, taken = 0, 0, set[int]()
        for symbol, output in zip(steps.inputs, steps.outputs, strict=False):
            move = self.move(node, symbol, output)
            if move.node < 0:
                break
            taken.update(move.transitions)
            node = move.node
            done += 1
        return Following(done, node, frozenset(taken))

    def wants(self, _node: int, _symbol: TestInput) -> bool:
        """Events are never refused."""
        return True

    def allowed(self, node: int, symbol: TestInput) -> Sequence[str]:
        """The answers of all runs."""
        return list(dict.fromkeys(self._text(run) for run in self._runs(node, symbol)))

    def leaves_choice(self, node: int, symbol: TestInput) -> bool:
        """Whether there are runs with different answers, or answers within a tolerance."""
        return self._tolerant or len(self.allowed(node, symbol)) != 1

    def concerned(self, node: int, symbol: TestInput) -> tuple[int, ...]:
        """Those of all runs."""
        return tuple(sorted({number for run in self._runs(node, symbol) for number in run.transitions}))

    def answers(self) -> None:
        """Configurations are found as a run goes along."""
        return

    def offering(self, node: int, _enabled: frozenset[str]) -> int:
        """Inputs are values, which are not listed."""
        return node

    def offered(self, _node: int) -> Sequence[Sequence[str]]:
        """Nothing to offer."""
        return ()

    def alternatives(self, node: int, symbol: TestInput) -> Sequence[RequiredStep]:
        """One per answer."""
        return [RequiredStep(text, text) for text in self.allowed(node, symbol)]

    def shown(self, node: int, symbol: TestInput, _move: JudgedMove, output: object) -> Shown:
        """The answers of the model that the output may be."""
        fitting = {self._text(run) for run in self._runs(node, symbol) if self._fits(run, output)}
        return Shown(frozenset(fitting), tuple(sorted(fitting)))

    def speaks_for(self, _branch: Hashable, _other: Hashable) -> bool:
        """Different answers may lead anywhere."""
        return False

    def _runs(self, node: int, symbol: TestInput) -> list[CompletedRun]:
        event = self._event(symbol)
        key = node, event
        if key not in self._known:
            found: dict[CompletedRun, None] = {}
            for configuration in sorted(self._sets[node], key=repr):
                try:
                    found.update(dict.fromkeys(self._runs_from(configuration, event)))
                except RunGoesWrong as wrong:
                    raise UserError(
                        f"the model {self._model.name} goes wrong on {written(event)!r}: {wrong}"
                    ) from wrong
            self._known[key] = list(found)
        return self._known[key]

    def _runs_from(self, configuration: Configuration, event: SignalEvent | Advance) -> list[CompletedRun]:
        if isinstance(event, SignalEvent):
            self._require_inputs(configuration, event.values)
            return self._machine.runs(configuration, event.signal, event.values)
        soon = next_expiry(configuration)
        if soon is not None and soon <= event.seconds:
            self._require_inputs(configuration, {})
        return delays(self._machine, configuration, event.seconds)

    def _event(self, symbol: TestInput) -> SignalEvent | Advance:
        if (misfit := self._interface.misfit(symbol)) is not None:
            raise UserError(f"a test has {misfit}")
        if isinstance(symbol, Advance):
            return symbol
        assert isinstance(symbol, SignalEvent)
        inputs = ((name, coerce(value, self._inputs[name].type)) for name, value in symbol.inputs)
        return SignalEvent(symbol.signal, tuple(sorted(inputs)))

    def _require_inputs(self, configuration: Configuration, inputs: Mapping[str, Value]) -> None:
        known = self._machine.values(configuration)
        for name in self._inputs:
            if name not in known and name not in inputs:
                raise UserError(f"a test gives no value to the input {name} before it is needed")

    def _fits(self, run: CompletedRun, output: object) -> bool:
        if not isinstance(output, Mapping):
            return False
        if self._model.signals_out and list(output.get(SENDS, ())) != list(run.sent):
            return False
        values = self._machine.values(run.end)
        for variable in self._model.outputs:
            seen, wanted = output.get(variable.name), values[variable.name]
            if variable.tolerance and not isinstance(wanted, bool | str):
                if isinstance(seen, bool | str) or seen is None or not almost_in_range(seen, variable):
                    return False
                if abs(seen - wanted) > variable.tolerance:
                    return False
            elif seen != wanted or isinstance(seen, bool) != isinstance(wanted, bool):
                return False
        return True

    def _text(self, run: CompletedRun) -> str:
        values = self._machine.values(run.end)
        parts = [f"{v.name} = {value_to_text(values[v.name])}" for v in self._model.outputs]
        if self._model.signals_out:
            parts.append(f"send {', '.join(run.sent)}" if run.sent else "send nothing")
        return ", ".join(parts) or "(nothing)"

    def _number(self, configurations: frozenset[Configuration]) -> int:
        number = self._numbers.get(configurations)
        if number is None:
            number = self._numbers[configurations] = len(self._sets)
            self._sets.append(configurations)
        return number
