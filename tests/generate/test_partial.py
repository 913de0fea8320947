"""Suites for partial deterministic machines: every machine of small fault domains, and what is refused."""

import random
from collections.abc import Iterator

import numpy as np
import pytest
from benchmarks.partial import cost, counter, parser, shop, stack, twin_of, twins
from tests.oracles.quasi_equivalence import survivors
from tests.oracles.survivors import find_survivor
from tests.strategies.partial_machines import fsm_of_table, partial_machine

from fullproof.analysis.defined_words import defined_words, windows, word_counts
from fullproof.analysis.identifiers import Taste, harmonised_identifiers
from fullproof.analysis.kernels.responses import ResponseTable
from fullproof.analysis.separation import separation
from fullproof.analysis.table import Table
from fullproof.artefacts.request import Relation, StateDomain, SuiteRequest
from fullproof.core.errors import UserError
from fullproof.generate.finite.composition import Composition
from fullproof.generate.finite.hsi import hsi
from fullproof.generate.finite.methods import EQUIVALENCE_METHODS
from fullproof.generate.finite.suite import finite_suite
from fullproof.kinds.fsm.methods import methods_for

PARTIAL = [method for method in EQUIVALENCE_METHODS.values() if method.partial]
Words = list[tuple[int, ...]]


def suites(table: Table, extra: int) -> Iterator[Words]:
    for method in PARTIAL:
        source = method.source(table, SuiteRequest(method=method.name), extra_states=extra)
        yield [tuple(word.tolist()) for piece in source.chunks() for word in piece]


def defined(table: Table, word: tuple[int, ...]) -> bool:
    state = 0
    for symbol in word:
        state = int(table.target[state * table.inputs + symbol]) if state >= 0 else -1
    return state >= 0


@pytest.mark.parametrize(("states", "extra"), [(2, 0), (1, 2), (3, 0), (2, 1)])
def test_no_machine_of_the_fault_domain_survives(states: int, extra: int) -> None:
    draw = random.Random(f"{states}/{extra}")
    noticed = 0
    for _ in range(12 if states + extra < 3 else 2):
        table = partial_machine(draw, states=states, inputs=2, outputs=2, gaps=0.3)
        for words in suites(table, extra):
            assert all(defined(table, word) for word in words)
            assert next(survivors(table, words, states=states + extra), None) is None
            noticed += next(survivors(table, words[1:], states=states + extra), None) is not None
    assert noticed > 0


def test_no_larger_machine_survives() -> None:
    noticed = attacked = 0
    for index in range(12):
        draw = random.Random(index)
        table = partial_machine(
            draw, states=draw.choice((3, 4)), inputs=draw.choice((2, 3)), outputs=2, gaps=draw.choice((0.2, 0.4))
        )
        for extra in (0, 1, 2) if table.states * table.inputs < 9 else (0, 1):
            for words in suites(table, extra):
                assert find_survivor(table, words, table.states + extra, guesses=100_000) is None
                attacked += 1
                lost = draw.randrange(len(words))
                fewer = words[:lost] + words[lost + 1 :]
                noticed += find_survivor(table, fewer, table.states + extra, guesses=100_000) is not None
    assert noticed > 0.9 * attacked


def test_identifiers_are_defined_and_harmonised() -> None:
    for index in range(20):
        draw = random.Random(index)
        table = partial_machine(draw, states=draw.randint(2, 9), inputs=3, outputs=2, gaps=0.3)
        taste = Taste(rate=draw.choice((0.3, 2.0)), fine=draw.choice((5.0, 50.0)), ahead=2)
        family = harmonised_identifiers(table, separation(table), weight=np.ones(table.states), taste=taste)
        answers = ResponseTable(table.target, table.output, table.inputs)
        for one in range(table.states):
            for word in family.words(one):
                assert min(answers.replies(one, word)) >= 0
            for other in range(one):
                shared = {w[:k] for w in family.words(one) for k in range(1, len(w) + 1)}
                shared &= {w[:k] for w in family.words(other) for k in range(1, len(w) + 1)}
                assert any(answers.replies(one, word) != answers.replies(other, word) for word in shared)


def test_words_are_counted_as_they_are_listed() -> None:
    table = partial_machine(random.Random(5), states=5, inputs=3, outputs=2, gaps=0.4)
    counts = word_counts(table, 4)
    for length in range(5):
        listed = [len(list(defined_words(table, state, length))) for state in range(5)]
        assert counts[length] == listed
        assert windows(table, length, most=1e9) == sum(listed)
    assert windows(table, 60, most=1e9) == float("inf")


@pytest.mark.parametrize("extra", [0, 2])
def test_the_parts_of_a_suite_are_the_suite(extra: int) -> None:
    table = partial_machine(random.Random(3), states=6, inputs=3, outputs=2, gaps=0.4)
    whole = hsi(table, extra_states=extra)
    assert isinstance(whole, Composition)
    parts = [word.tolist() for prefix in whole.parts(leaves=4) for word in whole.below(prefix).words()]
    assert parts == [word.tolist() for word in whole.words()]


def test_suites_cost_at_most_twice_those_of_the_completed_twin() -> None:
    for fsm in (parser(), stack(), counter(), shop()):
        tests, price = cost(fsm, "spy", 0)
        assert price <= 2 * cost(twin_of(fsm), "spy", 0)[1]
        assert tests


def test_the_guarantee_is_quasi_equivalence_by_the_method() -> None:
    suite = finite_suite(stack(), SuiteRequest(method="hsi"), extra_states=1)
    assert suite.guarantee.says.startswith("is quasi-equivalent to the model")
    assert suite.guarantee.theorem is not None
    assert suite.guarantee.theorem.citations[-1] == "for partial machines docs/proofs/partial.md"
    assert any("what it leaves undefined is not tested" in note for note in suite.notes)


@pytest.mark.parametrize(
    ("request_", "extra", "what"),
    [
        (SuiteRequest(method="h"), 0, r"method 'h' needs a completely specified .* use hsi, spy, walks, counting"),
        (SuiteRequest(method="spyh"), 1, r"method 'spyh' needs a completely .* use hsi, spy, walks, counting"),
        (SuiteRequest(method="hsi", domain=StateDomain.K_A), 0, "use counting or auto"),
        (SuiteRequest(), 80, r"more than 10\^12 words"),
    ],
)
def test_what_is_not_proven_is_refused(request_: SuiteRequest, extra: int, what: str) -> None:
    with pytest.raises(UserError, match=what):
        finite_suite(stack(), request_, extra_states=extra)


def test_states_that_cannot_be_separated_are_counted_and_named() -> None:
    model = twins()
    assert len(model.states) == 141
    with pytest.raises(UserError, match=r"72 pairs of states, such as s0 and t0, have no common .*; use 'counting'"):
        finite_suite(model, SuiteRequest(method="hsi"), extra_states=0)
    with pytest.raises(UserError, match=r"more than 500,000 traces.*72 pairs of states.*check lists them"):
        finite_suite(model, SuiteRequest(), extra_states=0)


def test_auto_leaves_counting_to_states_that_cannot_be_separated() -> None:
    table = partial_machine(random.Random(1), states=3, inputs=2, outputs=2, gaps=0.2)
    suite = finite_suite(fsm_of_table(table), SuiteRequest(), extra_states=0)
    assert suite.method != "counting"
    assert finite_suite(fsm_of_table(table), SuiteRequest(method="counting"), extra_states=0).method == "counting"


@pytest.mark.parametrize(
    ("method", "partial", "extra"),
    [("spy", True, 3), ("counting", True, 1), ("spy", False, 2), ("walks", False, 2)],
)
def test_what_is_kept_in_memory_has_a_bound(
    method: str, partial: bool, extra: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fullproof.core.budget.STORED", 2_000)
    model = stack() if partial else twin_of(stack())
    with pytest.raises(UserError, match=r"more than 2,000 words, nodes or steps in memory; ask for fewer"):
        finite_suite(model, SuiteRequest(method=method), extra_states=extra)


def test_the_methods_offered_for_a_partial_model_apply_to_it() -> None:
    offered = [method.name for method in methods_for(stack(), Relation.EQUIVALENCE)]
    assert offered == ["hsi", "spy", "walks", "counting"]
    assert [method.name for method in methods_for(twins(), Relation.EQUIVALENCE)] == ["counting"]
    for name in offered[:3]:
        assert finite_suite(stack(), SuiteRequest(method=name), extra_states=1).method == name
