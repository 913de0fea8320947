"""A random tester, the baseline: any possible input, any values, until the budget of steps is used up."""

from __future__ import annotations

from random import Random

from fullproof.analysis.sts_knowledge import Knowledge, Position
from fullproof.analysis.sts_semantics import Possible, StsSemantics
from fullproof.analysis.sts_solutions import Solutions
from fullproof.artefacts.execution import Event, Listen, Move, Received, Sent, Silence, Stop
from fullproof.concretise.value_choice import ValueChooser
from fullproof.language.types import Value
from fullproof.model.sts import Gate

_PROPOSALS = 12
_LISTENING = 0.05
"""The probability of waiting where only silence is expected."""
_BOLD = 0.25
"""The probability of giving an input, if one is possible, although an output may be due."""


class Wanderer:
    """Walks at random for a number of inputs and outputs; gates are equally likely."""

    def __init__(
        self, semantics: StsSemantics, chooser: ValueChooser, random: Random, *, length: int, synchronous: bool
    ) -> None:
        self._semantics = semantics
        self._chooser = chooser
        self._random = random
        self._length = length
        self._synchronous = synchronous
        self._solutions = Solutions(semantics)
        self.restart()

    def restart(self) -> None:
        """Back to the initial state."""
        self.knowledge: Knowledge = self._semantics.start()
        self._done = 0
        self._ending: Stop | None = None
        self._silent = False

    def next(self) -> Move:
        """Mostly wait where an output may come, otherwise give an input."""
        if self._ending is not None:
            return self._ending
        if self.knowledge.is_refuted:
            return Stop(reached=False, reason="no behaviour of the model explains this")
        if self._is_done():
            return Stop(reached=True)
        speaks = any(self._semantics.speaks(p) is not Possible.NO for p in self.knowledge.routes)
        if self._listens(speaks=speaks) and not self._silent:
            return Listen()
        return self._input()

    def _is_done(self) -> bool:
        return self._done >= self._length

    def _listens(self, *, speaks: bool) -> bool:
        return self._random.random() < (1 - _BOLD if speaks else _LISTENING)

    def saw(self, event: Event) -> None:
        """Record an observation."""
        semantics = self._semantics
        self._silent = isinstance(event, Silence)
        self._done += not self._silent
        match event:
            case Sent(gate, values):
                given = (gate, values)
                self.knowledge = semantics.after_input(self.knowledge, given, synchronous=self._synchronous)
            case Received(gate, values):
                fits = not semantics.misfit(gate, values)
                self.knowledge = semantics.after_output(self.knowledge, (gate, values)) if fits else Knowledge({})
            case Silence():
                self.knowledge = semantics.after_silence(self.knowledge)

    def _input(self) -> Move:
        """An input that is possible in some state that the system may be in."""
        semantics = self._semantics
        options: dict[str, list[tuple[int, Position]]] = {}
        for position in self.knowledge.routes:
            for compiled in () if position.pending else semantics.taking(position.location):
                options.setdefault(compiled.switch.gate, []).append((compiled.number, position))
        gates = sorted(options)
        self._random.shuffle(gates)
        for gate in gates:
            self._random.shuffle(options[gate])
            for number, position in options[gate]:
                values = self._values(semantics.inputs[gate], number, position)
                if values is not None:
                    return Sent(gate, values)
        if self._silent or not self.knowledge.routes:
            reached = bool(self.knowledge.routes)
            return Stop(reached=reached, reason=self.knowledge.astray or "nothing can be given or expected here")
        return Listen()

    def _values(self, gate: Gate, number: int, position: Position) -> tuple[Value, ...] | None:
        compiled, known = self._semantics.compiled[number], self._semantics.given(position)
        for _ in range(_PROPOSALS if gate.parameters else 1):
            values = self._chooser.propose(gate, number, known)
            named = dict(zip((p.name for p in gate.parameters), values, strict=True))
            if compiled.guard(known | named):
                return values
        return self._solutions.find(number, position) if gate.parameters else None
