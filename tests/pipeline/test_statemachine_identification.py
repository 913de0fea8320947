"""The default suite of a state machine tells the class after each step from all others; the paper's need not."""

import pytest
from tests.oracles.statemachine_kills import kills
from tests.shared import ROOT
from tests.strategies.small_statemachines import read_text

from fullproof.abstract.partition import fixpoint
from fullproof.analysis.run_to_completion import RunToCompletion
from fullproof.artefacts.request import SuiteRequest
from fullproof.core.errors import NOWHERE
from fullproof.formats import read_model
from fullproof.kinds.statemachine.score import JudgedRuns
from fullproof.mutate import mutants_of
from fullproof.mutate.statemachine import statemachine_faults
from fullproof.pipeline.suites import generate_suite

TWO_COUNTERS = """
machine: statemachine
name: two-counters
signals: {in: [p1, p2, p3, u, t]}
outputs: {y: int = 0}
variables: {m: int = 0}
initial: S
states:
  S:
    - {trigger: p1, to: A}
    - {trigger: p2, to: A}
    - {trigger: p3, to: B}
  A:
    - {trigger: u, do: [m = m + 1], to: A}
    - {trigger: t, do: [y = m * (m - 1), m = 0], to: S}
  B:
    - {trigger: u, do: [m = m + 1], to: B}
    - {trigger: t, do: [y = 0, m = 0], to: S}
"""
CASH_MACHINE = """
machine: statemachine
name: cash-machine
signals: {in: [card, login, show, cancel], out: [keep, eject]}
inputs: {pin: int 0..9999}
outputs: {screen: int 0..4 = 0}
variables: {tries: int 0..3 = 0}
initial: idle
choices: [judged]
states:
  idle:
    - {trigger: card, do: [screen = 1, tries = 0], to: login}
  login:
    - {trigger: login, when: pin == 4711, do: [screen = 2], to: menu}
    - {trigger: login, when: pin != 4711 and tries < 3, do: [tries = tries + 1], to: judged}
    - {trigger: cancel, do: [screen = 0], send: [eject], to: idle}
  judged:
    - {when: tries < 3, to: login}
    - {when: tries >= 3, do: [screen = 4], send: [keep], to: idle}
  menu:
    - {trigger: show, do: [screen = 3], to: menu}
    - {trigger: cancel, do: [screen = 0], send: [eject], to: idle}
"""
COUNTING_GATE = """
machine: statemachine
name: counting-gate
signals: {in: [enter, leave], out: [bell, horn]}
inputs: {speed: int 0..300}
outputs: {motor: int -1..1 = 0}
variables: {trains: int = 0}
initial: open
choices: [judged, counted]
states:
  open:
    - {trigger: enter, do: [trains = 1], to: judged}
  judged:
    - {when: speed > 100, do: [motor = -1], send: [bell, horn], to: closed}
    - {when: speed <= 100, do: [motor = -1], send: [bell], to: closed}
  closed:
    - {trigger: enter, do: [trains = trains + 1], to: closed}
    - {trigger: leave, do: [trains = trains - 1], to: counted}
  counted:
    - {when: trains > 0, to: closed}
    - {when: trains <= 0, do: [motor = 1], to: opening}
  opening:
    - {trigger: enter, do: [trains = 1], to: judged}
    - {trigger: leave, do: [motor = 0], to: open}
"""


def suite_of(model, **options):
    return generate_suite(model, SuiteRequest(**options), sha256="", at=NOWHERE)


def fails(model, suite, system):
    judged, machine = JudgedRuns(model), RunToCompletion(system)
    return any(judged.fails(machine, test) for test in suite.tests())


def slipped(text, right, wrong):
    assert text.count(right) == 1, right
    return read_text(text.replace(right, wrong))


def test_a_wrong_target_that_shows_after_two_counts_is_found_by_default():
    model = read_text(TWO_COUNTERS)
    faulty = slipped(TWO_COUNTERS, "{trigger: p1, to: A}", "{trigger: p1, to: B}")
    suite = suite_of(model)
    assert suite.header.method == "identify"
    assert fails(model, suite, faulty)
    assert not fails(model, suite, model)
    assert kills(model).rate == 1.0


@pytest.mark.parametrize("method", ["paper", "partition"])
def test_the_gap_of_the_paper_is_a_real_one_and_the_sentence_begins_with_it(method):
    """The classes are distinguished by their transformations, but with the values reached both give 0."""
    model = read_text(TWO_COUNTERS)
    faulty = slipped(TWO_COUNTERS, "{trigger: p1, to: A}", "{trigger: p1, to: B}")
    suite = suite_of(model, method=method)
    assert suite.header.method == method
    assert suite.header.guarantee.sentence.startswith("Not covered: ")
    assert not fails(model, suite, faulty)
    if method == "paper":
        assert "Theorem 3" in suite.header.guarantee.sentence
        assert "at most 3 state classes" in suite.header.guarantee.sentence
        assert fails(model, suite_of(model, method="paper", extra_states=1), faulty)


def test_the_suite_of_the_paper_asks_for_points_and_says_which_it_lacks():
    model = read_text(TWO_COUNTERS)
    suite = suite_of(model, method="paper", degree=2)
    assert "steps have fewer independent data points than FH3 asks for" in suite.header.guarantee.sentence


def test_classes_that_no_test_tells_apart_are_named():
    text = TWO_COUNTERS.replace("y = m * (m - 1)", "y = 0")
    suite = suite_of(read_text(text))
    assert ["A", "B"] in suite.details["not_told_apart"]
    assert any("no test distinguishes these classes" in note and "A and B" in note for note in suite.notes)
    assert "pairs of classes apart, which no test does" in suite.header.guarantee.sentence


def test_one_pair_of_classes_that_no_test_tells_apart() -> None:
    text = """
machine: statemachine
name: twins
signals: {in: [go, on]}
outputs: {y: int 0..1 = 0}
initial: A
states:
  A: [{trigger: go, to: B}, {trigger: on, do: [y = 1], to: C}]
  B: [{trigger: go, to: A}, {trigger: on, do: [y = 1], to: C}]
  C: [{trigger: on, do: [y = 0], to: A}]
"""
    sentence = suite_of(read_text(text)).header.guarantee.sentence
    assert "what tells 1 pair of classes apart, which no test does" in sentence


def test_a_slip_in_a_guard_that_only_changes_what_is_remembered_is_found():
    path = ROOT / "examples" / "statemachines" / "cruise-control.yaml"
    model, text = read_model(path), path.read_text()
    suite = suite_of(model)
    right = "- {trigger: set, when: speed >= 30 and not brake"
    assert fails(model, suite, slipped(text, right, right.replace(">= 30", ">= 0")))
    near = "- {when: brake or speed < 30"
    assert fails(model, suite, slipped(text, near, near.replace("< 30", "< 29.9")))


def test_a_guard_behind_a_choice_is_split_beside_a_counter_that_splits_for_ever():
    model = read_text(COUNTING_GATE)
    suite = suite_of(model)
    assert suite.details["trigger_classes"] == 6
    other = COUNTING_GATE.replace("speed > 100", "speed >= 100").replace("speed <= 100", "speed < 100")
    assert fails(model, suite, read_text(other))


@pytest.mark.slow
@pytest.mark.parametrize("text", [COUNTING_GATE, CASH_MACHINE], ids=["gate", "cash"])
def test_single_mutants_of_machines_with_counters_and_choices_are_killed(text):
    found = kills(read_text(text))
    assert found.rate >= 0.99, found.report()


def test_both_sides_of_an_excluded_value_are_sampled_near_and_far():
    model = read_text(CASH_MACHINE)
    suite = suite_of(model)
    for wrong in ("pin == 4711 or pin >= 5000", "pin == 4711 or pin <= 100", "pin == 4711 or pin == 4712"):
        text = CASH_MACHINE.replace("when: pin == 4711", f"when: {wrong}")
        text = text.replace("when: pin != 4711 and", f"when: not ({wrong}) and")
        assert fails(model, suite, read_text(text)), wrong
    for right, wrong in (("screen = 1, tries = 0", "screen = 1"), ("[keep], to: idle", "[keep], to: login")):
        assert fails(model, suite, slipped(CASH_MACHINE, right, wrong)), right


COUNTER = """
machine: statemachine
name: counter
signals: {in: [up, reset], out: [full]}
outputs: {y: int 0..40 = 0}
variables: {n: int 0..40 = 0}
initial: s
states:
  s:
    - {trigger: up, when: n < 17, do: [n = n + 1], to: s}
    - {trigger: up, when: n >= 17, do: [n = 0], send: [full], to: s}
    - {trigger: reset, do: [n = 0], to: s}
"""


def test_where_all_events_are_known_no_partition_is_needed():
    suite = suite_of(read_text(COUNTER))
    assert "No guarantee" not in suite.header.guarantee.sentence
    assert list(suite.details["fault_hypotheses"]) == ["FH1", "FH2"]
    assert suite.details["configurations"] == 18
    assert suite.details["state_classes"] is None


@pytest.mark.slow
def test_all_events_are_taken_where_the_classes_are_not_certain():
    """More values than are explored at once, and a counter that splits for more rounds than are allowed."""
    text = COUNTER.replace("signals:", "inputs: {x: int 0..19}\nsignals:").replace(
        "when: n < 17", "when: n < 17 and x > 3"
    )
    suite = suite_of(read_text(text.replace("when: n >= 17", "when: n >= 17 and x > 3")), method="partition")
    assert "No guarantee" not in suite.header.guarantee.sentence
    assert suite.details["events"] == 60


@pytest.mark.slow
def test_many_classes_still_give_a_suite(monkeypatch):
    """Too many state classes: no guarantee, but all guards are tested. The limit is lowered, as 400 take a minute."""
    monkeypatch.setattr(fixpoint, "STATE_CLASSES", 40)
    names = [f"v{k}" for k in range(6)]
    lines = "\n".join(
        f"    - {{trigger: t{k}, when: {name} > 3, do: [{name} = x, y = {k}], to: s}}\n"
        f"    - {{trigger: t{k}, when: {name} <= 3, do: [{name} = {name} + 1], to: s}}"
        for k, name in enumerate(names)
    )
    model = read_text(
        "machine: statemachine\nname: wide\n"
        f"signals: {{in: [{', '.join(f't{k}' for k in range(6))}]}}\ninputs: {{x: int 0..9}}\noutputs: {{y: int = 0}}\n"
        f"variables: {{{', '.join(f'{name}: int = 0' for name in names)}}}\ninitial: s\nstates:\n  s:\n{lines}\n"
    )
    suite = suite_of(model)
    assert "No guarantee" in suite.header.guarantee.sentence
    taken = set()
    machine = RunToCompletion(model)
    for test in suite.tests():
        here = machine.start
        for symbol in test.inputs:
            (run,) = machine.runs(here, symbol.signal, symbol.values)
            here = run.end
            taken.update(run.transitions)
    assert len(taken) >= 6


GROWING = """
machine: statemachine
name: growing
signals: {in: [go]}
inputs: {x: int 0..9}
outputs: {y: int = 0}
variables: {m: int = 0}
initial: s
states:
  s:
    - {trigger: go, when: x > 3, do: [m = x], to: r}
  r:
    - {when: m > 0, do: [m = m * m + m, y = y + m], to: r}
    - {trigger: go, when: m <= 0, to: s}
"""


def test_a_livelock_with_growing_values_is_cut_off():
    model = read_text(GROWING)
    found = mutants_of(model, statemachine_faults(model))
    assert found.left_out > 0
