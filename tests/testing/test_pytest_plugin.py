"""The plugin in test runs of its own, each in a process and a folder of its own."""

import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

MODEL = """
machine: fsm
name: door
initial: shut
states:
  shut:
    - {when: push, then: moves, to: open, req: [R1]}
    - {when: look, then: shut, to: shut}
  open:
    - {when: push, then: moves, to: shut}
    - {when: look, then: open, to: open}
requirements:
  R1: A push opens the door.
"""
DOOR = """
class Door:
    def reset(self): self.open = False
    def step(self, symbol):
        if symbol == "push": self.open = not self.open; return "moves"
        return "open" if self.open else "shut"

class Stuck(Door):
    def step(self, symbol):
        if symbol == "push": self.open = True; return "moves"
        return "open" if self.open else "shut"
"""
MODULE = """
import fullproof
from door import Door, Stuck
test_door = fullproof.suite("door.yaml", sut=Door, extra_states=1)
test_stuck = fullproof.suite("door.yaml", sut=Stuck, relation="equivalence", method="w")
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "door.yaml").write_text(MODEL)
    (tmp_path / "door.py").write_text(DOOR)
    (tmp_path / "test_door.py").write_text(MODULE)
    return tmp_path


def run(project: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *words]
    return subprocess.run(command, cwd=project, capture_output=True, text=True, check=False)


def test_items_pass_and_fail_with_our_explanation(project: Path) -> None:
    done = run(project, "-v")
    assert "test_door.py::test_door[t-" in done.stdout
    assert done.stdout.count("test_door[t-") > 2
    assert done.returncode == 1
    failed = [line for line in done.stdout.splitlines() if line.startswith("FAILED")]
    assert failed
    assert all("test_stuck[t-" in line for line in failed)
    assert "the model allows" in done.stdout
    assert "open  <--" in done.stdout
    assert "Traceback" not in done.stdout


def test_selection_reports_and_workers_work_as_for_other_tests(project: Path) -> None:
    assert run(project, "-k", "door and not stuck").returncode in (0, 1)
    done = run(project, "-k", "test_door[", "--junitxml", "out.xml", "-n", "2")
    assert done.returncode == 0, done.stdout
    cases = list(ElementTree.parse(project / "out.xml").iter("testcase"))
    assert len(cases) > 2
    listed = {p.get("value") for case in cases for p in case.iter("property") if p.get("name") == "requirement"}
    assert listed == {"R1"}


def test_suites_of_pyproject_are_collected(project: Path) -> None:
    (project / "test_door.py").unlink()
    (project / "tests").mkdir()
    (project / "pyproject.toml").write_text(
        '[tool.pytest.ini_options]\ntestpaths = ["tests"]\npythonpath = ["."]\n'
        '[tool.fullproof.suites.good]\nmodel = "door.yaml"\nsut = "python:door.py:Door"\nextra-states = 1\n'
        '[tool.fullproof.suites.bad]\nmodel = "door.yaml"\nsut = "python:door.py:Stuck"\n'
    )
    for words in ((), ("pyproject.toml",)):
        done = run(project, "-v", *words)
        assert done.returncode == 1
        assert "pyproject.toml::good[t-" in done.stdout
        assert "pyproject.toml::bad[t-" in done.stdout
    assert run(project, "tests").returncode == 5


@pytest.mark.parametrize(
    ("definition", "complaint"),
    [
        ('fullproof.suite("nowhere.yaml", sut=Door)', "nowhere.yaml: no such file"),
        (
            'fullproof.suite("door.yaml", sut=Door, extra_state=1)',
            "unknown option --extra-state; did you mean",
        ),
        ('fullproof.suite("door.yaml", sut=Door, relation="same")', "--relation: unknown value 'same'"),
        ('fullproof.suite("door.yaml", sut=Door, method="x")', "unknown method"),
        ('fullproof.suite("door.yaml", sut=int)', "int has no method step"),
    ],
)
def test_mistakes_are_said(project: Path, definition: str, complaint: str) -> None:
    (project / "test_door.py").write_text(f"import fullproof\nfrom door import Door\ntest_it = {definition}\n")
    done = run(project)
    assert done.returncode != 0
    assert complaint in done.stdout


def test_a_run_without_fullproof_does_not_import_it(project: Path) -> None:
    (project / "test_door.py").write_text(
        "import sys\nSMALL = {'fullproof.pytest_plugin', 'fullproof.core', 'fullproof.core.version'}\n"
        "def test_it(): assert not [m for m in sys.modules if m.startswith('fullproof.') and m not in SMALL]\n"
    )
    assert run(project).returncode == 0


def test_a_suite_from_a_file_and_a_relation_of_its_own(project: Path) -> None:
    """A test that is not in the file is not run; paths begin where the test module is."""
    command = [sys.executable, "-m", "fullproof", "generate", "door.yaml", "--method", "w", "-o", "door.jsonl"]
    subprocess.run(command, cwd=project, check=True, capture_output=True)
    tests = len((project / "door.jsonl").read_text().splitlines()) - 1
    (project / "test_door.py").write_text(
        "import fullproof\nfrom door import Door\n"
        "test_it = fullproof.suite('door.yaml', sut=Door, suite='door.jsonl', repeat=3, until_seen=True)\n"
    )
    done = run(project, "--rootdir", ".", "-q")
    assert done.returncode == 0, done.stdout
    assert f"{tests} passed" in done.stdout
