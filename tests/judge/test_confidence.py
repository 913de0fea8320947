"""K in words: what so many tries exclude."""

import random

import pytest

from fullproof.judge.confidence import CONFIDENCE, excluded_probability, excluded_text, repetitions_text


@pytest.mark.parametrize("tries", [1, 2, 3, 30, 60, 1000, 10**6])
def test_an_answer_of_that_probability_is_missed_by_one_run_in_twenty(tries: int) -> None:
    p = excluded_probability(tries)
    assert (1 - p) ** tries == pytest.approx(1 - CONFIDENCE, rel=1e-6)
    assert excluded_probability(tries, 0.999) > p


def test_by_trying() -> None:
    chance, p = random.Random(1), excluded_probability(20)
    missed = sum(all(chance.random() >= p for _ in range(20)) for _ in range(4000))
    assert missed / 4000 == pytest.approx(0.05, abs=0.01)


def test_words() -> None:
    assert excluded_text(1) == "with 95 % confidence its probability is below 95 %"
    assert excluded_text(30) == "with 95 % confidence its probability is below 9.6 %"
    assert excluded_text(10_000).endswith("below 0.030 %")
    assert repetitions_text(60).startswith(
        "Each test was executed 60 times: answers to a test that were not seen have a probability below 4.9 % with a "
        "confidence of 95 %, and below 11 % with 99.9 %"
    )
