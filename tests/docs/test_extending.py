"""What docs/extending.md says is enough to add a kind, a command, an option and a section of the report is enough."""

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

PAGE = ROOT / "docs" / "extending.md"
LAMP = """machine: moore
initial: off
states:
  off: [{when: press, then: light, to: on}, {when: wait, then: dark, to: off}]
  on: [{when: press, then: dark, to: off}, {when: wait, then: light, to: on}]
"""
WRONG = LAMP.replace("{when: press, then: dark, to: off}", "{when: press, then: light, to: on}")
MEALY = LAMP.replace("{when: press, then: dark, to: off}", "{when: press, then: light, to: off}")


def add(file: Path, before: str, text: str) -> None:
    """Put one entry into a file of the copy."""
    known = file.read_text(encoding="utf-8")
    assert known.count(before) == 1, (file, before)
    file.write_text(known.replace(before, text + before), encoding="utf-8")


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the source with the files of the page in their places, and one entry in each table."""
    folder = tmp_path_factory.mktemp("house")
    files = {fence.title: fence.text for fence in fences(PAGE)}
    source = folder / "fullproof"
    shutil.copytree(ROOT / "src" / "fullproof", source, ignore=shutil.ignore_patterns("__pycache__"))
    for title, place in {
        "busy.py": "cli/busy.py",
        "longest.html.jinja": "report/templates/sections/longest.html.jinja",
        "moore_machine.py": "model/moore.py",
        "moore_kind.py": "kinds/moore.py",
        "moore_document.py": "formats/document/moore.py",
    }.items():
        text = files[title].replace("from moore_machine import", "from fullproof.model.moore import")
        (source / place).write_text(text, encoding="utf-8")
    add(source / "cli/app.py", "COMMANDS = (", "from fullproof.cli import busy\n\n")
    add(source / "cli/app.py", "    check.COMMAND,", "    busy.COMMAND,\n")
    add(source / "report/html.py", '    "tests",\n', '    "longest",\n')
    entry = "from fullproof.kinds.moore import MOORE\nfrom fullproof.model.moore import Moore\n\n"
    add(source / "kinds/__init__.py", "KINDS: Mapping", entry)
    add(source / "kinds/__init__.py", "Fsm: _fsm,", "Moore: lambda: MOORE, ")
    reader = "from fullproof.formats.document.moore import read_moore\n\n"
    add(source / "formats/document/reader.py", "READERS: Mapping", reader)
    add(source / "formats/document/reader.py", '    "fsm": _fsm,', '    "moore": read_moore,\n')
    add(
        source / "artefacts/request.py",
        "    repeat: int = option(",
        '    mood: Relation = option("How the tests are run.", Relation.REDUCTION)\n',
    )
    (folder / "lamp.yaml").write_text(LAMP)
    (folder / "wrong.yaml").write_text(WRONG)
    (folder / "mealy.yaml").write_text(MEALY)
    (folder / "relays.yaml").write_text(files["relays.yaml"], encoding="utf-8")
    return folder


def run(house: Path, *words: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(house), "COLUMNS": "200"}
    command = [sys.executable, *words]
    return subprocess.run(command, cwd=house, env=environment, capture_output=True, text=True, timeout=120)


def fullproof(house: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return run(house, "-m", "fullproof", *words)


def test_a_command(house: Path) -> None:
    found = fullproof(house, "busy", "relays.yaml", "--least", "2", "--json")
    assert json.loads(found.stdout) == {"busy": {"none": 2, "left": 2, "right": 2, "both": 2}}, found.stderr


def test_an_option_is_known_everywhere(house: Path) -> None:
    asked = fullproof(house, "run", "lamp.yaml", "--sut", "model:lamp.yaml", "--mood", "bad")
    program = (
        "import fullproof, sys\nfrom fullproof.core.errors import UserError\n"
        "from fullproof.serve.messages import RunQuestion\n"
        "try: fullproof.suite('lamp.yaml', sut=int, mood='bad')\nexcept UserError as error: print(error)\n"
        "try: RunQuestion.model_validate({'model': {'text': ''}, 'system': 'x', 'mood': 'bad'})\n"
        "except ValueError as error: print(error.errors()[0]['msg'])\n"
        "print('mood' in RunQuestion.model_json_schema()['properties'])\n"
    )
    told = run(house, "-c", program).stdout.splitlines()
    assert told[2:] == ["True"]
    assert {asked.stderr.removeprefix("fullproof: ").rstrip(), *told[:2]} == {told[0]}
    assert told[0].startswith("--mood: unknown value 'bad'; expected one of equivalence")


@pytest.mark.slow
def test_a_kind_and_a_section_of_the_report(house: Path) -> None:
    """Check, generate, run, judge and compare know the kind, and certify says why it does not."""
    assert json.loads(fullproof(house, "check", "lamp.yaml", "--json").stdout)["kind"] == "moore"
    made = fullproof(house, "generate", "lamp.yaml", "-o", "lamp.jsonl", "--json")
    assert json.loads(made.stdout)["kind"] == "moore", made.stderr
    passed = fullproof(
        house, "run", "lamp.yaml", "--suite", "lamp.jsonl", "--sut", "model:lamp.yaml", "--report", "out"
    )
    assert passed.returncode == 0, passed.stderr
    assert "Every system that passes all tests is equivalent to the model" in passed.stdout
    page = (house / "out" / "report.html").read_text(encoding="utf-8")
    assert re.search(r"<h2 id=\S+>The longest test</h2>\s*<p>\d+ inputs</p>\s*<h2 id=\S+>Tests</h2>", page)
    assert fullproof(house, "judge", "out/run.sqlite").returncode == 0
    assert fullproof(house, "run", "lamp.yaml", "--sut", "model:wrong.yaml", "--quiet").returncode == 1
    compared = fullproof(house, "compare", "lamp.yaml", "wrong.yaml", "--json")
    assert (compared.returncode, json.loads(compared.stdout)["conforms"]) == (1, False)
    assert "state 'off' has the outputs" in fullproof(house, "check", "mealy.yaml").stderr
    refused = fullproof(house, "certify", "lamp.yaml", "lamp.jsonl")
    assert "certify is not for moore models: the checker reads finite machines" in refused.stderr


def test_the_table_names_files_that_there_are() -> None:
    rows = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith(("| a ", "| an "))]
    assert {row.split("|")[1].split()[1] for row in rows} == {
        "adapter",
        "option",
        "method",
        "format",
        "command",
        "section",
        "kind",
    }
    for row in rows:
        _, _, places, which, test, _ = (cell.strip() for cell in row.split("|"))
        assert int(places) == which.count(",") + 1
        assert (ROOT / test.strip("`")).is_file()
