"""Graphviz files whose nodes have timers, as LearnLib has them: what is read, and what is refused with its place."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

from fullproof.analysis.delays import delays
from fullproof.analysis.run_to_completion import RunToCompletion
from fullproof.core.errors import UserError
from fullproof.formats import read_model_text, write_model
from fullproof.model import Fsm, StateMachine

LAMP = """digraph g {
  off [label="dark" timers=""]
  on [timers="a=4, b=6"]; dim [timers="a=1/2"]
  off -> on [label="press / click"]
  on -> on [label="to[a] / hum|hiss"]
  on -> dim [label="to[b] / void"]
  on -> on [label="press / click" resets="a,b"]
  on -> on [label="look / lit"]
  dim -> off [label="to[a] / gone"]
  __start0 -> off
}
"""


def read(text: str) -> StateMachine:
    model = read_model_text(text, Path("lamp.dot"))
    assert isinstance(model, StateMachine)
    return model


def test_timers_are_local() -> None:
    model = read(LAMP)
    found = [(timer.name, timer.duration, timer.periodic) for timer in model.timers]
    assert found == [("on.a", 4, True), ("on.b", 6, False), ("dim.a", Fraction(1, 2), False)]
    assert (model.name, model.initial, model.started) == ("lamp", "off", ())
    assert (model.signals_in, model.signals_out) == (("press", "look"), ("click", "hum", "hiss", "lit", "gone"))


def played(model: StateMachine, *word: str | Fraction) -> tuple[str, list[tuple[str, ...]]]:
    machine = RunToCompletion(model)
    here, answers = machine.start, []
    for one in word:
        (run,) = machine.runs(here, one, {}) if isinstance(one, str) else delays(machine, here, one)
        here = run.end
        answers.append(run.sent)
    return here.state, answers


def test_a_loop_leaves_the_timers_alone_but_for_its_resets() -> None:
    state, answers = played(read(LAMP), "press", Fraction(3), "look", Fraction(1), "press", Fraction(5), Fraction(1))
    assert state == "dim"
    assert answers == [("click",), (), ("lit",), ("hum", "hiss"), ("click",), ("hum", "hiss"), ()]
    assert played(read(LAMP), "press", Fraction(13, 2))[0] == "off"


def test_an_input_that_a_location_does_not_have_is_lost() -> None:
    assert played(read(LAMP), "look") == ("off", [()])


def test_without_timers_it_is_a_mealy_machine() -> None:
    assert isinstance(read_model_text('digraph { a -> a [label="x / y"] }', Path("m.dot")), Fsm)


def test_timers_without_a_timeout_are_left_out(tmp_path: Path) -> None:
    """The file stays one of locations, in which an input that is missing is lost."""
    model = read('digraph { a [timers="t=1"]; a -> b [label="x / y"]; b -> a [label="z / w"] }')
    write_model(model, tmp_path / "m.dot")
    back = read((tmp_path / "m.dot").read_text())
    assert (back.timers, back.signals_in, back.signals_out) == ((), ("x", "z"), ("y", "w"))
    assert played(back, "z", "x", "x", "z") == ("a", [(), ("y",), (), ("w",)])


@pytest.mark.parametrize("key", ["inputs", "outputs"])
def test_lists_of_symbols_have_those_of_the_edges(key: str) -> None:
    """What LearnLib does not write, and ``convert`` does where edges do not name all."""
    full = {"inputs": '["press", "look", "kick"]', "outputs": '["click", "hum", "hiss", "lit", "gone", "bang"]'}[key]
    model = read(LAMP.replace("digraph g {", f"digraph g {{ {key}={json.dumps(full)};"))
    assert ("kick" in model.signals_in, "bang" in model.signals_out) == (key == "inputs", key == "outputs")
    for wrong in ("[", '["press"]', "[1]", full.replace("]", f", {full[1:]}")):
        with pytest.raises(UserError, match="expected a JSON list of different texts with all symbols") as caught:
            read(LAMP.replace("digraph g {", f"digraph g {{ {key}={json.dumps(wrong)};"))
        assert caught.value.at.line == 1


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ('timers="a=4, b=6"', 'timers="a=4, b"', 3, "expected a timer with its time, such as a=3, found 'b'"),
        ('timers="a=4, b=6"', 'timers="a=4, b=0"', 3, "found 'b=0'"),
        ('timers="a=4, b=6"', 'timers="a=4, a=6"', 3, "timer 'a' is listed twice"),
        ('timers="a=4, b=6"', 'timers="a=4, b=1e400"', 3, "the duration is longer than 1e12 s"),
        ("to[b]", "to[]", 6, "location 'on' has no timer ''"),
        ("to[b]", "to[c]", 6, "location 'on' has no timer 'c'"),
        ('resets="a,b"', 'resets="a,q"', 7, "location 'on' has no timer 'q'"),
        ("to[b] / void", 'to[b] / void" resets="a', 6, "an edge to another location starts its timers and no others"),
        ("look / lit", "look / press", 4, "'press' is both an input and an output"),
    ],
)
def test_mistakes_are_named_with_their_place(old: str, new: str, line: int, message: str) -> None:
    with pytest.raises(UserError) as caught:
        read(LAMP.replace(old, new))
    assert message in caught.value.message
    assert (caught.value.at.file, caught.value.at.line) == ("lamp.dot", line)
