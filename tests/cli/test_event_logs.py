"""Logs of transition systems: inputs, outputs and silence, as others recorded them."""

from pathlib import Path

import pytest
from tests.cli.harness import Shell

MODEL = """
machine: sts
name: echo
inputs: {put: {p: int 0..9}}
outputs: {get: {p: int}, bye: {}}
variables: {x: int = 0}
initial: idle
states:
  idle: [{gate: put, when: p > 0, set: {x: p}, to: busy}]
  busy: [{gate: get, when: p == x, to: idle}]
"""
GOOD = '{"send": ["put", [3]]}\n{"emit": ["get", [3]]}\n{"silence": true}\n{"send": ["put", {"p": 4}]}\n'
TIMES = (
    '{"t": 1.0, "i": "put", "v": 3}\n{"t": 1.5, "o": "got", "v": 3}\n{"t": 60, "i": "put", "v": 5}\n'
    '{"t": 64.5, "o": "got", "v": 5}\n'
)
MAPPING = "input: i\noutput: o\noutputs: {got: get}\nvalues: {p: v}\ntime: t\n"


@pytest.fixture
def judged(tmp_path: Path, capsys):
    (tmp_path / "echo.yaml").write_text(MODEL)

    def judge(log: str, mapping: str = "", *words: str):
        (tmp_path / "log.jsonl").write_text(log)
        (tmp_path / "map.yaml").write_text(mapping)
        more = ("--mapping", tmp_path / "map.yaml") if mapping else ()
        return Shell(capsys)("judge", tmp_path / "echo.yaml", "--log", tmp_path / "log.jsonl", *more, *words)

    return judge


def test_a_conversation_that_the_model_has_is_allowed(judged) -> None:
    answer = judged(GOOD, "", "--json")
    assert (answer.code, answer.json["verdict"], answer.json["steps"]) == (0, "pass", 4)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('{"emit": ["get", [9]]}', "line 5: step 5: answers get(9) instead of get(4)"),
        ('{"emit": "bye"}', "line 5: step 5: answers bye instead of get(4)"),
        ('{"emit": "boom"}', "line 5: step 5: answers boom instead of get(4)"),
        ('{"silence": true}', "line 5: step 5: stays silent instead of get(4)"),
    ],
)
def test_what_the_model_does_not_allow_is_told_with_its_line(judged, line: str, said: str) -> None:
    answer = judged(GOOD + line + "\n")
    assert answer.code == 1
    assert said in answer.out


def test_a_gap_counts_as_silence_only_where_the_mapping_says_so(judged) -> None:
    assert judged(TIMES, MAPPING).code == 0
    patient = judged(TIMES, MAPPING + "gap: 10\n")
    assert patient.code == 0
    assert "Silence is what the mapping says, 10 s or more" in patient.out
    hasty = judged(TIMES, MAPPING + "gap: 2\n")
    assert hasty.code == 1
    assert "line 4: step 5: stays silent instead of get(5)" in hasty.out


def test_a_trace_that_leaves_the_model_is_inconclusive(judged) -> None:
    answer = judged(GOOD + '{"emit": ["get", [4]]}\n{"send": ["put", [0]]}\n{"emit": ["get", [7]]}\n', "", "--json")
    assert (answer.code, answer.json["verdict"], answer.json["inconclusive"]) == (6, "inconclusive", 1)


def test_an_input_and_an_output_may_have_crossed(judged) -> None:
    log = '{"send": ["put", [3]]}\n{"send": ["put", [4]]}\n{"emit": ["get", [3]]}\n{"emit": ["get", [4]]}\n'
    assert judged(log).code == 6  # in the order of the log, the second input came where the model takes none
    assert judged(log, "crossing: true\n").code == 0


@pytest.mark.parametrize(
    ("log", "mapping", "said"),
    [
        ('{"x": 1}', "", "line 1: no 'send' or 'emit' in"),
        ('{"send": ["putt", [1]]}', "", "line 1: 'putt' is not an input gate of the model; did you mean 'put'?"),
        ('{"send": ["put", [1, 2]]}', "", "line 1: put has 1 values (p)"),
        ('{"send": ["put", [10]]}', "", "line 1: put: the value of p is outside its type"),
        ('{"send": ["put", {"q": 1}]}', "", "line 1: put: no value of 'p'"),
        ('{"send": 7}', "", "line 1: expected a gate"),
        ('{"t": "soon", "i": "put", "v": 1}', MAPPING, "line 1: expected a time"),
        ('{"t": 2, "i": "put", "v": 1}\n{"t": 1, "o": "got", "v": 1}', MAPPING, "line 2: the time is earlier"),
        ('{"i": "put", "v": 1}', MAPPING, "line 1: no 't' in"),
        (GOOD, "gap: 3\n", "map.yaml, line 1, column 6: 'gap' needs 'time'"),
        (GOOD, "time: t\ngap: -1\n", "expected seconds above 0 for 'gap'"),
        (GOOD, "crossing: perhaps\n", "expected true or false for 'crossing'"),
    ],
)
def test_hostile_lines_and_mappings_get_one_line(judged, log: str, mapping: str, said: str) -> None:
    answer = judged(log, mapping)
    assert answer.code == 4
    assert said in answer.err
    assert answer.err.count("\n") == 1


def test_the_keys_of_events_are_refused_for_systems_that_answer(tmp_path: Path, capsys) -> None:
    (tmp_path / "m.yaml").write_text("machine: fsm\ninitial: a\nstates:\n  a: [{when: x, then: y, to: a}]\n")
    (tmp_path / "log.jsonl").write_text('{"input": "x", "output": "y"}\n')
    (tmp_path / "map.yaml").write_text("silence: {quiet: 1}\n")
    words = ("judge", tmp_path / "m.yaml", "--log", tmp_path / "log.jsonl", "--mapping", tmp_path / "map.yaml")
    assert "are for systems that emit outputs spontaneously (sts)" in Shell(capsys)(*words).err
