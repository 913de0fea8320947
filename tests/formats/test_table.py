"""A format is one entry of a table: everything that takes files of models asks it."""

import json
import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest
from tests.cli.harness import Shell
from tests.shared import ROOT

from fullproof.core.errors import UserError
from fullproof.formats import model_sha256, read_model, read_model_text, table, write_model
from fullproof.formats.format import Codec, Format, alone
from fullproof.formats.mealy import MealyBuilder
from fullproof.model import Fsm

LAMP = "off press light on\non press dark off\noff wait dark off\non wait light on\n"


def read_arrows(text: str, path: Path) -> Fsm:
    machine = MealyBuilder(path)
    for line, words in enumerate(map(str.split, text.splitlines()), start=1):
        machine.add(*words, line=line)
    return machine.build(initial=None)


def arrow_lines(fsm: Fsm) -> Iterable[str]:
    return [f"{t.source} {t.input} {t.output} {t.target}\n" for t in fsm.transitions]


def codec() -> Codec[Fsm]:
    return Codec(read=alone(read_arrows), write=arrow_lines)


ARROWS = Format(name="Arrows", endings=(".arrows",), kinds=("fsm",), codec=codec)


@pytest.fixture
def arrows(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The only thing that is done to add a format."""
    monkeypatch.setattr(table, "FORMATS", (*table.FORMATS, ARROWS))
    path = tmp_path / "lamp.arrows"
    path.write_text(LAMP)
    return path


def test_one_entry_adds_a_format_to_every_command(arrows: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shell, folder = Shell(capsys), arrows.parent
    assert shell("check", arrows, "--json").json["states"] == 2
    assert shell("convert", arrows, folder / "lamp.dot").code == 0
    assert shell("convert", folder / "lamp.dot", folder / "back.arrows").code == 0
    assert (folder / "back.arrows").read_text() == LAMP
    assert shell("generate", arrows, "-o", folder / "suite.jsonl").code == 0
    assert shell("mutate", arrows, "-o", folder / "made").code == 0
    made = sorted((folder / "made").iterdir())
    (folder / "mutants").mkdir()
    for mutant in made:
        assert shell("convert", mutant, folder / "mutants" / f"{mutant.stem}.arrows").code == 0
    judged = [
        shell("score", arrows, "--suite", folder / "suite.jsonl", "--mutants", folder / name, "--json").json
        for name in ("made", "mutants")
    ]
    assert judged[0]["mutants"] == judged[1]["mutants"] == len(made) > 5
    assert judged[0]["killed"] == judged[1]["killed"] > 0
    sut = f"model:{folder / 'back.arrows'}"
    assert shell("run", arrows, "--sut", sut).code == 0
    wrong = shell("convert", ROOT / "examples" / "brake" / "brake.yaml", folder / "no.arrows")
    assert wrong.code == 4 and "a .arrows file cannot hold a model of kind sfsm, only of kind fsm" in wrong.err
    assert ".sysml, .arrows" in shell("check", folder / "lamp.arows").err


def test_one_entry_adds_a_format_to_the_workbench(arrows: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("fastapi")
    from fullproof.serve.gate import Secrets
    from fullproof.serve.messages import ConvertQuestion, ModelText
    from fullproof.serve.pages import PAGES, _page
    from fullproof.serve.work.questions import QUESTIONS

    page = bytes(_page(PAGES[0], Secrets()).body).decode()
    assert re.search(r'id="model-open" accept="[^"]*,\.arrows"', page)
    assert '<option value="arrows">Arrows (fsm)</option>' in page
    monkeypatch.chdir(arrows.parent)
    text = {"name": "x.arrows", "text": LAMP}
    question = ConvertQuestion(model=ModelText(**text), format="arrows")
    assert QUESTIONS["convert"](question.model_dump())["text"] == LAMP
    with pytest.raises(ValueError, match=r"expected one of yaml, json, dot, .*, xstate\.json, uml, sysml, arrows"):
        ConvertQuestion(model=ModelText(**text), format="svg")


def test_one_entry_adds_a_format_to_the_help() -> None:
    program = (
        "from fullproof.formats import table; from fullproof.formats.format import Format\n"
        "toy = Format(name='Arrows', endings=('.arrows',), kinds=('fsm',), codec=print)\n"
        "table.FORMATS = (*table.FORMATS, toy)\n"
        "from fullproof.cli.entry import run\n"
        "for command in ('check', 'convert'): run([command, '--help'])\n"
    )
    shown = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60)
    words = " ".join(re.sub(r"[│╭╮╰╯─]", " ", shown.stdout).split())
    listed = ".yaml .yml .json .dot .kiss2 .fsm .csv .mmd .puml .plantuml .scxml .xstate.json .uml .xmi .sysml .arrows"
    assert f"A model file: {listed}" in words
    assert f"The model to read: {listed}" in words
    assert ".dot .kiss2 .fsm .csv .arrows (fsm), .scxml .xstate.json .uml .xmi .sysml (statemachine)" in words


def test_every_format_is_described() -> None:
    page = (ROOT / "docs" / "model-files.md").read_text()
    rows = [line for line in page.splitlines() if line.startswith("| `.")]
    listed = [ending for row in rows for ending in re.findall(r"`(\.[\w.]+)`", row.split("|")[1])]
    assert sorted(listed) == sorted(table.readable_endings())
    assert len(set(listed)) == len(listed)


@pytest.mark.parametrize("entry", table.FORMATS, ids=lambda entry: entry.name)
def test_an_entry_says_which_kinds_it_holds(entry: Format, tmp_path: Path) -> None:
    models = [read_model(path) for path in (ROOT / "src" / "fullproof" / "serve" / "models").glob("*.yaml")]
    assert {model.kind for model in models} == {"fsm", "sfsm", "sts", "statemachine"}
    for model in models:
        target = tmp_path / f"m-{model.kind}{entry.endings[0]}"
        if entry.kinds is None or model.kind in entry.kinds:
            write_model(model, target)
            assert read_model(target).kind == model.kind
        else:
            with pytest.raises(UserError, match=f"cannot hold a model of kind {model.kind}, only of kind"):
                write_model(model, target)
            assert not target.exists()


def test_a_text_is_read_as_the_file_of_its_name(tmp_path: Path) -> None:
    text = json.dumps({"machine": "fsm", "initial": "a", "states": {"a": [{"when": "x", "then": "y", "to": "a"}]}})
    (tmp_path / "m.json").write_text(text)
    assert read_model_text(text, tmp_path / "m.json") == read_model(tmp_path / "m.json")
    with pytest.raises(UserError, match=r"unknown file ending '\.txt'"):
        read_model_text(text, Path("m.txt"))


def test_the_files_of_a_model(tmp_path: Path) -> None:
    """Name files beside columns and the files of components travel with a mutant that is scored elsewhere."""
    (tmp_path / "m.fsm").write_text("0 0 0 0\n")
    (tmp_path / "m.in").write_text("a\n")
    assert table.model_files(tmp_path / "m.fsm") == [tmp_path / "m.fsm", tmp_path / "m.in"]
    (tmp_path / "below").mkdir()
    (tmp_path / "all.yaml").write_text("machine: sts\ncomponents: {one: below/one.json, two: below/one.json}\n")
    (tmp_path / "below" / "one.json").write_text('{"machine": "sts", "components": {"x": "two.yml"}}')
    (tmp_path / "below" / "two.yml").write_text("machine: sts\n")
    parts = [tmp_path / "all.yaml", tmp_path / "below" / "one.json", tmp_path / "below" / "two.yml"]
    assert table.model_files(tmp_path / "all.yaml") == parts
    whole = model_sha256(tmp_path / "all.yaml")
    (tmp_path / "below" / "two.yml").write_text("machine: sts\nname: other\n")
    assert model_sha256(tmp_path / "all.yaml") != whole
