"""All machines of a fault domain with tolerances, off by as much as the guarantee allows, against one suite."""

import itertools
import random
from fractions import Fraction

import pytest
from tests.generate.test_margins import HALF, suite

from fullproof.artefacts.request import Relation
from fullproof.judge.sfsm import SfsmSemantics
from fullproof.language.parser import parse_expression
from fullproof.language.types import RealType, Variable
from fullproof.model import Sfsm
from fullproof.model.common import Description, FaultDomain
from fullproof.model.sfsm import SfsmTransition

LIMIT = 40
TERMS = {
    "y == x": lambda x: x,
    "y == 1.04 * x": lambda x: x * Fraction("1.04"),
    "y == x + 0.75": lambda x: x + Fraction("0.75"),
    "y == 3 * x - 60": lambda x: 3 * x - 60,
    "y == 100 - x": lambda x: 100 - x,
    "y == 1": lambda _: Fraction(1),
}
Rows = tuple[tuple[tuple[str, int], tuple[str, int]], ...]
"""For each state what it does below the limit and from there on: output and next state."""


def model_of(rows: Rows, terms: list[str]) -> Sfsm:
    guards = [parse_expression(f"x < {LIMIT}"), parse_expression(f"x >= {LIMIT}")]
    return Sfsm(
        name="two",
        initial="0",
        states=("0", "1"),
        inputs=(Variable(name="x", type=RealType(Fraction(0), Fraction(100))),),
        outputs=(Variable(name="y", type=RealType(None, None), tolerance=HALF),),
        transitions=tuple(
            SfsmTransition(source=str(s), guard=guard, output=parse_expression(output), target=str(target))
            for s, row in enumerate(rows)
            for guard, (output, target) in zip(guards, row, strict=True)
        ),
        description=Description(fault_domain=FaultDomain(outputs=tuple(parse_expression(t) for t in terms))),
    )


def equivalent(one: Rows, other: Rows) -> bool:
    """No two of the terms mean the same below the limit or above it."""
    met, queue = {(0, 0)}, [(0, 0)]
    for a, b in queue:
        for mine, theirs in zip(one[a], other[b], strict=True):
            if mine[0] != theirs[0]:
                return False
            if (mine[1], theirs[1]) not in met:
                met.add((mine[1], theirs[1]))
                queue.append((mine[1], theirs[1]))
    return True


@pytest.mark.parametrize("number", range(8))
def test_no_machine_of_the_domain_passes(number: int) -> None:
    chance = random.Random(number)
    terms = chance.sample(sorted(TERMS), 3)
    ways = [(t, s) for t in terms for s in (0, 1)]
    machines: list[Rows] = [((a, b), (c, d)) for a, b, c, d in itertools.product(ways, repeat=4)]
    right = next(m for m in chance.sample(machines, 50) if m[0][0][1] == 1 and m[0][0][0] != m[1][0][0])
    model = model_of(right, terms)
    made = suite(model)
    exactly = "gives the outputs of its expressions exactly" in made.guarantee.sentence
    assert exactly or "in both cases up to the tolerance of outputs" in made.guarantee.sentence
    words = [[made.inputs[k]["x"] for k in word.tolist()] for piece in made.words.chunks() for word in piece]
    judge = SfsmSemantics(model, Relation.EQUIVALENCE)
    known: dict[tuple, int] = {}

    def moved(node: int, x: Fraction, y: Fraction) -> int:
        if (node, x, y) not in known:
            known[node, x, y] = judge.move(node, {"x": x}, {"y": y}).node
        return known[node, x, y]

    for system in machines:
        for off in (Fraction(0),) if exactly else (Fraction(0), HALF, -HALF):
            passed = True
            for word in words:
                state = node = 0
                for x in word:
                    output, state = system[state][x >= LIMIT]
                    node = moved(node, x, TERMS[output](x) + off)
                    if node < 0:
                        passed = False
                        break
                if not passed:
                    break
            assert passed == equivalent(right, system), (system, off)
