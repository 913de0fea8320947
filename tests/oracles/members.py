"""All machines of a named fault domain, one by one: the definition."""

from collections.abc import Iterator
from itertools import product

from fullproof.certify.machine import FlatMachine
from fullproof.certify.mutation_machine import MutationMachine


def members(domain: MutationMachine) -> Iterator[FlatMachine]:
    """Every machine that takes one of the choices for each transition, within the bound on wrong ones."""
    cells = list(product(range(domain.states), range(domain.model.inputs)))
    ways = [[(t, o) for t, outputs in domain.choices_of(s, i).items() for o in sorted(outputs)] for s, i in cells]
    for chosen in product(*ways):
        own = [domain.own(s, i) if s < domain.model.states else way for (s, i), way in zip(cells, chosen, strict=True)]
        wrong = sum(one != other for one, other in zip(chosen, own, strict=True))
        if domain.at_most is not None and wrong > domain.at_most:
            continue
        rows = [chosen[k : k + domain.model.inputs] for k in range(0, len(chosen), domain.model.inputs)]
        yield FlatMachine(
            tuple(tuple(t for t, _ in row) for row in rows), tuple(tuple(o for _, o in row) for row in rows)
        )


def count(domain: MutationMachine) -> int:
    """How many combinations are tried."""
    total = 1
    for s, i in product(range(domain.states), range(domain.model.inputs)):
        total *= sum(map(len, domain.choices_of(s, i).values()))
    return total
