"""``model:``: another sts simulates the system. No waiting is needed: it knows when it is quiescent."""

from __future__ import annotations

from random import Random

from fullproof.analysis.sts_knowledge import Position
from fullproof.analysis.sts_semantics import Possible, StsSemantics
from fullproof.core.errors import Place, UserError
from fullproof.execute.play.outputs import OutputFinder
from fullproof.execute.sut import SutError
from fullproof.language.types import Value
from fullproof.model import Sts

_EAGER = 0.25
"""The probability that a possible output comes before the tester gives an input."""


class StsModelSut:
    """A simulated system. It chooses between its possible states only when its behaviour distinguishes them.

    So it is a system that conforms to its own model, for every choice that the model leaves open: an input that is
    undefined in all states it may be in is ignored, as a system that accepts every input may do.
    """

    in_process = False
    synchronous = True

    def __init__(self, model: Sts, random: Random, *, seed: int | None = None) -> None:
        self._semantics = StsSemantics(model)
        self._random = random
        self._seed = seed
        self._finders = self._fresh_finders()
        self.reset()

    def begin(self, number: int) -> None:
        """With a seed, the choices depend on the number of the execution alone: runs can be cut and continued."""
        if self._seed is not None:
            self._random.seed(f"{self._seed} {number}")
            self._finders = self._fresh_finders()  # a solver's answers depend on earlier queries

    def _fresh_finders(self) -> dict[int, OutputFinder]:
        return {c.number: OutputFinder(c.scope, c.parameters) for c in self._semantics.compiled}

    def reset(self) -> None:
        """Return to the initial state. The random generator is not reset."""
        self._knowledge = self._semantics.start()

    def send(self, gate: str, values: tuple[Value, ...]) -> None:
        """Take an input, or ignore it."""
        if gate not in self._semantics.inputs or len(self._semantics.inputs[gate].parameters) != len(values):
            raise SutError(f"the model that plays the system has no input {gate} with {len(values)} values")
        after = self._semantics.after_input(self._knowledge, (gate, values), synchronous=True)
        if after.astray:
            raise SutError(f"the model that plays the system goes wrong: {after.astray}")
        if after.routes:
            self._knowledge = after

    def receive(self, timeout: float) -> tuple[str, tuple[Value, ...]] | None:
        """An output at random, or silence where a state that it may be in is quiescent."""
        if timeout == 0 and self._random.random() >= _EAGER:
            return None
        position = self._random.choice(self._showing())
        found = self._draw(position)
        if found is None:
            if timeout > 0:
                self._knowledge = self._semantics.after_silence(self._knowledge)
            return None
        self._knowledge = self._semantics.after_output(self._knowledge, found)
        if self._knowledge.astray:
            raise SutError(f"the model that plays the system goes wrong: {self._knowledge.astray}")
        return found

    def discard(self) -> None:
        """A model needs no replacement after a reset."""

    def close(self) -> None:
        """Nothing to close."""

    def _showing(self) -> list[Position]:
        """The possible states, without those that only take internal steps."""
        semantics = self._semantics
        here = list(self._knowledge.routes)
        showing = [p for p in here if semantics.is_stable(p) or semantics.speaks(p) is not Possible.NO]
        if not showing:
            raise SutError(f"the model that plays the system never ends its internal steps in {here[0].location}")
        return showing

    def _draw(self, position: Position) -> tuple[str, tuple[Value, ...]] | None:
        if self._semantics.speaks(position) is Possible.NO:
            return None
        given = self._semantics.given(position)
        switches = list(self._semantics.emitting(position.location))
        self._random.shuffle(switches)
        for compiled in switches:
            finder = self._finders[compiled.number]
            found = finder.find(compiled.switch.guard, given).draw(self._random)
            if found is not None:
                return compiled.switch.gate, tuple(found[p.name] for p in compiled.parameters)
        return None


def stand_in(model: Sts, other: Sts, at: Place, seed: int) -> StsModelSut:
    """Let another sts with the same input gates simulate the system."""
    if (reason := model.interface.unplayable(other.interface, model.name)) is not None:
        raise UserError(reason, at=at)
    return StsModelSut(other, Random(seed), seed=seed)
