"""What is written as SCXML reads back as the same model; other readers of XML see the same document."""

from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given, reject, settings
from tests.shared import REFERENCE, ROOT
from tests.strategies.models import any_names, printable_names, statemachines

from fullproof.core.errors import UserError
from fullproof.formats import read_model, write_model
from fullproof.formats.scxml.reader import read_scxml
from fullproof.formats.scxml.writer import scxml_lines
from fullproof.model import StateMachine

FILES = [*sorted((ROOT / "examples" / "statemachines").glob("*.yaml")), REFERENCE / "state-machine" / "figure1.yaml"]
UNTIMED = [path for path in FILES if "after:" not in path.read_text(encoding="utf-8")]
"""Timers come back with the names of their events: `test_timed_conversions.py`."""


def written(model: StateMachine) -> str:
    try:
        return "".join(scxml_lines(model))
    except UserError as error:
        assert "XML has no character U+" in error.message
        reject()


@given(statemachines(names=printable_names))
@settings(max_examples=120, deadline=None)
def test_reads_back(model: StateMachine) -> None:
    text = written(model)
    again = read_scxml(text, Path("m.scxml"))
    assert again == model
    assert repr(again) == repr(model)  # 1, True and Fraction(1) are equal in Python
    assert "".join(scxml_lines(again)) == text


@given(statemachines(names=any_names))
@settings(max_examples=60, deadline=None)
def test_odd_names(model: StateMachine) -> None:
    text = written(model)
    assert read_scxml(text, Path("m.scxml")) == model
    root = ElementTree.fromstring(text)
    assert len(root.findall("{http://www.w3.org/2005/07/scxml}state")) == len(model.states)


@pytest.mark.parametrize("name", ["a\0b", "\x1b", "\ufffe"])
def test_names_that_xml_cannot_hold_are_refused(name: str, tmp_path: Path) -> None:
    model = read_model(UNTIMED[0])
    assert isinstance(model, StateMachine)
    with pytest.raises(UserError, match=r"m\.scxml: a file of XML cannot hold .*: XML has no character U\+"):
        write_model(replace(model, name=name), tmp_path / "m.scxml")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("path", UNTIMED, ids=lambda path: path.stem)
def test_models_survive(path: Path, tmp_path: Path) -> None:
    model = read_model(path)
    write_model(model, tmp_path / "m.scxml")
    again = read_model(tmp_path / "m.scxml")
    assert again == model
    write_model(again, tmp_path / "m.yaml")
    assert read_model(tmp_path / "m.yaml") == model
