"""Scripts that reproduce a failure: they run alone and show the same outputs."""

import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest

from fullproof.report.reproduce import Failure, script, script_name

LAMP = """
import sys, json
class Lamp:
    def reset(self): self.on = False
    def step(self, symbol): self.on = not self.on; return "stuck"
class Scale:
    def step(self, x): return x * 2
if __name__ == "__main__":
    for line in sys.stdin:
        print(json.dumps({"ready": True} if "reset" in line else {"output": "stuck"}), flush=True)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "lamp.py").write_text(LAMP)
    return tmp_path


def failure(sut: str, **other: object) -> Failure:
    known: dict[str, object] = {
        "test": "t-1", "model": 'la"""mp', "model_file": "lamp.yaml", "kind": "fsm", "sut": sut,
        "inputs": ("press", "look"), "allowed": "on", "observed": "stuck", "reason": "wrong \\x output",
    }  # fmt: skip
    return Failure(**(known | other))  # type: ignore[arg-type]


@pytest.mark.parametrize("sut", ["python:lamp.py:Lamp", "python:lamp:Lamp", f"exec:{sys.executable} lamp.py"])
def test_scripts_run_alone(folder: Path, sut: str) -> None:
    made = failure(sut)
    path = folder / script_name(made)
    path.write_text(script(made))
    done = subprocess.run([sys.executable, "-I", path.name], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "   1  press  ->  stuck" in done.stdout
    assert "allowed:  on" in done.stdout


def test_values_keep_their_exactness(folder: Path) -> None:
    inputs = ({"x": Fraction(20, 3)}, {"x": Fraction(5, 2)})
    made = failure("python:lamp.py:Scale", kind="sfsm", inputs=inputs)
    (folder / "r.py").write_text(script(made))
    done = subprocess.run([sys.executable, "-I", "r.py"], cwd=folder, capture_output=True, text=True, check=False)
    assert "->  40/3" in done.stdout, done.stderr
    assert "->  5.0" in done.stdout


def test_other_systems_are_reached_by_the_command() -> None:
    made = failure("lib:it's.so")
    text = script(made)
    assert script_name(made) == "reproduce-t-1.sh"
    assert "fullproof run lamp.yaml --sut 'lib:it'\"'\"'s.so' --suite \"$suite\"" in text
    assert subprocess.run(["sh", "-n"], input=text, text=True, check=False).returncode == 0
