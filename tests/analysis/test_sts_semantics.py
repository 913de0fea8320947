"""The set of states that explain what was seen, against enumeration of all values."""

from random import Random

import pytest
from benchmarks.attack_sts import DELTA, Enumerated, random_model

from fullproof.analysis.sts_knowledge import Knowledge
from fullproof.analysis.sts_semantics import Possible, StsSemantics


def plain_states(knowledge: Knowledge) -> set:
    return {(position.location, position.values) for position in knowledge.routes}


@pytest.mark.parametrize("seed", range(60))
def test_knowledge_is_what_enumeration_finds(seed: int) -> None:
    random = Random(f"semantics {seed}")
    model = random_model(random)
    semantics, plain = StsSemantics(model), Enumerated(model)
    knowledge, states = semantics.start(), plain.start
    for _ in range(12):
        assert plain_states(knowledge) == states
        for position in knowledge.routes:
            silent = bool(plain.after(frozenset({(position.location, position.values)}), DELTA))
            assert semantics.speaks(position) is (Possible.NO if silent else Possible.YES)
        for label in plain.outputs:
            assert bool(semantics.after_output(knowledge, label).routes) == bool(plain.after(states, label))
        assert ("silence" in semantics.allowed(knowledge)) == (DELTA in plain.out(states))
        labels = [label for label in (*plain.inputs, *plain.outputs, DELTA) if plain.after(states, label)]
        label = random.choice(labels)
        states = plain.after(states, label)
        if label == DELTA:
            knowledge = semantics.after_silence(knowledge)
        elif label in plain.inputs:
            knowledge = semantics.after_input(knowledge, label, synchronous=True)
        else:
            knowledge = semantics.after_output(knowledge, label)


@pytest.mark.parametrize("seed", range(60))
def test_crossing_only_adds_explanations(seed: int) -> None:
    """What is allowed in step is allowed behind a wire, too, and as certain as that leaves it."""
    random = Random(f"crossing {seed}")
    model = random_model(random)
    semantics, plain = StsSemantics(model), Enumerated(model)
    near = far = semantics.start()
    states = plain.start
    for _ in range(10):
        labels = [label for label in (*plain.inputs, *plain.outputs) if plain.after(states, label)]
        if not labels:
            return
        label = random.choice(labels)
        states = plain.after(states, label)
        if label in plain.inputs:
            near = semantics.after_input(near, label, synchronous=True)
            far = semantics.after_input(far, label, synchronous=False)
        else:
            near, far = semantics.after_output(near, label), semantics.after_output(far, label)
        assert set(near.routes) <= set(far.routes)
        if far.certain is not None:
            assert far.certain == near.certain
