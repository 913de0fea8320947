"""What a report folder holds: the matrix, the classes, scripts, and nothing that a name could make run."""

import csv
import html
import json
import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from tests.shared import REFERENCE

EVIL = "<img src=x onerror=alert(1)>"
MODEL = f"""
machine: fsm
name: '</title><script>alert(2)</script>'
initial: '{EVIL}'
states:
  '{EVIL}':
    - {{when: '{EVIL}', then: '<b>1</b>', to: b, req: ['<i>R1</i>']}}
    - {{when: look, then: "'\\"/><svg onload=alert(3)>", to: '{EVIL}'}}
  b:
    - {{when: '{EVIL}', then: '<b>1</b>', to: '{EVIL}'}}
    - {{when: look, then: ok, to: b, req: [R2]}}
requirements:
  '<i>R1</i>': '</td><script>alert(4)</script>'
  R2: Looking helps.
  R3: Nobody does this.
"""
SYSTEM = """
class System:
    def reset(self): self.b = False
    def step(self, symbol):
        if symbol != "look": self.b = not self.b; return "<b>1</b>"
        return "<script>alert(5)</script>" if self.b else "'\\"/><svg onload=alert(3)>"
"""


def run(*words: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "fullproof", "run", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def evil(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("evil")
    (folder / "model.yaml").write_text(MODEL)
    (folder / "system.py").write_text(SYSTEM)
    done = run(folder / "model.yaml", "--sut", f"python:{folder / 'system.py'}:System", "--report", folder / "out")
    assert done.returncode == 1, done.stderr
    return folder / "out"


def test_the_matrix_lists_what_stands_what_fell_and_what_is_missing(evil: Path) -> None:
    with (evil / "matrix.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    standing = {row["requirement"]: row["standing"] for row in rows if row["requirement"]}
    assert standing == {"<i>R1</i>": "met", "R2": "violated", "R3": "gap"}
    assert sum(row["standing"] == "orphan" for row in rows) == 2
    traced = json.loads((evil / "report.json").read_text())["traceability"]
    assert {r["requirement"]: r["standing"] for r in traced["requirements"]} == standing
    cases = list(ElementTree.parse(evil / "junit.xml").iter("testcase"))
    listed = {p.get("value") for case in cases for p in case.iter("property") if p.get("name") == "requirement"}
    assert listed == {"<i>R1</i>", "R2"}


def test_the_fault_is_named_and_can_be_reproduced(evil: Path) -> None:
    told = json.loads((evil / "report.json").read_text())["diagnosis"]
    assert told["sentence"].startswith(
        "behaves like the model with output <script>alert(5)</script> instead of ok on b"
    )
    script = next(evil.glob("reproduce-*.py"))
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stderr
    assert "<script>alert(5)</script>" in done.stdout


def test_hypotheses_are_a_checklist(evil: Path) -> None:
    document = json.loads((evil / "report.json").read_text())
    page = (evil / "report.html").read_text()
    listed = page[page.index('<ul id="hypotheses"') :].partition("</ul>")[0].split("<li")[1:]
    rows = [(html.escape(f"{h['subject']} {h['text']}", quote=False), h["by"]) for h in document["claim"]["hypotheses"]]
    assert [by for _, by in rows] == ["tool", "user", "user"]
    assert [h["standing"] for h in document["hypotheses"]] == ["checked", "to-vouch", "to-vouch"]
    for entry, (text, _), known in zip(listed, rows, document["hypotheses"], strict=True):
        assert text.replace("'", "&#39;") in entry and f'class="{known["standing"]}"' in entry


def test_names_stay_text_on_the_page(evil: Path) -> None:
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    browser_path = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if browser_path is None:
        pytest.skip("there is no Chromium")
    with playwright.sync_playwright() as tool:
        browser = tool.chromium.launch(executable_path=browser_path, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page()
        said: list[str] = []
        page.on("dialog", lambda dialog: (said.append(dialog.message), dialog.dismiss()))
        page.on("request", lambda request: said.append(request.url) if request.url.startswith("http") else None)
        page.goto((evil / "report.html").as_uri())
        page.wait_for_timeout(300)
        assert said == []
        assert page.locator("script:not([type])").count() == 1
        assert page.locator("img").count() == 0
        assert page.locator("text=<i>R1</i>").count() >= 1
        # The filter works by keyboard alone.
        page.locator("#filter").focus()
        page.keyboard.type("zzzz")
        assert page.locator("#tests details:visible").count() == 0
        browser.close()


def test_a_symbolic_report_shows_its_classes(tmp_path: Path) -> None:
    brake = REFERENCE / "brake"
    done = run(
        brake / "brake.yaml", "--sut", f"model:{brake / 'ibrake2.yaml'}", "--repeat", 5, "--report", tmp_path / "r"
    )
    assert done.returncode == 1, done.stderr
    page = (tmp_path / "r" / "report.html").read_text()
    assert "27 I/O equivalence classes" in page
    assert "y == 0" in page
