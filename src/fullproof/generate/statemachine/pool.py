"""The inputs that represent a letter in a place: few different ones, since each of them is tried in every place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, product

from fullproof.generate.statemachine.letters import TriggerLetter
from fullproof.generate.statemachine.places import Inputs, Memory, Places
from fullproof.language.compile import compile_expression
from fullproof.language.scope import Scope
from fullproof.language.types import Value
from fullproof.model import StateMachine

RECOMBINED = 2_000
"""How many combinations of values in use are examined."""


def scope_of(model: StateMachine) -> Scope:
    """All attributes and constants."""
    variables = (*model.inputs, *model.outputs, *model.variables)
    return Scope(variables, {c.name: c.value for c in model.description.constants})


class InputPool:
    """Inputs that are in use, and the letters that they satisfy."""

    def __init__(self, places: Places, letters: Sequence[TriggerLetter]) -> None:
        self.letters = letters
        self.used: dict[Inputs, None] = {}
        self._places = places
        scope = scope_of(places.model)
        self._triggers = [compile_expression(trigger.condition, scope) for trigger in places.partition.triggers]
        self._parts = [
            [
                (k, compile_expression(letter.condition, scope))
                for k, letter in enumerate(letters)
                if letter.trigger == t
            ]
            for t in range(len(places.partition.triggers))
        ]
        self._letter: dict[tuple[Memory, Inputs], int | None] = {}
        self._sorted: dict[Memory, tuple[int, dict[int, list[Inputs]]]] = {}
        self._values: dict[str, dict[Value, None]] = {v.name: {} for v in places.model.inputs}

    def letter_of(self, memory: Memory, inputs: Inputs) -> int | None:
        """The letter that inputs satisfy with this memory: letters exclude each other."""
        key = memory, inputs
        if key not in self._letter:
            values = {**dict(inputs), **dict(zip(self._places.memory_names, memory, strict=True))}
            trigger = next((t for t, holds in enumerate(self._triggers) if holds(values)), None)
            parts = () if trigger is None else self._parts[trigger]
            self._letter[key] = next((k for k, holds in parts if holds(values)), None)
        return self._letter[key]

    def use(self, inputs: Inputs) -> None:
        """Add inputs that a word needs."""
        if inputs not in self.used:
            self.used[inputs] = None
            for name, value in inputs:
                self._values[name][value] = None

    def pick(self, memory: Memory, letter: int, *, most: int) -> list[Inputs]:
        """Up to ``most`` inputs of a letter: those in use, then others made of values in use, then new ones."""
        found = self._in_use(memory).get(letter, [])[:most]
        if len(found) < most and len(self._values) > 1:
            others = (inputs for inputs in self._recombined() if self.letter_of(memory, inputs) == letter)
            found += islice((inputs for inputs in others if inputs not in self.used), most - len(found))
        if len(found) < most:
            new = self._places.inputs_for(memory, self.letters[letter].condition, most=most)
            found += [inputs for inputs in new if inputs not in found]
        return found[:most]

    def _in_use(self, memory: Memory) -> dict[int, list[Inputs]]:
        """The inputs in use by letter; inputs added since the last call are included."""
        count, known = self._sorted.get(memory, (0, {}))
        for inputs in islice(self.used, count, None):
            letter = self.letter_of(memory, inputs)
            if letter is not None:
                known.setdefault(letter, []).append(inputs)
        self._sorted[memory] = len(self.used), known
        return known

    def _recombined(self) -> Iterator[Inputs]:
        names = list(self._values)
        for values in islice(product(*self._values.values()), RECOMBINED):
            yield tuple(zip(names, values, strict=True))
