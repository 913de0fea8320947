"""An attack on suites for partial symbolic machines: every mutant near the model, judged by trying out all values.

Nothing here uses the classes, the solver or the methods of the project. A model is read as a judge reads it: after a
trace it is in a set of states, and an input is undefined there where one of them has no guard that admits it.
"""

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from tests.oracles.symbolic import Enumerated, inputs_of
from tests.oracles.symbolic_attack import questions, words_of
from tests.oracles.symbolic_faults import Dfa, World, key, mutants
from tests.strategies.attack_machines import attack_machine

from fullproof.artefacts.request import Relation, SuiteRequest
from fullproof.kinds.sfsm.methods import answer
from fullproof.language.compile import compile_expression
from fullproof.model import Sfsm

Subset = frozenset[int]


class Reading:
    """A partial model over the letters of a world."""

    def __init__(self, world: World, model: Sfsm) -> None:
        self.world = world
        machine = world.machine(model)
        inputs = list(inputs_of(model))
        admitted = [
            {key(x) for x in inputs if compile_expression(guard, model.input_scope)(x)} for guard in world.guards
        ]
        self._defined: list[set] = [set() for _ in range(machine.states)]
        self._moves: list[list[tuple[frozenset[int], int]]] = [[] for _ in range(machine.states)]
        for source, guard, output, target in machine.transitions:
            self._defined[source] |= admitted[guard]
            self._moves[source].append((world.admits[guard, output], target))

    def step(self, subset: Subset, symbol: tuple) -> dict[int, Subset] | None:
        """The states after each answer to an input; None where it is undefined."""
        if any(symbol not in self._defined[s] for s in subset):
            return None
        found: dict[int, Subset] = {}
        for letter in self.world.offers[symbol]:
            targets = frozenset(t for s in subset for letters, t in self._moves[s] if letter in letters)
            if targets:
                found[letter] = targets
        return found

    def wrong(self, mine: dict[int, Subset], theirs: set[int], relation: Relation) -> bool:
        """Whether the answers to one input show that a system does not conform."""
        if relation is Relation.EQUIVALENCE:
            return mine.keys() != theirs
        return not theirs or not theirs <= mine.keys()

    def conforms(self, system: Dfa, relation: Relation) -> bool:
        """Over all inputs."""
        rows = [dict(row) for row in system]
        queue = [(frozenset({0}), 0)]
        seen = set(queue)
        for subset, state in queue:
            for symbol, offered in self.world.offers.items():
                mine = self.step(subset, symbol)
                if mine is None:
                    continue
                theirs = set(offered & rows[state].keys())
                if self.wrong(mine, theirs, relation):
                    return False
                for letter in theirs:
                    pair = (mine[letter], rows[state][letter])
                    if pair not in seen:
                        seen.add(pair)
                        queue.append(pair)
        return True

    def passes(self, system: Dfa, words: Sequence[Sequence[tuple]], relation: Relation) -> bool:
        """Over the inputs of tests, which end before an input that is undefined."""
        rows = [dict(row) for row in system]
        for word in words:
            pairs = {(frozenset({0}), 0)}
            for symbol in word:
                following = set()
                for subset, state in pairs:
                    mine = self.step(subset, symbol)
                    if mine is None:
                        continue
                    theirs = set(self.world.offers[symbol] & rows[state].keys())
                    if self.wrong(mine, theirs, relation):
                        return False
                    following |= {(mine[letter], rows[state][letter]) for letter in theirs}
                pairs = following
        return True

    def idle(self, words: Sequence[Sequence[tuple]]) -> int:
        """How many inputs of tests are undefined whatever the model has answered before."""
        count = 0
        for word in words:
            subsets = {frozenset({0})}
            for symbol in word:
                found = [self.step(subset, symbol) for subset in subsets]
                count += all(row is None for row in found)
                subsets = {target for row in found if row for target in row.values()}
        return count


def partial_machine(seed: int, *, loose: bool, choices: bool) -> Sfsm | None:
    """A machine of the other attacks without one or two of its transitions; None where that leaves no partial one."""
    model = attack_machine(seed, loose=loose, choices=choices)
    chance = random.Random(f"partial/{seed}")
    lost = set(chance.sample(range(1, len(model.transitions)), min(chance.choice((1, 2)), len(model.transitions) - 2)))
    partial = replace(model, transitions=tuple(t for k, t in enumerate(model.transitions) if k not in lost))
    found = Enumerated(partial)
    for k, _ in enumerate(partial.transitions):
        if {x for x, _ in found.pairs[k]} != found.guarded[k]:
            return None  # a guard admits what has no output: refused
    return partial


def attack_partial(model: Sfsm, relation: Relation, *, extra: int = 0) -> Counter:
    """Meet the suite with every mutant of its fault domain; ``survivors``, ``unfair`` and ``idle`` must stay 0."""
    found: Counter = Counter()
    (question,) = questions(model, SuiteRequest(method="general", relation=relation), (extra,))
    suite = answer(question)
    alphabet = question.machine.classes.alphabet
    world = World(model, alphabet.guards, alphabet.outputs)
    reading = Reading(world, model)
    words = [[key(symbol) for symbol in word] for word in words_of(suite)]
    found["partial"] += question.is_partial
    found["tests"] += len(words)
    found["idle"] += reading.idle(words)
    systems = {world.dfa(mutant): None for mutant in mutants(world.machine(model), world, extra=1)}
    for system in systems:
        if len(system) > suite.states + extra:
            continue
        passed, right = reading.passes(system, words, relation), reading.conforms(system, relation)
        found["judged"] += 1
        found["conforming"] += right
        found["survivors"] += passed and not right
        found["unfair"] += right and not passed
    return found
