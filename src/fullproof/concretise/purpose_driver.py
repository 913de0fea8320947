"""Algorithm 1 of paper 001: drive a system along a purpose, with values chosen as late as possible.

Beyond the paper: silence is an observation, outputs may come before an input is given, and at the end of a purpose
the tester listens on for silence or some more outputs, so that missing or surplus outputs are observed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from fullproof.analysis.sts_boundaries import edges_of
from fullproof.analysis.sts_knowledge import Knowledge, Position
from fullproof.analysis.sts_semantics import StsSemantics
from fullproof.artefacts.execution import Event, Listen, Move, Received, Sent, Silence, Stop
from fullproof.artefacts.purposes import SwitchLetter, Values
from fullproof.concretise.path_condition import PathCondition
from fullproof.concretise.value_choice import AtEnds, Mixed, Simplest, ValueChooser
from fullproof.language.compile import compile_expression
from fullproof.language.syntax import Expression
from fullproof.language.types import Value
from fullproof.model.sts import TAU, Sts
from fullproof.smt import Sat, Unknown, Unsat

_PROPOSALS = 12
_LEGS = 12
"""How often a test may be replanned towards another goal."""
_EPILOGUE = 4
"""How many outputs are observed after the end."""


def chooser_for(model: Sts, values: Values, random: Random) -> ValueChooser:
    """The chooser of input values where the purpose leaves a choice."""
    match values:
        case Values.SOLVER:
            return Simplest()
        case Values.RANDOM:
            return Mixed(model, random)
        case Values.BOUNDARY:
            return AtEnds(model, random)


Replan = Callable[[Position, tuple[int, ...]], Sequence[SwitchLetter] | None]
"""A function from the only state that the system can be in, and the switches taken, to a useful path."""


class _Leg:
    """A path from a state, with its conditions."""

    def __init__(self, semantics: StsSemantics, letters: Sequence[SwitchLetter], start: Position) -> None:
        self.letters = tuple(letters)
        self.start = start
        self.path = PathCondition(semantics.model, self.letters, semantics.given(start))
        self.conditions = [
            None if c is None else compile_expression(c, semantics.compiled[k].scope)
            for k, c in ((letter.switch, letter.condition) for letter in self.letters)
        ]


class Follower:
    """Follows one purpose, repeatedly; call ``restart`` before each repetition.

    Where the system correctly leaves the path, the purpose is not reached; with ``replan`` the test continues from
    there to another goal that is not covered yet.
    """

    def __init__(
        self,
        semantics: StsSemantics,
        letters: Sequence[SwitchLetter],
        chooser: ValueChooser,
        *,
        synchronous: bool,
        replan: Replan | None = None,
    ) -> None:
        self._semantics = semantics
        self._chooser = chooser
        self._synchronous = synchronous
        self._replan = replan
        self._edges: dict[int, list[Expression]] = {}
        start = next(iter(semantics.start().routes))
        self._purpose = _Leg(semantics, letters, start)
        self.restart()

    def restart(self) -> None:
        """Back to the beginning of the purpose."""
        self.knowledge: Knowledge = self._semantics.start()
        self._ending: Stop | None = None
        self._reason = ""
        self._legs = self._epilogue = 0
        self._begin(self._purpose)

    def _begin(self, leg: _Leg) -> None:
        leg.path.restart()
        self._letters, self._path, self._conditions = leg.letters, leg.path, leg.conditions
        self._here: Position = leg.start
        self._step = 0
        self._pass_internal()

    def next(self) -> Move:
        """The next action."""
        if self._ending is not None:
            return self._ending
        if self.knowledge.is_refuted:
            return Stop(reached=False, reason="no behaviour of the model explains this")
        if self._step == len(self._letters) or not self._gives_input():
            return Listen()
        values = self._choose()
        if values is None:
            self._stop("no values lead on along the purpose")
            return self.next()
        return Sent(self._semantics.model.transitions[self._letters[self._step].switch].gate, values)

    def saw(self, event: Event) -> None:
        """Record an observation."""
        self._know(event)
        if self._ending is not None:
            return
        if self._step == len(self._letters):
            self._epilogue += 1
            if isinstance(event, Silence) or self._epilogue >= _EPILOGUE:
                self._ending = Stop(reached=not self._reason, reason=self._reason)
            return
        match event:
            case Sent(_, values):
                self._advance(values)
            case Received(gate, values):
                self._received(gate, values)
            case Silence():
                wanted = self._semantics.names[self._letters[self._step].switch]
                self._stop(f"the system may stay silent here, and did; the purpose wanted {wanted}", silent=True)

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
        self._pass_internal()

    def _pass_internal(self) -> None:
        """Internal steps of the purpose are unobservable: they are assumed to have happened until an observation
        contradicts.
        """
        while self._step < len(self._letters) and self._is_internal(self._letters[self._step]):
            target = self._semantics.step(self._letters[self._step].switch, self._here, ())
            if target is None:
                self._stop("after these values, which are right, an internal step of the purpose is not possible")
                return
            self._here = target
            self._step += 1

    def _is_internal(self, letter: SwitchLetter) -> bool:
        return self._semantics.model.transitions[letter.switch].gate == TAU

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
        return self._is_input(self._letters[self._step])

    def _is_input(self, letter: SwitchLetter) -> bool:
        return self._semantics.model.transitions[letter.switch].gate in self._semantics.inputs

    def _named(self, values: tuple[Value, ...]) -> dict[str, Value]:
        parameters = self._semantics.compiled[self._letters[self._step].switch].parameters
        return dict(zip((p.name for p in parameters), values, strict=True))

    def _stop(self, reason: str, *, silent: bool = False) -> None:
        """The purpose cannot be reached any more: continue with another goal, or end."""
        self._reason = self._reason or reason
        self._ending = Stop(reached=False, reason=self._reason)
        here = self._semantics.origin(self.knowledge)
        if self._replan is None or here is None or self.knowledge.astray or self._legs >= _LEGS:
            return
        letters = self._replan(here, self.knowledge.routes[here].pieces()[-1])
        # After silence, waiting for an output is pointless.
        if letters and not (silent and not self._is_input(letters[0])) and not here.pending:
            self._legs += 1
            self._ending = None
            self._begin(_Leg(self._semantics, letters, here))

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
        """The solver's values; those for the guard alone where it cannot solve the whole path (algorithm 1, line
        12).
        """
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
