"""Inputs where outputs have tolerances: chosen so that a tolerant judge tells the outputs of a fault domain apart."""

import itertools
from collections.abc import Sequence
from fractions import Fraction

import pytest
from tests.generate.test_separable import alphabet_for

from fullproof.artefacts.request import Relation, SuiteRequest
from fullproof.core.errors import Place, UserError
from fullproof.formats import read_model
from fullproof.generate.symbolic.distinguishing_inputs import distinguishing_function
from fullproof.generate.symbolic.margins import Margin
from fullproof.generate.symbolic.separability import Distinguishing, NotSeparable
from fullproof.judge.sfsm import SfsmSemantics
from fullproof.kinds.sfsm.method_suite import MethodSuite
from fullproof.kinds.sfsm.methods import answer
from fullproof.kinds.sfsm.question import question_of
from fullproof.language.compile import compile_expression
from fullproof.language.parser import parse_expression
from fullproof.language.scope import Scope
from fullproof.language.types import RealType, Variable
from fullproof.model import Sfsm
from fullproof.model.common import Description, FaultDomain
from fullproof.model.sfsm import SfsmTransition

HALF = Fraction(1, 2)


def machine(
    outputs: Sequence[str],
    *,
    further: Sequence[str] = (),
    guard: str = "x >= 0",
    high: int | None = 1000,
    rest: str = "y == 0",
) -> Sfsm:
    """A ring that shows one output after the other."""
    states = tuple(f"s{k}" for k in range(len(outputs)))
    without = parse_expression(f"not ({guard})")
    edges = [
        SfsmTransition(source=s, guard=g, output=parse_expression(o), target=t)
        for s, out, t in zip(states, outputs, (*states[1:], states[0]), strict=True)
        for g, o in ((parse_expression(guard), out), (without, rest))
    ]
    return Sfsm(
        name="ring",
        initial="s0",
        states=states,
        inputs=(Variable(name="x", type=RealType(Fraction(0), None if high is None else Fraction(high))),),
        outputs=(Variable(name="y", type=RealType(None, None), tolerance=HALF),),
        transitions=tuple(edges),
        description=Description(fault_domain=FaultDomain(outputs=tuple(parse_expression(o) for o in further))),
    )


def suite(model: Sfsm, relation: Relation = Relation.EQUIVALENCE, *, method: str = "separable") -> MethodSuite:
    return answer(question_of(model, SuiteRequest(method=method, relation=relation), at=Place()))


def passes(model: Sfsm, made: MethodSuite, outputs: Sequence, off: Fraction = Fraction(0)) -> bool:
    """Whether a system that runs through the outputs passes; ``off`` is what is added to each of them."""
    guard = compile_expression(model.transitions[0].guard, Scope(model.inputs))
    judge = SfsmSemantics(model, Relation.EQUIVALENCE)
    for piece in made.words.chunks():
        for word in piece:
            node = 0
            for step, symbol in enumerate(word.tolist()):
                inputs = made.inputs[symbol]
                value = outputs[step % len(outputs)](inputs["x"]) if guard(inputs) else Fraction(0)
                node = judge.move(node, inputs, {"y": value + off}).node
                if node < 0:
                    return False
    return True


@pytest.mark.parametrize("guard", ["x >= 0", "x > 0", "0 < x < 1000", "x >= 490", "10 < x"])
def test_a_fault_that_only_large_inputs_show_is_found(guard: str) -> None:
    """At x = 500 the two outputs are within the tolerance of each other, at 1,000 they are not."""
    model = machine(["y == x + 1", "y == 3 * x + 2"], further=["y == 1.001 * x + 1"], guard=guard)
    made = suite(model)
    right = [lambda x: x + 1, lambda x: 3 * x + 2]
    fault = [lambda x: x * Fraction("1.001") + 1, right[1]]
    assert passes(model, made, right)
    assert not passes(model, made, fault)
    assert max(Fraction(inputs["x"]) for inputs in made.inputs) > 900


def test_faults_beside_the_domain_are_found_by_distance() -> None:
    """A slope that is off by 0.0006 is in no fault domain; it shows at large inputs only."""
    model = machine(["y == x + 1", "y == 3 * x + 2"], further=["y == 2 * x + 2"])
    made = suite(model)
    assert not passes(model, made, [lambda x: x * Fraction("1.0006") + 1, lambda x: 3 * x + 2])


def test_twice_the_tolerance_leaves_room_for_the_system() -> None:
    model = machine(["y == x", "y == 3 * x"], further=["y == 1.002 * x"])
    made = suite(model)
    assert "in both cases up to the tolerance of outputs" in made.guarantee.sentence
    for off in (-HALF, Fraction(0), HALF):
        assert passes(model, made, [lambda x: x, lambda x: 3 * x], off)
        assert not passes(model, made, [lambda x: x * Fraction("1.002"), lambda x: 3 * x], off)


def test_once_the_tolerance_is_for_exact_systems() -> None:
    model = machine(["y == x", "y == 3 * x"], further=["y == 1.001 * x"])
    made = suite(model)
    assert "gives the outputs of its expressions exactly" in made.guarantee.sentence
    assert not passes(model, made, [lambda x: x * Fraction("1.001"), lambda x: 3 * x])


def test_outputs_within_the_tolerance_are_a_hypothesis() -> None:
    model = machine(["y == x", "y == 3 * x"], further=["y == x + 0.25"])
    made = suite(model)
    assert "gives wrong outputs only outside of the tolerance of right ones" in made.guarantee.sentence
    assert any("not separable by more than the tolerance" in note for note in made.notes)
    assert not passes(model, made, [lambda x: x * Fraction("1.001"), lambda x: 3 * x])


def test_a_choice_within_the_tolerance_is_refused() -> None:
    """The judge would go on behind both transitions, of which the system took one."""
    model = machine(["y == x", "y == 3 * x"])
    other = SfsmTransition(
        source="s0", guard=parse_expression("x >= 0"), output=parse_expression("y == x + 0.25"), target="s0"
    )
    loose = Sfsm(
        name="loose",
        initial="s0",
        states=model.states,
        inputs=model.inputs,
        outputs=model.outputs,
        transitions=(*model.transitions, other),
    )
    for relation in (Relation.EQUIVALENCE, Relation.REDUCTION):
        with pytest.raises(UserError, match=r"not separable by more than the tolerance: no input distinguishes y == x"):
            suite(loose, relation)
    assert "right ones only outside of that of other transitions" in suite(loose, method="general").guarantee.sentence


TERMS = ("y == x", "y == 1.001 * x", "y == 2 * x - 999", "y == x + 0.75", "2 <= y <= 4", "y == 5 - x")
SPLIT = "y > 7 or y < 1"


PAIRS = [
    pytest.param(one, other, marks=[pytest.mark.slow] if {one, other} & {SPLIT, "2 <= y <= 4"} else [])
    for one, other in itertools.combinations((*TERMS, SPLIT), 2)
]


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_margins_are_what_they_say(first: str, second: str) -> None:
    """At the chosen input the nearest values are as far apart as the margin says."""
    model = machine([first, second], guard="x >= 1", rest="y == 5")
    alphabet = alphabet_for(model)
    found = distinguishing_function(model, alphabet)
    if isinstance(found, NotSeparable):
        assert SPLIT in (first, second)
        return
    for pair, number in enumerate(found.chosen):
        x = Fraction(found.inputs[number]["x"])
        rivals = [k for k in alphabet.of_cell(alphabet.pairs[pair].cell) if k != pair]
        own, others = (allowed(alphabet, [pair], x), allowed(alphabet, rivals, x))
        assert own
        nearest = min((abs(a - b) for a, b in itertools.product(own, others)), default=None)
        assert nearest is None or nearest > found.margin * HALF


def allowed(alphabet, pairs, x: Fraction) -> list[Fraction]:
    """Values of the output expressions at an input, the ends of ranges and what lies just beside them among them."""
    values = {
        "y == x": [x],
        "y == 1.001 * x": [x * Fraction("1.001")],
        "y == 2 * x - 999": [2 * x - 999],
        "y == x + 0.75": [x + Fraction(3, 4)],
        "2 <= y <= 4": [Fraction(k, 16) for k in range(32, 65)],
        "y > 7 or y < 1": [Fraction(k, 16) for k in range(-32768, 32768) if not 16 <= k <= 112],
        "y == 5 - x": [5 - x],
        "y == 5": [Fraction(5)],
    }
    texts = [alphabet.alphabet.outputs[alphabet.pairs[k].outputs[0]] for k in pairs]
    return [y for text, ys in values.items() if parse_expression(text) in texts for y in ys]


def test_inputs_without_bounds_are_readable() -> None:
    model = machine(["y == x", "y == 1.001 * x"], guard="x >= 0", high=None)
    found = distinguishing_function(model, alphabet_for(model))
    assert isinstance(found, Distinguishing)
    assert found.margin is Margin.TWICE
    made = suite(model)
    assert all(Fraction(inputs["x"]).denominator == 1 for inputs in made.inputs)
    assert all(isinstance(inputs["x"], Fraction) and inputs["x"] < 10**7 for inputs in made.inputs)
    assert all(inputs == again for inputs, again in zip(made.inputs, suite(model).inputs, strict=True))


def test_brake_with_a_tolerance_has_five_inputs() -> None:
    model = read_model("examples/brake/brake.yaml")
    assert isinstance(model, Sfsm)
    found = distinguishing_function(model, alphabet_for(model))
    assert isinstance(found, Distinguishing)
    assert found.margin is Margin.TWICE
    assert len(found.inputs) == 5
