"""A method is added by a file and an entry in the table, and everything that lists or takes methods knows it."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.docs.fences import fences
from tests.shared import ROOT

from fullproof.generate.finite.methods import EQUIVALENCE_METHODS

PAGE = ROOT / "docs" / "extending.md"
ENTRY = re.search(r"^MOORE = (FiniteMethod\(.*\))$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)


@pytest.fixture(scope="module")
def enlarged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the project's source to which the method of the page was added, and the page's model."""
    folder = tmp_path_factory.mktemp("enlarged")
    files = {fence.title: fence.text for fence in fences(PAGE)}
    (folder / "relays.yaml").write_text(files["relays.yaml"], encoding="utf-8")
    shutil.copytree(ROOT / "src" / "fullproof", folder / "fullproof")  # with what is compiled, which stays valid
    methods = folder / "fullproof" / "generate" / "finite"
    (methods / "moore.py").write_text(files["moore.py"], encoding="utf-8")
    table = (methods / "methods.py").read_text(encoding="utf-8")
    assert ENTRY is not None
    table = table.replace(
        "\nif TYPE_CHECKING", "from fullproof.generate.finite.moore import moore\n\nif TYPE_CHECKING", 1
    )
    table = table.replace("\n)\n\nEQUIVALENCE_METHODS", f"\n    {ENTRY[1]},\n)\n\nEQUIVALENCE_METHODS", 1)
    (methods / "methods.py").write_text(table, encoding="utf-8")
    return folder


def fullproof(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(folder), "COLUMNS": "200"}
    command = [sys.executable, "-m", "fullproof", *words]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=120)


def test_a_file_and_an_entry_make_a_method(enlarged: Path) -> None:
    made = fullproof(enlarged, "generate", "relays.yaml", "--method", "moore", "-o", "suite.jsonl", "--json")
    assert made.returncode == 0, made.stderr
    assert json.loads(made.stdout)["tests"] == 128
    assert "(all words; Moore 1956)" in (enlarged / "suite.jsonl").read_text(encoding="utf-8")
    checked = fullproof(enlarged, "certify", "relays.yaml", "suite.jsonl")
    assert (checked.returncode, "complete" in checked.stdout.lower()) == (0, True)
    run = fullproof(enlarged, "run", "relays.yaml", "--method", "moore", "--sut", "model:relays.yaml")
    assert run.returncode == 0
    assert "128 tests, 128 passed" in run.stdout


def test_it_is_listed(enlarged: Path) -> None:
    assert "walks, moore" in fullproof(enlarged, "generate", "--help").stdout
    assert "did you mean 'moore'?" in fullproof(enlarged, "generate", "relays.yaml", "--method", "mooer").stderr


def test_the_table_is_a_value() -> None:
    with pytest.raises(TypeError):
        EQUIVALENCE_METHODS["moore"] = EQUIVALENCE_METHODS["w"]  # type: ignore[index]
