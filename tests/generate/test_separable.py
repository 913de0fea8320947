"""Separable alphabets: the refined alphabet, formula 8.1, and suites whose inputs depend on the pair."""

import dataclasses
import random
from collections import Counter
from fractions import Fraction

import pytest
from tests.oracles.symbolic import valuations
from tests.oracles.symbolic_attack import attack_equivalence, questions, words_of
from tests.shared import REFERENCE
from tests.strategies.attack_machines import attack_machine, is_complete

from fullproof.abstract.alphabet import alphabet_of
from fullproof.abstract.cells import guard_cells
from fullproof.abstract.classes import io_classes
from fullproof.artefacts.request import SuiteRequest
from fullproof.core.errors import Place, UserError
from fullproof.formats import read_model
from fullproof.generate.symbolic.distinguishing_inputs import distinguishing_function
from fullproof.generate.symbolic.finite_words import equivalence_words, is_deterministic
from fullproof.generate.symbolic.pairs import PairAlphabet, over_pairs, pair_alphabet
from fullproof.generate.symbolic.separability import Distinguishing, NotSeparable
from fullproof.kinds.sfsm import question
from fullproof.kinds.sfsm.methods import answer
from fullproof.kinds.sfsm.question import question_of
from fullproof.language.compile import compile_expression
from fullproof.language.parser import parse_expression
from fullproof.language.scope import Scope
from fullproof.language.types import IntType, RealType, Variable
from fullproof.model import Sfsm
from fullproof.model.common import Description, FaultDomain
from fullproof.model.sfsm import SfsmTransition
from fullproof.smt.backends.z3_backend import Z3Solver


def alphabet_for(model: Sfsm) -> PairAlphabet:
    return pair_alphabet(model, guard_cells(model, alphabet_of(model)))


def thirds() -> Sfsm:
    """Each output is recognised at another input: ``y == 0`` at 1, ``y == x`` at 2, ``y == 2 - x`` at 0."""
    edges = [("a", "y == 0", "b"), ("b", "y == x", "a")]
    return Sfsm(
        name="thirds",
        initial="a",
        states=("a", "b"),
        inputs=(Variable(name="x", type=IntType(0, 2)),),
        outputs=(Variable(name="y", type=IntType(0, 2)),),
        transitions=tuple(
            SfsmTransition(source=s, guard=parse_expression("x >= 0"), output=parse_expression(o), target=t)
            for s, o, t in edges
        ),
        description=Description(fault_domain=FaultDomain(outputs=(parse_expression("y == 2 - x"),))),
    )


def satisfies_8_1(model: Sfsm, alphabet: PairAlphabet, pair: int, inputs: dict) -> bool:
    """Formula 8.1 by trying out all outputs."""
    scope = Scope((*model.inputs, *model.outputs), {c.name: c.value for c in model.description.constants})
    outputs = alphabet.alphabet.outputs
    own = compile_expression(outputs[alphabet.pairs[pair].outputs[0]], scope)
    others = [
        compile_expression(outputs[alphabet.pairs[k].outputs[0]], scope)
        for k in alphabet.of_cell(alphabet.pairs[pair].cell)
        if k != pair
    ]
    answers = [{**inputs, **y} for y in valuations(model.outputs) if own({**inputs, **y})]
    guards = zip(alphabet.alphabet.guards, alphabet.cells[alphabet.pairs[pair].cell], strict=True)
    in_cell = all(bool(compile_expression(g, scope)(inputs)) == sign for g, sign in guards)
    return in_cell and bool(answers) and not any(other(values) for other in others for values in answers)


@pytest.mark.parametrize("seed", [0, 1])
def test_the_chosen_inputs_satisfy_formula_8_1(seed: int) -> None:
    met = 0
    models = [attack_machine(k, loose=True, choices=bool(k % 2)) for k in range(8)]
    for model in [thirds(), *models]:
        alphabet = alphabet_for(model)
        found = distinguishing_function(model, alphabet, seed=seed)
        exhaustive = [
            any(satisfies_8_1(model, alphabet, pair, x) for x in valuations(model.inputs))
            for pair in range(len(alphabet.pairs))
        ]
        assert isinstance(found, Distinguishing) == all(exhaustive)
        if isinstance(found, Distinguishing):
            met += 1
            for pair, chosen in enumerate(found.chosen):
                ways = found.ways[chosen] if seed else [found.inputs[chosen]]
                assert found.inputs[chosen] in ways
                assert all(satisfies_8_1(model, alphabet, pair, dict(way)) for way in ways)
    assert 1 < met < 9


def test_brake_has_five_guards_and_no_equivalent_pairs() -> None:
    model = read_model(REFERENCE / "brake/brake.yaml")
    assert isinstance(model, Sfsm)
    alphabet = alphabet_for(model)
    assert len(alphabet.cells) == 5
    assert len(alphabet.pairs) == 19  # 5 x 4 without the one that means the same at x == vmax


@pytest.mark.parametrize("number", range(12))
def test_cells_and_pairs_are_those_of_the_classes(number: int) -> None:
    """Guard cells, and the groups of outputs under each, are what the classes of inputs with outputs say."""
    model = attack_machine(number, loose=True, choices=number % 2 == 0)
    found = alphabet_for(model)
    classes = io_classes(model, alphabet_of(model)).classes
    assert set(found.cells) == {c.guards for c in classes}
    expected = set()
    for cell in found.cells:
        inside = [c for c in classes if c.guards == cell]
        alike: dict = {}
        for output in range(len(found.alphabet.outputs)):
            alike.setdefault(tuple(c.outputs[output] for c in inside), set()).add(output)
        expected |= {(cell, frozenset(group)) for column, group in alike.items() if any(column)}
    assert named(found) == expected
    assert not found.undecided
    assert found.doubts == 0


def named(alphabet: PairAlphabet) -> set:
    return {(alphabet.cells[pair.cell], frozenset(pair.outputs)) for pair in alphabet.pairs}


def test_a_seed_moves_the_inputs() -> None:
    model = read_model(REFERENCE / "brake/brake.yaml")
    assert isinstance(model, Sfsm)
    alphabet = alphabet_for(model)
    made = {seed: distinguishing_function(model, alphabet, seed=seed) for seed in (0, 1, 2)}
    chosen = {frozenset(Fraction(x["x"]) for x in t.inputs) for t in made.values() if isinstance(t, Distinguishing)}
    assert len(chosen) == 3
    assert all(len(inputs) == 5 for inputs in chosen)


def test_a_seed_draws_an_input_for_each_position() -> None:
    """Definition 6: the same guard is met by several inputs within one suite, and its tests share what they shared."""
    model = read_model(REFERENCE / "brake/brake.yaml")
    assert isinstance(model, Sfsm)
    made = {}
    for seed in (0, 1, 2, 1):
        request = SuiteRequest(method="separable", fsm_method="w", seed=seed)
        (question,) = questions(model, request, (1,))
        words = [tuple(x["x"] for x in word) for word in words_of(answer(question))]
        assert made.setdefault(seed, words) == words
    for words in made.values():
        assert len(words) == len(set(words)) == 65
        assert sum(map(len, words)) == 245
    nodes = {seed: {word[:k] for word in words for k in range(len(word))} for seed, words in made.items()}
    assert len(nodes[0]) == len(nodes[1]) == len(nodes[2])
    used = {seed: {x for word in words for x in word} for seed, words in made.items()}
    assert len(used[0]) == 5
    for seed in (1, 2):
        assert len([x for x in used[seed] if x > 200]) > 4
        assert len([x for x in used[seed] if x < 190]) > 4
        assert len([x for x in used[seed] if 190 < x < 200]) > 4  # few of all inputs are there
    assert used[1] != used[2]


def test_suites_of_a_seed_are_complete() -> None:
    models = [m for k in range(40) if is_complete(m := attack_machine(k, loose=k % 2 == 0, choices=False))][:4]
    outcome: Counter = Counter()
    for number, model in enumerate([thirds(), *models]):
        outcome += attack_equivalence(model, seed=5 + number)
    assert outcome["survivors"] == outcome["unfair"] == 0
    assert outcome["separable", "suites"] > 4


def test_inputs_that_depend_on_the_pair() -> None:
    model = thirds()
    alphabet = alphabet_for(model)
    found = distinguishing_function(model, alphabet)
    assert isinstance(found, Distinguishing)
    assert len(alphabet.cells) == 1
    assert sorted(x["x"] for x in found.inputs) == [0, 1, 2]
    outcome = attack_equivalence(model)
    assert outcome["separable", "suites"] == 2
    assert outcome["survivors"] == outcome["unfair"] == 0


def test_the_pair_that_cannot_be_separated_is_named() -> None:
    model = attack_machine(2, loose=True, choices=True)
    found = distinguishing_function(model, alphabet_for(model))
    assert isinstance(found, NotSeparable)
    assert "formula 8.1" in found.text()
    assert found.output in found.text()


@pytest.mark.parametrize("method", ["w", "wp", "h", "hsi", "spy", "walks"])
def test_finite_methods_below(method: str) -> None:
    models = [m for k in range(60) if is_complete(m := attack_machine(k, loose=k % 2 == 0, choices=False))]
    made = 0
    for model in models:
        request = SuiteRequest(method="separable", fsm_method=method)
        (question,) = questions(model, request, (1,))
        machine = over_pairs(model, pair_alphabet(model, guard_cells(model, question.alphabet)))
        try:
            suite = answer(question)
        except UserError as error:
            refused = "does not apply" in str(error) or (
                "deterministic" in str(error) and not is_deterministic(machine)
            )
            assert refused, error
            continue
        made += 1
        words, theorem, _ = equivalence_words(machine, request, extra_states=1)
        assert theorem.text in suite.guarantee.sentence
        assert sum(len(p) for p in words.chunks()) > 0
        if made == 2:
            break
    assert made == 2


def test_an_unknown_finite_method() -> None:
    model = read_model(REFERENCE / "brake/brake.yaml")
    assert isinstance(model, Sfsm)
    (question,) = questions(model, SuiteRequest(method="separable", fsm_method="wq"), (1,))
    with pytest.raises(UserError, match="did you mean 'w"):
        answer(question)
    assert question.at == Place()


def linear(inputs: int, outputs: int) -> Sfsm:
    """A machine of four states with as many linear outputs as asked for: their classes are many, their pairs few."""
    chance = random.Random(inputs)
    names = [f"x{k}" for k in range(inputs)]
    terms = [" + ".join(f"{chance.randint(1, 9)} * {name}" for name in names) for _ in range(outputs)]
    shown = [f"y == {term} + {chance.randint(0, 20)}" for term in terms]
    edges = []
    for state in range(outputs // 3):
        name = names[state % inputs]
        for guard, output, target in zip(
            (f"{name} < 30", f"30 <= {name} <= 60", f"{name} > 60"),
            shown[3 * state :],
            (state, (state + 1) % (outputs // 3), 0),
            strict=False,
        ):
            edges.append((f"s{state}", guard, output, f"s{target}"))
    return Sfsm(
        name="linear",
        initial="s0",
        states=tuple(f"s{k}" for k in range(outputs // 3)),
        inputs=tuple(Variable(name=name, type=RealType(Fraction(0), Fraction(100))) for name in names),
        outputs=(Variable(name="y", type=RealType(None, None)),),
        transitions=tuple(
            SfsmTransition(source=s, guard=parse_expression(g), output=parse_expression(o), target=t)
            for s, g, o, t in edges
        ),
    )


@pytest.mark.parametrize("inputs", [2, 3])
def test_many_outputs_cost_no_classes(inputs: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only guard cells and formula 8.1 are asked for: no class of inputs with outputs is ever computed."""

    def refused(*_: object, **__: object) -> None:
        raise AssertionError("classes were computed")

    monkeypatch.setattr(question, "io_classes", refused)
    asked = 0
    check = Z3Solver.check

    def counted(self: Z3Solver) -> object:
        nonlocal asked
        asked += 1
        return check(self)

    monkeypatch.setattr(Z3Solver, "check", counted)
    model = linear(inputs, 12)
    suite = answer(question_of(model, SuiteRequest(method="separable"), at=Place()))
    cells = 3**inputs
    assert suite.classes == cells * 12
    assert len(suite.inputs) == cells
    assert asked < cells * (12 + 3) + 50


def test_an_input_without_an_answer_is_refused() -> None:
    """A cell of guards may have an answer to one of its inputs and none to another."""
    model = dataclasses.replace(thirds(), inputs=(Variable(name="x", type=IntType(0, 3)),))
    with pytest.raises(UserError, match=r"state [ab] has no answer to x = 3"):
        answer(question_of(model, SuiteRequest(method="separable"), at=Place()))
