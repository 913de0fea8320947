"""Text stays in its box and in its picture: measured in a browser, and by Graphviz for paintings, with real fonts."""

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from tests.browser import needs_browser
from tests.report.machines import machine, odd_machine, web
from tests.shared import ROOT

from fullproof.core.errors import UserError
from fullproof.execute.adapters.browser_process import find_browser
from fullproof.formats import read_model
from fullproof.model import Model
from fullproof.report.drawing import png
from fullproof.report.drawing.arrange import Arrangement, arranged, highlighted
from fullproof.report.drawing.graphviz import drawn
from fullproof.report.drawing.picture import Highlight
from fullproof.report.drawing.svg import svg_text

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.slow
NAMES = (
    "WWWWMMMM@@@@%%%%",
    "<a href='x'>&\"quoted\"</a>",
    "Жёлтый свет горит",
    "ΑναμονήΣήματος",
    "日本語の状態",
    "حالة الانتظار",
    "प्रतीक्षा",
    "🚦🚦🚦 ⚠ ➜➜➜ ﷽",
    "warteAufDasSehrLangeSignalDesNachbarnUndNochEinesDanach" * 3,
    "illi.fill'till|jilt",
)
CHOICES = """machine: statemachine
name: choices
signals: {in: [go], out: [WWWWWWWWWW]}
inputs: {x: int 0..3}
initial: idle
states:
  idle: [{trigger: go, to: where next}]
  where next: [{when: x > 1, send: [WWWWWWWWWW], to: MMMM}, {when: x <= 1, to: idle}]
  MMMM: [{trigger: go, to: W}]
  W: [{when: x > 1, to: MMMM}, {when: x <= 1, to: idle}]
choices: [where next, W]
"""
OUTSIDE = """() => {
  const wrong = [];
  const slack = 0.75;
  for (const drawing of document.querySelectorAll("svg")) {
    const [, , width, height] = drawing.getAttribute("viewBox").split(" ").map(Number);
    for (const text of drawing.querySelectorAll("text")) {
      const box = text.getBBox(), right = box.x + box.width, bottom = box.y + box.height;
      const say = (what) => wrong.push(`${what}: ${text.textContent} ${[box.x, box.y, right, bottom, width, height]}`);
      if (box.x < 0 || box.y < 0 || right > width || bottom > height) say("outside the picture");
      const owner = text.closest("g:has(> rect), g:has(> polygon)");
      const shape = owner && owner.querySelector(":scope > rect, :scope > polygon");
      if (!shape) continue;
      const room = shape.getBBox();
      if (box.x < room.x - slack || right > room.x + room.width + slack) say("too wide");
      if (box.y < room.y - 3 || bottom > room.y + room.height + 3) say("too high");
      if (shape.tagName === "polygon") {
        const dx = box.width / 2 / (room.width / 2), dy = box.height / 2 / (room.height / 2);
        if (dx + dy > 1.001) say("over the sides of the diamond");
      }
    }
  }
  return wrong;
}"""


@pytest.fixture(scope="module")
def page() -> "Iterator[Page]":
    from playwright.sync_api import sync_playwright

    with sync_playwright() as tool:
        opened = tool.chromium.launch(executable_path=find_browser(), args=["--no-sandbox", "--disable-gpu"])
        yield opened.new_page()
        opened.close()


def _examples() -> Iterator[Model]:
    for path in sorted((ROOT / "examples").rglob("*.yaml")):
        try:
            yield read_model(path)
        except UserError:  # an OpenAPI file, or another document that is no model
            continue


@pytest.fixture(scope="module")
def drawings(tmp_path_factory: pytest.TempPathFactory) -> list[Arrangement]:
    """Every example, odd names, and choice points, plain and with everything marked."""
    chart = tmp_path_factory.mktemp("choices") / "choices.yaml"
    chart.write_text(CHOICES, encoding="utf-8")
    ring = [(name, other, name, other) for name, other in zip(NAMES, (*NAMES[1:], NAMES[0]), strict=True)]
    loops = [(name, f"{name}!", name, name) for name in NAMES]
    models = [*_examples(), odd_machine(), machine(NAMES, [*ring, *loops]), read_model(chart)]
    found = []
    for model in models:
        plain = arranged(model, Highlight())
        everything = Highlight(states=model.states, transitions=range(len(model.transitions)))
        found += [plain, highlighted(plain, model, everything)]
    return found


@needs_browser
def test_no_text_leaves_its_box_in_a_browser(page: "Page", drawings: list[Arrangement]) -> None:
    assert len(drawings) > 20
    page.set_content("\n".join(map(svg_text, drawings)))
    assert page.evaluate(OUTSIDE) == []


@needs_browser
def test_the_note_of_a_large_picture_and_the_pictures_of_documents_fit(page: "Page") -> None:
    large = arranged(web(120, 8), Highlight())
    assert large.note
    shipped = [path.read_text(encoding="utf-8") for path in sorted((ROOT / "docs/images").glob("*.svg"))]
    assert shipped
    for drawing in (svg_text(large), *shipped):
        page.set_content(drawing)
        assert page.evaluate(OUTSIDE) == []


@needs_browser
def test_the_measure_finds_a_text_that_is_too_wide(page: "Page", drawings: list[Arrangement]) -> None:
    page.set_content(svg_text(drawings[0]).replace('font-size="13"', 'font-size="26"'))
    assert page.evaluate(OUTSIDE)


def test_no_text_leaves_its_box_in_a_painting(drawings: list[Arrangement]) -> None:
    """Graphviz measures with the font that it paints with: its output as JSON has the width of every text."""
    sources = ["\n".join(png._source(drawing)) for drawing in drawings]
    checked = 0
    for painted in drawn(sources, engine="nop2", form="json", seconds=120):
        for node in json.loads(painted).get("objects", ()):
            left, right = _sides(node)
            for text in (op for op in node.get("_ldraw_", ()) if op["op"] == "T"):
                begin = text["pt"][0] - {"l": 0.0, "c": 0.5, "r": 1.0}[text["align"]] * text["width"]
                assert left - 1 <= begin and begin + text["width"] <= right + 1, f"{text} outside {left}..{right}"
                checked += 1
    assert checked > 200


def _sides(node: dict[str, str]) -> tuple[float, float]:
    middle, half = float(node["pos"].split(",")[0]), float(node["width"]) * 36
    return middle - half, middle + half
