"""State definitions as people write them."""

import sys
from fractions import Fraction
from pathlib import Path

import pytest
from tests.shared import ROOT

from fullproof.core.errors import UserError
from fullproof.formats import read_model, read_model_text
from fullproof.formats.labels import transition_label
from fullproof.formats.sysml.library import parse_sysml
from fullproof.formats.sysml.reader import read_sysml
from fullproof.formats.sysml.text import KEYWORDS
from fullproof.language.printer import declaration_text
from fullproof.model import StateMachine

sysmlpy = pytest.importorskip("sysmlpy")

EXAMPLE = ROOT / "examples" / "statemachines" / "pedestrian-light.sysml"


def read(text: str) -> StateMachine:
    return read_sysml(text, Path("folder/m.sysml"))


def arrows(model: StateMachine) -> list[str]:
    return [f"{t.source} -> {t.target}: {transition_label(model, t)}".rstrip() for t in model.transitions]


def guard(text: str) -> str:
    model = read(
        "state def M { in attribute x : Real; in attribute p : Boolean; in attribute q : Boolean;"
        f" enum def E {{ a; enum b; }} in attribute e : E; entry; then s; state s;"
        f" transition first s if {text} then s; }}"
    )
    return arrows(model)[0].removeprefix("s -> s: ")


def test_attributes() -> None:
    model = read(
        "package P { attribute def Speed :> ScalarValues::Real; enum def Mode { low; enum 'high'; }\n"
        "attribute top : Real = 2 * 3.5; attribute on : Boolean = true;\n"
        "part def Q { in attribute v : Speed; assert constraint { 0 <= v and v <= top }\n"
        "out attribute y : Mode := Mode::'high'; attribute n : Natural default = 1; attribute k : Positive := 1;\n"
        "in 'größe' : Integer; assert constraint limits { n <= 9 }\n"
        "attribute unused : Rational := 1 / 3;\n"
        "exhibit state s { entry; then a; state a; } } }"
    )
    assert model.name == "s"
    assert [(c.name, c.value) for c in model.description.constants] == [("top", Fraction(7)), ("on", True)]
    declared = [f"{v.name}: {declaration_text(v)}" for v in model.inputs + model.outputs + model.variables]
    assert declared == [
        "v: real 0..7",
        "größe: int",
        "y: enum low, high = high",
        "n: int 0..9 = 1",
        "k: int 1.. = 1",
        "unused: real = 1/3",
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x > 3 and not (x == 5)", "[x > 3 and not x == 5]"),
        ("p or q and p", "[p or q and p]"),
        ("not p == q", "[(not p) == q]"),
        ("-x ** 2 < 2 ^ 3 ** 2", "[(-x) ** 2 < 2 ** 3 ** 2]"),
        ("p implies q xor p", "[p -> q != p]"),
        ("p | q & p", "[p or q and p]"),
        ("(if p ? 1 else x) >= max(x, abs(-1)) % 2", "[(if p then 1 else x) >= max(x, abs(-1)) % 2]"),
        ("x - 1 - 2 / 3 / 4 === .5", "[x - 1 - 2 / 3 / 4 == 0.5]"),
        ("e == E::a or E::b !== e", "[e == a or b != e]"),
        ("NumericalFunctions::floor(x) != 1e3", "[floor(x) != 1000.0]"),
    ],
)
def test_expressions(text: str, expected: str) -> None:
    assert guard(text) == expected


def test_transitions_and_actions() -> None:
    model = read(
        "state def M {\n"
        "  attribute m : Integer := 0;\n"
        "  entry action first0; transition first0 then a;\n"
        "  state a;\n"
        "    accept Go then b;\n"
        "    accept s : Signals::Stop via plug.inner if m > 1 do send Beep() to user then a;\n"
        "    if m == 7 then done;\n"
        "  state b { entry assign m := 1; exit assign m := 0;\n"
        "    do action { assign m := m + 1; then send new Beep(); } }\n"
        "  transition back first b accept Go do action { assign m := 5; assign m := m * 2; } then M.a { doc /* x */ }\n"
        "  #choice state 'a choice';\n"
        "  transition first b if m == 3 then 'a choice';\n"
        "  transition 'a choice' then a;\n"
        "}\n"
    )
    assert model.initial == "a" and model.choices == ("a choice",)
    assert model.signals_in == ("Go", "plug.inner.Stop") and model.signals_out == ("user.Beep", "Beep")
    assert arrows(model) == [
        "a -> b: Go / m = 1; m = m + 1; send Beep",
        "a -> a: plug.inner.Stop [m > 1] / send user.Beep",
        "a -> done: [m == 7]",
        "b -> a: Go / m = 0; m = 5; m = m * 2",
        "b -> a choice: [m == 3] / m = 0",
        "a choice -> a:",
    ]


def test_states_inside_states_are_found_from_the_inside_out() -> None:
    model = read(
        "state def M { entry; then on;\n"
        "  state off; state on { entry; then idle; state idle; state work { entry; then idle; state idle; }\n"
        "    transition first idle accept Go then work;\n"
        "    transition first work.idle accept Go then done; }\n"
        "  transition first on then off;\n"
        "  transition first on::work accept Out then off;\n"
        "}"
    )
    assert model.states == ("off", "on.idle", "work.idle", "done") and model.initial == "on.idle"
    assert arrows(model) == [
        "on.idle -> work.idle: Go",
        "work.idle -> done: Go",
        "work.idle -> off: Out",
        "done -> off:",
    ]


def test_entering_the_initial_state_sets_initial_values() -> None:
    model = read(
        "state def M { attribute m : Integer := 0; attribute n : Integer := 0; entry assign m := 5; then a;"
        " state a { entry assign n := m + 1; } }"
    )
    assert [v.initial for v in model.variables] == [5, 6]


def test_the_example_is_hierarchical() -> None:
    model = read_model(EXAMPLE)
    assert isinstance(model, StateMachine)
    assert model.states == ("red", "waiting", "steady", "off", "on", "defect", "done")
    assert "off -> defect: Fault / lamp = red; lamp = dark" in arrows(model)
    assert [t.requirements for t in model.transitions if t.requirements] == [("R1",), ("R2",)]


def test_without_the_library_one_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sysmlpy", None)
    with pytest.raises(UserError) as caught:
        read_model(EXAMPLE)
    assert str(caught.value).endswith(
        ".sysml: a .sysml file is read by the library sysmlpy, which is not installed: pip install 'fullproof[sysml]'"
    )


def test_whatever_the_library_raises_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    from sysmlpy import antlr_parser

    def fails(*_: object, **__: object) -> None:
        raise KeyError("two\nlines")

    monkeypatch.setattr(antlr_parser, "parse", fails)
    with pytest.raises(UserError, match="sysmlpy cannot parse this file") as caught:
        read("state def M { }")
    assert len(str(caught.value).splitlines()) == 1


def test_limits_of_the_process_are_left_as_they_were() -> None:
    before = sys.getrecursionlimit()
    parse_sysml("state def M { }", file="m.sysml")
    with pytest.raises(UserError):
        parse_sysml("state def M {", file="m.sysml")
    assert sys.getrecursionlimit() == before


def test_every_word_of_the_grammar_is_quoted_as_a_name() -> None:
    from sysmlpy.antlr.SysMLv2Lexer import SysMLv2Lexer

    words = {name.strip("'") for name in SysMLv2Lexer.literalNames}
    assert {word for word in words if word.isalpha()} <= KEYWORDS


RADIO = """\
package Radio {
    attribute def Power; attribute def Play; attribute def Mute; attribute def Motor;
    metadata def <deepHistory> DeepHistory;
    state def radio {
        entry; then off;
        state off;
        transition first off accept Power then on.h;
        state on parallel {
            state drive {
                entry; then stopped;
                state stopped;
                state playing;
                transition first stopped accept Play do send new Motor() then playing;
            }
            state sound {
                entry; then loud;
                state loud;
                state quiet;
                transition first loud accept Mute then quiet;
            }
            #deepHistory state h;
            transition first h then drive;
        }
        transition first on accept Power then off;
    }
}
"""


def test_regions_and_history(tmp_path: Path) -> None:
    (tmp_path / "m.sysml").write_text(RADIO)
    model = read_model(tmp_path / "m.sysml")
    assert isinstance(model, StateMachine)
    yaml = """\
machine: statemachine
name: radio
signals: {in: [Power, Play, Mute], out: [Motor]}
initial: off
states:
  off: [{trigger: Power, to: h}]
  on:
    transitions: [{trigger: Power, to: off}]
    parallel:
      drive: {initial: stopped, states: {stopped: [{trigger: Play, send: Motor, to: playing}], playing: []}}
      sound: {initial: loud, states: {loud: [{trigger: Mute, to: quiet}], quiet: []}}
      h: {history: deep, initial: drive}
"""
    expected = read_model_text(yaml, Path("m.yaml"))
    assert isinstance(expected, StateMachine)
    assert {(t.source, t.trigger, t.sends, t.target) for t in model.transitions} == {
        (t.source, t.trigger, t.sends, t.target) for t in expected.transitions
    }
