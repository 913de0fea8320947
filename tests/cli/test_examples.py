"""The gallery: what is right passes, what is wrong fails."""

from pathlib import Path

import pytest
from tests.cli.harness import Shell
from tests.shared import ROOT

EXAMPLES = ROOT / "examples"
GALLERY = {
    "braking-assistant": ("assistant.py", "Assistant", ("ReleasesEarly", "BrakesTooHard")),
    "temperature-alarm": ("alarm.py", "Alarm", ("CryingWolf", "LateSiren")),
    "train-speed-monitor": ("monitor.py", "Monitor", ("ReleasesOnTheMove", "ForgetsTheWarning")),
    "airbag": ("airbag.py", "Airbag", ("CountsPotholes", "FiresTwice")),
    "insulin-pump": ("pump.py", "Pump", ("StopAndGo", "Overdose")),
}


def test_every_symbolic_example_is_in_the_gallery_and_has_a_page() -> None:
    symbolic = {path.parent for path in EXAMPLES.glob("*/model.yaml") if "machine: sfsm" in path.read_text()}
    assert {folder.name for folder in symbolic} == GALLERY.keys()
    assert all("```console" in (folder / "README.md").read_text() for folder in symbolic)


@pytest.mark.parametrize("name", GALLERY)
def test_the_right_one_passes_and_the_wrong_ones_fail(fullproof: Shell, tmp_path: Path, name: str) -> None:
    source, right, wrong = GALLERY[name]
    model, suite = EXAMPLES / name / "model.yaml", tmp_path / "suite.jsonl"
    relation = ("--relation", "reduction") if name == "temperature-alarm" else ()
    checked = fullproof("check", model, "--json").json
    assert [finding for finding in checked["findings"] if finding["severity"] == "error"] == []
    assert fullproof("generate", model, "-o", suite, *relation).code == 0

    def verdict(system: str) -> str:
        sut = f"python:{EXAMPLES / name / source}:{system}"
        return fullproof("run", model, "--suite", suite, "--sut", sut, "--json").json["verdict"]

    assert verdict(right) == "pass"
    assert [verdict(system) for system in wrong] == ["fail", "fail"]


@pytest.mark.parametrize(
    ("name", "system", "fault"),
    [
        ("braking-assistant", "assistant.py:ReleasesEarly", "guard speed <= limit - hysteresis instead of speed <"),
        ("airbag", "airbag.py:FiresTwice", "target suspecting instead of spent"),
    ],
)
def test_the_fault_is_named(fullproof: Shell, name: str, system: str, fault: str) -> None:
    """A mutation that leaves an input undefined explains no answer to it, and so is no diagnosis."""
    ended = fullproof("run", EXAMPLES / name / "model.yaml", "--sut", f"python:{EXAMPLES / name / system}")
    assert ended.code == 1
    assert f"diagnosis: behaves like the model with {fault}" in ended.out
