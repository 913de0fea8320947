"""Charts are written to SysML v2 as trees, with the transitions to final states in the states that they end."""

from pathlib import Path

import pytest
from tests.formats.test_chart_conversions import require_same_answers

from fullproof.formats import read_model_text
from fullproof.formats.sysml.writer import sysml_lines
from fullproof.model import StateMachine

pytest.importorskip("sysmlpy", reason="the extra 'sysml' is not installed")

PLAYER = """
machine: statemachine
name: player
signals: {in: [a, b, c], out: [s]}
outputs: {y: int 0..9 = 0}
initial: off
choices: [which way]
states:
  off: [{trigger: a, to: memory}]
  on:
    entry: [y = 1]
    exit: {do: [y = 0], send: [s]}
    transitions: [{trigger: a, to: off}, {kind: completion, send: [s], to: off}]
    parallel:
      left:
        initial: l0
        states: {l0: [{trigger: b, to: which way}, {trigger: c, do: [y = 3], to: l1}], l1: {final: true}}
      right:
        initial: r0
        entry: [y = 5]
        states: {r0: [{trigger: c, when: y > 2, to: r1}], r1: {final: true}}
      memory: {history: deep, initial: l0}
  which way: [{when: y == 5, to: on}, {when: y != 5, to: l0}]
"""
ASKS = PLAYER.replace("when: y > 2, to: r1", "when: in(l0), to: r1")
RAISES = PLAYER.replace("do: [y = 3], to: l1", "raise: [c], to: l1")
DONE = PLAYER.replace("off", "done")
STAYS = PLAYER.replace(
    "{trigger: a, to: memory}]", "{trigger: a, to: memory}, {trigger: b, kind: internal, send: [s]}]"
)
SPLIT = STAYS.replace("b, kind", "a, when: y > 4, kind").replace("a, to: memory", "a, when: y <= 4, to: memory")
OVERLAP = SPLIT.replace("when: y <= 4", "when: y <= 6")


@pytest.mark.parametrize(
    ("text", "is_tree"),
    [(PLAYER, True), (ASKS, False), (RAISES, False), (DONE, False), (STAYS, True), (SPLIT, True), (OVERLAP, False)],
)
def test_a_tree_reads_back(text: str, is_tree: bool) -> None:
    model = read_model_text(text, "m.yaml")
    assert isinstance(model, StateMachine)
    written = "".join(sysml_lines(model))
    back = read_model_text(written, Path("m.sysml"))
    assert ("state on parallel {" in written) is is_tree, written
    require_same_answers(back, model, 6, written)
