"""Conformance of symbolic machines over small types: the product walked letter by letter, all values tried out."""

from collections.abc import Mapping, Sequence

from tests.oracles.symbolic import Enumerated

from fullproof.artefacts.request import Relation
from fullproof.language.types import Value
from fullproof.model import Sfsm

QUASI = (Relation.EQUIVALENCE, Relation.QUASI_REDUCTION)


class Explicit:
    """A machine as a set of letters per state."""

    def __init__(self, model: Sfsm) -> None:
        enumerated = Enumerated(model)
        self.initial = frozenset({model.initial})
        self.inputs = enumerated.inputs
        self.after: dict[str, dict[object, set[str]]] = {state: {} for state in model.states}
        self.admitted: dict[str, set] = {state: set() for state in model.states}
        for k, t in enumerate(model.transitions):
            self.admitted[t.source] |= enumerated.guarded[k]
            for letter in enumerated.pairs[k]:
                self.after[t.source].setdefault(letter, set()).add(t.target)

    def letters(self, states: frozenset[str]) -> dict[object, frozenset[str]]:
        found: dict[object, set[str]] = {}
        for state in states:
            for letter, targets in self.after[state].items():
                found.setdefault(letter, set()).update(targets)
        return {letter: frozenset(targets) for letter, targets in found.items()}

    def defines(self, states: frozenset[str], symbol: object) -> bool:
        return all(symbol in self.admitted[state] for state in states)


def differs(mine: dict, theirs: dict, wanted: set, relation: Relation) -> bool:
    """Whether one step shows that the relation does not hold; ``wanted`` are the inputs that matter."""
    own = {letter for letter in mine if letter[0] in wanted}
    other = {letter for letter in theirs if letter[0] in wanted}
    if other - own:
        return True
    if relation is Relation.EQUIVALENCE:
        return own != other
    if relation is Relation.REDUCTION:
        return False
    return bool({x for x, _ in own} - {x for x, _ in other})


def shortest_difference(model: Sfsm, other: Sfsm, relation: Relation) -> int | None:
    """How many inputs a shortest counterexample has, None where there is none."""
    one, two = Explicit(model), Explicit(other)
    level = {(one.initial, two.initial)}
    seen = set(level)
    length = 0
    while level:
        length += 1
        following = set()
        for mine, theirs in level:
            wanted = {x for x in one.inputs if relation not in QUASI or one.defines(mine, x)}
            here, there = one.letters(mine), two.letters(theirs)
            if differs(here, there, wanted, relation):
                return length
            following |= {(here[k], there[k]) for k in here.keys() & there.keys() if k[0] in wanted}
        level = following - seen
        seen |= level
    return None


def fails_at(model: Sfsm, other: Sfsm, word: Sequence[Mapping[str, Value]], relation: Relation) -> int | None:
    """The step (from 0) of a test at which some behaviour of the other machine is refused, or none is given."""
    one, two = Explicit(model), Explicit(other)
    pairs = {(one.initial, two.initial)}
    for step, values in enumerate(word):
        symbol = tuple(values.items())
        following = set()
        for mine, theirs in pairs:
            if relation in QUASI and not one.defines(mine, symbol):
                continue
            here = {k: v for k, v in one.letters(mine).items() if k[0] == symbol}
            there = {k: v for k, v in two.letters(theirs).items() if k[0] == symbol}
            if differs(here, there, {symbol}, relation):
                return step
            following |= {(here[k], there[k]) for k in here.keys() & there.keys()}
        pairs = following
    return None
