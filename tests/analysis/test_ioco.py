"""Decided cases: published mutants, and what the definition says about corners."""

from dataclasses import replace
from pathlib import Path

import pytest
from tests.shared import REFERENCE

from fullproof.analysis.ioco import Differs, IocoConforms, IocoUndecided, ioco
from fullproof.artefacts.execution import Received, Sent, Silence
from fullproof.core.errors import UserError
from fullproof.formats import read_model, read_model_text
from fullproof.model import Sts

BRP = REFERENCE / "brp"


def compared(model: Sts, other: Sts, *, depth: int = 20, timeout: float = 60):
    return ioco(model, other, depth=depth, timeout=timeout)


def sts(states: str, *, variables: str = "{}", inputs: str = "{a: {}}", outputs: str = "{x: {}, y: {}}") -> Sts:
    text = f"machine: sts\nvariables: {variables}\ninputs: {inputs}\noutputs: {outputs}\ninitial: s\nstates:\n{states}"
    model = read_model_text(text, Path("drawn.yaml"))
    assert isinstance(model, Sts)
    return model


@pytest.mark.parametrize(("number", "length"), [(1, 4), (2, 12), (3, 4), (4, 6), (5, 18), (6, 6)])
def test_the_mutants_of_the_paper_differ(number, length):
    found = compared(read_model(BRP / "brp.yaml"), read_model(BRP / f"mutant{number}.yaml"))
    assert isinstance(found, Differs)
    assert len(found.trace) + 1 == length


def test_the_sixth_mutant_needs_equal_messages():
    found = compared(read_model(BRP / "brp.yaml"), read_model(BRP / "mutant6.yaml"))
    assert isinstance(found, Differs)
    first, second, third = found.trace[0].values
    assert first == second != third
    assert found.observed == Received("OFRAME", (0, 1, 0, first))
    assert found.allowed == (f"OFRAME(0, 1, 0, {third})",)


def test_the_protocol_conforms_to_itself_for_good():
    brp = read_model(BRP / "brp.yaml")
    assert compared(brp, brp, depth=60) == IocoConforms(depth=None)
    assert compared(brp, brp, depth=7) == IocoConforms(depth=7)


def test_the_last_event_counts():
    brp, mutant = read_model(BRP / "brp.yaml"), read_model(BRP / "mutant5.yaml")
    assert compared(brp, mutant, depth=17) == IocoConforms(depth=17)
    assert isinstance(compared(brp, mutant, depth=18), Differs)


def test_silence_instead_of_an_output():
    model = sts("  s:\n    - {gate: a, to: t}\n  t:\n    - {gate: x, to: s}\n")
    quiet = sts("  s:\n    - {gate: a, to: s}\n")
    found = compared(model, quiet)
    assert found == Differs(trace=(Sent("a"),), observed=Silence(), allowed=("x",))
    assert compared(quiet, model) == Differs(trace=(Sent("a"),), observed=Received("x"), allowed=("silence",))


def test_an_input_that_is_not_specified_is_ignored():
    model = sts("  s:\n    - {gate: a, to: s}\n")
    assert compared(model, sts("  s: []\n")) == IocoConforms(depth=None)
    answering = sts("  s:\n    - {gate: a, to: t}\n  t:\n    - {gate: x, to: s}\n")
    assert isinstance(compared(answering, sts("  s: []\n")), Differs)


def test_what_the_model_does_not_specify_may_do_anything():
    assert compared(
        sts("  s: []\n"), sts("  s:\n    - {gate: a, to: t}\n  t:\n    - {gate: x, to: t}\n")
    ) == IocoConforms(depth=None)


def test_all_states_that_fit_are_kept_in_mind():
    """After a the model may be in s or in t, so silence and x are right, and so again after silence and another a."""
    model = sts(
        "  s:\n    - {gate: a, to: s}\n    - {gate: a, to: t}\n  t:\n    - {gate: x, to: s}\n    - {gate: a, to: t}\n"
    )
    late = sts(
        "  s:\n    - {gate: a, to: t}\n"
        "  t:\n    - {gate: a, to: u}\n"
        "  u:\n    - {gate: x, to: s}\n    - {gate: a, to: u}\n"
    )
    other = sts("  s:\n    - {gate: a, to: t}\n  t:\n    - {gate: y, to: s}\n")
    assert compared(model, model) == IocoConforms(depth=None)
    assert compared(model, late) == IocoConforms(depth=None)
    found = compared(model, other)
    assert isinstance(found, Differs)
    assert (found.trace, found.observed, set(found.allowed)) == ((Sent("a"),), Received("y"), {"x", "silence"})


def test_a_trace_may_need_silence():
    """Both answers of the model to a are right; only silence in between tells that b must be answered by y."""
    model = sts(
        "  s:\n    - {gate: a, to: t}\n    - {gate: a, to: u}\n"
        "  t:\n    - {gate: x, to: s}\n    - {gate: b, to: v}\n"
        "  u:\n    - {gate: b, to: w}\n"
        "  v:\n    - {gate: x, to: s}\n"
        "  w:\n    - {gate: y, to: s}\n",
        inputs="{a: {}, b: {}}",
    )
    wrong = sts(
        "  s:\n    - {gate: a, to: u}\n  u:\n    - {gate: b, to: v}\n  v:\n    - {gate: x, to: s}\n",
        inputs="{a: {}, b: {}}",
    )
    found = compared(model, wrong)
    assert found == Differs(trace=(Sent("a"), Silence(), Sent("b")), observed=Received("x"), allowed=("y",))


def test_an_output_outside_the_range_of_the_model_is_wrong():
    states = "  s:\n    - {gate: a, to: t}\n  t:\n    - {gate: x, to: s}\n"
    model = sts(states, outputs="{x: {n: int 0..3}}")
    wider = sts(states, outputs="{x: {n: int 0..4}}")
    assert compared(model, wider).observed == Received("x", (4,))
    assert compared(wider, model) == IocoConforms(depth=None)


def test_enum_values_and_constants_may_differ_in_place():
    states = "  s:\n    - {gate: a, when: c == RED, to: t}\n  t:\n    - {gate: x, when: d == GREEN, to: s}\n"
    gates = {"inputs": "{a: {c: 'enum RED, GREEN'}}", "outputs": "{x: {d: 'enum RED, GREEN'}}"}
    model = sts(states, **gates)
    other = sts(states.replace("d == GREEN", "d > RED or d == RED"), **gates)
    found = compared(model, other)
    assert found == Differs(trace=(Sent("a", ("RED",)),), observed=Received("x", ("RED",)), allowed=("x(GREEN)",))


def test_silence_that_needs_a_quantifier():
    """No whole w has w * w == 2: the first is silent, which the second never is."""
    square = "  s:\n    - {gate: a, set: {k: p}, to: t}\n  t:\n    - {gate: x, when: w * w == k, to: s}\n"
    gates = {"variables": "{k: int 0..200 = 0}", "inputs": "{a: {p: int 0..200}}", "outputs": "{x: {w: int 0..20}}"}
    root = sts(square, **gates)
    always = sts(square.replace("w * w == k", "w * w <= k"), **gates)
    assert compared(root, root, depth=3) == IocoConforms(depth=None)
    found = compared(always, root, depth=3)
    assert isinstance(found, Differs)
    assert found.observed == Silence()
    assert not any(w * w == found.trace[0].values[0] for w in range(21))


def test_real_parameters_are_exact():
    states = (
        "  s:\n    - {gate: a, when: p > 0, set: {r: p / 3}, to: t}\n"
        "  t:\n    - {gate: x, when: q * 3 == 3 * r, to: s}\n"
    )
    gates = {"variables": "{r: real = 0}", "inputs": "{a: {p: real}}", "outputs": "{x: {q: real}}"}
    model = sts(states, **gates)
    assert compared(model, model) == IocoConforms(depth=None)
    rounded = sts(states.replace("q * 3 == 3 * r", "r - 0.001 <= q <= r + 0.001"), **gates)
    assert isinstance(compared(model, rounded), Differs)
    assert compared(rounded, model) == IocoConforms(depth=None)


def test_a_counter_without_end_is_compared_up_to_the_depth():
    counting = "  s:\n    - {gate: a, set: {k: k + p}, to: t}\n  t:\n    - {gate: x, when: n == k, to: s}\n"
    gates = {"variables": "{k: int = 0}", "inputs": "{a: {p: int}}", "outputs": "{x: {n: int}}"}
    model = sts(counting, **gates)
    assert compared(model, model, depth=6) in (IocoConforms(depth=6), IocoConforms(depth=None))
    wrong = sts(counting.replace("n == k,", "n == k and k < 1000 or n == 0 and k >= 1000,"), **gates)
    found = compared(model, wrong, depth=6)
    assert isinstance(found, Differs)
    assert found.trace[0].values[0] >= 1000


def test_what_cannot_be_compared_is_said():
    model = sts("  s: []\n")
    with pytest.raises(UserError, match="gate a is an input of one system and an output of the other"):
        compared(model, sts("  s: []\n", inputs="{b: {}}", outputs="{a: {}}"))
    with pytest.raises(UserError, match=r"gate a carries nothing in one system and int 0\.\.3 in the other"):
        compared(model, sts("  s: []\n", inputs="{a: {p: int 0..3}}"))
    leaving = sts("  s:\n    - {gate: a, set: {k: k + 1}, to: s}\n", variables="{k: int 0..2 = 0}")
    with pytest.raises(UserError, match=r"k leaves its range, int 0\.\.2"):
        compared(leaving, leaving)


def test_no_time_is_no_answer():
    brp = read_model(BRP / "brp.yaml")
    found = compared(brp, replace(brp, name="other"), timeout=0)
    assert isinstance(found, IocoUndecided)
    assert found.depth == 0
    assert found.reasons == ("the 0 s for this comparison are over",)


REMEMBERING = """
  s:
    - {gate: a, when: p < 5, set: {k: p}, to: s}
    - {gate: b, when: q >= 5, set: {k: q}, to: s}
    - {gate: ask, to: t}
  t:
    - {gate: x, when: n == k, to: s}
"""


@pytest.mark.parametrize("types", [("int", "int"), ("int 0..4", "int 5..9"), ("int 0..4", "int 0..9")])
def test_a_smaller_set_of_values_does_not_stand_for_a_larger_one(types):
    """The states after b look like those after a, which come first, but remember other values."""
    gates = {
        "variables": "{k: int = -1}",
        "inputs": f"{{a: {{p: {types[0]}}}, b: {{q: {types[1]}}}, ask: {{}}}}",
        "outputs": "{x: {n: int}}",
    }
    model = sts(REMEMBERING, **gates)
    wrong = sts(REMEMBERING.replace("n == k,", "n == (if k < 5 then k else 0),"), **gates)
    assert compared(model, model) == IocoConforms(depth=None)
    found = compared(model, wrong)
    assert isinstance(found, Differs)
    assert [event.gate for event in found.trace] == ["b", "ask"]
    unguarded = REMEMBERING.replace("when: p < 5, ", "").replace("when: q >= 5, ", "")
    wrong = sts(unguarded.replace("n == k,", "n == (if k < 5 then k else 0),"), **gates)
    assert isinstance(compared(sts(unguarded, **gates), wrong), Differs)


def test_an_output_tells_within_which_bounds_a_value_lies():
    """Only values that x can carry get past it, so what happens to larger ones later is no difference."""
    states = """
  s:
    - {gate: a, set: {k: p}, to: t}
  t:
    - {gate: x, when: w == k + 1, to: u}
  u:
    - {gate: ask, to: v}
  v:
    - {gate: y, when: k <= 2, to: s}
"""
    gates = {
        "variables": "{k: int = 0}",
        "inputs": "{a: {p: int}, ask: {}}",
        "outputs": "{x: {w: int 0..3}, y: {}, z: {}}",
    }
    model = sts(states, **gates)
    other = sts(states + "    - {gate: z, when: k > 2, to: s}\n", **gates)
    assert compared(model, other) == IocoConforms(depth=None)
    assert isinstance(compared(model, sts(states + "    - {gate: z, when: k > 1, to: s}\n", **gates)), Differs)


@pytest.mark.parametrize("start", ["k", "p"])
def test_what_grows_without_bounds_is_left_open(start):
    """By squaring, a number gets too long to be worked with, and an expression too large."""
    states = f"""
  s:
    - {{gate: a, set: {{k: {start}}}, to: t}}
  t:
    - {{gate: b, set: {{k: k * k, m: m + 1}}, to: t}}
"""
    model = sts(states, variables="{k: int = 3, m: int = 0}", inputs="{a: {p: int}, b: {}}")
    found = compared(model, model, depth=30)
    assert isinstance(found, IocoUndecided)
    assert found.depth > 5
    assert found.reasons == ("a variable has grown too large to be followed; a range would bound it",)
