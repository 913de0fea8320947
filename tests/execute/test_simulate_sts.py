"""Symbolic transition systems emit of their own accord."""

import io
import json
import subprocess
import sys
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.shared import REFERENCE, ROOT

from fullproof.execute.json_protocol import LONGEST_LINE
from fullproof.execute.simulate import simulate
from fullproof.formats import read_model
from fullproof.kinds import play
from fullproof.kinds.sts.player import StsPlayer
from fullproof.language.evaluate import evaluate
from fullproof.language.scope import Scope

EXAMPLE = REFERENCE / "sts-example" / "example.yaml"
BRP = REFERENCE / "brp" / "brp.yaml"


def talk(path, *messages) -> list:
    out = io.StringIO()
    lines = "".join((m if isinstance(m, str) else json.dumps(m)) + "\n" for m in messages)
    simulate(read_model(path), io.StringIO(lines), out, play=play)
    return [json.loads(line) for line in out.getvalue().splitlines()]


def send(gate, *values):
    return {"send": [gate, list(values)]}


def test_the_example_adds_up_and_is_done():
    outputs = [{"emit": ["outX", [9]]}, {"emit": ["outX", [19]]}, {"emit": ["done", []]}]
    assert talk(EXAMPLE, {"reset": True}, send("inX", 9), send("inX", 10)) == [{"ready": True}, *outputs]
    assert talk(EXAMPLE, send("inX", 9), {"reset": True}, send("inX", 1))[-2:] == [
        {"ready": True},
        {"emit": ["outX", [1]]},
    ]


def test_the_sender_of_the_protocol_retransmits_and_confirms():
    answers = talk(BRP, send("IREQ", 7, 8, 9), send("ITIMEOUT"), send("IACK"), send("IACK"), send("IACK"))
    assert answers == [
        {"emit": ["OFRAME", [1, 0, 0, 7]]},
        {"emit": ["OFRAME", [1, 0, 0, 7]]},
        {"emit": ["OFRAME", [0, 0, 1, 8]]},
        {"emit": ["OFRAME", [0, 1, 0, 9]]},
        {"emit": ["OCONF", [1]]},
    ]


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (send("inX", 11), "input inX with [11] is undefined in l0 (x = 0)"),
        (send("outX", 1), "unknown input gate 'outX'; expected one of inX"),
        (send("inX"), "gate inX takes 1 values, got 0"),
        (send("inX", 1, 2), "gate inX takes 1 values, got 2"),
        (send("inX", "many"), "is not a value of type int"),
        (send("inX", 1.5), "is not a value of type int"),
        ({"send": "inX"}, "expected"),
        ({"send": ["inX", 3]}, "expected"),
        ({"input": "inX"}, "expected"),
        ("nonsense", "no JSON"),
        ("x" * (LONGEST_LINE + 5), "a line of more than"),
    ],
)
def test_a_bad_line_is_answered_and_changes_nothing(bad, message):
    error, emission = talk(EXAMPLE, bad, send("inX", 2))
    assert message in error["error"]
    assert emission == {"emit": ["outX", [2]]}


def test_a_model_that_goes_wrong_says_so(tmp_path):
    text = "machine: sts\nname: m\nvariables: {x: int 0..3 = 3}\noutputs: {tick: {}}\ninputs: {in: {}}\ninitial: s\n"
    (tmp_path / "m.yaml").write_text(text + "states:\n  s:\n    - {gate: tick, set: {x: x + 1}, to: s}\n")
    answers = talk(tmp_path / "m.yaml", {"reset": True})
    assert {"ready": True} in answers
    assert any("x = 4 leaves int 0..3" in answer.get("error", "") for answer in answers)


def test_an_endless_emitter_ends_when_its_tester_leaves(tmp_path):
    text = "machine: sts\nname: m\noutputs: {tick: {p: int 0..2}}\ninputs: {in: {}}\ninitial: s\n"
    (tmp_path / "m.yaml").write_text(text + "states:\n  s:\n    - {gate: tick, to: s}\n")
    answers = talk(tmp_path / "m.yaml")
    assert len(answers) == 1000
    assert {answer["emit"][1][0] for answer in answers} == {0, 1, 2}


def test_a_process_emits_while_its_input_stays_open():
    script = (
        "import sys\nfrom pathlib import Path\nfrom fullproof.execute.simulate import simulate\n"
        "from fullproof.formats import read_model\nfrom fullproof.kinds import play\n"
        "simulate(read_model(Path(sys.argv[1])), sys.stdin, sys.stdout, play=play)\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script, str(EXAMPLE)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT
    ) as child:
        for message, answer in (({"reset": True}, {"ready": True}), (send("inX", 4), {"emit": ["outX", [4]]})):
            child.stdin.write(json.dumps(message) + "\n")
            child.stdin.flush()
            assert json.loads(child.stdout.readline()) == answer
        child.stdin.close()
        assert child.stdout.read() == ""
    assert child.returncode == 0


@given(st.lists(st.integers(-1, 12), max_size=8), st.integers(0, 3))
def test_what_an_sts_does_is_what_its_switches_say(values, seed):
    model = read_model(EXAMPLE)
    gates = {gate.name: gate for gate in (*model.inputs, *model.outputs)}
    player = StsPlayer(model, Random(seed))
    states = {(model.initial, 0)}

    def follow(gate, given):
        found = set()
        for location, x in states:
            for switch in model.transitions:
                names = dict(zip((p.name for p in gates[gate].parameters), given, strict=True)) | {"x": x}
                scope = Scope((*model.variables, *gates[gate].parameters), {})
                if (switch.source, switch.gate) == (location, gate) and evaluate(switch.guard, scope, names):
                    new = [evaluate(a.expression, scope, names) for a in switch.assignments]
                    found.add((switch.target, *(new or [x])))
        return found

    for value in values:
        after = follow("inX", [value])
        assert player.take("inX", [value]) == bool(after)
        states = after or states
        while (emission := player.propose()) is not None:
            states = follow(emission.gate, emission.values)
            assert states
            player.commit(emission)
        assert not any(follow("done", []) or follow("outX", [x]) for _, x in states)
