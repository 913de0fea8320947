"""The generalised Wp-method against every complete observable machine of small fault domains."""

import random
from collections.abc import Iterator
from itertools import product

import pytest
from tests.oracles.reductions import conforms, passes

from fullproof.analysis.language_separation import language_separating_words
from fullproof.analysis.responses import Responses
from fullproof.artefacts.request import Relation
from fullproof.generate.finite.generalised_wp import generalised_wp


def complete_machines(states: int, inputs: int, outputs: int) -> Iterator[Responses]:
    """Every observable machine that answers every input everywhere."""
    answers = [
        {y: t for y, t in enumerate(choice) if t >= 0}
        for choice in product(range(-1, states), repeat=outputs)
        if max(choice) >= 0
    ]
    for cells in product(answers, repeat=states * inputs):
        rows = [cells[s * inputs : (s + 1) * inputs] for s in range(states)]
        yield Responses(inputs=inputs, after=tuple(dict(enumerate(row)) for row in rows))


def is_minimal_and_connected(machine: Responses) -> bool:
    reached = {0}
    for _ in range(machine.states):
        reached |= {t for s in reached for row in machine.after[s].values() for t in row.values()}
    pairs = machine.states * (machine.states - 1) // 2
    return len(reached) == machine.states and len(language_separating_words(machine)) == pairs


@pytest.mark.parametrize(("bound", "inputs", "outputs"), [(2, 2, 2), (3, 1, 2)])
def test_no_machine_of_the_fault_domain_is_misjudged(bound: int, inputs: int, outputs: int) -> None:
    rng = random.Random(bound)
    domain = list(complete_machines(bound, inputs, outputs))
    models = [
        model
        for states in range(1, bound + 1)
        for model in rng.choices(list(complete_machines(states, inputs, outputs)), k=9)
        if is_minimal_and_connected(model)
    ]
    assert len(models) >= 5
    for model in models:
        words = [w.tolist() for w in generalised_wp(model, extra_states=bound - model.states)]
        for other in domain:
            passed = passes(model, other, words, Relation.EQUIVALENCE)
            assert passed == conforms(model, other, Relation.EQUIVALENCE)
