"""Adapters that other packages bring by entry points."""

import sys
from pathlib import Path

import pytest
from tests.execute.lamp import LAMP, outputs, word

from fullproof.core.errors import UserError
from fullproof.execute import execute, open_sut

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
        "[fullproof.adapters]\nwire = lamps_by_wire:open_lamp\nfails = lamps_by_wire:fails\n"
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
        ("half:x", "the adapter 'half' of lamps-by-wire gave a system without reset()"),
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
