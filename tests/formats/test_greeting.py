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


@pytest.mark.parametrize("ending", [".yaml", ".json", ".puml", ".xmi"])
def test_formats_with_charts_keep_it(ending: str, tmp_path: Path) -> None:
    (tmp_path / "door.yaml").write_text(_DOOR)
    convert_file(tmp_path / "door.yaml", tmp_path / f"other{ending}")
    kept = read_model(tmp_path / f"other{ending}")
    assert isinstance(kept, StateMachine)
    assert kept.greeting == ("beep",)


@pytest.mark.parametrize("ending", [".mmd", ".scxml"])
def test_formats_with_flat_states_refuse_it(ending: str, tmp_path: Path) -> None:
    (tmp_path / "door.yaml").write_text(_DOOR)
    target = tmp_path / f"other{ending}"
    with pytest.raises(UserError, match=r"cannot say what this model sends before its first input: beep"):
        convert_file(tmp_path / "door.yaml", target)
    assert not target.exists()


def test_a_model_that_sends_nothing_first_is_written(tmp_path: Path) -> None:
    (tmp_path / "door.yaml").write_text(_DOOR.replace("entry: {send: [beep]}, ", ""))
    convert_file(tmp_path / "door.yaml", tmp_path / "other.mmd")
    assert (tmp_path / "other.mmd").exists()
