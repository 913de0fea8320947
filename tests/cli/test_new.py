"""``fullproof new``: what it writes runs at once, for every kind of models and every way to reach a system."""

import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.harness import Shell

from fullproof.testing.starters import KINDS, WAYS, ways_for

QUICK = [("fsm", "python"), ("sfsm", "exec"), ("statemachine", "http"), ("sts", "tcp"), ("fsm", "c")]
COMBINATIONS = [(kind, way) for kind in KINDS for way in ways_for(kind)]
IN_SYSTEM = {"fsm": ('"lock" if', '"beep" if'), "sfsm": ("< 18", "< 17"), "statemachine": ("== 42", "== 41")}
IN_SYSTEM |= {"sts": ("self.kept,)", "0,)")}


def _pytest(folder: Path) -> subprocess.CompletedProcess[str]:
    words = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider"]
    return subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=120, check=False)


def _made(folder: Path, kind: str, way: str, capsys) -> Path:
    if way == "c" and shutil.which("cc") is None:
        pytest.skip("there is no C compiler")
    ended = Shell(capsys)("new", folder, "--kind", kind, "--system", way, "--json")
    assert (ended.code, ended.json["kind"], ended.json["system"]) == (0, kind, way)
    return folder


def _as_parameter(kind: str, way: str) -> object:
    marks = () if (kind, way) in QUICK else (pytest.mark.slow,)
    return pytest.param(kind, way, marks=marks, id=f"{kind}-{way}")


@pytest.mark.parametrize(("kind", "way"), [_as_parameter(*one) for one in COMBINATIONS])
def test_it_passes_at_once(kind: str, way: str, tmp_path: Path, capsys) -> None:
    ran = _pytest(_made(tmp_path / "my gate", kind, way, capsys))
    assert ran.returncode == 0, ran.stdout + ran.stderr


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_it_fails_where_the_system_has_a_fault(kind: str, tmp_path: Path, capsys) -> None:
    folder = _made(tmp_path / "gate", kind, "python", capsys)
    right, wrong = IN_SYSTEM[kind]
    text = (folder / "system.py").read_text()
    assert right in text
    (folder / "system.py").write_text(text.replace(right, wrong))
    assert _pytest(folder).returncode == 1


def test_defaults_without_a_terminal(tmp_path: Path, capsys) -> None:
    ended = Shell(capsys)("new", tmp_path / "gate")
    assert ended.code == 0
    assert {path.name for path in (tmp_path / "gate").iterdir()} == {"model.yaml", "system.py", "test_gate.py"}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--kind", "fms"], "unknown kind 'fms'; did you mean 'fsm'?"),
        (["--system", "htpt"], "unknown way 'htpt' to reach a system; did you mean 'http'?"),
        (["--kind", "sts", "--system", "c"], "there is no start for sts by c: use python, exec, tcp"),
    ],
)
def test_what_there_is_not_is_refused_and_nothing_written(words: list[str], said: str, tmp_path: Path, capsys) -> None:
    ended = Shell(capsys)("new", tmp_path / "gate", *words)
    assert ended.code == 4
    assert said in ended.err
    assert not (tmp_path / "gate").exists()


def test_a_folder_that_exists_is_left_alone(tmp_path: Path, capsys) -> None:
    (tmp_path / "gate").mkdir()
    ended = Shell(capsys)("new", tmp_path / "gate")
    assert (ended.code, "exists already" in ended.err) == (4, True)


def test_every_way_has_a_combination() -> None:
    assert {way for _, way in COMBINATIONS} == set(WAYS)


def test_two_projects_run_together_test_each_its_own_system(tmp_path: Path, capsys) -> None:
    """Both have a system.py: a test that imported it would test that of the first project twice, and pass."""
    for name in ("one", "two"):
        _made(tmp_path / name, "fsm", "python", capsys)
    system = tmp_path / "two" / "system.py"
    system.write_text(system.read_text().replace('"beep" if', '"lock" if').replace('else "beep"', 'else "boop"'))
    ran = _pytest(tmp_path)
    assert ran.returncode == 1, ran.stdout + ran.stderr
    assert "test_two" in ran.stdout


@pytest.mark.parametrize("name", ["a: b", "#1", "{x", "it's", "x # y", "@home", "null", "日本"])
def test_names_that_yaml_and_the_shell_read_in_another_way(name: str, tmp_path: Path, capsys) -> None:
    ended = Shell(capsys)("new", tmp_path / name, "--kind", "fsm", "--system", "python")
    assert f"now: cd {shlex.quote(str(tmp_path / name))} && pytest" in ended.out
    assert Shell(capsys)("check", tmp_path / name / "model.yaml", "--json").json["name"] == name
