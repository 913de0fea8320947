"""Faulty symbolic machines over small whole numbers, and exact judgements of them, by trying out all values.

Nothing here uses the classes, the solver or the methods of the project: the letters of a machine are all pairs of
values, those that no expression of the alphabet tells apart are put together, and a machine is the set of its traces.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from tests.oracles.symbolic import inputs_of, valuations

from fullproof.language.compile import compile_expression
from fullproof.language.scope import Scope
from fullproof.language.syntax import Expression
from fullproof.model import Sfsm

Transition = tuple[int, int, int, int]
"""Source, guard, output, target, all by number."""
Dfa = tuple[tuple[tuple[int, int], ...], ...]
"""For each state the letters that it allows and the states that they lead to; state 0 is initial; minimal."""


@dataclass(frozen=True)
class Machine:
    """A machine of the fault domain; state 0 is initial."""

    states: int
    transitions: tuple[Transition, ...]


class World:
    """The alphabet of a fault domain over small types."""

    def __init__(
        self,
        model: Sfsm,
        guards: Sequence[Expression],
        outputs: Sequence[Expression],
        propositions: Sequence[Expression] = (),
    ) -> None:
        self.guards, self.outputs = list(guards), list(outputs)
        scope = Scope((*model.inputs, *model.outputs), {c.name: c.value for c in model.description.constants})
        holds = self._holds = [compile_expression(e, scope) for e in (*guards, *outputs, *propositions)]
        number: dict[tuple[bool, ...], int] = {}
        self._number = number
        self.offers: dict[tuple, frozenset[int]] = {}
        self.members: list[dict] = []
        for x in inputs_of(model):
            seen = set()
            for y in valuations(model.outputs):
                signs = tuple(bool(h(x | y)) for h in holds)
                if signs not in number:
                    number[signs] = len(number)
                    self.members.append(x | y)
                seen.add(number[signs])
            self.offers[key(x)] = frozenset(seen)
        self.letters = len(number)
        self.propositions = [signs[len(self.guards) + len(self.outputs) :] for signs in number]
        self.admits = {
            (g, o): frozenset(k for signs, k in number.items() if signs[g] and signs[len(self.guards) + o])
            for g in range(len(self.guards))
            for o in range(len(self.outputs))
        }

    def letter(self, values: Mapping) -> int:
        """The letter of an input and an output."""
        return self._number[tuple(bool(holds(values)) for holds in self._holds)]

    def machine(self, model: Sfsm) -> Machine:
        states = [model.initial, *(s for s in model.states if s != model.initial)]
        return Machine(
            len(states),
            tuple(
                (
                    states.index(t.source),
                    self.guards.index(t.guard),
                    self.outputs.index(t.output),
                    states.index(t.target),
                )
                for t in model.transitions
            ),
        )

    def dfa(self, machine: Machine) -> Dfa:
        """The minimal deterministic acceptor of the machine's traces, numbered in the order of a breadth-first walk."""
        steps: list[dict[int, int]] = [{} for _ in range(machine.states)]
        for source, guard, output, target in machine.transitions:
            for letter in self.admits[guard, output]:
                steps[source][letter] = steps[source].get(letter, 0) | 1 << target
        rows: dict[int, dict[int, int]] = {}
        queue = [1]
        for subset in queue:
            if subset in rows:
                continue
            row: dict[int, int] = {}
            for state in range(machine.states):
                if subset >> state & 1:
                    for letter, targets in steps[state].items():
                        row[letter] = row.get(letter, 0) | targets
            rows[subset] = row
            queue += [target for target in row.values() if target not in rows]
        return _canonical(rows)

    def undefined(self, dfa: Dfa) -> bool:
        """Whether some input has no answer somewhere."""
        return any(not offered & {letter for letter, _ in row} for row in dfa for offered in self.offers.values())

    def tree(self, words: Sequence[Sequence[Mapping]]) -> dict:
        """Words as a tree: what an input offers, and the tree behind it."""
        root: dict = {}
        for word in words:
            node = root
            for symbol in word:
                node = node.setdefault(key(symbol), (self.offers[key(symbol)], {}))[1]
        return root

    def passes(self, model: Dfa, system: Dfa, tree: dict) -> bool:
        """Whether the system shows the same answers as the model to every word, all answers being seen."""
        one, other = [dict(row) for row in model], [dict(row) for row in system]
        stack = [(tree, frozenset({(0, 0)}))]
        while stack:
            node, pairs = stack.pop()
            for offered, rest in node.values():
                following = set()
                for a, b in pairs:
                    mine, theirs = one[a], other[b]
                    answers = offered & mine.keys()
                    if answers != offered & theirs.keys():
                        return False
                    following.update((mine[letter], theirs[letter]) for letter in answers)
                stack.append((rest, frozenset(following)))
        return True

    def contained(self, model: Dfa, system: Dfa) -> bool:
        """Whether every trace of the system is one of the model."""
        one, other = [dict(row) for row in model], [dict(row) for row in system]
        queue = [(0, 0)]
        for a, b in queue:
            for letter, target in other[b].items():
                if letter not in one[a]:
                    return False
                if (one[a][letter], target) not in queue:
                    queue.append((one[a][letter], target))
        return True

    def shows_only(self, model: Dfa, system: Dfa, words: Sequence[Sequence[Mapping]]) -> bool:
        """Whether the system shows nothing but answers of the model to every word."""
        one, other = [dict(row) for row in model], [dict(row) for row in system]
        for word in words:
            pairs = {(0, 0)}
            for symbol in word:
                offered = self.offers[key(symbol)]
                if any(not offered & other[b].keys() <= one[a].keys() for a, b in pairs):
                    return False
                pairs = {(one[a][k], other[b][k]) for a, b in pairs for k in offered & other[b].keys()}
        return True

    def violates(self, system: Dfa, shape: str) -> bool:
        """Whether some trace has a bad prefix of G p, of p W q or of G(p -> X q); p and q are the propositions."""
        queue = [(0, False)]
        for state, pending in queue:
            for letter, target in system[state]:
                p, q = self.propositions[letter][:2]
                if (shape == "G" and not p) or (shape == "W" and not p and not q) or (pending and not q):
                    return True
                after = (target, shape == "GX" and p)
                if not (shape == "W" and q) and after not in queue:
                    queue.append(after)
        return False


def key(values: Mapping) -> tuple:
    return tuple(sorted(values.items()))


def _canonical(rows: dict[int, dict[int, int]]) -> Dfa:
    block = dict.fromkeys(rows, 0)
    count = 1
    while True:
        numbers: dict[tuple, int] = {}
        block = {
            s: numbers.setdefault((block[s], frozenset((k, block[t]) for k, t in row.items())), len(numbers))
            for s, row in rows.items()
        }
        if len(numbers) == count:
            break
        count = len(numbers)
    first = {b: s for s, b in reversed(block.items())}
    order, place = [block[1]], {block[1]: 0}
    for b in order:
        for _, target in sorted(rows[first[b]].items()):
            if block[target] not in place:
                place[block[target]] = len(order)
                order.append(block[target])
    return tuple(tuple(sorted((k, place[block[t]]) for k, t in rows[first[b]].items())) for b in order)


def mutants(machine: Machine, world: World, *, extra: int) -> Iterator[Machine]:
    """All machines that differ in one or two places: guard, output or target exchanged, a transition lost or added.

    With an extra state, the transitions of a state are copied to it, one transition is led there, and one place of the
    result differs.
    """
    yield from _changed(machine, world, order=2)
    if extra:
        for state in range(machine.states):
            new = machine.states
            copies = tuple((new, g, o, t) for s, g, o, t in machine.transitions if s == state)
            for position, (s, g, o, _) in enumerate(machine.transitions):
                moved = (*machine.transitions[:position], (s, g, o, new), *machine.transitions[position + 1 :])
                yield from _changed(Machine(machine.states + 1, moved + copies), world, order=1)


def _changed(machine: Machine, world: World, *, order: int) -> Iterator[Machine]:
    options = [list(_others(t, machine, world)) for t in machine.transitions]
    rest = machine.transitions
    for k, own in enumerate(options):
        for new in own:
            yield Machine(machine.states, (*rest[:k], *new, *rest[k + 1 :]))
    for source in range(machine.states):
        for guard in range(len(world.guards)):
            added = (source, guard, (source + guard) % len(world.outputs), (source * 7 + guard) % machine.states)
            yield Machine(machine.states, (*rest, added))
    if order < 2:
        return
    for j, k in combinations(range(len(rest)), 2):
        for one in options[j]:
            for other in options[k]:
                yield Machine(machine.states, (*rest[:j], *one, *rest[j + 1 : k], *other, *rest[k + 1 :]))


def _others(t: Transition, machine: Machine, world: World) -> Iterator[tuple[Transition, ...]]:
    source, guard, output, target = t
    yield ()
    yield from (((source, g, output, target),) for g in range(len(world.guards)) if g != guard)
    yield from (((source, guard, o, target),) for o in range(len(world.outputs)) if o != output)
    yield from (((source, guard, output, s),) for s in range(machine.states) if s != target)
