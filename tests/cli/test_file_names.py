"""Ids of tests are data: whatever they hold, a run writes its own files in its own folder, and no others."""

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from tests.cli.harness import Shell

MODEL = """
machine: {machine}
name: lamp
{rest}
"""
FSM = "initial: off\nstates:\n  off: [{when: press, then: 'on', to: off}, {when: look, then: dark, to: off}]"
SFSM = """inputs: {x: int 0..9}
outputs: {y: int 0..9}
initial: off
states: {off: [{when: x >= 0, then: y == x, to: off}]}
"""
SYSTEM = """
class Lamp:
    def reset(self): pass
    def step(self, x): return {answer}
"""
EVIL = [
    "../victim",
    "../../victim",
    "/../../victim",
    "x/../../../victim",
    "{folder}/victim",
    "..\\victim",
    "sub/victim",
    "victim\x00",
    "a\nb",
    "\x1b[31m",
    "v" * 4000,
    "",
    ".",
    "..",
    "run.sqlite",
    "t-" + "ü" * 300,
    "con:",
]


def header(kind: str) -> dict[str, object]:
    return {
        "fullproof": "suite/1", "model": "lamp", "model_sha256": "", "kind": kind, "relation": "equivalence",
        "method": "w", "extra_states": 0, "tool": "", "guarantee": "none",
    }  # fmt: skip


def everything(folder: Path) -> set[Path]:
    return {path for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("kind", ["fsm", "sfsm"])
@pytest.mark.parametrize("adapter", ["python", "model"])
def test_no_id_leads_out_of_the_report_folder(fullproof: Shell, tmp_path: Path, kind: str, adapter: str) -> None:
    work = tmp_path / "a" / "b"
    work.mkdir(parents=True)
    victims = [
        folder / f"reproduce-victim.{ending}" for folder in (tmp_path, work.parent, work) for ending in ("py", "sh")
    ]
    victims += [folder / "victim.py" for folder in (tmp_path, work.parent, work)]
    for victim in victims:
        victim.write_text("precious")
    (work / "lamp.yaml").write_text(MODEL.format(machine=kind, rest=FSM if kind == "fsm" else SFSM))
    (work / "lamp.py").write_text(SYSTEM.format(answer="'fire'" if kind == "fsm" else "(x + 1) % 10"))
    bad = (FSM if kind == "fsm" else SFSM).replace("then: 'on'", "then: fire").replace("y == x", "y == 9")
    (work / "bad.yaml").write_text(MODEL.format(machine=kind, rest=bad.replace("dark", "fire")))
    symbol = "press" if kind == "fsm" else {"x": 3}
    tests = [
        {"id": name.replace("{folder}", str(tmp_path)), "inputs": [symbol] * (number + 1)}
        for number, name in enumerate(EVIL)
    ]
    report = work / "report"
    (report / "reproduce-sub").mkdir(parents=True)
    for first in range(0, len(tests), 5):
        suite = work / "s.jsonl"
        suite.write_text("".join(json.dumps(line) + "\n" for line in (header(kind), *tests[first : first + 5])))
        before = everything(tmp_path)
        sut = f"python:{work / 'lamp.py'}:Lamp" if adapter == "python" else f"model:{work / 'bad.yaml'}"
        done = fullproof("run", work / "lamp.yaml", "--sut", sut, "--suite", suite, "--report", report, "--json")
        assert done.code == 1, done.err
        assert done.json["failed"] == len(tests[first : first + 5])
        new = everything(tmp_path) - before
        assert all(path.parent == report or path.parent.name == "__pycache__" for path in new), new
        assert list(report.glob("reproduce-*.py"))
        page = (report / "report.html").read_text()
        assert all(path.name in page for path in new if path.name.startswith("reproduce-"))
        ElementTree.parse(report / "junit.xml")
    assert {victim.read_text() for victim in victims} == {"precious"}
