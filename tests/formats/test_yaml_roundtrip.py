"""What is written in YAML or JSON reads back as the same model, whatever its names are."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ruamel.yaml import YAML
from tests.shared import REFERENCE
from tests.strategies.models import any_names, fsms, sfsms, statemachines, stss

from fullproof.formats import read_model, read_model_text, write_model
from fullproof.formats.json.writer import json_lines
from fullproof.formats.yaml.writer import yaml_lines
from fullproof.model import Fsm, Model

models = st.one_of(fsms(names=any_names), sfsms(names=any_names), stss(names=any_names), statemachines(names=any_names))


def same(left: Model, right: Model) -> bool:
    # 1, True and Fraction(1) are equal in Python, but not the same constant.
    return left == right and repr(left) == repr(right)


@given(models)
@settings(max_examples=150)
def test_yaml_reads_back(model: Model) -> None:
    text = "".join(yaml_lines(model))
    assert same(read_model_text(text, Path("m.yaml")), model), text


@given(models)
@settings(max_examples=60)
def test_json_reads_back(model: Model) -> None:
    text = "".join(json_lines(model))
    assert same(read_model_text(text, Path("m.json")), model), text


@given(fsms(names=any_names))
def test_other_readers_of_yaml_see_texts(model: Fsm) -> None:
    """Names are texts for a reader that resolves numbers, truth values and null."""
    loaded = YAML(typ="safe", pure=True).load("".join(yaml_lines(model)))
    assert tuple(loaded["states"]) == model.states
    seen = {(s, t["when"], t["then"], t["to"]) for s, listed in loaded["states"].items() for t in listed}
    assert seen == {t[:4] for t in model.transitions}


@pytest.mark.parametrize("path", sorted(REFERENCE.glob("*/*.yaml")), ids=lambda path: path.stem)
def test_reference_models_survive(path: Path, tmp_path: Path) -> None:
    model = read_model(path)
    for ending in (".yaml", ".json"):
        target = tmp_path / ("copy" + ending)
        write_model(model, target)
        assert same(read_model(target), model)
        first = target.read_bytes()
        write_model(read_model(target), target)
        assert target.read_bytes() == first


def test_brake_is_written_as_people_write_it(tmp_path: Path) -> None:
    source = REFERENCE / "brake" / "brake.yaml"
    write_model(read_model(source), tmp_path / "brake.yaml")
    lines = [line for line in source.read_text().splitlines() if not line.startswith("#")]
    assert (tmp_path / "brake.yaml").read_text().splitlines() == lines
