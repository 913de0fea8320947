"""Timers in files: what is read, what is refused with its place, and what is written back."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from fullproof.analysis.delays import delays
from fullproof.analysis.run_to_completion import RunToCompletion
from fullproof.core.errors import UserError
from fullproof.formats import read_model, read_model_text, write_model
from fullproof.language.durations import duration_from_text, duration_to_text
from fullproof.model import Fsm, StateMachine

HEAD = "machine: statemachine\nsignals: {in: [x], out: [p]}\nconstants: {T: 2 min, N: 90, B: true}\ninitial: a\n"


def read(states: str, path: str = "m.yaml") -> StateMachine:
    model = read_model_text(states if path.endswith(".mmd") else f"{HEAD}states: {states}", Path(path))
    assert isinstance(model, StateMachine)
    return model


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("30 s", 30), ("30s", 30), ("200 ms", Fraction(1, 5)), ("1.5 min", 90), ("1 h", 3600), ("1/3 s", Fraction(1, 3)),
     ("0 s", 0), ("1e-3 s", Fraction(1, 1000)), ("T", 120), ("N", 90)],
)  # fmt: skip
def test_durations(text: str, seconds: Fraction) -> None:
    (timer,) = read(f"{{a: [{{after: {text}, to: a}}]}}").timers
    assert (timer.duration, timer.periodic, timer.name) == (seconds, False, f"a after {text}")
    assert duration_from_text(duration_to_text(timer.duration)) == seconds


@pytest.mark.parametrize(
    ("states", "message"),
    [
        ("{a: [{after: ¦5, to: a}]}", "'5' is not a duration such as 30 s"),
        ("{a: [{after: ¦5 days, to: a}]}", "'5 days' is not a duration"),
        ("{a: [{after: ¦-5 s, to: a}]}", "is negative"),
        ("{a: [{after: ¦B, to: a}]}", "the constant 'B' is no number of seconds"),
        ("{a: [{after: ¦TT, to: a}]}", "nor a constant; did you mean 'T'?"),
        ("{a: [{every: ¦0 s, to: a}]}", "never lets time pass"),
        ("{a: [{trigger: x, after: ¦1 s, to: a}]}", "a transition waits for one thing: 'trigger' or 'after'"),
        ("{a: [{every: ¦1 s, after: 1 s, to: a}]}", "a transition waits for one thing"),
        ("{a: [¦{timer: q, to: a}]}", "'timer' is the name of an 'after' or 'every', which is missing"),
        ("{a: [{after: 1 s, timer: ¦x, to: a}]}", "has the name of a signal"),
        ("{a: [{after: 1 s, timer: q, to: a}, {after: 2 s, timer: ¦q, to: a}]}", "declared twice"),
        ("{a: [{trigger: x, restart: ¦a, to: a}]}", "the state 'a' has no timers to restart"),
        ("{a: [{after: 1 s, restart: ¦b, to: a}]}", "unknown timer or state 'b'"),
        ("{a: [{trigger: x, start: ¦q, to: a}]}", "unknown timer 'q'"),
        ("{a: [], ¦c: [{after: 1 s, to: a}]}", "choice point 'c' waits for no time"),
    ],
)
def test_mistakes_are_named_with_their_place(states: str, message: str) -> None:
    with pytest.raises(UserError) as caught:
        read(states.replace("¦", "") + ("\nchoices: [c]" if "¦c" in states else ""))
    assert message in caught.value.message
    assert (caught.value.at.line, caught.value.at.column) == (5, len("states: ") + states.index("¦") + 1)


def test_transitions_that_wait_for_the_same_time_share_a_timer() -> None:
    model = read("{a: [{after: 1 s, when: 1 > 2, to: a}, {after: 1 s, when: 1 < 2, to: b}], b: [{after: 1 s, to: a}]}")
    assert [timer.name for timer in model.timers] == ["a after 1 s", "b after 1 s"]


def test_a_flat_machine_is_written_and_read_again(tmp_path: Path) -> None:
    inner = "{c: [{every: 1/3 s, to: c, send: p}]}"
    model = read(
        f"{{a: [{{after: T, to: b}}], b: {{initial: c, transitions: [{{after: 1 h, to: a}}], states: {inner}}}}}"
    )
    for ending in ("yaml", "json"):
        path = tmp_path / f"m.{ending}"
        write_model(model, path)
        again = read_model(path)
        assert isinstance(again, StateMachine)
        assert (again.timers, again.started, again.transitions) == (model.timers, model.started, model.transitions)
    with pytest.raises(UserError, match="SysML files cannot say that a timer expires again and again"):
        write_model(read("{a: [{every: 1 s, to: a, kind: internal}, {after: 3 s, to: a}]}"), tmp_path / "m.sysml")
    assert not (tmp_path / "m.sysml").exists()


def test_history_starts_timers_of_what_is_entered_again() -> None:
    inside = "{c: [{after: 2 s, to: d}], d: [{after: 3 s, send: p, to: c}], h: {history: shallow, initial: c}}"
    on = f"{{initial: c, states: {inside}"
    model = read(f"{{a: [{{trigger: x, to: h}}], b: {on}, transitions: [{{trigger: x, to: a}}]}}}}")
    machine = RunToCompletion(model)
    (entered,) = machine.runs(machine.start, "x", {})
    (there,) = delays(machine, entered.end, Fraction(9, 2))
    (left,) = machine.runs(there.end, "x", {})
    (idle,) = delays(machine, left.end, Fraction(100))
    (back,) = machine.runs(idle.end, "x", {})
    (early,) = delays(machine, back.end, Fraction(29, 10))
    (late,) = delays(machine, early.end, Fraction(1, 10))
    assert (idle.sent, early.sent, late.sent) == ((), (), ("p",))


MERMAID = """stateDiagram-v2
    [*] --> red
    red --> green : after(5 s) / send go
    state green {
        [*] --> steady
        steady --> blinking : after 3 s
        blinking : every(500 ms) / send blink
    }
    green --> red : after(T)
    green --> red : "after lunch"
    %% fullproof: constants: {T: 6 s}
"""


def test_mermaid_has_times() -> None:
    model = read(MERMAID, "m.mmd")
    assert model.signals_in == ("after lunch",)
    assert sorted(timer.name for timer in model.timers) == [
        "blinking every 0.5 s", "green after 6 s", "red after 5 s", "steady after 3 s",
    ]  # fmt: skip
    machine = RunToCompletion(model)
    (run,) = delays(machine, machine.start, Fraction(99, 10))
    assert (run.end.state, run.sent) == ("blinking", ("go", "blink", "blink", "blink"))
    with pytest.raises(UserError, match="'lunch' is not a duration"):
        read(MERMAID.replace('"after lunch"', "after lunch"), "m.mmd")


PLANTUML = "@startuml\n[*] --> red\nred --> green : after(5 s) / send go\ngreen --> red : after 1 min\n@enduml\n"
XSTATE = """{"id": "light", "initial": "red", "states": {
  "red": {"after": {"5000": {"target": "green", "actions": [{"type": "go"}]}}},
  "green": {"after": {"60000": "red"}}}}"""
SYSML = """package P { state def light { entry; then red; state red; state green;
  transition first red accept after 5 [SI::s] do send new go() then green;
  transition first green accept after 1 [min] then red; } attribute def go; }"""


@pytest.mark.parametrize(("text", "path"), [(PLANTUML, "l.puml"), (XSTATE, "l.json"), (SYSML, "l.sysml")])
def test_other_notations_mean_the_same(text: str, path: str) -> None:
    if path.endswith("sysml"):
        pytest.importorskip("sysmlpy")
    model = read_model_text(text, Path(path))
    assert isinstance(model, StateMachine)
    assert [(timer.name, timer.duration) for timer in model.timers] == [("red after 5 s", 5), ("green after 60 s", 60)]
    machine = RunToCompletion(model)
    (run,) = delays(machine, machine.start, Fraction(71))
    assert (run.end.state, run.sent) == ("green", ("go", "go"))


@pytest.mark.parametrize(("name", "text"), [
    ("lamp.mmd", "stateDiagram-v2\n[*] --> off\noff --> on : press / click\non --> off : {time} / bye\n"),
    ("lamp.puml", "@startuml\n[*] --> off\noff --> on : press / click\non --> off : {time} / bye\n@enduml\n"),
])  # fmt: skip
def test_a_time_is_no_input_of_a_mealy_machine(name: str, text: str) -> None:
    """All labels are ``input / output``; in quotes it is the name of an input."""
    for time in ("after(5 s)", "after 5 s", "every 200 ms"):
        model = read_model_text(text.replace("{time}", time), Path(name))
        assert isinstance(model, StateMachine)
        assert [timer.name for timer in model.timers]
        assert model.signals_in == ("press",)
    quoted = read_model_text(text.replace("{time}", '"after(5 s)"'), Path(name))
    assert isinstance(quoted, Fsm)
    assert "after(5 s)" in quoted.inputs


@pytest.mark.parametrize(("time", "message"), [
    ("after(5 s", "'after(5 s / send x' is no time; expected such as after(5 s)"),
    ("after(1 s)(2 s)", "is no time"),
    ("after 1e400 s", "the duration is longer than 1e12 s"),
    ("after 1e-400 s", "the duration is shorter than 1e-12 s"),
])  # fmt: skip
def test_an_arrow_with_a_slip_in_its_time_is_refused_and_not_dropped(time: str, message: str) -> None:
    text = f"stateDiagram-v2\n[*] --> off\noff --> on : press\non --> off : {time} / send x\n"
    with pytest.raises(UserError) as caught:
        read_model_text(text, Path("lamp.mmd"))
    assert message in caught.value.message
    assert caught.value.at.line == 4


def test_durations_of_any_size_have_a_text() -> None:
    for seconds in (
        Fraction(10**400),
        Fraction(10**400, 7),
        Fraction(1, 10**400),
        Fraction(5, 1024),
        Fraction(1, 2**70),
    ):
        assert duration_from_text(duration_to_text(seconds)) == seconds
