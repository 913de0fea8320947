"""Execution of symbolic finite state machines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from fullproof.artefacts.suite import TestInput
from fullproof.execute.play.outputs import OutputFinder, OutputSet
from fullproof.execute.sut import SutError
from fullproof.language.compile import compile_expression
from fullproof.language.printer import to_text, value_to_text
from fullproof.language.types import Value
from fullproof.language.values import coerce
from fullproof.model import Sfsm

_CACHED = 20_000


class SfsmPlayer:
    """Executes any sfsm: a random transition whose guard holds, random outputs that satisfy its output expression."""

    is_partial = False

    def __init__(self, model: Sfsm, random: Random) -> None:
        self._model = model
        self._random = random
        self._state = model.initial
        self._scope = model.scope
        self._interface = model.interface
        self._moves = {
            state: [
                (number, compile_expression(t.guard, self._scope))
                for number, t in enumerate(model.transitions)
                if t.source == state
            ]
            for state in model.states
        }
        self._finder = OutputFinder(self._scope, model.outputs)
        self._cache: dict[tuple[object, ...], OutputSet] = {}
        self.taken: tuple[int, ...] = ()
        """The transition of the last step, by number."""

    def reset(self) -> None:
        """Return to the initial state."""
        self._state = self._model.initial

    @property
    def state(self) -> str:
        """The current state."""
        return self._state

    @property
    def active(self) -> tuple[str, ...]:
        """The current state alone."""
        return (self._state,)

    def step(self, symbol: TestInput, /) -> Mapping[str, Value]:
        """Take a transition and return the values of the outputs."""
        values = self._read(symbol)
        open_moves = [number for number, guard in self._moves[self._state] if guard(values)]
        self._random.shuffle(open_moves)
        for number in open_moves:
            answer = self._outputs(number, values).draw(self._random)
            if answer is not None:
                self._state, self.taken = self._model.transitions[number].target, (number,)
                return answer
        raise SutError(self._unanswered(values, open_moves))

    def _unanswered(self, values: Mapping[str, Value], open_moves: Sequence[int]) -> str:
        given = ", ".join(f"{name} = {value_to_text(value)}" for name, value in values.items())
        if not open_moves:
            return f"input {given} is undefined in state {self._state!r}"
        first = self._model.transitions[min(open_moves)]
        return (
            f"input {given} has no output in state {self._state!r}: {to_text(first.guard)} covers it, but no output "
            f"within its range satisfies {to_text(first.output)}"
        )

    def enabled(self) -> None:
        """Inputs are values, not symbols."""
        return

    def _outputs(self, number: int, values: Mapping[str, Value]) -> OutputSet:
        key = (number, *values.values())
        found = self._cache.get(key)
        if found is None:
            if len(self._cache) >= _CACHED:
                self._cache.clear()
            found = self._cache[key] = self._finder.find(self._model.transitions[number].output, values)
        return found

    def _read(self, symbol: TestInput) -> dict[str, Value]:
        if (misfit := self._interface.misfit(symbol)) is not None:
            raise SutError(f"the model does not take {misfit}")
        assert isinstance(symbol, Mapping)
        return {v.name: coerce(symbol[v.name], v.type) for v in self._model.inputs}
