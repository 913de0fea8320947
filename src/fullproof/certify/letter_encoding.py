"""The SAT encoding of an unknown observable machine that passes a suite and goes wrong.

The machine has states 0 .. bound-1; a *way* is a state, a letter and a target, with a variable each. The first states
are *pinned*: certain traces lead there, and places of the suite show that they are different. The others are numbered
in the order of the first way that enters them, so that only one of several isomorphic machines is considered.

*Passing*: a variable for each place of the suite and each state says that the machine is there in this state; it
follows from the place before and the way taken, and demands what the relation demands of the answers there.

*Going wrong* is seen by an *observer*, a machine that reads traces: the model itself, or the monitor of a property. A
variable for each pair of a state of the observer and one of the machine says that some trace leads to both. A pair is
that of a pinned state, or entered from such a pair. That alone allows pairs that support each other in a circle;
``forbid_circle`` excludes a set of them, and the search asks again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from fullproof.artefacts.request import ALL_ANSWERS, GREY_BOX
from fullproof.certify.applied_tests import AppliedTests, TestPlace
from fullproof.certify.observable import TraceMachine
from fullproof.core.errors import Bug
from fullproof.smt.sat import SatSolver
from fullproof.smt.sat_answers import SatAssignment

Way = tuple[int, int]
"""A state and a letter of the unknown machine."""
ObservedPair = tuple[int, int]
"""A state of the observer, and one of the unknown machine."""


class LetterEncoding:
    """Any observable machine with at most ``bound`` states that passes the suite.

    A fault domain adds clauses on ``has``, ``way`` and ``enabled``, and says with ``watch`` what is wrong.
    """

    def __init__(self, tests: AppliedTests, bound: int, solver: SatSolver) -> None:
        self.tests, self.model, self.relation = tests, tests.model, tests.relation
        self.bound, self.solver = bound, solver
        self.pins: dict[TestPlace, int] = {}
        self.traces: list[tuple[int, ...]] = []
        """The letters that lead to each pinned state."""
        self._fixed: dict[Way, int] = {}
        self._pin()
        self.way: dict[Way, dict[int, int]] = {}
        self.has: dict[Way, int] = {}
        self.enabled: dict[tuple[int, int], int] = {}
        """Of grey-box relations: whether a state defines a cell."""
        self.refuses: dict[tuple[int, int, int], int] = {}
        """Of fault domains whose machines may refuse inputs: for a state of the model, one of the machine and a cell,
        whether this one perhaps refuses an input of the cell that the model answers.
        """
        self._add_machine()
        self._number_states()
        self._pass()
        self._pairs: dict[ObservedPair, int] = {}
        self._entries: dict[ObservedPair, list[tuple[ObservedPair, int]]] = {}
        self._anchors: set[ObservedPair] = set()
        self._observer: Sequence[dict[int, int]] = ()

    def decode(self, found: SatAssignment) -> TraceMachine:
        """The machine that the solver found: its reachable part, numbered as by ``states_of``."""
        number = {t: k for k, t in enumerate(self.states_of(found))}
        after = tuple(
            {letter: number[self.target_of(found, t, letter)] for letter in self._answers_of(found, t)} for t in number
        )
        return TraceMachine(self.model.cells, self.model.offers, after)

    def states_of(self, found: SatAssignment) -> list[int]:
        """The states of the encoding that can be reached, the initial one first."""
        order = [0]
        for t in order:  # grows while it is walked
            for letter in self._answers_of(found, t):
                target = self.target_of(found, t, letter)
                if target not in order:
                    order.append(target)
        return order

    def target_of(self, found: SatAssignment, t: int, letter: int) -> int:
        """Where a letter that is possible leads to."""
        return next(k for k, way in self.way[t, letter].items() if found.holds(way))

    def _answers_of(self, found: SatAssignment, t: int) -> list[int]:
        return [letter for cell in self.model.cells for letter in cell if found.holds(self.has[t, letter])]

    def watch(self, observer: Sequence[dict[int, int]]) -> dict[ObservedPair, int]:
        """The variables of all pairs with an observer, which reads letters by ``observer[state][letter]``."""
        self._observer = observer
        for trace, state in zip(self.traces, self.pins.values(), strict=True):
            reader: int | None = 0
            for letter in trace:
                reader = None if reader is None else observer[reader].get(letter)
            if reader is not None:
                self._anchors.add((reader, state))
        self._pairs = {(s, t): self.solver.new_variable() for s in range(len(observer)) for t in range(self.bound)}
        self._entries = {pair: [] for pair in self._pairs}
        for (s, t), here in self._pairs.items():
            for letter, after in observer[s].items():
                for target, way in self.way[t, letter].items():
                    if (after, target) != (s, t):
                        entry = self.solver.new_variable()
                        self.solver.add_clause([-entry, here])
                        self.solver.add_clause([-entry, way])
                        self._entries[after, target].append(((s, t), entry))
        for pair, here in self._pairs.items():
            if pair not in self._anchors:
                self.solver.add_clause([-here, *(entry for _, entry in self._entries[pair])])
        return self._pairs

    def circle(self, found: SatAssignment) -> set[ObservedPair]:
        """The pairs of an assignment that nothing but their like supports; empty where each is on a trace."""
        claimed = {pair for pair, literal in self._pairs.items() if found.holds(literal)}
        reached = claimed & self._anchors
        queue = list(reached)
        while queue:
            s, t = queue.pop()
            for letter, after in self._observer[s].items():
                for target, way in self.way[t, letter].items():
                    pair = (after, target)
                    if pair in claimed and pair not in reached and found.holds(way):
                        reached.add(pair)
                        queue.append(pair)
        return claimed - reached

    def forbid_circle(self, pairs: Iterable[ObservedPair]) -> None:
        """Demand that pairs are entered from outside (a loop formula; Lin and Zhao 2004)."""
        inside = set(pairs)
        if not inside:
            raise Bug("a fault is on a trace, and the machine conforms")
        outside = [entry for pair in inside for before, entry in self._entries[pair] if before not in inside]
        for pair in inside:
            self.solver.add_clause([-self._pairs[pair], *outside])

    def at_most_one(self, literals: Sequence[int]) -> None:
        """Forbid two of the literals at the same time."""
        before: int | None = None
        for literal in literals:
            now = self.solver.new_variable()
            self.solver.add_clause([-literal, now])
            if before is not None:
                self.solver.add_clause([-before, -literal])
                self.solver.add_clause([-before, now])
            before = now

    def _pin(self) -> None:
        """Number states that certain traces lead to: every machine that passes has the trace, and the suite shows that
        the state is another one than those numbered before.
        """
        start = (self.tests.start, 0)
        self.pins[start] = 0
        self.traces.append(())
        queue = [start]
        for place in queue:  # grows while it is walked
            for i in self.tests.inputs_at(place):
                answers = self.tests.answers(place, i)
                if len(answers) > 1 and self.relation not in ALL_ANSWERS:
                    continue
                for letter in answers:
                    after = self.tests.step(place, i, letter)
                    if after not in self.pins and all(self.tests.apart(after, other) for other in self.pins):
                        self.traces.append((*self.traces[self.pins[place]], letter))
                        self._fixed[self.pins[place], letter] = self.pins[after] = len(self.pins)
                        queue.append(after)

    def _add_machine(self) -> None:
        for t in range(self.bound):
            for k, cell in enumerate(self.model.cells):
                for letter in cell:
                    has = self.has[t, letter] = self.solver.new_variable()
                    self.way[t, letter] = self._targets((t, letter), has)
                if self.relation in GREY_BOX:
                    answers = [self.has[t, letter] for letter in cell]
                    enabled = self.enabled[t, k] = self.solver.new_variable()
                    self.solver.add_clause([-enabled, *answers])
                    for answer in answers:
                        self.solver.add_clause([-answer, enabled])

    def _targets(self, way: Way, has: int) -> dict[int, int]:
        """The answer is given iff it leads somewhere, and it leads to one state."""
        where = [self._fixed[way]] if way in self._fixed else range(self.bound)
        targets = {state: self.solver.new_variable() for state in where}
        self.solver.add_clause([-has, *targets.values()])
        for literal in targets.values():
            self.solver.add_clause([-literal, has])
        self.at_most_one(list(targets.values()))
        if way in self._fixed:
            self.solver.add_clause([has])
        return targets

    def _number_states(self) -> None:
        """A state behind the pinned ones is entered after the state with the number before has been."""
        earlier: list[int | None] = []
        for state in range(len(self.pins), self.bound):
            entered: list[int | None] = []
            so_far: int | None = None
            for place, targets in enumerate(self.way.values()):
                literal = targets.get(state)
                if literal is not None and state > len(self.pins):
                    known = earlier[place - 1] if place else None
                    self.solver.add_clause([-literal] if known is None else [-literal, known])
                if literal is not None:
                    now = self.solver.new_variable()
                    self.solver.add_clause([-now, literal] if so_far is None else [-now, literal, so_far])
                    so_far = now
                entered.append(so_far)
            earlier = entered

    def _pass(self) -> None:
        """Follow the tests: what the machine answers at each place is allowed."""
        places = self.tests.places()
        at = {place: {t: self.solver.new_variable() for t in self._domain(place)} for place in places}
        for place, state in self.pins.items():
            if place in at:
                self.solver.add_clause([at[place][state]])
        for place in places:
            for t, here in at[place].items():
                self._demand(place, t, here)
                for i in self.tests.inputs_at(place):
                    for letter in self.tests.answers(place, i):
                        after = self.tests.step(place, i, letter)
                        if after in at:
                            self._follow(here, self.way[t, letter], at[after])

    def _follow(self, here: int, ways: dict[int, int], there: dict[int, int]) -> None:
        for target, way in ways.items():
            literal = there.get(target)
            self.solver.add_clause([-here, -way] if literal is None else [-here, -way, literal])

    def _domain(self, place: TestPlace) -> list[int]:
        """The states that a machine which passes may be in at a place."""
        possible = [state for other, state in self.pins.items() if not self.tests.apart(place, other)]
        return [*possible, *range(len(self.pins), self.bound)]

    def _demand(self, place: TestPlace, t: int, here: int) -> None:
        """What the relation demands where the machine is in state ``t`` at a place."""
        add = self.solver.add_clause
        if self.relation in GREY_BOX:
            defined = self.model.defined(place[1])
            for k in range(len(self.model.cells)):
                add([-here, self.enabled[t, k] if k in defined else -self.enabled[t, k]])
        for i in self.tests.inputs_at(place):
            allowed = set(self.tests.answers(place, i))
            for letter in self.model.offers[i]:
                if letter not in allowed:
                    add([-here, -self.has[t, letter]])
                elif self.relation in ALL_ANSWERS:
                    add([-here, self.has[t, letter]])
            add([-here, *(self.has[t, letter] for letter in allowed)])
