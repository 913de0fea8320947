"""Two state machines compared: proofs and shortest differences against all pairs of configurations."""

import random
import re
from fractions import Fraction

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.oracles.small_statemachines import difference as by_enumeration
from tests.strategies.small_statemachines import machines, read_text

from fullproof.analysis.machine_pairs.concrete_play import Playing, ShownDifference
from fullproof.analysis.machine_pairs.literals import parts_of
from fullproof.analysis.machine_pairs.pair_formulas import MachinePairing
from fullproof.analysis.machine_pairs.proof import Proven, Unproven, prove
from fullproof.analysis.machine_pairs.search import Exhausted, Nondeterministic, Searched, search
from fullproof.language.compile import compile_expression
from fullproof.language.formulas import conjunction
from fullproof.language.parser import parse_expression
from fullproof.language.scope import Scope
from fullproof.language.types import BoolType, IntType, Variable
from fullproof.model.inputs import SignalEvent

HEAD = """machine: statemachine
name: m
signals: {in: [a], out: [s]}
inputs: {x: real}
outputs: {y: real = 0}
variables: {m: real = 0}
initial: p
states:
"""


def machine(states, **changes):
    head = HEAD
    for old, new in changes.items():
        head = head.replace(old, new)
    return read_text(head + states)


def compared(one, other, *, depth=12, seconds=20):
    return search(MachinePairing(one, other), Playing(one, other), depth=depth, seconds=seconds)


@st.composite
def pairs(draw):
    """A machine and another with one line of a second machine."""
    one, second = draw(machines()).splitlines(), draw(machines()).splitlines()
    lines = [k for k, line in enumerate(one) if line.startswith("    - ")]
    place = draw(st.sampled_from(lines))
    # Only lines of the same shape: with a trigger or without, so that guards still exclude each other.
    if ("trigger" in one[place]) != ("trigger" in second[place]):
        return "\n".join(one), "\n".join(one)
    other = [*one[:place], _with_target_and_actions(one[place], second[place]), *one[place + 1 :]]
    return "\n".join(one), "\n".join(other)


def _with_target_and_actions(mine, theirs):
    """The guard of one line, all else of another."""
    return mine[: mine.index("do: ")] + theirs[theirs.index("do: ") :]


def without_reading_outputs(text):
    """The same machine, but that m takes the place of y wherever y is read."""
    lines = [re.sub(r"\by\b(?! = )", "m", line) if line.startswith("    - ") else line for line in text.splitlines()]
    return "\n".join(lines)


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(pairs(), st.booleans())
def test_a_difference_is_found_exactly_where_there_is_one(texts, reading):
    one, other = (read_text(text if reading else without_reading_outputs(text)) for text in texts)
    expected = by_enumeration(one, other)
    seconds = 2 if expected is None else 20
    proof, found = prove(MachinePairing(one, other), seconds=seconds), compared(one, other, seconds=seconds)
    if expected is None:
        assert isinstance(found, Exhausted | Searched)
    else:
        assert isinstance(proof, Unproven)
        assert isinstance(found, ShownDifference)
        assert len(found.word) == len(expected)
        assert Playing(one, other).difference(found.word) == found


@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(machines())
def test_a_machine_is_proven_equivalent_to_itself_with_other_names(text):
    one = read_text(text)
    other = read_text(re.sub(r"\bm\b", "n", text))
    assert [v.name for v in other.variables] == ["n"]
    assert isinstance(prove(MachinePairing(one, other), seconds=20), Proven)


def test_a_remembered_value_is_compared_where_it_is_shown():
    one = machine("  p: [{trigger: a, when: x > 0, do: [m = x], to: q}]\n  q: [{trigger: a, do: [y = m], to: p}]\n")
    other = machine("  p: [{trigger: a, when: x > 0, do: [m = -x], to: q}]\n  q: [{trigger: a, do: [y = m], to: p}]\n")
    found = compared(one, other)
    assert isinstance(found, ShownDifference)
    assert [event.signal for event in found.word] == ["a", "a"]
    assert found.word[0].values["x"] == 1  # a simple value
    assert (found.expected["y"], found.observed["y"]) == (1, -1)


def test_different_control_states_may_be_equivalent():
    one = machine("  p: [{trigger: a, when: x > 0, do: [y = x], to: p}]\n")
    other = machine(
        "  p: [{trigger: a, when: x > 0, do: [y = x, m = x], to: q}]\n"
        "  q: [{trigger: a, when: not (x <= 0), do: [y = 2 * x - x], to: p}]\n"
    )
    assert isinstance(prove(MachinePairing(one, other), seconds=20), Proven)
    assert isinstance(compared(one, other), Exhausted)


def test_an_initial_output_shows_at_the_first_event():
    one = machine("  p: [{trigger: a, to: p}]\n")
    other = machine("  p: [{trigger: a, to: p}]\n", **{"y: real = 0": "y: real = 1"})
    found = compared(one, other)
    assert isinstance(found, ShownDifference)
    assert len(found.word) == 1


def test_an_output_that_only_one_machine_overwrites_is_remembered():
    states = (
        "  p: [{{trigger: a, when: x > 0, do: [y = 5], to: q}}, {{trigger: a, when: x <= 0, to: q}}]\n"
        "  q: [{{trigger: a, do: [{}], to: p}}]\n"
    )
    found = compared(machine(states.format("y = 0")), machine(states.format("m = 5")))
    assert isinstance(found, ShownDifference)
    assert found.word[0].values["x"] > 0  # else both show the initial 0
    assert len(found.word) == 2
    always = states.replace("x <= 0, to", "x <= 0, do: [y = 5], to")
    assert isinstance(compared(machine(always.format("y = 5")), machine(always.format("m = 5"))), Exhausted)


def test_signals_sent_are_compared_in_order():
    one = machine(
        "  p: [{trigger: a, send: [s], to: q}]\n  q: [{when: x > 5, send: [t], to: p}]\n", **{"[s]}": "[s, t]}"}
    )
    other = machine(
        "  p: [{trigger: a, send: [t], to: q}]\n  q: [{when: x > 5, send: [s], to: p}]\n", **{"[s]}": "[s, t]}"}
    )
    found = compared(one, other)
    assert isinstance(found, ShownDifference)
    assert found.expected["send"] != found.observed["send"]


def test_a_machine_that_gets_stuck_is_different():
    states = "  p: [{{trigger: a, to: c}}]\n  c: [{{when: x > 0, to: p}}, {{when: x {}, to: p}}]\nchoices: [c]\n"
    found = compared(machine(states.format("<= 0")), machine(states.format("< 0")))
    assert isinstance(found, ShownDifference)
    assert found.observed is None
    assert "choice point" in found.reason
    assert found.word[-1].values["x"] == 0


def test_nothing_is_asked_where_the_model_goes_wrong():
    states = "  p: [{{trigger: a, to: c}}]\n  c: [{{when: x > 0, to: p}}, {{when: x {}, to: p}}]\nchoices: [c]\n"
    assert isinstance(
        prove(MachinePairing(machine(states.format("< 0")), machine(states.format("<= 0"))), seconds=20), Proven
    )


def test_a_nondeterministic_model_is_named_with_the_events():
    one = machine(
        "  p: [{trigger: a, to: q}]\n  q: [{trigger: a, do: [y = 1], to: p}, {trigger: a, when: x > 5, to: p}]\n"
    )
    found = compared(one, one)
    assert isinstance(found, Nondeterministic)
    assert len(found.word) == 2
    assert found.word[1].values["x"] > 5
    assert isinstance(prove(MachinePairing(one, one), seconds=20), Unproven)


def test_depth_ends_a_search_without_an_answer():
    count = (
        "  p: [{{trigger: a, when: m < {}, do: [m = m + 1], to: p}}, "
        "{{trigger: a, when: m >= {}, do: [y = 1], to: p}}]\n"
    )
    one, other = machine(count.format(9, 9)), machine(count.format(8, 8))
    assert isinstance(compared(one, other, depth=5), Searched)
    found = compared(one, other, depth=12)
    assert isinstance(found, ShownDifference)
    assert len(found.word) == 9


def test_constants_mean_what_each_machine_says():
    head = {"name: m": "name: m\nconstants: {k: 3}"}
    states = "  p: [{trigger: a, when: x > k, do: [y = 1], to: p}]\n"
    one, other = machine(states, **head), machine(states, **{"name: m": "name: m\nconstants: {k: 4}"})
    found = compared(one, other)
    assert isinstance(found, ShownDifference)
    assert 3 < found.word[0].values["x"] <= 4
    literal = machine(states.replace("k", "3"))
    assert isinstance(prove(MachinePairing(one, literal), seconds=20), Proven)


def test_a_run_that_may_never_end_leaves_the_answer_open():
    turning = (
        "  p: [{trigger: a, when: x > 0, to: q}]\n"
        "  q: [{when: x > 1, do: [m = m + 1], to: r}]\n  r: [{when: x > 1, to: q}]\n"
    )
    one = machine(turning)
    assert isinstance(prove(MachinePairing(one, one), seconds=20), Unproven)
    found = compared(one, one, depth=3)
    assert isinstance(found, Searched)


def test_variables_may_differ_by_a_constant():
    counting = (
        "  p: [{{trigger: a, when: m < {0}, do: [m = m + 1], to: p}}, "
        "{{trigger: a, when: m >= {0}, do: [y = m - {0}, m = {1}], to: p}}]\n"
    )
    one = machine(counting.format(90, 0))
    later = machine(counting.format(95, 5), **{"m: real = 0": "m: real = 5"})
    assert isinstance(prove(MachinePairing(one, later), seconds=20), Proven)
    wrong = machine(counting.format(95, 4), **{"m: real = 0": "m: real = 5"})
    assert isinstance(prove(MachinePairing(one, wrong), seconds=20), Unproven)


def test_enum_values_of_two_types_are_never_a_wrong_answer():
    head = {
        "outputs: {y: real = 0}": "outputs: {y: 'enum lo, hi = lo'}",
        "variables: {m: real = 0}": "variables: {m: 'enum hi, lo, top = hi'}",
    }
    states = (
        "  p: [{trigger: a, when: m < lo, do: [m = top, y = hi], to: p}, {trigger: a, when: m >= lo, to: q}]\n  q: []\n"
    )
    one, other = machine(states, **head), machine(states.replace("m = top", "m = lo"), **head)
    for pair in ((one, one), (one, other)):
        assert isinstance(prove(MachinePairing(*pair), seconds=20), Proven | Unproven)
        assert isinstance(compared(*pair), Exhausted | Searched)  # m is never shown: there is no difference
    dark = machine(states.replace("y = hi", "y = lo"), **head)
    assert isinstance(prove(MachinePairing(one, dark), seconds=20), Unproven)
    assert isinstance(compared(one, dark), ShownDifference | Searched)


SCOPE = Scope((Variable(name="x", type=IntType(-2, 2)), Variable(name="b", type=BoolType())))


@pytest.mark.parametrize(
    "text",
    ["not (x < 1)", "not (x == 1 or b)", "not (b -> x > 0)", "not (-1 <= x <= 1)", "not not b", "x > 0 and not b",
     "not (b and x > 0)"],
)  # fmt: skip
def test_parts_hold_together_where_the_whole_holds(text):
    whole = parse_expression(text)
    together = conjunction(parts_of(whole))
    for x in range(-2, 3):
        for b in (False, True):
            values = {"x": x, "b": b}
            assert compile_expression(whole, SCOPE)(values) == compile_expression(together, SCOPE)(values)


def test_simpler_values_keep_the_difference():
    one = machine("  p: [{trigger: a, when: x > 2.5, do: [y = 1], to: p}]\n")
    other = machine("  p: [{trigger: a, when: x > 2.75, do: [y = 1], to: p}]\n")
    playing = Playing(one, other)
    found = playing.difference([SignalEvent.of("a", {"x": Fraction(8591, 3200)})])
    simple = playing.simplified(found)
    assert simple.word[0].values["x"].denominator <= 10
    assert playing.difference(simple.word) == simple


def test_random_words_never_contradict_a_proof():
    one = machine(
        "  p: [{trigger: a, when: x > 0, do: [m = x + 1], to: q}]\n  q: [{when: x < 0, do: [y = m], to: p}]\n"
    )
    other = machine(
        "  p: [{trigger: a, when: x > 0, do: [m = x], to: q}]\n  q: [{when: x < 0, do: [y = m + 1], to: p}]\n"
    )
    found = compared(one, other)
    assert isinstance(found, Exhausted)
    rng = random.Random(1)
    for _ in range(300):
        word = [SignalEvent.of(rng.choice([None, "a"]), {"x": Fraction(rng.randint(-3, 3))}) for _ in range(6)]
        assert Playing(one, other).difference(word) is None
