"""The formats of others as others write them."""

from pathlib import Path

import pytest
from tests.shared import SHARED, needs_shared_models

from fullproof.core.errors import UserError
from fullproof.formats import read_model
from fullproof.model import Fsm
from fullproof.model.fsm import FsmTransition


def read(tmp_path: Path, ending: str, text: str) -> Fsm:
    path = tmp_path / f"machine{ending}"
    path.write_text(text)
    model = read_model(path)
    assert isinstance(model, Fsm)
    return model


def rows(fsm: Fsm) -> list[tuple[str, ...]]:
    return [t[:4] for t in fsm.transitions]


PUBLISHED = sorted(SHARED.glob("models/automata-wiki/*/*.dot")) + sorted(SHARED.glob("models/random/*.dot"))


@needs_shared_models
@pytest.mark.parametrize("path", PUBLISHED, ids=lambda path: path.stem)
def test_published_dot_files_are_complete_machines(path: Path) -> None:
    fsm = read_model(path)
    assert isinstance(fsm, Fsm)
    assert len(fsm.transitions) == len(fsm.states) * len(fsm.inputs)
    assert len({(t.source, t.input) for t in fsm.transitions}) == len(fsm.transitions)
    assert fsm.name in (path.stem, "distinguishable", "non_distinguishable")
    text = path.read_text().splitlines()
    for t, line in list(zip(fsm.transitions, fsm.lines, strict=True))[:: max(1, len(fsm.lines) // 20)]:
        assert t.source in text[line - 1] and t.input in text[line - 1] and "->" in text[line - 1]


@needs_shared_models
@pytest.mark.parametrize(
    ("name", "states", "inputs", "outputs", "transitions"),
    [("esm", 3410, 78, 151, 265980), ("DFA_R97_sched4", 97, 12, 2, 1164), ("DFA_R664_pots2", 664, 32, 2, 21248)],
)
def test_industrial_machines_load(name: str, states: int, inputs: int, outputs: int, transitions: int) -> None:
    fsm = read_model(SHARED / "models" / "industrial" / f"{name}.fsm")
    assert isinstance(fsm, Fsm)
    found = (len(fsm.states), len(fsm.inputs), len(fsm.outputs), len(fsm.transitions))
    assert found == (states, inputs, outputs, transitions)
    assert fsm.initial == "0"
    assert fsm.states == tuple(str(number) for number in range(states))
    assert fsm.transitions[0] is not None and fsm.lines[0] == 1 and fsm.lines[-1] == transitions


def test_dot_in_every_spelling(tmp_path: Path) -> None:
    fsm = read(
        tmp_path,
        ".dot",
        """// a comment
        /* another
           one */
        # and a third
        strict digraph "coffee \\"machine\\"" {
          rankdir=LR; node [shape=circle]; edge [color="red", fontsize=10]
          graph [bgcolor=white]
          subgraph cluster_0 { label="x"; s1; "s 2" }
          __start0 [shape=none label=""]
          s1 -> "s 2" -> s1 [color=blue, label="a / b", weight=2]; s1 -> s1 [label="c/d"] s1:n -> "s 2":port:sw
             [style=dashed][label="e f / g / h"];
          "s 2" -> s1 [label="x" + "y/z"];
          "s 2" -> 3.5 [label=<<b>p</b>/q &amp; r>];
          3.5 -> 3.5 [label="k / l\\nm / n"];
          3.5 -> s1 [label="dup/1"]; 3.5 -> s1 [label="dup/1"];
          __start0 -> "s 2" [label=""];
        }""",
    )
    assert fsm.name == 'coffee "machine"'
    assert fsm.states == ("s1", "s 2", "3.5")
    assert fsm.initial == "s 2"
    assert rows(fsm) == [
        ("s1", "a", "b", "s 2"),
        ("s 2", "a", "b", "s1"),
        ("s1", "c", "d", "s1"),
        ("s1", "e f", "g / h", "s 2"),
        ("s 2", "xy", "z", "s1"),
        ("s 2", "p", "q & r", "3.5"),
        ("3.5", "k", "l", "3.5"),
        ("3.5", "m", "n", "3.5"),
        ("3.5", "dup", "1", "s1"),
    ]
    assert fsm.lines[:3] == (10, 10, 10)


@pytest.mark.parametrize(
    ("label", "expected"),
    [
        ("a / b", ("a", "b")),
        ("a/b", ("a", "b")),
        ("a/b / c/d", ("a/b", "c/d")),
        ("a/b/c", ("a", "b/c")),
        ("a /b", ("a", "b")),
        ("a/", ("a", "")),
        ("a / b / c", ("a", "b / c")),
    ],
)
def test_dot_labels_split_at_the_first_slash_between_blanks(
    tmp_path: Path, label: str, expected: tuple[str, str]
) -> None:
    fsm = read(tmp_path, ".dot", f'digraph {{ s -> s [label="{label}"] }}')
    assert rows(fsm) == [("s", *expected, "s")]


def test_dot_without_a_mark_starts_in_the_first_state_named(tmp_path: Path) -> None:
    assert read(tmp_path, ".dot", 'digraph g { b; a -> b [label="x/y"] }').initial == "b"
    assert read(tmp_path, ".dot", 'digraph g { a -> b [label="x/y"]; __start -> b }').initial == "b"


def test_kiss2_cubes_expand(tmp_path: Path) -> None:
    fsm = read(
        tmp_path,
        ".kiss2",
        ".i 2 # inputs\n.o 1\n.p 4\n.s 2\n.r b\n0- a b 1\n11 a a -\n-- b a 0\n10 a a 1\n.e\nafter the end",
    )
    assert fsm.initial == "b"
    assert fsm.inputs == ("00", "01", "11", "10")
    assert fsm.outputs == ("1", "-", "0")
    assert rows(fsm) == [
        ("a", "00", "1", "b"),
        ("a", "01", "1", "b"),
        ("a", "11", "-", "a"),
        *(("b", bits, "0", "a") for bits in ("00", "01", "10", "11")),
        ("a", "10", "1", "a"),
    ]


def test_kiss2_symbols_and_any_state(tmp_path: Path) -> None:
    fsm = read(tmp_path, ".kiss2", "coin s0 s1 ok\n- s1 s1 no\nreset * s0 bye\n")
    assert fsm.initial == "s0"
    assert rows(fsm) == [
        ("s0", "coin", "ok", "s1"),
        ("s1", "-", "no", "s1"),
        ("s0", "reset", "bye", "s0"),
        ("s1", "reset", "bye", "s0"),
    ]


def test_kiss2_refuses_cubes_of_astronomic_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UserError, match=r"line 2: the cube .* stands for more than 1,000,000 symbols"):
        read(tmp_path, ".kiss2", f".i 64\n{'-' * 64} a a 1\n")
    monkeypatch.setattr("fullproof.formats.kiss2.reader.MAX_TERMS", 15)
    with pytest.raises(UserError, match="line 4: the cubes up to here stand for more than 15 transitions"):
        read(tmp_path, ".kiss2", ".i 2\n-- a a 1\n-- b b 1\n-- * a 0\n")


def test_fsm_columns_with_and_without_names(tmp_path: Path) -> None:
    text = "2 0 1 0\r\n\r\n0  1\t0 2\n2 0 1 0\n"
    plain = read(tmp_path, ".fsm", text)
    assert (plain.initial, plain.states, plain.inputs) == ("2", ("0", "2"), ("0", "1"))
    assert rows(plain) == [("2", "0", "1", "0"), ("0", "1", "0", "2")]
    (tmp_path / "machine.in").write_text("coin\r\npush\r\nnever\r\n\r\n")
    (tmp_path / "machine.state").write_text("idle\nbroken\n")
    named = read(tmp_path, ".fsm", text)
    assert named.states == ("idle", "broken", "2")
    assert named.inputs == ("coin", "push", "never")
    assert named.outputs == ("0", "1")
    assert rows(named) == [("2", "coin", "1", "idle"), ("idle", "push", "0", "2")]
    assert read(tmp_path, ".fsm", "10 0 0 9\n9 0 0 10\n").states == ("idle", "broken", "9", "10")


def test_fsm_columns_may_hold_words(tmp_path: Path) -> None:
    fsm = read(tmp_path, ".fsm", "s1 a x s0\ns0 b y s1\n")
    assert (fsm.initial, fsm.states, fsm.inputs, fsm.outputs) == ("s1", ("s1", "s0"), ("a", "b"), ("x", "y"))


def test_fsmlib_csv(tmp_path: Path) -> None:
    fsm = read(tmp_path, ".csv", ' ; a ; b\r\n"q0" ; "q2 / 1" ; "q1 / 2"\n"q2" ; q2/0 ; \n"q1" ; q1 ; "q0 / 0"\n')
    assert (fsm.initial, fsm.states, fsm.inputs) == ("q0", ("q0", "q2", "q1"), ("a", "b"))
    assert fsm.transitions == (
        FsmTransition("q0", "a", "1", "q2"),
        FsmTransition("q0", "b", "2", "q1"),
        FsmTransition("q2", "a", "0", "q2"),
        FsmTransition("q2", "b", "_nop", "q2"),
        FsmTransition("q1", "a", "_nop", "q1"),
        FsmTransition("q1", "b", "0", "q0"),
    )
    assert fsm.lines == (2, 2, 3, 3, 4, 4)
    assert rows(read(tmp_path, ".csv", ",a\ns,s/1\n")) == [("s", "a", "1", "s")]
