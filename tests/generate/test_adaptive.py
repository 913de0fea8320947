"""Adaptive state counting: every machine of small fault domains gets the verdict that the relation demands."""

import random

import pytest
from tests.generate.test_counting import random_machine
from tests.oracles.reductions import all_machines, complete, conforms

from fullproof.analysis.responses import Responses
from fullproof.artefacts.request import GREY_BOX, Relation
from fullproof.generate.finite.adaptive import AdaptiveCounting, TraceNode

RELATIONS = [Relation.REDUCTION, Relation.QUASI_REDUCTION, Relation.STRONG_REDUCTION]


def passes(model: Responses, other: Responses, relation: Relation, *, bound: int) -> bool:
    """Let a machine show all its answers to whatever is tried, and judge each as the oracle does."""
    grey = relation in GREY_BOX
    counting = AdaptiveCounting(model, bound=bound, repeat=1, grey=grey)
    at: dict[int, int] = {id(counting.root): 0}
    right = True

    def arrive(node: TraceNode, state: int) -> None:
        nonlocal right
        at[id(node)] = state
        if grey:
            node.enabled = other.defined(state)
            right = right and node.enabled == model.defined(node.state)

    def everywhere(node: TraceNode) -> None:
        nonlocal right
        while (symbol := counting.choose(node)) is not None:
            if symbol in node.outputs:  # the way to something further on
                for child in [c for (x, _), c in node.children.items() if x == symbol and c.open]:
                    everywhere(child)
                continue
            given = other.after[at[id(node)]].get(symbol)
            if given is None:
                right = right and relation is Relation.REDUCTION
                node.outputs[symbol] = set()
                continue
            for output, target in given.items():
                state = model.after[node.state][symbol].get(output)
                right = right and state is not None
                child = counting.saw(node, symbol, output, state)
                if child is not None:
                    arrive(child, target)

    arrive(counting.root, 0)
    while counting.goes_on():
        everywhere(counting.root)
    assert counting.finished, counting.reason
    return right


def wrong_verdicts(relation: Relation, model: Responses, domain, bound: int) -> list[Responses]:
    return [
        other
        for other in domain
        if (relation is not Relation.REDUCTION or complete(other))
        and passes(model, other, relation, bound=bound) != conforms(model, other, relation)
    ]


@pytest.mark.parametrize("relation", RELATIONS)
@pytest.mark.parametrize(("bound", "inputs", "outputs"), [(2, 2, 2), (3, 1, 2), (3, 2, 1)])
def test_no_machine_of_the_fault_domain_is_misjudged(relation, bound, inputs, outputs):
    dice = random.Random(f"{relation}{bound}{inputs}{outputs}")
    domain = list(all_machines(bound, inputs, outputs))
    for number in range(3):
        model = random_machine(dice, dice.randint(1, bound), inputs, outputs)
        if relation is Relation.REDUCTION and not complete(model):
            continue
        # Where little tells states apart, traces are as long as both machines have states together.
        chosen = domain if number == 0 and bound == 2 else dice.sample(domain, 60)
        assert not wrong_verdicts(relation, model, chosen, bound)


@pytest.mark.slow
@pytest.mark.parametrize("relation", RELATIONS)
def test_no_machine_of_larger_fault_domains_is_misjudged(relation):
    dice = random.Random(f"{relation}")
    for _ in range(3):
        model = random_machine(dice, 3, 2, 2)
        if relation is Relation.REDUCTION and not complete(model):
            continue
        domain = [random_machine(dice, 3, 2, 2) for _ in range(15)]
        domain += [reduced(dice, model) for _ in range(15)]
        assert not wrong_verdicts(relation, model, domain, 3)


def reduced(dice: random.Random, model: Responses) -> Responses:
    """The model with fewer answers and, every other time, one wrong target: what is almost right."""
    after = [{x: dict(answers) for x, answers in row.items()} for row in model.after]
    for row in after:
        for x, answers in row.items():
            kept = dice.sample(sorted(answers), dice.randint(1, len(answers)))
            row[x] = {y: answers[y] for y in kept}
    if dice.random() < 0.5:
        row = dice.choice([r for r in after if r])
        x = dice.choice(sorted(row))
        row[x][dice.choice(sorted(row[x]))] = dice.randrange(model.states)
    return Responses(inputs=model.inputs, after=tuple(after))


def test_answers_that_come_late_are_looked_at_again():
    """A pair of traces that seemed apart because one answer was missing is not apart once it has come."""
    model = Responses(inputs=1, after=({0: {0: 1, 1: 1}}, {0: {0: 0, 1: 0}}))
    counting = AdaptiveCounting(model, bound=2, repeat=1, grey=False)
    assert counting.goes_on()
    root = counting.root
    assert counting.choose(root) == 0
    child = counting.saw(root, 0, 0, 1)
    assert child is not None
    while counting.goes_on() and counting.choose(root) == 0 and counting.choose(child) == 0:
        counting.saw(child, 0, 1, 0)
        break
    assert counting.apart(root, child)
    assert counting.goes_on()
    counting.saw(root, 0, 1, 1)
    counting.saw(child, 0, 0, 0)
    assert not counting.apart(root, child)
