"""Modules beside a system are the system's, not ours."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from tests.execute.test_isolation import LAMP_YAML

SYSTEM = """
import {shadow}
import helper
class Lamp:
    def reset(self): self.bright = False
    def step(self, symbol):
        import later
        assert {shadow}.MINE and helper.MINE and later.MINE
        if symbol == "press": self.bright = not self.bright
        return "on" if self.bright else "off"
"""
SHADOWS = [
    "sqlite3",
    *(pytest.param(name, marks=pytest.mark.slow) for name in ("html", "csv", "jinja2", "platform", "queue", "xml")),
]


@pytest.mark.parametrize("option", ["--isolate", "--no-isolate"])
@pytest.mark.parametrize("shadow", SHADOWS)
def test_a_module_beside_the_system_takes_the_place_of_none_of_ours(tmp_path: Path, shadow: str, option: str) -> None:
    folder = tmp_path / "system"
    folder.mkdir()
    for name in (shadow, "helper", "later"):
        (folder / f"{name}.py").write_text("MINE = True\n")
    (folder / "lamp.py").write_text(SYSTEM.format(shadow=shadow))
    (tmp_path / "lamp.yaml").write_text(LAMP_YAML)
    command = [sys.executable, "-m", "fullproof", "run", "lamp.yaml", "--sut", "python:system/lamp.py:Lamp", "--json"]
    done = subprocess.run(
        [*command, "--report", "out", option], cwd=tmp_path, capture_output=True, text=True, timeout=100
    )
    answer = json.loads(done.stdout) if done.stdout else {}
    # Python has a module of some of these names before any system is loaded: then that is what the system gets.
    had_it = any("has no attribute 'MINE'" in (failure["reason"] or "") for failure in answer.get("failures", ()))
    assert (done.returncode, had_it) in ((0, False), (1, True)), done.stderr
    assert (tmp_path / "out" / "report.html").exists()


def test_the_working_directory_is_no_place_for_our_modules(tmp_path: Path) -> None:
    for name in ("sqlite3", "jinja2", "csv", "html", "typer", "rich"):
        (tmp_path / f"{name}.py").write_text("raise RuntimeError('not ours')\n")
    (tmp_path / "lamp.yaml").write_text(LAMP_YAML)
    (tmp_path / "lamp.py").write_text(
        "class Lamp:\n    def reset(self): self.b = False\n    def step(self, symbol):\n"
        '        self.b ^= symbol == "press"\n        return "on" if self.b else "off"\n'
    )
    command = [sys.executable, "-m", "fullproof", "run", "lamp.yaml", "--sut", "python:lamp:Lamp", "--report", "out"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=100)
    assert done.returncode == 0, done.stderr
