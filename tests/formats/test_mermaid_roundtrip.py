"""What is written as a Mermaid diagram reads back as the same model, whatever its names are."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from tests.shared import REFERENCE
from tests.strategies.models import any_names, fsms, sfsms, statemachines, stss

from fullproof.formats import read_model
from fullproof.formats.mermaid.reader import read_mermaid
from fullproof.formats.mermaid.writer import mermaid_lines
from fullproof.model import Fsm, Model, Sfsm, StateMachine, Sts


def same(left: Model, right: Model) -> bool:
    return left == right and repr(left) == repr(right)


def survives(model: Model) -> None:
    text = "".join(mermaid_lines(model))
    assert same(read_mermaid(text, Path("m.mmd")), model), text


@given(statemachines(names=any_names))
@settings(max_examples=150)
def test_a_statemachine_reads_back(model: StateMachine) -> None:
    survives(model)


@given(fsms(names=any_names))
@settings(max_examples=100)
def test_an_fsm_reads_back(model: Fsm) -> None:
    survives(model)


@given(sfsms(names=any_names))
@settings(max_examples=60)
def test_an_sfsm_reads_back(model: Sfsm) -> None:
    survives(model)


@given(stss(names=any_names))
@settings(max_examples=60)
def test_an_sts_reads_back(model: Sts) -> None:
    survives(model)


@pytest.mark.parametrize("path", sorted(REFERENCE.glob("*/*.yaml")), ids=lambda path: path.stem)
def test_reference_models_survive(path: Path) -> None:
    survives(read_model(path))
