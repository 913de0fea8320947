"""Suites by projection, attacked by enumeration: nothing survives inside of the domain, something outside of it."""

from tests.oracles.exhaustive import equivalent, respond, survivors
from tests.oracles.region_attack import changed, circles, seen_of, suite_of


def test_every_machine_inside_of_the_domain_of_single_regions() -> None:
    model = circles(2, 2, back=False)
    suite, words = suite_of(model, "1")
    assert suite.header.regions == 1
    for region in ("r0", "r1"):
        seen = seen_of(model, [region])
        assert len(seen[0]) == 2
        assert not any(survivors(seen, words, bound=2, outputs=2))


def _survivors(regions: str, *, cells: int, sample: int | None = None) -> tuple[int, int]:
    """How many systems in which two of three regions act on each other differ, and how many of them pass."""
    model = circles(3, 3)
    _, words = suite_of(model, regions)
    pair = seen_of(model, ["r0", "r1"])
    expected = [respond(pair, word) for word in words]
    differ = passing = 0
    for system in changed(pair, cells=cells, sample=sample):
        if not equivalent(system, pair):
            differ += 1
            passing += all(respond(system, word) == answer for word, answer in zip(words, expected, strict=True))
    return differ, passing


def test_outside_of_the_domain_of_single_regions_some_pass() -> None:
    differ, passing = _survivors("1", cells=1)
    assert differ > 900
    assert 0 < passing < differ


def test_two_regions_that_act_on_each_other_are_caught_in_pairs() -> None:
    differ, passing = _survivors("2", cells=1)
    assert differ > 900
    assert passing == 0
    differ, passing = _survivors("2", cells=3, sample=400)
    assert differ > 350
    assert passing == 0
