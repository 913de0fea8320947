"""Inputs that floats hold exactly, where a class has one: a correct system that computes with floats must pass."""

from fractions import Fraction
from pathlib import Path

import pytest
from tests.cli.harness import Shell

from fullproof.abstract.alphabet import alphabet_of
from fullproof.abstract.classes import io_classes
from fullproof.abstract.numbers import is_exact
from fullproof.formats import read_model

HEAD = "machine: sfsm\nname: m\ninputs: {v: real 0..1000}\noutputs: {y: real}\ninitial: s\nstates:\n  s:\n"
MODELS = {
    "threshold": "    - {when: v >= 50 / 3, then: y == 2 * v, to: s}\n    - {when: v < 50 / 3, then: y == 0, to: s}\n",
    "line": "    - {when: 3 * v >= 50, then: y == v / 2, to: s}\n    - {when: 3 * v < 50, then: y == v, to: s}\n",
    "two": "    - {when: v > 50 / 7, then: y == v + 1, to: s}\n    - {when: v <= 50 / 7, then: y == 3 * v, to: s}\n"
    "fault_domain: {guards: [v > 100 / 3]}\n",
}
SYSTEMS = {
    "threshold": "2 * v if v >= 50 / 3 else 0",
    "line": "v / 2 if 3 * v >= 50 else v",
    "two": "v + 1 if v > 50 / 7 else 3 * v",
}


@pytest.mark.parametrize("name", MODELS)
def test_representatives_are_exact(name: str, tmp_path: Path) -> None:
    path = tmp_path / "model.yaml"
    path.write_text(HEAD + MODELS[name])
    model = read_model(path)
    classes = io_classes(model, alphabet_of(model))
    for representative in classes.representatives:
        assert all(is_exact(value) for value in representative.input.values()), representative.input


@pytest.mark.parametrize("method", ["general", "abstraction", "separable"])
@pytest.mark.parametrize("name", MODELS)
def test_a_correct_system_of_floats_passes(name: str, method: str, tmp_path: Path, capsys) -> None:
    path, system = tmp_path / "model.yaml", tmp_path / "system.py"
    path.write_text(HEAD + MODELS[name])
    system.write_text(
        f"class System:\n    def reset(self):\n        pass\n\n    def step(self, v):\n        return {SYSTEMS[name]}\n"
    )
    ended = Shell(capsys)("run", path, "--sut", f"python:{system}:System", "--method", method, "--json")
    assert (ended.code, ended.json["failures"]) == (0, [])


def test_a_single_point_is_taken_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "model.yaml"
    path.write_text(
        HEAD + "    - {when: v == 50 / 3, then: y == 1, to: s}\n    - {when: v != 50 / 3, then: y == 0, to: s}\n"
    )
    model = read_model(path)
    inputs = [r.input["v"] for r in io_classes(model, alphabet_of(model)).representatives]
    assert Fraction(50, 3) in inputs
    assert not is_exact(Fraction(50, 3))
    assert is_exact(Fraction(1, 10))
