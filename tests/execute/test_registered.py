"""Adapters that other packages bring by entry points."""

import sys
from pathlib import Path

import pytest
from tests.execute.lamp import LAMP, outputs, word

from fullproof.artefacts.progress import unheard
from fullproof.artefacts.request import RunRequest, SuiteRequest
from fullproof.artefacts.verdict import Verdict
from fullproof.core.errors import UserError
from fullproof.execute import execute
from fullproof.kinds.systems import open_sut
from fullproof.pipeline import run_suite

MODULE = """
class Lamp:
    in_process = grey_box = False
    def reset(self): self.bright = False
    def step(self, symbol, /):
        self.bright ^= symbol == "press"
        return "on" if self.bright else "off"
    def enabled(self): return frozenset()
    def finish(self): pass
    def discard(self): pass
    def close(self): pass

given = []

def open_lamp(rest, model, *, seed, step_timeout):
    given.append((rest, model.name, seed, step_timeout))
    return Lamp()

def fails(rest, model, *, seed, step_timeout):
    raise ValueError("no lamp here")

class Echo:
    in_process = synchronous = False
    def reset(self): self.said = []
    def send(self, gate, values): self.said.append(("heard", values))
    def receive(self, timeout): return self.said.pop(0) if self.said else None
    def discard(self): pass
    def close(self): given.append("closed")

def open_echo(rest, model, *, seed, step_timeout):
    given.append((rest, model.kind))
    return Echo()

def half(rest, model, *, seed, step_timeout):
    return object()
"""


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A package as pip would leave it, with entry points."""
    (tmp_path / "lamps_by_wire.py").write_text(MODULE)
    info = tmp_path / "lamps_by_wire-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: lamps-by-wire\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        "[fullproof.adapters]\nwire = lamps_by_wire:open_lamp\necho = lamps_by_wire:open_echo\n"
        "fails = lamps_by_wire:fails\n"
        "half = lamps_by_wire:half\ngone = lamps_by_wire:gone\npython = lamps_by_wire:fails\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "lamps_by_wire", raising=False)


@pytest.mark.usefixtures("package")
def test_an_adapter_of_another_package_is_opened_by_its_name():
    system = open_sut("wire:/dev/lamp:9600", LAMP, seed=7, step_timeout=3.0)
    (trace,) = execute(system, [word("ppl")])
    assert outputs(trace) == ["on", "off", "off"]
    assert sys.modules["lamps_by_wire"].given == [("/dev/lamp:9600", "lamp", 7, 3.0)]


@pytest.mark.usefixtures("package")
@pytest.mark.parametrize(
    ("spec", "complaint"),
    [
        ("fails:x", "the adapter 'fails' of lamps-by-wire raised ValueError: no lamp here"),
        ("gone:x", "the adapter 'gone' of lamps-by-wire raised AttributeError"),
        ("half:x", "the adapter 'half' of lamps-by-wire gave a system without in_process"),
        ("wires:x", "unknown kind of system 'wires'; did you mean 'wire'"),
        ("python:none.py:Lamp", "none.py"),
    ],
)
def test_what_is_wrong_with_one_is_said_in_one_line(spec: str, complaint: str):
    with pytest.raises(UserError) as raised:
        open_sut(spec, LAMP)
    assert complaint in str(raised.value)
    assert "\n" not in str(raised.value)


def test_an_unknown_kind_stays_unknown():
    with pytest.raises(UserError, match="unknown kind of system 'wire'"):
        open_sut("wire:x", LAMP)


ECHO = """
machine: sts
name: echo
variables: {last: int 0..9 = 0}
inputs: {say: {p: int 0..9}}
outputs: {heard: {p: int 0..9}}
initial: quiet
states:
  quiet: [{gate: say, set: {last: p}, to: loud}]
  loud: [{gate: heard, when: p == last, to: quiet}]
"""


@pytest.mark.usefixtures("package")
@pytest.mark.parametrize(
    ("text", "verdict"), [(ECHO, Verdict.PASS), (ECHO.replace("p == last", "p > last"), Verdict.FAIL)]
)
def test_an_adapter_of_another_package_serves_an_sts(text: str, verdict: Verdict, tmp_path: Path) -> None:
    model = tmp_path / "echo.yaml"
    model.write_text(text)
    request = RunRequest(suite=SuiteRequest(), sut="echo:left ear", silence=0.01, steps=60, jobs=2, shrink_failures=0)
    outcome = run_suite(model, request, progress=unheard)
    assert outcome.record.result.verdict is verdict
    assert sys.modules["lamps_by_wire"].given == [("left ear", "sts")] * 2 + ["closed"] * 2


@pytest.mark.usefixtures("package")
def test_a_system_that_answers_each_input_does_not_serve_an_sts(tmp_path: Path) -> None:
    model = tmp_path / "echo.yaml"
    model.write_text(ECHO)
    with pytest.raises(UserError, match="gave a system without synchronous, which systems for models of kind sts have"):
        run_suite(model, RunRequest(suite=SuiteRequest(), sut="wire:x"), progress=unheard)
    with pytest.raises(UserError, match=r"unknown kind of system 'ecco'; did you mean 'echo'.*kind sts takes python"):
        run_suite(model, RunRequest(suite=SuiteRequest(), sut="ecco:x"), progress=unheard)
