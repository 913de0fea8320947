"""Components in parallel, step by step with all values, straight from the definition of synchronisation."""

from collections.abc import Iterator, Sequence
from itertools import product

from tests.oracles.ioco import TAU_LABEL, Concrete, Label, State
from tests.oracles.symbolic import valuations

from fullproof.model import Sts

States = tuple[State, ...]


class Parallel:
    """Components that take gates together, or alone."""

    def __init__(self, parts: Sequence[Sts], sync: frozenset[str], hide: frozenset[str]) -> None:
        self.parts = [Concrete(part) for part in parts]
        self.gates = {gate.name: gate for part in parts for gate in (*part.inputs, *part.outputs)}
        self.owners = {
            name: [k for k, part in enumerate(parts) if any(g.name == name for g in (*part.inputs, *part.outputs))]
            for name in self.gates
        }
        self.sync, self.hide = sync, hide
        self.start: States = tuple(part.start for part in self.parts)

    def visible(self) -> list[Label]:
        return [label for name in self.gates if name not in self.hide for label in self.labels(name)]

    def labels(self, name: str) -> list[Label]:
        return [(name, tuple(values.values())) for values in valuations(self.gates[name].parameters)]

    def after(self, states: States, label: Label) -> frozenset[States]:
        if label == TAU_LABEL:
            hidden = [self.together(states, own) for name in self.hide for own in self.labels(name)]
            return frozenset(self.alone(states, label, range(len(states)))).union(*hidden)
        return self.together(states, label)

    def together(self, states: States, label: Label) -> frozenset[States]:
        owners = self.owners[label[0]]
        if label[0] not in self.sync:
            return frozenset(self.alone(states, label, owners))
        ways = [self.parts[k].after(s, label) if k in owners else {s} for k, s in enumerate(states)]
        return frozenset(product(*ways))

    def alone(self, states: States, label: Label, owners: Sequence[int]) -> Iterator[States]:
        for k in owners:
            for target in self.parts[k].after(states[k], label):
                yield (*states[:k], target, *states[k + 1 :])
