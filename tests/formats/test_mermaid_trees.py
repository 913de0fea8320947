"""Charts are written to Mermaid as trees, with arrows in the blocks where Mermaid draws them."""

from pathlib import Path

import pytest
from tests.formats.test_chart_conversions import require_same_answers

from fullproof.core.errors import UserError
from fullproof.formats import read_model_text
from fullproof.formats.mermaid.reader import read_mermaid
from fullproof.formats.mermaid.writer import mermaid_lines
from fullproof.model import StateMachine

PLAYER = """
machine: statemachine
name: player
signals: {in: [a, b, c], out: [s]}
outputs: {y: int 0..9 = 0}
initial: off
choices: ['which way']
states:
  off: [{trigger: a, to: memory}]
  on:
    entry: [y = 1]
    transitions: [{trigger: a, to: off}, {kind: completion, send: [s], to: off}]
    parallel:
      left:
        initial: l0
        states: {l0: [{trigger: b, to: 'which way'}, {trigger: c, to: l1}], l1: {final: true}}
      right:
        initial: r0
        states: {r0: [{trigger: c, when: in(l0), to: r1}, {trigger: a, kind: internal, do: [y = 2]}], r1: {final: true}}
      memory: {history: deep, initial: [l0, r0]}
  which way: [{when: y == 2, to: on}, {when: y != 2, to: l0}]
"""
CROSSING = PLAYER.replace("{when: y != 2, to: l0}", "{when: y != 2, to: off}")
ACROSS = PLAYER.replace("when: in(l0), to: r1", "to: l0")


LOCAL = """
machine: statemachine
name: local
signals: {in: [a, b, c], out: [s]}
outputs: {y: int 0..9 = 0}
initial: on
states:
  on:
    initial: {to: x, do: [y = 3]}
    transitions: [{trigger: a, kind: local, send: [s], to: z}, {trigger: b, kind: local, to: on}]
    states: {x: [{trigger: c, to: z}], z: {exit: [y = 1], transitions: [{trigger: c, to: off}]}}
  off: [{trigger: c, to: on}]
"""
SEEN = LOCAL.replace("    transitions:", "    exit: {send: [s]}\n    transitions:")


@pytest.mark.parametrize(
    ("text", "is_tree"), [(PLAYER, True), (CROSSING, True), (ACROSS, False), (LOCAL, True), (SEEN, False)]
)
def test_a_tree_reads_back(text: str, is_tree: bool) -> None:
    model = read_model_text(text, "m.yaml")
    assert isinstance(model, StateMachine)
    written = "".join(mermaid_lines(model))
    back = read_mermaid(written, Path("m.mmd"))
    assert ("state on {" in written) is is_tree, written
    require_same_answers(back, model, 6, written)
    if "memory" in text and is_tree:
        block = written.split("state on {")[1].split("\n    }")[0]
        assert "r0 --> [*] : c [in(l0)]" in block and "r0 : a / y = 2" in block
        assert "histories: {memory: deep of on}" in written and "off --> memory" not in block


BLOCK = (
    "stateDiagram-v2\n%% fullproof: histories: {h: {0}}\n[*] --> a\na --> h : x\nh --> a\nstate on {\n[*] --> b\n}\n"
)


@pytest.mark.parametrize(
    ("depth", "message"),
    [
        ("deep", "the diagram itself is never left, so 'h' cannot be its history state"),
        ("deep of b", "unknown composite state 'b'"),
        ("sometimes of on", "unknown depth of history 'sometimes'"),
    ],
)
def test_histories_have_a_state_around_them(depth: str, message: str) -> None:
    with pytest.raises(UserError, match=message) as caught:
        read_mermaid(BLOCK.replace("{0}", depth), Path("m.mmd"))
    assert caught.value.at.line == 2
