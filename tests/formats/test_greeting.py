"""What a model sends before its first input is kept by a conversion, or the conversion is refused."""

from pathlib import Path

import pytest

from fullproof.core.errors import UserError
from fullproof.formats import read_model
from fullproof.model import StateMachine
from fullproof.pipeline.models import convert_file

_DOOR = """machine: statemachine
name: door
signals: {in: [open, close], out: [beep, click]}
initial: shut
states:
  shut: {entry: {send: [beep]}, transitions: [{trigger: open, to: ajar}]}
  ajar: [{trigger: close, send: [click], to: shut}]
"""
_LIFT = """machine: statemachine
name: lift
signals: {in: [up, down], out: [beep]}
initial: ground
states:
  ground:
    initial: wait
    entry: {send: [beep]}
    states: {wait: [{trigger: up, to: rest}]}
  top:
    initial: rest
    states: {rest: [{trigger: down, to: wait}]}
"""


@pytest.mark.parametrize("ending", [".yaml", ".json", ".puml", ".xmi", ".scxml", ".mmd"])
def test_formats_with_charts_keep_it(ending: str, tmp_path: Path) -> None:
    (tmp_path / "door.yaml").write_text(_DOOR)
    convert_file(tmp_path / "door.yaml", tmp_path / f"other{ending}")
    kept = read_model(tmp_path / f"other{ending}")
    assert isinstance(kept, StateMachine)
    assert kept.greeting == ("beep",)


def test_sysml_keeps_it(tmp_path: Path) -> None:
    pytest.importorskip("sysmlpy")
    test_formats_with_charts_keep_it(".sysml", tmp_path)


def test_what_is_written_as_flat_states_is_refused(tmp_path: Path) -> None:
    """Mermaid draws no arrow from inside one state to inside another, so this chart becomes its configurations."""
    (tmp_path / "lift.yaml").write_text(_LIFT)
    target = tmp_path / "other.mmd"
    with pytest.raises(UserError, match=r"cannot say what this model sends before its first input: beep"):
        convert_file(tmp_path / "lift.yaml", target)
    assert not target.exists()


def test_a_model_that_sends_nothing_first_is_written(tmp_path: Path) -> None:
    (tmp_path / "door.yaml").write_text(_DOOR.replace("entry: {send: [beep]}, ", ""))
    convert_file(tmp_path / "door.yaml", tmp_path / "other.mmd")
    assert (tmp_path / "other.mmd").exists()
