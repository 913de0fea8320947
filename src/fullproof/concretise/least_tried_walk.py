"""A walk with memory: it plans paths to the least tried switches, and gives the least tried values.

Switches, pairs of switches, classes of states, classes of values and silences are counted over all tests of a run,
those along purposes included. Some moves are random, since no plan can foresee the behaviour of a faulty system.
"""

from __future__ import annotations

from random import Random

from fullproof.analysis.sts_knowledge import Position
from fullproof.analysis.sts_semantics import StsSemantics
from fullproof.artefacts.execution import Event, Listen, Move, Sent, Silence
from fullproof.concretise.atlas import Atlas
from fullproof.concretise.least_tried_values import Varying
from fullproof.concretise.random_walk import Wanderer
from fullproof.concretise.tried import TriedCounts
from fullproof.concretise.value_choice import ValueChooser
from fullproof.model.sts import TAU

_WHIM = 0.2
"""The probability of a random move."""
_AGAIN = 0.5
"""The probability that a random move repeats the last input."""
_SETTLED = 20
"""After this many inputs and outputs a test may end where a path after a reset has a higher value."""
_DULL = 0.5


class Map:
    """The shared state of the walks of a run: the counts of tries, and the plans and values that follow from them."""

    def __init__(self, semantics: StsSemantics, chooser: ValueChooser, random: Random, tried: TriedCounts) -> None:
        self.semantics = semantics
        self.chooser = chooser
        self.random = random
        self.tried = tried
        self.varying = Varying(semantics, chooser, tried, random)
        self.atlas = Atlas(semantics, tried)


class LeastTriedScout(Wanderer):
    """Walks to the least tried switches."""

    def __init__(self, shared: Map, *, length: int, synchronous: bool) -> None:
        self._tried = shared.tried
        self._varying = shared.varying
        self._atlas = shared.atlas
        super().__init__(shared.semantics, shared.chooser, shared.random, length=length, synchronous=synchronous)
        self._start: Position = next(iter(self._semantics.start().routes))

    def restart(self) -> None:
        """Back to the initial state."""
        super().restart()
        self._ahead: list[int] = []
        self._kind: object = None
        self._last = ""

    def saw(self, event: Event) -> None:
        """Record an observation."""
        if isinstance(event, Sent):
            self._last = event.gate
            self._tried.kinds[self._kind] += self._kind is not None
        self._kind = None
        super().saw(event)
        if isinstance(event, Silence):
            return
        here = self._here()
        self._ahead = self._ahead[1:] if here is not None and self._ahead[:1] == [here[1]] else []

    def _here(self) -> tuple[Position, int] | None:
        """The only state that the system can be in, up to internal steps, and the switch that led there."""
        origin = self._semantics.origin(self.knowledge)
        return None if origin is None or origin.pending else (origin, self.knowledge.routes[origin].switch)

    def _is_done(self) -> bool:
        return super()._is_done() or (not self._ahead and not self._plans())

    def _plans(self) -> bool:
        """Search for a path; return whether its value exceeds that of a path after a reset."""
        here = self._here()
        if here is None or self._random.random() < _WHIM:
            return True
        way = self._atlas.way(*here)
        # Internal steps are unobservable: the next input is given in any state that accepts it.
        self._ahead = [k for k in way.switches if self._semantics.model.transitions[k].gate != TAU]
        return self._done < _SETTLED or way.worth >= _DULL * self._atlas.way(self._start, -1).worth

    def _listens(self, *, speaks: bool) -> bool:
        if speaks and self._ahead:
            return self._is_output(self._ahead[0])
        unheard = any(not self._tried.silences[route.switch] for route in self.knowledge.routes.values())
        return (unheard and not speaks and not self._silent) or super()._listens(speaks=speaks)

    def _is_output(self, number: int) -> bool:
        return self._semantics.model.transitions[number].gate in self._semantics.outputs

    def _input(self) -> Move:
        if not self._ahead:
            return self._again() or super()._input()
        number = self._ahead[0]
        source = self._semantics.model.transitions[number].source
        position = next((p for p in self.knowledge.routes if p.location == source and not p.pending), None)
        if position is None or self._is_output(number):
            self._ahead = []
            return Listen() if not self._silent else super()._input()
        proposal = self._varying.propose(number, position)
        if proposal is None or self._semantics.step(number, position, proposal.values) is None:
            self._tried.refused[number] += 1
            self._ahead = []
            return super()._input()
        self._kind = proposal.kind
        return Sent(self._semantics.model.transitions[number].gate, proposal.values)

    def _again(self) -> Move | None:
        """Sometimes repeat the last input: queues, counters and limits show their faults after repeated equal
        inputs.
        """
        if self._random.random() < _AGAIN:
            for position in self.knowledge.routes:
                for compiled in () if position.pending else self._semantics.taking(position.location):
                    proposal = (
                        self._varying.propose(compiled.number, position) if compiled.switch.gate == self._last else None
                    )
                    if proposal is not None:
                        self._kind = proposal.kind
                        return Sent(compiled.switch.gate, proposal.values)
        return None
