"""The observer's view of finite machines: the subset construction, computed on demand for observed traces."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from fullproof.artefacts.execution import Columns
from fullproof.artefacts.request import GREY_BOX, Relation
from fullproof.artefacts.suite import TestInput
from fullproof.core.errors import UserError
from fullproof.judge.semantics import QUASI, Following, JudgedMove, Outcome, RequiredStep, Shown
from fullproof.model import Fsm


class FsmSemantics:
    """Any fsm. Where it is not observable, a node holds several states.

    Relations are about traces (paper 002, Definition 1): an input is defined after a trace iff it is defined in one of
    the states that the trace may have reached, as in the observable machine from which suites are made and with which
    ``compare`` decides. Undefined inputs: for equivalence (then called quasi-equivalence) and quasi-reduction any
    behaviour is allowed after one; for reduction and strong reduction no system may answer it.
    """

    def __init__(self, model: Fsm, relation: Relation) -> None:
        self._relation = relation
        self._interface = model.interface
        self.transitions = len(model.transitions)
        self._cells: dict[str, dict[str, list[tuple[str, str, int]]]] = {state: {} for state in model.states}
        for number, t in enumerate(model.transitions):
            self._cells[t.source].setdefault(t.input, []).append((t.output, t.target, number))
        self.is_deterministic = all(len(cell) == 1 for cells in self._cells.values() for cell in cells.values())
        self.has_choices = not self.is_deterministic
        self._sets = [frozenset({model.initial})]
        self._numbers = {self._sets[0]: 0}
        self._moves: dict[tuple[int, TestInput, object], JudgedMove] = {}
        self._certain: dict[tuple[int, TestInput, object], tuple[int, int]] = {}
        """The same moves as plain numbers, for the hot loop: the node, and the transition or -1."""
        self._wants: dict[tuple[int, TestInput], bool] = {}
        self._offers: dict[int, frozenset[str]] = {}

    def move(self, node: int, symbol: TestInput, output: object) -> JudgedMove:
        """Follow one observed step."""
        plain = isinstance(symbol, str) and isinstance(output, str)
        found = self._moves.get((node, symbol, output)) if plain else None
        return found if found is not None else self._first_move(node, self._known(symbol), output)

    def follow(self, steps: Columns) -> Following:
        """Follow the steps of a black box as far as they lead to nodes."""
        known, node, done = self._certain, 0, 0
        taken: set[int] = set()
        for symbol, output in zip(steps.inputs, steps.outputs, strict=False):
            try:
                node, transition = known[node, symbol, output]
            except (KeyError, TypeError):  # not seen before; ``move`` judges values that are not hashable
                move = self.move(node, symbol, output)
                if move.node < 0:
                    break
                node, transition = known[node, symbol, output]
            taken.add(transition)
            done += 1
        taken.discard(-1)
        return Following(done, node, frozenset(taken))

    def answers(self) -> list[dict[str, tuple[str, int, int]]] | None:
        """The output, the next node and the transition for each node and input; None where there may be several.

        Nodes are numbered as states are, the initial one first.
        """
        if not self.is_deterministic:
            return None
        (initial,) = self._sets[0]
        order = [initial, *(state for state in self._cells if state != initial)]
        numbers = {state: number for number, state in enumerate(order)}
        return [
            {
                symbol: (output, numbers[target], number)
                for symbol, ((output, target, number),) in self._cells[state].items()
            }
            for state in order
        ]

    def wants(self, node: int, symbol: TestInput) -> bool:
        """Nothing is learnt where any behaviour is allowed, or where no system may answer."""
        wanted = self._wants.get((node, symbol)) if isinstance(symbol, str) else None
        if wanted is None:
            known = self._known(symbol)
            wanted = self._relation is Relation.REDUCTION or known in self._defined(node)
            self._wants[node, known] = wanted
        return wanted

    def allowed(self, node: int, symbol: TestInput) -> Sequence[str]:
        """The outputs of all transitions, sorted."""
        return sorted({output for output, _, _ in self._cell(node, symbol)})

    def leaves_choice(self, node: int, symbol: TestInput) -> bool:
        """Whether there is more than one output."""
        return len(self.allowed(node, symbol)) != 1

    def concerned(self, node: int, symbol: TestInput) -> tuple[int, ...]:
        """Those of the input."""
        return tuple(sorted(number for _, _, number in self._cell(node, symbol)))

    def offering(self, node: int, enabled: frozenset[str]) -> int:
        """The node itself where its defined inputs agree: exactly where the relation says so, else in one direction."""
        return node if self._may_offer(self._defined(node), enabled) else Outcome.REJECTED

    def offered(self, node: int) -> Sequence[Sequence[str]]:
        """The inputs that are defined after the trace."""
        return [sorted(self._defined(node))]

    def alternatives(self, node: int, symbol: TestInput) -> Sequence[RequiredStep]:
        """One per output."""
        return [RequiredStep(output, output) for output in self.allowed(node, symbol)]

    def shown(self, _node: int, _symbol: TestInput, _move: JudgedMove, output: object) -> Shown:
        """The output itself."""
        assert isinstance(output, str)  # others lead nowhere
        return Shown(frozenset((output,)), output)

    def speaks_for(self, _branch: Hashable, _other: Hashable) -> bool:
        """Different outputs may lead anywhere."""
        return False

    def _cell(self, node: int, symbol: TestInput) -> list[tuple[str, str, int]]:
        assert isinstance(symbol, str)
        return [entry for state in self._sets[node] for entry in self._cells[state].get(symbol, ())]

    def _known(self, symbol: TestInput) -> str:
        """A foreign suite would pass vacuously."""
        if (misfit := self._interface.misfit(symbol)) is not None:
            raise UserError(f"a test has {misfit}")
        return str(symbol)

    def _first_move(self, node: int, symbol: str, output: object) -> JudgedMove:
        cell = self._cell(node, symbol)
        if self._relation in QUASI and not cell:
            return JudgedMove(Outcome.ANYTHING, reason=f"input {symbol!r} is undefined here: anything goes after it")
        fitting = [entry for entry in cell if entry[0] == output]
        if not fitting:
            reason = "the model does not give this output here" if cell else "the model does not take this input here"
            return JudgedMove(Outcome.REJECTED, reason=reason)
        target = self._number(frozenset(target for _, target, _ in fitting))
        move = JudgedMove(target, tuple(number for _, _, number in fitting))
        self._moves[node, symbol, output] = move
        self._certain[node, symbol, output] = (target, move.transitions[0] if len(fitting) == 1 else -1)
        return move

    def _number(self, states: frozenset[str]) -> int:
        number = self._numbers.get(states)
        if number is None:
            number = self._numbers[states] = len(self._sets)
            self._sets.append(states)
        return number

    def _defined(self, node: int) -> frozenset[str]:
        """The inputs that a trace which leads here may be followed by."""
        found = self._offers.get(node)
        if found is None:
            found = self._offers[node] = frozenset(x for state in self._sets[node] for x in self._cells[state])
        return found

    def _may_offer(self, defined: frozenset[str], enabled: frozenset[str]) -> bool:
        if self._relation in GREY_BOX:
            return defined == enabled
        return enabled <= defined if self._relation is Relation.REDUCTION else defined <= enabled
