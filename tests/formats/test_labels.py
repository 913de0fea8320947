"""What stands on an arrow, and Mermaid's diagrams."""

import re
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from tests.shared import REFERENCE
from tests.strategies.models import any_names, fsms, sfsms, statemachines, stss

from fullproof.formats import read_model, read_model_text
from fullproof.formats.labels import transition_label
from fullproof.formats.mermaid.writer import mermaid_lines
from fullproof.model import Model


def labels(name: str) -> list[str]:
    model = read_model(REFERENCE / name)
    return [transition_label(model, t) for t in model.transitions]


def test_labels_of_the_four_kinds() -> None:
    assert labels("m-ex/m-ex.yaml")[0] == "a / 0"
    assert labels("brake/brake.yaml")[0] == "x <= vmax / y == 0"
    assert labels("sts-example/example.yaml") == ["inX? [1 <= p <= 10] x := x + p", "done! [x > 15]", "outX! [p == x]"]
    assert labels("state-machine/figure1.yaml")[:3] == [
        "start",
        "a [x > 0] / m = x / 2",
        "[m + x > 10] / y = y + m - 5",
    ]
    model = read_model_text(
        "machine: statemachine\nsignals: {in: [a], out: [s, t]}\nvariables: {m: int = 0}\ninitial: q\n"
        "states: {q: [{trigger: a, do: [m = 1, m = m + 1], send: [s, t], to: q}, {to: q}]}\n",
        Path("m.yaml"),
    )
    assert [transition_label(model, t) for t in model.transitions] == ["a / m = 1; m = m + 1; send s; send t", ""]


def test_mermaid_of_the_state_machine() -> None:
    lines = "".join(mermaid_lines(read_model(REFERENCE / "state-machine" / "figure1.yaml"))).splitlines()
    assert lines[:4] == ["---", 'title: "figure-1"', "---", "stateDiagram-v2"]
    assert "    state l1 <<choice>>" in lines
    assert "    [*] --> idle" in lines
    assert "    l0 --> l1 : a [x #62; 0] / m = x / 2" in lines


STATE = re.compile(r'    (?:(\w+)|state (\w+) <<choice>>|state "[^":;\n]*(?:#\d+;[^":;\n]*)*" as (\w+))\Z', re.ASCII)
ARROW = re.compile(r"    (\w+|\[\*\]) --> (\w+)(?: : (?:[^:;#%<>{}\n]|#\d+;)+)?\Z", re.ASCII)


@given(st.one_of(*(kind(names=any_names) for kind in (fsms, sfsms, stss, statemachines))))
def test_mermaid_never_takes_a_name_for_syntax(model: Model) -> None:
    """Every line is one statement of the grammar, every state is declared once, every arrow joins declared states."""
    lines = "".join(mermaid_lines(model)).split("\n")
    assert lines[0] == lines[2] == "---" and lines[3] == "stateDiagram-v2" and lines[-1] == ""
    body = [line for line in lines[4:-1] if not line.startswith("    %% fullproof: ")]
    assert len(body) == len(model.states) + 1 + len(model.transitions)
    declared = []
    for line in body[: len(model.states)]:
        match = STATE.match(line)
        assert match, line
        declared.append(next(name for name in match.groups() if name))
    assert len(set(declared)) == len(declared)
    by_state = dict(zip(model.states, declared, strict=True))
    for line, t in zip(body[len(model.states) + 1 :], model.transitions, strict=True):
        match = ARROW.match(line)
        assert match, line
        assert match.groups() == (by_state[t.source], by_state[t.target])
    start = ARROW.match(body[len(model.states)])
    assert start and start.groups() == ("[*]", by_state[model.initial])
