"""Suites by projection, attacked by enumeration: nothing survives inside of the domain, something outside of it."""

from itertools import product

from tests.oracles.exhaustive import equivalent, respond, survivors
from tests.oracles.region_attack import changed, circles, seen_of, suite_of

from fullproof.artefacts.request import SuiteRequest
from fullproof.core.errors import NOWHERE
from fullproof.formats import read_model_text
from fullproof.kinds.statemachine.suite import suite_for
from fullproof.model import StateMachine
from fullproof.model.inputs import SignalEvent


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


VALVES = """
machine: statemachine
name: valves
signals: {in: [go, no]}
inputs: {x: int 0..1000}
outputs: {a: int 0..2 = 0, b: int 0..2 = 0}
initial: p
states:
  p:
    parallel:
      A:
        initial: a0
        states:
          a0: [{trigger: go, do: [a = 1], to: a1}]
          a1: [{trigger: go, do: [a = 0], to: a0}]
      B:
        initial: b0
        states:
          b0:
            - {trigger: no, when: x > 500, do: [b = 1], to: b1}
            - {trigger: no, when: x <= 500, do: [b = 2], to: b1}
          b1: [{trigger: no, do: [b = 0], to: b0}]
"""
PIECES = [range(501), range(501, 1001), [500], [501], range(502, 1001), range(500)]
"""The trigger classes of the second region, the facets of their boundaries, and what is inside."""


def test_a_region_that_reacts_to_what_another_region_reads() -> None:
    """Nothing that has two states as the region has, and errs everywhere in a trigger class of the other one."""
    model = read_model_text(VALVES, "valves.yaml")
    assert isinstance(model, StateMachine)
    suite = suite_for(model, SuiteRequest(regions="1"), "", NOWHERE)
    assert "the trigger classes are those of every projection" in suite.header.guarantee.sentence
    words = [[event for event in test.inputs if isinstance(event, SignalEvent)] for test in suite.tests()]
    for piece, state, signal, target in product(PIECES, (0, 1), (None, "go", "no"), (0, 1)):
        right = 1 - state if signal == "go" else state
        if target != right:
            assert any(_errs(word, state, signal, piece) for word in words), (piece, state, signal, target)


def _errs(word: list[SignalEvent], state: int, signal: str | None, piece: object) -> bool:
    """Whether a word meets a fault of the first region; until then it is in the state of the model."""
    here = 0
    for event in word:
        if (here, event.signal) == (state, signal) and event.values["x"] in piece:  # type: ignore[operator]
            return True
        here = 1 - here if event.signal == "go" else here
    return False
