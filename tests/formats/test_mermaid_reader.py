"""Diagrams as people draw them."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.shared import ROOT

from fullproof.core.errors import UserError
from fullproof.formats import read_model
from fullproof.formats.labels import transition_label
from fullproof.formats.mermaid.reader import read_mermaid
from fullproof.formats.mermaid.writer import mermaid_lines
from fullproof.model import Fsm, Model, StateMachine


def read(text: str) -> Model:
    return read_mermaid(text, Path("folder/m.mmd"))


def arrows(model: Model) -> list[str]:
    return [f"{t.source} -> {t.target}: {transition_label(model, t)}" for t in model.transitions]


def test_labels_of_input_and_output_make_an_fsm() -> None:
    model = read(
        "stateDiagram\n"
        "[*] --> locked\n"
        "locked --> unlocked: coin/ok\n"
        'unlocked-->locked : push #47; "a / b"; \n'
        'state "out of order" as broken\n'
        "locked --> broken : kick / a/b\n"
        "broken : needs a mechanic\n"
    )
    assert isinstance(model, Fsm)
    assert model.name == "m" and model.initial == "locked"
    assert model.states == ("locked", "unlocked", "out of order")
    assert arrows(model) == [
        "locked -> unlocked: coin / ok",
        "locked -> out of order: kick / a/b",
        "unlocked -> locked: push / a / b",
    ]


@pytest.mark.parametrize(
    "label", ["coin", "coin [true] / ok", "coin / send ok", "/ ok", "coin / ok, ok", "coin / ok; ok"]
)
def test_any_other_label_makes_a_statemachine(label: str) -> None:
    model = read(f"stateDiagram-v2\n[*] --> a\na --> b : x / y\nb --> a : {label}\n")
    assert isinstance(model, StateMachine)
    assert model.signals_out == ("y", "ok") or label == "coin"


def test_declarations_may_stand_anywhere_and_be_indented_differently() -> None:
    model = read(
        "%% fullproof: inputs: {x: int}\n"
        "stateDiagram-v2\n"
        "    [*] --> a\n"
        "  %%fullproof: variables:\n"
        "  %%fullproof:   m: int = 1\n"
        "    a --> b : go, stop [x #gt; m] / m := x / 2 * 2, send beep\n".replace("x / 2 * 2", "x % 2")
        + "    %% fullproof: fault_domain: {extra_states: 1}\n"
    )
    assert isinstance(model, StateMachine)
    assert model.signals_in == ("go", "stop") and model.signals_out == ("beep",)
    assert model.description.fault_domain.extra_states == 1
    assert arrows(model) == [
        "a -> b: go [x > m] / m = x % 2; send beep",
        "a -> b: stop [x > m] / m = x % 2; send beep",
    ]


def test_else_means_that_no_other_guard_holds() -> None:
    model = read(
        "stateDiagram-v2\n%% fullproof: inputs: {x: int}\n[*] --> c\nstate c <<choice>>\n"
        "c --> a : [x == 1]\nc --> b : [else]\nc --> d : [x #gt; 3 and x != 5]\n"
        "a --> b : p, q [else]\na --> c : p [x == 0]\n"
    )
    assert arrows(model) == [
        "c -> a: [x == 1]",
        "c -> b: [x != 1 and not (x > 3 and x != 5)]",
        "c -> d: [x > 3 and x != 5]",
        "a -> b: p [x != 0]",
        "a -> b: q",
        "a -> c: p [x == 0]",
    ]
    with pytest.raises(UserError, match="line 4, column 17: 'else' never holds"):
        read("stateDiagram-v2\n[*] --> a\na --> b : go\na --> a : go / [else]\n".replace(" / [", "  [ "))


def test_states_inside_states() -> None:
    model = read(
        "stateDiagram-v2\n"
        "  %% fullproof: variables: {n: int = 0, m: int = 0}\n"
        "  [*] --> Off : / m = 7\n"
        "  Off --> On : power\n"
        "  state On { [*] --> Idle\n"
        "    Idle --> Busy : job\n"
        "    Busy --> [*] : done\n"
        "    Busy : entry / n = n + 1\n"
        "    Busy : look / send here\n"
        "  }\n"
        "  On : entry / m = 1\n"
        "  On : exit / m = 0\n"
        "  On --> Off : power\n"
        "  On --> Off : [n #gt; 2]\n"
        "  On --> [*] : fire\n"
    )
    assert isinstance(model, StateMachine)
    assert model.states == ("Off", "Idle", "Busy", "On.final", "final")
    assert [v.initial for v in model.variables] == [0, 7]
    assert model.signals_in == ("power", "job", "done", "fire", "look")
    assert arrows(model) == [
        "Off -> Idle: power / m = 1",
        "Idle -> Busy: job / n = n + 1",
        "Idle -> Off: power / m = 0",
        "Idle -> final: fire / m = 0",
        "Busy -> On.final: done",
        "Busy -> Busy: look / send here",
        "Busy -> Off: power / m = 0",
        "Busy -> final: fire / m = 0",
        "On.final -> Off: power [n <= 2] / m = 0",
        "On.final -> Off: [n > 2] / m = 0",
        "On.final -> final: fire [n <= 2] / m = 0",
    ]


def test_what_only_concerns_the_looks_is_skipped() -> None:
    model = read(
        "---\ntitle: A 'name'\nconfig:\n  theme: dark\n---\n\n"
        "%%{init: {\n  'theme': 'dark'\n}}%%\n"
        "stateDiagram-v2 %% v2\n"
        "    accTitle: A title\n    accDescr: more\n    accDescr {\n      and more\n    }\n"
        "    direction LR\n    classDef bad fill:#f96,color:#fff\n"
        "    [*] --> größe %% the first\n"
        "    größe --> b:::bad : go / ok\n"
        "    b:::bad --> größe : back / ok\n"
        "    class b bad\n    style b fill:#fff\n    hide empty description\n    scale 350 width\n"
        "    note left of b : one line --> x\n"
        "    note right of größe\n      several --> lines {\n    end note\n"
        '    click b href "https://example.org"\n'
    )
    assert isinstance(model, Fsm)
    assert model.name == "A 'name'" and model.states == ("größe", "b")
    assert arrows(model) == ["größe -> b: go / ok", "b -> größe: back / ok"]


def test_the_example_is_what_its_comments_say() -> None:
    model = read_model(ROOT / "examples" / "statemachines" / "garage-door.mmd")
    assert isinstance(model, StateMachine)
    assert model.choices == ("Blocked",) and "Out of order" in model.states
    closing = [line for line in arrows(model) if line.startswith("Closing -> Blocked")]
    leaving = "motor = off; light = false; stops = min(stops + 1, 3); send beep"
    assert closing == [f"Closing -> Blocked: sample [force > limit and position != 0] / {leaving}"]
    assert read("".join(mermaid_lines(model))) == model


_words = st.sampled_from(
    [
        *("[*]", "-->", "a", "b", "state", "{", "}", ":", "/", "[", "]", "x > 1", "m = 1", ";", ",", '"', "as", "else"),
        *("%%", "fullproof:", "inputs:", "{x: int}", "note", "right of a", "end note", "--", "#62;", "#", "entry /"),
        *("<<choice>>", "send", "\n", "a --> b :", "\nb --> a : go", "\nstate b {\n[*] --> c\n}", "c --> [*]"),
    ]
)


@given(st.lists(_words | st.text(max_size=3), max_size=30))
@settings(max_examples=300)
def test_no_text_is_more_than_a_mistake(words: list[str]) -> None:
    text = "stateDiagram-v2\n%% fullproof: variables: {x: int = 0, m: int = 0}\n[*] --> a\n" + " ".join(words)
    try:
        model = read(text)
    except UserError as error:
        assert error.at.line is not None and len(str(error).splitlines()) == 1
    else:
        assert read("".join(mermaid_lines(model))) == model


def test_what_is_said_of_an_inner_state_from_outside_does_not_move_it() -> None:
    model = read(
        "stateDiagram-v2\n"
        "  %% fullproof: variables: {m: int 0..1 = 0}\n"
        "  [*] --> off\n"
        "  off --> moving : call\n"
        "  state moving {\n"
        "    [*] --> op\n"
        "    op --> wait : limit\n"
        "  }\n"
        "  wait : entry / m = 1\n"
        "  op : opens the door\n"
        "  moving --> off : halt / m = 0\n"
    )
    assert arrows(model) == [
        "off -> op: call",
        "op -> wait: limit / m = 1",
        "op -> off: halt / m = 0",
        "wait -> off: halt / m = 0",
    ]


def test_what_is_said_of_a_state_further_inside_does_move_it() -> None:
    model = read(
        "stateDiagram-v2\n  [*] --> off\n  off --> op : call\n"
        "  state moving {\n    [*] --> op\n    op : entry / send on\n  }\n"
        "  moving --> off : halt\n"
    )
    assert arrows(model) == ["off -> op: call / send on", "op -> off: halt"]
