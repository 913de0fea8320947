"""Suites of state machines on their chosen events: the exact answer against faulty machines, by brute force."""

import dataclasses
import json
from collections import Counter
from fractions import Fraction
from itertools import islice
from pathlib import Path
from random import Random

import pytest
from tests.cli.harness import Shell
from tests.oracles.statemachine_attack import (
    Target,
    differ,
    double_faults,
    fails,
    is_worthwhile,
    single_faults,
    states_of,
    table_of,
)
from tests.shared import ROOT
from tests.strategies.small_statemachines import random_text, read_text

from fullproof import generate
from fullproof.artefacts.guarantee import no_guarantee
from fullproof.artefacts.questions import CertifyRequest
from fullproof.artefacts.suite import SuiteHeader
from fullproof.certify import Complete, Incomplete, UndecidedCompleteness
from fullproof.core.errors import UserError
from fullproof.formats import read_model
from fullproof.formats.suite import read_suite, write_suite
from fullproof.kinds.kind import CompletenessAsked
from fullproof.kinds.statemachine.certify import certify_statemachine
from fullproof.model.inputs import SignalEvent
from fullproof.pipeline.certification import certify_files

HEAD = SuiteHeader(
    model="g", model_sha256="", kind="statemachine", relation="equivalence", method="", extra_states=0, tool="",
    guarantee=no_guarantee(),
)  # fmt: skip
VENTILATION = """machine: statemachine
name: ventilation
signals: {in: [tick], out: [alarm]}
inputs: {temperature: real 0..100}
outputs: {fan: int 0..2 = 0}
initial: idle
states:
  idle:
    - {trigger: tick, when: temperature > 40, do: ['fan = 1'], to: running}
  running:
    - {trigger: tick, when: temperature > 80, do: ['fan = 2'], send: alarm, to: running}
    - {trigger: tick, when: temperature < 30, do: ['fan = 0'], to: idle}
"""


@pytest.mark.requirement("CERTIFY-1", "CERTIFY-2")
@pytest.mark.parametrize("extra", [0, 1])
def test_no_mutant_survives_what_is_called_complete(extra):
    """Whole suites and ones that lost a test; every machine with one fault, and some with two."""
    seen, seed = Counter(), 100
    while seen["models"] < 2:
        dice = Random(seed)
        seed += 1
        model = read_text(random_text(dice))
        if not is_worthwhile(model) or not (target := Target(model)).is_certain:
            continue
        seen["models"] += 1
        suite = target.suite(extra_states=extra)
        events = [(event.signal, dict(event.inputs)) for event in suite.events]
        right = table_of(model, events)
        mutants = [
            rows
            for mutant in (*islice(single_faults(model), 60), *double_faults(model, dice, 5))
            if (rows := table_of(mutant, events)) is not None
            and states_of(rows) <= states_of(right) + extra
            and differ(right, rows)
        ]
        whole = [word.tolist() for piece in suite.words.chunks() for word in piece]
        foreign = next(iter(set(map(str, target.everything)) - set(map(str, events))), None)
        for words in (whole, *(whole[:k] + whole[k + 1 :] for k in dice.sample(range(len(whole)), 3))):
            answer = asked(model, suite.events, words, extra, beside=None if foreign is None else target.everything)
            passing = [rows for rows in mutants if not fails(right, rows, words)]
            if isinstance(answer, Complete):
                assert passing == []
                seen["complete"] += 1
            else:
                assert isinstance(answer, Incomplete), answer
                assert words is not whole
                survives(answer, right, words, extra)
                seen["incomplete"] += 1
            seen["mutants"] += len(mutants)
    assert seen["complete"] >= 2, seen
    assert seen["incomplete"] >= 1, seen
    assert seen["mutants"] > 100, seen


def asked(model, events, words, extra, *, beside):
    """What certify says of words of events; some tests go on with an event that the claim is not about."""
    tests = [tuple(events[k] for k in word) for word in words]
    if beside is not None:
        others = [SignalEvent.of(signal, values) for signal, values in beside]
        known = {(e.signal, *sorted(e.inputs)) for e in events}
        other = next(e for e in others if (e.signal, *sorted(e.inputs)) not in known)
        tests = [(*test, other, test[0]) if k % 2 else test for k, test in enumerate(tests)]
    head = dataclasses.replace(HEAD, events=(tuple(events),))
    return certify_statemachine(model, tests, CompletenessAsked(extra_states=extra, seconds=60.0, header=head))


def survives(answer, right, words, extra):
    """The survivor passes, differs after its witness and not before, and is small enough."""
    fsm = answer.survivor
    rows = {(t.source, t.input): (t.target, t.output) for t in fsm.transitions}
    assert len(fsm.states) <= states_of(right) + extra
    inputs = list(fsm.inputs)

    def outputs(word):
        """What the survivor and the model answer, as far as the survivor's answers occur in the model."""
        state, place, found = fsm.initial, 0, []
        for k in word:
            state, output = rows[state, inputs[k]]
            place, answer = right[place][k]
            found.append((output, answer))
        return found

    meaning = {}
    for word in words:
        for output, expected in outputs(word):
            assert meaning.setdefault(output, expected) == expected
    *before, (last, expected) = outputs([inputs.index(name) for name in answer.witness])
    assert all(meaning.get(output, expected) == expected for output, expected in before)
    assert meaning.get(last) != expected


@pytest.mark.requirement("CERTIFY-1")
def test_a_suite_names_the_events_that_it_is_complete_for(tmp_path: Path):
    """Tests beside the boundaries of guards take further values, which the claim is not about."""
    model, suite = tmp_path / "m.yaml", tmp_path / "s.jsonl"
    model.write_text(VENTILATION)
    generate(model, output=suite)
    header, tests = read_suite(suite)
    tests = list(tests)
    assert header.events is not None
    (chosen,) = header.events
    assert {e for test in tests for e in test.inputs} > set(chosen)
    (answer,) = certify_files(model, [suite], CertifyRequest())
    assert answer.complete is True
    assert f"on sequences of the {len(chosen)} events that the suite names" in answer.reason
    again = tmp_path / "again.jsonl"
    write_suite(again, header, tests)
    assert read_suite(again)[0].events == header.events


@pytest.mark.requirement("CERTIFY-3")
def test_heads_that_name_other_events(tmp_path: Path):
    model, suite = tmp_path / "m.yaml", tmp_path / "s.jsonl"
    model.write_text(VENTILATION)
    generate(model, output=suite)
    header, tests = read_suite(suite)
    tests = list(tests)
    strange = (*header.events[0], SignalEvent("tick", (("temperature", 99),)))
    for events, reason in (((strange,), "names an event that no test has"), (((),), "on some sequences of events")):
        write_suite(suite, dataclasses.replace(header, events=events), tests)
        (answer,) = certify_files(model, [suite], CertifyRequest())
        assert answer.complete is None
        assert reason in answer.reason
    text = suite.read_text()
    suite.write_text(text.replace('"events":[[]]', '"events":[["tick"]]'))
    with pytest.raises(UserError, match="the header's 'events' should be events"):
        certify_files(model, [suite], CertifyRequest())
    suite.write_text(text.replace('"events":[[]]', '"events":7'))
    with pytest.raises(UserError, match="should be a list of lists of events, found 7"):
        certify_files(model, [suite], CertifyRequest())


@pytest.mark.requirement("CERTIFY-2")
def test_events_that_leave_an_input_as_it_was_are_not_decided():
    """What such an event does depends on the values before it, which the places of the finite machine do not have."""
    model = read_text(VENTILATION.replace("{temperature: real 0..100}", "{temperature: real 0..100, load: real 0..9}"))
    whole = SignalEvent("tick", (("load", Fraction(1)), ("temperature", Fraction(50))))
    kept = SignalEvent("tick", (("load", Fraction(2)),))
    answer = certify_statemachine(
        model, [(whole, kept), (kept, whole)], CompletenessAsked(extra_states=0, seconds=10, header=None)
    )
    assert isinstance(answer, UndecidedCompleteness)
    assert "tick with load = 2 leaves temperature as it was" in answer.reason


@pytest.mark.requirement("CERTIFY-2")
def test_a_head_that_names_no_projection_of_the_model_decides_nothing():
    """Without projections there would be nothing to ask, and any suite would be complete."""
    chart = read_model(ROOT / "examples/charts/lights-and-wipers.yaml")
    for model, regions, found in ((chart, 0, 3), (chart, 4, 3), (read_text(VENTILATION), 2, 1)):
        head = dataclasses.replace(HEAD, regions=regions, events=())
        test = (SignalEvent("tick" if model is not chart else "lamp", ()),)
        answer = certify_statemachine(model, [test], CompletenessAsked(extra_states=0, seconds=10, header=head))
        assert isinstance(answer, UndecidedCompleteness)
        assert f"and the model has {found} with outputs of their own" in answer.reason


TANK = """machine: statemachine
name: tank
signals: {in: [tick, drain], out: [alarm]}
inputs: {flow: int 0..2}
outputs: {open: bool = true, share: real = 0}
variables: {level: int 0..4 = 0}
initial: filling
states:
  filling:
    - {trigger: tick, when: level + flow < 3, do: ['level = level + flow', 'share = level / 3'], to: filling}
    - {trigger: tick, when: level + flow >= 3, do: ['level = 3', 'open = false'], send: [alarm], to: full}
  full:
    - {trigger: drain, do: ['level = 1', 'open = true'], to: filling}
"""
FANS = """machine: statemachine
name: fans
signals: {in: [left, right], out: [ping, pong]}
outputs: {one: bool = false, two: bool = false}
initial: both
states:
  both:
    parallel:
      first:
        initial: off
        states:
          off: [{trigger: left, do: ['one = true'], send: [ping], to: on}]
          on: [{trigger: left, do: ['one = false'], to: off}]
      second:
        initial: low
        states:
          low: [{trigger: right, do: ['two = true'], to: high}]
          high: [{trigger: right, do: ['two = false'], send: [pong], to: low}]
"""


@pytest.mark.requirement("CERTIFY-2")
@pytest.mark.parametrize(
    ("text", "options"),
    [(TANK, ()), (FANS, ("--faults", "transfer,output")), (FANS, ("--regions", "1")), (VENTILATION, ())],
    ids=["events", "named", "regions", "further-values"],
)
def test_a_survivor_plays_the_system(text, options, tmp_path, capsys):
    """It passes the suite that it survives, and fails the whole one: an answer of its own, and no error."""
    shell = Shell(capsys)
    model, whole, cut, survivor = (tmp_path / name for name in ("m.yaml", "whole.jsonl", "cut.jsonl", "s.yaml"))
    model.write_text(text)
    assert shell("generate", model, *options, "-o", whole).code == 0
    lines, refused = whole.read_text().splitlines(), 0
    for tests in range(len(lines) - 1, 1, -1):
        cut.write_text("\n".join(lines[:tests]) + "\n")
        if refused < 2 and shell("certify", model, cut, "-o", survivor).code == 1:
            refused += 1
            passed = json.loads(shell("run", model, "--suite", cut, "--sut", f"model:{survivor}", "--json").out)
            assert (passed["verdict"], passed["failed"]) == ("pass", 0)
            failed = json.loads(shell("run", model, "--suite", whole, "--sut", f"model:{survivor}", "--json").out)
            assert (failed["failed"] > 0, failed["errors"]) == (True, 0)
    assert refused


def test_a_finite_machine_over_other_inputs_plays_no_state_machine(tmp_path, capsys):
    shell = Shell(capsys)
    model, other = tmp_path / "tank.yaml", tmp_path / "other.yaml"
    model.write_text(TANK)
    for when, then in (("push", "open = true"), ("tick with flow = 1", "opened")):
        other.write_text(f"machine: fsm\nname: o\ninitial: a\nstates:\n  a: [{{when: {when}, then: {then}, to: a}}]\n")
        ended = shell("run", model, "--sut", f"model:{other}")
        assert ended.code == 4
        assert "a model of kind fsm cannot play the system for one of kind statemachine" in ended.err
