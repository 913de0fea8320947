"""The engine of mutants on words: a fault doubles a letter, which an x refuses, and no word gets more than four."""

from collections.abc import Iterator

import pytest

from fullproof.core.errors import UserError
from fullproof.mutate import Fault, mutants_of
from fullproof.mutate.engine import MOST, ListedFaults


def doubled(word: str) -> Iterator[Fault[str]]:
    for k, letter in enumerate(word if len(word) < 4 else ""):
        yield Fault("double", f"{letter} at {k}", lambda k=k: None if word[k] == "x" else word[: k + 1] + word[k:])


def faults() -> ListedFaults[str]:
    return ListedFaults(doubled, lambda word: word)


def test_each_model_once_and_what_cannot_be_made_is_counted():
    made = mutants_of("abx", faults())
    assert [(m.model, m.operator, m.where) for m in made.mutants] == [
        ("aabx", "double", "a at 0"),
        ("abbx", "double", "b at 1"),
    ]
    assert made.left_out == 1


def test_faults_of_higher_order_are_joined():
    made = mutants_of("ab", faults(), order=2)
    assert [m.model for m in made.mutants] == ["aaab", "aabb", "abbb"]  # aabb once, though two ways lead to it
    assert made.mutants[1].operator == "double + double"
    assert made.mutants[1].where == "a at 0 + b at 2"


@pytest.mark.parametrize("seed", range(5))
def test_a_sample_holds_no_mutant_with_fewer_faults_than_asked_for(seed):
    assert mutants_of("abc", faults(), order=2, sample=5, seed=seed).mutants == ()
    some = mutants_of("ab", faults(), order=2, sample=2, seed=seed).mutants
    assert len(some) == 2
    assert {m.model for m in some} <= {"aaab", "aabb", "abbb"}


def test_too_many_are_refused():
    many = ListedFaults(doubled, lambda word: word, lambda _word: MOST + 1)
    with pytest.raises(UserError, match=f"there may be {MOST + 1:,} mutants; ask for some of them with --sample N"):
        mutants_of("ab", many)
