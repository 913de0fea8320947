import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles.faults import one_fault_away
from tests.strategies.models import fsms

from fullproof.core.errors import UserError
from fullproof.model import Fsm
from fullproof.model.fsm import FsmTransition
from fullproof.mutate import mutants_of
from fullproof.mutate.fsm import FsmFaults


def mutants(fsm: Fsm, *, extra_states: int = 0, **options):
    return mutants_of(fsm, FsmFaults(fsm, extra_states=extra_states), **options).mutants


def arrows(fsm: Fsm) -> frozenset[tuple[str, ...]]:
    return frozenset(t[:4] for t in fsm.transitions)


def is_plain(fsm: Fsm) -> bool:
    cells = {(t.source, t.input) for t in fsm.transitions}
    return len(cells) == len(fsm.transitions) == len(fsm.states) * len(fsm.inputs)


def ring(states: int, inputs: int) -> Fsm:
    names = tuple(f"s{k}" for k in range(states))
    symbols = tuple(f"i{k}" for k in range(inputs))
    transitions = tuple(
        FsmTransition(names[k], symbol, str(j % 2), names[(k + j) % states])
        for k in range(states)
        for j, symbol in enumerate(symbols)
    )
    return Fsm(name="ring", initial="s0", states=names, inputs=symbols, outputs=("0", "1"), transitions=transitions)


@settings(max_examples=60)
@given(fsms(max_states=3), st.booleans())
def test_all_mutants_are_all_machines_one_fault_away(fsm: Fsm, split: bool) -> None:
    made = mutants(fsm, extra_states=int(split))
    expected = one_fault_away(fsm, plain=is_plain(fsm), split=split)
    assert {arrows(mutant.model) for mutant in made} == expected
    assert len(made) == len(expected)


@settings(max_examples=60)
@given(fsms(max_states=3), st.integers(1, 2), st.integers(0, 1), st.integers(0, 5))
def test_a_sample_holds_mutants_and_each_once(fsm: Fsm, order: int, extra: int, seed: int) -> None:
    made = mutants(fsm, extra_states=extra, order=order, sample=5, seed=seed)
    assert made == mutants(fsm, extra_states=extra, order=order, sample=5, seed=seed)
    seen = [arrows(mutant.model) for mutant in made]
    assert len(set(seen)) == len(seen) <= 5
    assert arrows(fsm) not in seen
    if order == 1:
        assert set(seen) <= one_fault_away(fsm, plain=is_plain(fsm), split=bool(extra))
    if is_plain(fsm):
        assert all(is_plain(mutant.model) for mutant in made)
    assert all(len(mutant.model.states) <= len(fsm.states) + extra for mutant in made)


def test_a_large_sample_finds_every_kind() -> None:
    kinds = {mutant.operator for mutant in mutants(ring(4, 3), extra_states=1, sample=100)}
    assert kinds == {"output", "transfer", "merge", "split"}


def test_merged_transitions_with_other_requirements_are_one() -> None:
    fsm = Fsm(
        name="m",
        initial="p",
        states=("p", "q", "r"),
        inputs=("a",),
        outputs=("0",),
        transitions=(FsmTransition("p", "a", "0", "q", ("R1",)), FsmTransition("p", "a", "0", "r", ("R2",))),
    )
    assert arrows(fsm) not in {arrows(mutant.model) for mutant in mutants(fsm)}
    assert frozenset({("p", "a", "0", "q")}) in {arrows(mutant.model) for mutant in mutants(fsm)}


def test_too_many_mutants_are_refused_and_a_few_of_them_are_quick() -> None:
    large = ring(300, 20)
    with pytest.raises(UserError, match=r"there may be 1,889,401 mutants; ask for some of them with --sample N"):
        mutants(large)
    begin = time.perf_counter()
    assert len(mutants(large, extra_states=1, sample=10)) == 10
    assert time.perf_counter() - begin < 10


def test_a_machine_without_transitions_has_none() -> None:
    assert mutants(Fsm(name="m", initial="a", states=("a",), inputs=(), outputs=(), transitions=())) == ()
