"""Algorithm 1 of paper 001: drive a system along a purpose, with values chosen as late as possible.

Beyond the paper: silence is an observation, outputs may come before an input is given, and at the end of a purpose
the tester listens once more, so that an output that is due or one too many is seen.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from fullproof.analysis.sts_boundaries import edges_of
from fullproof.analysis.sts_knowledge import Knowledge, Position
from fullproof.analysis.sts_semantics import StsSemantics
from fullproof.artefacts.conversation import Event, Listen, Move, Received, Sent, Silence, Stop
from fullproof.artefacts.purposes import Letter, Values
from fullproof.concretise.choosing import AtEnds, Chooser, Mixed, Simplest
from fullproof.concretise.path_condition import PathCondition
from fullproof.language.compile import compile_expression
from fullproof.language.syntax import Expression
from fullproof.language.types import Value
from fullproof.model.sts import Sts
from fullproof.smt import Sat, Unknown, Unsat

_PROPOSALS = 12


def chooser_for(model: Sts, values: Values, random: Random) -> Chooser:
    """Which values inputs get where the purpose leaves a choice."""
    match values:
        case Values.SOLVER:
            return Simplest()
        case Values.RANDOM:
            return Mixed(model, random)
        case Values.BOUNDARY:
            return AtEnds(model, random)


class Follower:
    """Follows one purpose, as often as one likes; ``restart`` comes before each time."""

    def __init__(
        self, semantics: StsSemantics, letters: Sequence[Letter], chooser: Chooser, *, synchronous: bool
    ) -> None:
        self._semantics = semantics
        self._letters = tuple(letters)
        self._chooser = chooser
        self._synchronous = synchronous
        self._path = PathCondition(semantics.model, self._letters)
        self._edges: dict[int, list[Expression]] = {}
        self._conditions = [
            None if c is None else compile_expression(c, semantics.compiled[k].scope)
            for k, c in ((letter.switch, letter.condition) for letter in self._letters)
        ]
        self.restart()

    def restart(self) -> None:
        """Back to the beginning of the purpose."""
        self._path.restart()
        self.knowledge: Knowledge = self._semantics.start()
        self._here: Position = next(iter(self.knowledge.routes))
        self._step = 0
        self._ending: Stop | None = None

    def next(self) -> Move:
        """What to do now."""
        if self._ending is not None:
            return self._ending
        if self.knowledge.is_refuted:
            return Stop(reached=False, reason="no behaviour of the model explains this")
        if self._step == len(self._letters) or not self._gives_input():
            return Listen()
        values = self._choose()
        if values is None:
            return self._stop("no values lead on along the purpose")
        return Sent(self._semantics.model.transitions[self._letters[self._step].switch].gate, values)

    def saw(self, event: Event) -> None:
        """Take in what happened."""
        self._know(event)
        if self._ending is not None:
            return
        if self._step == len(self._letters):
            self._ending = Stop(reached=True)
            return
        match event:
            case Sent(_, values):
                self._advance(values)
            case Received(gate, values):
                self._received(gate, values)
            case Silence():
                wanted = self._semantics.names[self._letters[self._step].switch]
                self._stop(f"the system may stay silent here, and did; the purpose wanted {wanted}")

    def _received(self, gate: str, values: tuple[Value, ...]) -> None:
        if self.knowledge.is_refuted:
            return
        name = self._semantics.names[self._letters[self._step].switch]
        if self._gives_input():
            self._stop(f"the system may give {gate} here, and did before the purpose came to {name}")
        elif self._semantics.model.transitions[self._letters[self._step].switch].gate != gate:
            self._stop(f"the system may give {gate} here, and did; the purpose wanted {name}")
        else:
            self._advance(values)

    def _advance(self, values: tuple[Value, ...]) -> None:
        letter, condition = self._letters[self._step], self._conditions[self._step]
        target = self._semantics.step(letter.switch, self._here, values)
        given = self._semantics.given(self._here) | self._named(values)
        if target is None or (condition is not None and not condition(given)):
            name = self._semantics.names[letter.switch]
            self._stop(f"the system may give these values here, and did; the purpose wanted {name}")
            return
        if isinstance(self._path.observe(self._step, values), Unsat):
            self._stop("after these values, which are right, the purpose cannot be reached any more")
            return
        self._here = target
        self._step += 1

    def _know(self, event: Event) -> None:
        semantics = self._semantics
        match event:
            case Sent(gate, values):
                given = (gate, values)
                self.knowledge = semantics.after_input(self.knowledge, given, synchronous=self._synchronous)
            case Received(gate, values):
                fits = not semantics.misfit(gate, values)
                self.knowledge = semantics.after_output(self.knowledge, (gate, values)) if fits else Knowledge({})
            case Silence():
                self.knowledge = semantics.after_silence(self.knowledge)

    def _gives_input(self) -> bool:
        return self._semantics.model.transitions[self._letters[self._step].switch].gate in self._semantics.inputs

    def _named(self, values: tuple[Value, ...]) -> dict[str, Value]:
        parameters = self._semantics.compiled[self._letters[self._step].switch].parameters
        return dict(zip((p.name for p in parameters), values, strict=True))

    def _stop(self, reason: str) -> Stop:
        self._ending = Stop(reached=False, reason=reason)
        return self._ending

    def _choose(self) -> tuple[Value, ...] | None:
        """Values for the next input: proposals first, the solver's own where none of them fits."""
        letter, step = self._letters[self._step], self._step
        compiled = self._semantics.compiled[letter.switch]
        gate = self._semantics.inputs[compiled.switch.gate]
        known = self._semantics.given(self._here)
        if not self._path.matters(step):
            return self._chooser.propose(gate, letter.switch, known)
        if isinstance(self._chooser, AtEnds):
            edge = self._at_an_edge(letter.switch, known)
            if edge is not None:
                return edge
        for _ in range(1 if isinstance(self._chooser, Simplest) else _PROPOSALS):
            values = self._chooser.propose(gate, letter.switch, known)
            if not compiled.guard(known | self._named(values)):
                continue
            if isinstance(self._path.check(self._path.equal(step, values)), Sat):
                return values
        return self._solved(known)

    def _at_an_edge(self, switch: int, known: dict[str, Value]) -> tuple[Value, ...] | None:
        if switch not in self._edges:
            self._edges[switch] = edges_of(self._semantics.model, switch)
        for edge in self._shuffled(self._edges[switch]):
            match self._path.check(self._path.at(self._step, edge, known)):
                case Sat(model):
                    return tuple(model[copy.name] for copy in self._path.copies[self._step])
                case _:
                    continue
        return None

    def _shuffled(self, edges: list[Expression]) -> list[Expression]:
        random = getattr(self._chooser, "random", None)
        mixed = list(edges)
        if isinstance(random, Random):
            random.shuffle(mixed)
        return mixed

    def _solved(self, known: dict[str, Value]) -> tuple[Value, ...] | None:
        """The solver's values; the guard alone where it does not know the whole path (algorithm 1, line 12)."""
        match self._path.check():
            case Sat(model):
                return tuple(model[copy.name] for copy in self._path.copies[self._step])
            case Unsat():
                return None
            case Unknown():
                return self._by_guard(known)

    def _by_guard(self, known: dict[str, Value]) -> tuple[Value, ...] | None:
        from fullproof.language.formulas import has_values
        from fullproof.smt import open_solver

        compiled = self._semantics.compiled[self._letters[self._step].switch]
        solver = open_solver(compiled.scope)
        solver.add(compiled.switch.guard, has_values(known.items()))
        match solver.check():
            case Sat(model):
                values = tuple(model[p.name] for p in compiled.parameters)
                dead = isinstance(self._path.check(self._path.equal(self._step, values)), Unsat)
                return None if dead else values
            case _:
                return None
