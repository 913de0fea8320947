"""Every command takes a model in SCXML."""

import json
from pathlib import Path

from tests.cli.harness import Shell
from tests.shared import ROOT

LAMP = """\
<scxml xmlns="http://www.w3.org/2005/07/scxml" xmlns:fp="urn:fullproof:scxml" initial="off">
  <datamodel>
    <data id="light" expr="0" fp:role="output" fp:type="int 0..2"/>
  </datamodel>
  <state id="off"><transition event="push" target="on"/></state>
  <state id="on" initial="low">
    <onexit><assign location="light" expr="0"/></onexit>
    <transition event="push" target="off"/>
    <state id="low">
      <onentry><assign location="light" expr="1"/></onentry>
      <transition event="push" target="high"><send event="beep"/></transition>
    </state>
    <state id="high"><onentry><assign location="light" expr="2"/></onentry></state>
  </state>
</scxml>
"""


def test_commands(fullproof: Shell, tmp_path: Path) -> None:
    model, flat, back, suite = (tmp_path / name for name in ("lamp.scxml", "flat.yaml", "back.scxml", "lamp.jsonl"))
    model.write_text(LAMP)
    checked = fullproof("check", model, "--json")
    assert (checked.code, checked.json["states"], checked.json["transitions"]) == (0, 3, 3)
    assert fullproof("convert", model, flat).code == 0
    assert fullproof("convert", flat, back).code == 0
    assert fullproof("compare", model, back).code == 0
    assert fullproof("draw", model, "-o", tmp_path / "lamp.mmd").code == 0
    assert fullproof("classes", model).code == 0
    assert fullproof("generate", model, "-o", suite, "--quiet").code == 0
    assert fullproof("run", model, "--suite", suite, "--sut", f"model:{flat}").code == 0
    wrong = tmp_path / "wrong.scxml"
    wrong.write_text(LAMP.replace('expr="2"', 'expr="1"'))
    assert fullproof("run", model, "--suite", suite, "--sut", f"model:{wrong}").code == 1
    assert fullproof("compare", model, wrong).code == 1


def test_refusals(fullproof: Shell, tmp_path: Path) -> None:
    model = tmp_path / "lamp.scxml"
    model.write_text(
        LAMP.replace('<state id="low">', '<parallel id="low">').replace(
            "</state>\n    <state", "</parallel>\n    <state"
        )
    )
    ended = fullproof("check", model)
    assert ended.code == 4
    assert f"{model}, line 9, column 5: parallel state 'low' has no states inside it" in ended.err
    assert fullproof("convert", ROOT / "examples/brake/brake.yaml", tmp_path / "b.scxml").code == 4
    assert not (tmp_path / "b.scxml").exists()
    assert json.loads(
        fullproof("convert", ROOT / "examples/statemachines/microwave.scxml", tmp_path / "m.json", "--json").out
    )
