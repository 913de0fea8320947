"""State counting: the paper's figures, and every machine of small fault domains."""

import inspect
import random
import sys
from functools import cache
from importlib import import_module

import pytest
from tests.oracles.reductions import all_machines, complete, conforms, passes
from tests.shared import REFERENCE

from fullproof.analysis.d_reachability import deterministic_cover
from fullproof.analysis.r_distinguishability import Answers, levels, maximal_sets
from fullproof.analysis.responses import Responses, responses
from fullproof.analysis.table import relation_table
from fullproof.artefacts.request import ALL_ANSWERS, Distinguish, Relation, SuiteRequest
from fullproof.core.errors import UserError
from fullproof.formats import read_model
from fullproof.generate.finite.state_counting import counting
from fullproof.generate.finite.suite import finite_suite
from fullproof.model import Fsm
from fullproof.model.fsm import FsmTransition


@cache
def reference(name: str) -> Responses:
    model = read_model(REFERENCE / name)
    assert isinstance(model, Fsm)
    return responses(relation_table(model))


@pytest.mark.parametrize(
    ("model", "variant", "tests", "inputs"),
    [
        ("m-ex/m-ex.yaml", Distinguish.RD1, 20, 116),
        ("m-ex/m-ex.yaml", Distinguish.RD2, 25, 146),
        ("m-ex/m-ex.yaml", Distinguish.RD3, 54, 365),
        ("card-reader/card-reader.yaml", Distinguish.RD1, 473, 3186),
        ("card-reader/card-reader.yaml", Distinguish.RD2, 961, 5764),
    ],
)
def test_suite_sizes(model: str, variant: Distinguish, tests: int, inputs: int) -> None:
    words = counting(reference(model), extra_states=0, distinguish=variant)
    assert (len(words), words.total) == (tests, inputs)


def test_the_state_cover_of_the_example() -> None:
    assert deterministic_cover(reference("m-ex/m-ex.yaml")) == {0: (), 2: (0, 1)}


def test_the_maximal_sets_of_the_example() -> None:
    machine = reference("m-ex/m-ex.yaml")
    sets = maximal_sets(4, levels(machine, Distinguish.RD1))
    assert set(sets) == {frozenset({0, 2, 3}), frozenset({1, 2, 3})}


def test_the_maximal_sets_of_the_card_reader_are_four_of_eight_states() -> None:
    machine = reference("card-reader/card-reader.yaml")
    assert [len(s) for s in maximal_sets(10, levels(machine, Distinguish.RD1))] == [8] * 4
    assert len(maximal_sets(10, levels(machine, Distinguish.RD3))) == 6


def test_where_nothing_can_be_told_apart_the_user_learns_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(import_module("fullproof.generate.finite.state_counting"), "TRACES_LIMIT", 5_000)
    with pytest.raises(UserError, match="more than 5,000 traces") as error:
        counting(reference("card-reader/card-reader.yaml"), extra_states=0, distinguish=Distinguish.RD3)
    assert "would do" not in str(error.value)  # nothing that this caller honours would


def test_a_refusal_names_only_what_would_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(import_module("fullproof.generate.finite.state_counting"), "TRACES_LIMIT", 5_000)
    cards = reference("card-reader/card-reader.yaml")
    with pytest.raises(UserError, match=r"--distinguish rd1 would do$"):
        counting(cards, extra_states=0, distinguish=Distinguish.RD3, instead=[Distinguish.RD1, Distinguish.RD2])
    with pytest.raises(UserError, match=r"\(rd1\); --extra-states 1 would do$"):
        counting(cards, extra_states=3, distinguish=Distinguish.RD1)
    assert counting(cards, extra_states=1, distinguish=Distinguish.RD1)


@pytest.mark.parametrize("relation", [Relation.REDUCTION, Relation.QUASI_REDUCTION, Relation.STRONG_REDUCTION])
def test_traces_may_be_longer_than_the_stack_is_deep(relation: Relation) -> None:
    states = 150
    ring = Responses(inputs=1, after=tuple({0: {int(s == states - 1): (s + 1) % states}} for s in range(states)))
    deepest = len(inspect.stack()) + 60
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(deepest)
    try:
        variant = Distinguish.RD1 if relation is Relation.STRONG_REDUCTION else Distinguish.RD3
        words = counting(ring, extra_states=0, distinguish=variant)
    finally:
        sys.setrecursionlimit(before)
    assert [len(word) for word in words] == [2 * states - 1]


def random_machine(rng: random.Random, states: int, inputs: int, outputs: int) -> Responses:
    """A reachable observable machine, partial and nondeterministic as chance has it; equivalent states may be there."""
    while True:
        after: list[dict[int, dict[int, int]]] = [{} for _ in range(states)]
        density = rng.choice((0.3, 0.5, 0.8))
        for s in range(states):
            for x in range(inputs):
                for y in range(outputs):
                    if rng.random() < density:
                        after[s].setdefault(x, {})[y] = rng.randrange(states)
        machine = Responses(inputs=inputs, after=tuple(after))
        if reaches_all(machine):
            return machine


def reaches_all(machine: Responses) -> bool:
    reached = {0}
    for _ in range(machine.states):
        reached |= {t for s in reached for answers in machine.after[s].values() for t in answers.values()}
    return len(reached) == machine.states


CASES = [
    (Relation.STRONG_REDUCTION, Distinguish.RD1),
    (Relation.STRONG_REDUCTION, Distinguish.RD2),
    (Relation.STRONG_REDUCTION, Distinguish.RD3),
    (Relation.QUASI_REDUCTION, Distinguish.RD3),
    (Relation.REDUCTION, Distinguish.RD3),
    (Relation.EQUIVALENCE, Distinguish.RD3),
    (Relation.LANGUAGE_EQUIVALENCE, Distinguish.RD1),
    (Relation.LANGUAGE_EQUIVALENCE, Distinguish.RD2),
    (Relation.LANGUAGE_EQUIVALENCE, Distinguish.RD3),
]


@pytest.mark.parametrize(("relation", "variant"), CASES)
@pytest.mark.parametrize(("bound", "inputs", "outputs"), [(2, 2, 2), (3, 1, 2), (3, 2, 1)])
def test_no_machine_of_the_fault_domain_is_misjudged(
    relation: Relation, variant: Distinguish, bound: int, inputs: int, outputs: int
) -> None:
    rng = random.Random(f"{relation}{variant}{bound}{inputs}")
    domain = list(all_machines(bound, inputs, outputs))
    for _ in range(3):
        model = random_machine(rng, rng.randint(1, bound), inputs, outputs)
        if relation is Relation.REDUCTION and not complete(model):
            continue
        answers = Answers.ALL if relation in ALL_ANSWERS else Answers.SOME
        words = list(counting(model, extra_states=bound - model.states, distinguish=variant, answers=answers))
        for other in domain:
            if relation is Relation.REDUCTION and not complete(other):
                continue  # reduction is tested among complete machines: section 5.9
            assert passes(model, other, [w.tolist() for w in words], relation) == conforms(model, other, relation)


def test_a_removed_test_lets_a_faulty_machine_through() -> None:
    rng = random.Random(5)
    noticed = 0
    for _ in range(10):
        model = random_machine(rng, 2, 2, 2)
        words = [w.tolist() for w in counting(model, extra_states=0, distinguish=Distinguish.RD1)]
        fewer = words[1:]
        noticed += any(
            passes(model, other, fewer, Relation.STRONG_REDUCTION)
            and not conforms(model, other, Relation.STRONG_REDUCTION)
            for other in rng.sample(list(all_machines(2, 2, 2)), 1500)
        )
    assert noticed


def ladder(rungs: int) -> Fsm:
    """Two ways at each of many states, all answered alike, and an end where nothing is defined."""
    steps = []
    for k in range(rungs):
        steps += [FsmTransition(f"s{k}", "ab"[way], "ok", f"{'pq'[way]}{k}") for way in (0, 1)]
        steps += [FsmTransition(f"{way}{k}", "go", "ok", f"s{k + 1}") for way in "pq"]
    states = tuple(dict.fromkeys(name for t in steps for name in (t.source, t.target)))
    return Fsm(
        name="ladder", initial="s0", states=states, inputs=("a", "b", "go"), outputs=("ok",), transitions=tuple(steps)
    )


def test_traces_that_end_where_nothing_is_defined_count():
    with pytest.raises(UserError, match="more than 500,000 traces"):
        finite_suite(ladder(60), SuiteRequest(), extra_states=0)
    assert len(list(finite_suite(ladder(4), SuiteRequest(), extra_states=0).words.chunks())) > 0


def test_long_traces_are_refused_before_they_are_many(monkeypatch):
    limits = import_module("fullproof.generate.finite.state_counting")
    monkeypatch.setattr(limits._Counting, "_fewest", lambda self: 0)
    monkeypatch.setattr(limits, "WORK_LIMIT", 1_000)
    with pytest.raises(UserError, match="or 1,000 visits of sets of states on them"):
        finite_suite(ladder(12), SuiteRequest(), extra_states=0)
