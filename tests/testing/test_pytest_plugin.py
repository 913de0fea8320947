"""The plugin in test runs of its own, each in a process and a folder of its own."""

import json
import platform
import shlex
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
    """The section of a failure has the short table, the diagnosis and the guarantee; the end says what was proved."""
    done = run(project, "-v")
    assert "test_door.py::test_door[1-push.push.look] PASSED" in done.stdout
    assert done.returncode == 1
    failed = [line for line in done.stdout.splitlines() if line.startswith("FAILED")]
    assert failed
    assert all("test_stuck[" in line for line in failed)
    assert "3     look   shut              open  <--" in done.stdout
    assert "no shorter sequence fails" in done.stdout
    assert "diagnosis: behaves like the model with target open instead of shut" in done.stdout
    assert "not proved, because this test fails: Every system" in done.stdout
    assert "test_door.py::test_door: 4 tests passed. Every system that passes all tests is equiv" in done.stdout
    assert "test_door.py::test_stuck: proves nothing, failed tests: 1 of 3" in done.stdout
    assert "Traceback" not in done.stdout


def test_a_part_of_a_suite_proves_nothing(project: Path) -> None:
    done = run(project, "-k", "test_door and look.look.look.push")
    assert done.returncode == 0, done.stdout
    assert "test_door: proves nothing yet: 1 of 4 tests ran and passed" in done.stdout


FIXTURES = """
import pytest, fullproof
from door import Door

made = []

@pytest.fixture(autouse=True)
def always(log): log.append("always")

@pytest.fixture(scope="session")
def log(): return []

@pytest.fixture(scope="module", params=["a", "b"])
def database(request): return request.param

@pytest.fixture
def door(log):
    log.append("begin")
    yield Door()
    log.append("end")

@pytest.fixture(scope="session")
def address(): return "python:door.py:Door"

def system(database, log, worker, more=1):
    assert log[-1] in ("always", database)
    log.append(database)
    return Door()

test_factory = fullproof.suite("door.yaml", sut=system)
test_object = fullproof.suite("door.yaml", sut="fixture:door")
test_address = fullproof.suite("door.yaml", sut="fixture:address")

class TestInClass:
    test_factory = fullproof.suite("door.yaml", sut=system)

def test_log(log):
    assert {"a", "b"} <= set(log)
    assert log.count("begin") == log.count("end") == 2
"""


def test_fixtures_come_by_name(project: Path) -> None:
    (project / "test_door.py").write_text(FIXTURES)
    done = run(project, "-v")
    assert done.returncode == 0, done.stdout
    assert "test_factory[b-1-push.look.push.look] PASSED" in done.stdout
    assert "13 passed" in done.stdout


def test_reports_are_written_by_one_process_or_by_several(project: Path) -> None:
    for folder, words in (("one", ()), ("two", ("-n", "2"))):
        done = run(project, "--fullproof-report", folder, *words)
        assert "test_door.py::test_door: 4 tests passed." in done.stdout
        assert f"report: {folder}/test_door.py-test_stuck/report.html" in done.stdout
        found = json.loads((project / folder / "test_door.py-test_stuck" / "report.json").read_text())
        assert (found["verdict"], found["failed"], found["tests"]) == ("fail", 1, 3)
        assert found["groups"][0]["shortest"] == ["push", "push", "look"]
        assert found["command"] == shlex.join(
            ["pytest", "-p", "no:cacheprovider", "--fullproof-report", folder, *words]
        )
        assert found["hashes"]["system"]["Python"] == platform.python_version()
        assert len(found["hashes"]["system"][found["sut"].split(":")[1]]) == 64
        good = json.loads((project / folder / "test_door.py-test_door" / "report.json").read_text())
        assert (good["verdict"], good["passed"]) == ("pass", 4)
        assert good["guarantee"].startswith("Every system that passes all tests")


def test_a_report_has_a_script_that_fails_while_the_fault_is_there(project: Path) -> None:
    run(project, "--fullproof-report", "out")
    assert not [*(project / "out" / "test_door.py-test_door").glob("reproduce-*")]
    folder = project / "out" / "test_door.py-test_stuck"
    assert len((folder / "failure-1.jsonl").read_text().splitlines()) == 2
    (script,) = folder.glob("reproduce-*.py")
    for repaired, code in ((False, 1), (True, 0)):
        if repaired:
            (project / "door.py").write_text(DOOR.replace("self.open = True", "self.open = not self.open"))
        assert (
            subprocess.run([sys.executable, script], cwd=project, capture_output=True, check=False).returncode == code
        )


def test_an_object_of_a_test_file_has_no_script(project: Path) -> None:
    (project / "test_door.py").write_text(MODULE.replace("sut=Stuck", "sut=lambda: Stuck()"))
    assert "report: out/test_door.py-test_stuck" in run(project, "--fullproof-report", "out").stdout
    assert not [*(project / "out" / "test_door.py-test_stuck").glob("reproduce-*")]


def test_a_report_has_no_secrets_of_the_system_and_the_hash_of_a_suite_file(project: Path) -> None:
    generated = [sys.executable, "-m", "fullproof", "generate", "door.yaml", "-o", "door.jsonl"]
    subprocess.run(generated, cwd=project, check=True, capture_output=True)
    system = f"exec:env TOKEN=s3cret {sys.executable} -m fullproof simulate door.yaml"
    (project / "test_door.py").write_text(
        f'import fullproof\ntest_it = fullproof.suite("door.yaml", sut={system!r}, suite="door.jsonl")\n'
    )
    (project / "conftest.py").write_text('def pytest_addoption(parser):\n    parser.addoption("--password")\n')
    done = run(project, "--fullproof-report", "out", "--password=s3cret")
    assert done.returncode == 0, done.stdout
    for file in (project / "out" / "test_door.py-test_it").iterdir():
        assert "s3cret" not in file.read_text(encoding="utf-8"), file
    found = json.loads((project / "out" / "test_door.py-test_it" / "report.json").read_text())
    assert len(found["hashes"]["suite"]) == 64


def test_selection_reports_and_workers_work_as_for_other_tests(project: Path) -> None:
    assert run(project, "-k", "door and not stuck").returncode == 0
    done = run(project, "-k", "test_door and not stuck", "--junitxml", "out.xml", "-n", "2")
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
        assert "pyproject.toml::good[1-" in done.stdout
        assert "pyproject.toml::bad[1-" in done.stdout
    assert run(project, "tests").returncode == 5


MISTAKES = {
    "no file": ('test_it = fullproof.suite("nowhere.yaml", sut=Door)', "nowhere.yaml: no such file"),
    "no option": (
        'test_it = fullproof.suite("door.yaml", sut=Door, extra_state=1)',
        "unknown option --extra-state; did you mean",
    ),
    "no relation": (
        'test_it = fullproof.suite("door.yaml", sut=Door, relation="same")',
        "--relation: unknown value 'same'",
    ),
    "no method": ('test_it = fullproof.suite("door.yaml", sut=Door, method="x")', "unknown method"),
    "no system": ('test_it = fullproof.suite("door.yaml", sut=int)', "int has no method step"),
    "an object without reset": (
        'class Once:\n    def step(self, s): return s\ntest_it = fullproof.suite("door.yaml", sut=Once())',
        "the object of Once has no method reset; give it one, or give its class instead",
    ),
    "no fixture": (
        "def make(databse): return Door()\n@pytest.fixture\ndef database(): return 1\n"
        'test_it = fullproof.suite("door.yaml", sut=make)',
        "test_it: there is no fixture 'databse', which its system needs; did you mean 'database'?",
    ),
    "a fixture that keeps its state": (
        "class Once:\n    def step(self, s): return s\n"
        '@pytest.fixture(scope="module")\ndef once(): return Once()\n'
        'test_it = fullproof.suite("door.yaml", sut="fixture:once")',
        "fixture once: the object of Once has no method reset",
    ),
    "a loop that does not run": (
        "import asyncio\nclass Slow:\n    def __init__(self): self.loop = asyncio.get_running_loop()\n"
        "    async def step(self, symbol): return symbol\n"
        'test_it = fullproof.suite("door.yaml", sut=Slow)',
        "Slow() raised RuntimeError: no running event loop; make it in a coroutine",
    ),
    "inside a test": (
        'def test_it():\n    fullproof.suite("door.yaml", sut=Door)',
        "fullproof.suite inside of test_it runs nothing: assign it to a name that begins with 'test'",
    ),
    "a name that is not looked at": (
        'door_suite = fullproof.suite("door.yaml", sut=Door)',
        "door_suite = fullproof.suite(...) is never run: its name must begin with 'test'",
    ),
    "a wrong output": (
        'class Half(Door):\n    def step(self, symbol): return 0.5\ntest_it = fullproof.suite("door.yaml", sut=Half)',
        "answered 0.5 (float), expected an output symbol: a str, int, bool, None, bytes or enum member",
    ),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_mistakes_are_said(project: Path, name: str) -> None:
    definition, complaint = MISTAKES[name]
    (project / "test_door.py").write_text(f"import fullproof, pytest\nfrom door import Door\n{definition}\n")
    done = run(project)
    assert done.returncode != 0
    assert any(complaint in line for line in done.stdout.splitlines()), done.stdout


def test_a_run_without_fullproof_does_not_import_it(project: Path) -> None:
    (project / "test_door.py").write_text(
        "import sys\nSMALL = {'fullproof.pytest_plugin', 'fullproof.core', 'fullproof.core.version'}\n"
        "SMALL |= {'fullproof.testing', 'fullproof.testing.current_test'}\n"
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
