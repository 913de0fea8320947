"""A model that speaks the protocol of out-of-process systems."""

import io
import json
import sys
import threading
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.execute.lamp import LAMP, outputs, run, word
from tests.judgement import judge
from tests.shared import REFERENCE

from fullproof.artefacts.suite import make_test
from fullproof.core.errors import UserError
from fullproof.execute import Enabled, Options, execute
from fullproof.execute.json_protocol import LONGEST_LINE
from fullproof.execute.simulate import serve, simulate
from fullproof.formats import read_model, write_model
from fullproof.kinds import play
from fullproof.kinds.systems import open_sut

BRAKE = read_model(REFERENCE / "brake" / "brake.yaml")
CARDS = read_model(REFERENCE / "card-reader" / "card-reader.yaml")


def talk(model, *lines: str | bytes) -> list:
    data = b"".join((line.encode() if isinstance(line, str) else line) + b"\n" for line in lines)
    out = io.StringIO()
    simulate(model, io.BytesIO(data), out, seed=1, play=play)
    return [json.loads(line) for line in out.getvalue().splitlines()]


def test_the_protocol_is_that_of_the_contract():
    assert talk(LAMP, '{"reset": true}', '{"input": "press"}', '{"input": "look"}', '{"reset": true}') == [
        {"ready": True},
        {"output": "on"},
        {"output": "on"},
        {"ready": True},
    ]


def test_before_the_first_reset_the_model_is_in_its_initial_state():
    assert talk(LAMP, '{"input": "press"}') == [{"output": "on"}]


def test_a_partial_machine_is_a_grey_box():
    ready, answer = talk(CARDS, '{"reset": true}', '{"input": "ci.in.v"}')
    assert ready == {"ready": True, "enabled": ["ci.in.i", "ci.in.v", "pr.A", "pr.a"]}
    assert answer == {"output": "ci.out", "enabled": ["ci.r", "pr.A", "pr.a"]}


def test_an_sfsm_speaks_in_exact_values():
    assert talk(BRAKE, '{"input": {"x": 201}}', '{"input": {"x": 200.5}}', '{"input": {"x": "601/3"}}') == [
        {"output": 2.01},
        {"output": 2.005},
        {"output": "601/300"},
    ]


BAD = [
    "nonsense",
    "",
    "[]",
    "3",
    "{}",
    '{"output": "on"}',
    '{"input": 3}',
    '{"input": null}',
    '{"input": "pres"}',
    '{"input": {"x": NaN}}',
    '{"input": {"x": 1e999999999}}',
    b"\xff\xfe",
    "[" * 100_000,
    '{"input": "' + "x" * LONGEST_LINE + '"}',
    '{"input": "\\ud800"}',
]


@pytest.mark.parametrize("model", [LAMP, BRAKE], ids=["fsm", "sfsm"])
@pytest.mark.parametrize("bad", BAD, ids=range(len(BAD)))
def test_a_bad_line_is_answered_and_changes_nothing(model, bad):
    good = '{"input": "press"}' if model is LAMP else '{"input": {"x": 201}}'
    answers = talk(model, good, bad, good)
    assert answers[0].keys() == answers[-1].keys() == {"output"}
    if model is LAMP:
        assert [answers[0], answers[-1]] == [{"output": "on"}, {"output": "off"}]
    middle = answers[1:-1]
    assert [set(answer) for answer in middle] == ([{"error"}] if bad else [])


@given(st.lists(st.binary(max_size=30).map(lambda b: b.replace(b"\n", b"")), max_size=5))
def test_every_line_that_is_not_blank_gets_one_answer(lines):
    answers = talk(LAMP, *lines)
    assert len(answers) == sum(bool(line.strip()) for line in lines)


def test_a_last_line_without_an_end_is_answered():
    out = io.StringIO()
    simulate(LAMP, io.StringIO('{"input": "press"}'), out, play=play)
    assert json.loads(out.getvalue()) == {"output": "on"}


def test_a_model_behind_a_process_passes_its_own_tests(tmp_path):
    write_model(LAMP, tmp_path / "lamp.yaml")
    script = tmp_path / "play.py"
    script.write_text(
        "import sys\nfrom pathlib import Path\nfrom fullproof.execute.simulate import simulate\n"
        "from fullproof.formats import read_model\nfrom fullproof.kinds import play\n"
        "simulate(read_model(Path(sys.argv[1])), sys.stdin, sys.stdout, seed=0, play=play)\n"
    )
    traces = run(f"exec:{sys.executable} {script} {tmp_path}/lamp.yaml", "ppl", "lp", options=Options(step_timeout=20))
    assert [outputs(t) for t in traces] == [["on", "off", "off"], ["off", "on"]]
    assert all(judge(LAMP, trace).verdict.value == "pass" for trace in traces)


def serving(model):
    """Listen on a free port in a thread that lives as long as the tests."""
    told, address = threading.Event(), []

    def announce(text):
        address.append(text)
        told.set()

    threading.Thread(
        target=serve, args=(model, "127.0.0.1:0"), kwargs={"play": play, "announce": announce}, daemon=True
    ).start()
    assert told.wait(10)
    return f"tcp:{address[0]}"


def test_a_model_behind_tcp_serves_one_client_after_the_other():
    address = serving(LAMP)
    for _ in range(2):
        traces = run(address, "ppl", "lp")
        assert [outputs(t) for t in traces] == [["on", "off", "off"], ["off", "on"]]


def test_exact_values_survive_the_wire():
    sut = open_sut(serving(BRAKE), BRAKE)
    (trace,) = execute(sut, [make_test([{"x": Fraction(601, 3)}, {"x": Fraction(2003, 10)}])])
    sut.close()
    assert outputs(trace) == [{"y": Fraction(601, 300)}, {"y": Fraction(2003, 1000)}]


def test_a_grey_box_behind_tcp():
    sut = open_sut(serving(CARDS), CARDS)
    (trace,) = execute(sut, [make_test(["ci.in.v", "ci.in.v"])], options=Options(enabled=Enabled.REQUIRED))
    sut.close()
    assert outputs(trace) == ["ci.out"]
    assert trace.enabled_at_end == {"ci.r", "pr.A", "pr.a"}


def test_an_input_that_is_undefined_is_an_error_of_the_test():
    (trace,) = execute(open_sut(serving(CARDS), CARDS), [make_test(["ci.r"])])
    assert "input 'ci.r' is undefined in state 'init'" in trace.error


@pytest.mark.parametrize("address", ["", "localhost", "localhost:http", "no.such.host.invalid:0", "256.0.0.1:0"])
def test_an_address_that_cannot_be_had_is_the_users_error(address):
    with pytest.raises(UserError):
        serve(LAMP, address, play=play)


def test_the_reader_may_be_text_without_bytes_below_it():
    out = io.StringIO()
    simulate(LAMP, io.StringIO('{"input": "press"}\nnonsense\n'), out, play=play)
    assert [list(json.loads(line)) for line in out.getvalue().splitlines()] == [["output"], ["error"]]


def test_word_is_what_it_says():
    assert word("pl").inputs == ("press", "look")
