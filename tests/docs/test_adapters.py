"""The mapping files on the page of adapters are read as they are printed."""

import re
from pathlib import Path

import pytest
from tests.shared import REFERENCE, ROOT

from fullproof.execute.adapters.browser_mapping import read_browser_mapping
from fullproof.execute.adapters.http_mapping import read_http_mapping
from fullproof.execute.adapters.lib_calls import CALL_KEYS, described_calls
from fullproof.execute.adapters.lib_signature import parse_signature
from fullproof.execute.adapters.mapping import read_mapping
from fullproof.formats import read_model
from fullproof.model import Fsm
from fullproof.model.fsm import FsmTransition

PAGE = (ROOT / "docs" / "adapters.md").read_text(encoding="utf-8")
HTTP, LIB, CALLS, _, BROWSER = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)


def machine(*inputs: str) -> Fsm:
    transitions = tuple(FsmTransition("s", symbol, "ok", "s") for symbol in inputs)
    return Fsm(name="m", initial="s", states=("s",), inputs=inputs, outputs=("ok",), transitions=transitions)


@pytest.fixture
def mapping(tmp_path: Path) -> Path:
    (tmp_path / "index.html").write_text("")
    return tmp_path / "mapping.yaml"


def test_http(mapping: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOKEN", "s3cret")
    mapping.write_text(HTTP)
    read = read_http_mapping(mapping, machine("coin", "push", "login", "buy").interface)
    assert read.headers == {"Authorization": "Bearer s3cret"}
    assert read.inputs["push"][0].body == {"force": 3}


def test_lib() -> None:
    assert str(parse_signature(re.findall(r"step: (.*?)\s+#", LIB)[0])) == "double brake_step(double x)"
    assert len(parse_signature("void step(double x, double *y, int *lamp)").parameters) == 3
    assert "void step(double x, double *y, int *lamp)" in LIB


def test_calls(mapping: Path) -> None:
    mapping.write_text(CALLS)
    read = read_mapping(mapping, keys=CALL_KEYS)
    described = described_calls(read, "expat", machine("parse", "suspend", "resume").interface)
    assert described["setup"][0]["keeps"] == "parser"
    assert described["inputs"]["parse"][0]["arguments"][1] == ["constant", "<a>"]


def test_browser(mapping: Path) -> None:
    mapping.write_text(BROWSER)
    read = read_browser_mapping(mapping, machine("small", "name", "pay", "other").interface)
    assert [action.selector for action in read.inputs["other"].actions] == ["#other"]
    assert read.inputs["pay"].offered.selector == "#ok"
    mapping.write_text("page: index.html\nstep:\n  - fill '#speed' with {x}\noutput: {y: number '#force'}\n")
    brake = read_model(REFERENCE / "brake/brake.yaml").interface
    assert read_browser_mapping(mapping, brake).outputs["y"][0].kind == "number"
