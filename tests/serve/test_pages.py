"""The pages in a real browser: what they show, by keyboard alone, in the dark, on a narrow screen, hostile names."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.browser import needs_browser
from tests.serve.bench import Bench
from tests.serve.hostile import hostile
from tests.serve.test_interface import BRAKE, MODELS, TURNSTILE

from fullproof.execute.adapters.browser_process import find_browser

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = needs_browser
PAGES = ("model", "methods", "run", "simulate", "compare", "certify", "learn")


@pytest.fixture(scope="module")
def browser() -> "Iterator[Browser]":
    from playwright.sync_api import sync_playwright

    with sync_playwright() as tool:
        flags = ["--no-sandbox", "--disable-gpu"]
        opened = tool.chromium.launch(executable_path=find_browser(), args=flags)
        yield opened
        opened.close()


class Visit:
    """A page with a model in it; collects everything that should not happen."""

    def __init__(self, browser: "Browser", bench: Bench, text: str, *, plain: bool = True, **options: object) -> None:
        self.bench = bench
        self.context = browser.new_context(**options)  # type: ignore[arg-type]
        self.page: Page = self.context.new_page()
        self.wrong: list[str] = []
        self.page.on("pageerror", lambda error: self.wrong.append(str(error)))
        self.page.on("dialog", lambda dialog: (self.wrong.append(dialog.message), dialog.dismiss()))
        self.page.on("request", lambda request: self._look(request.url))
        self.page.on("console", lambda message: self._hear(message.type, message.text))
        self.page.goto(bench.url)
        assert "token" not in self.page.url
        self.page.wait_for_selector("body[data-ready]")
        self.keep("plain", plain)
        for name in ("model", "opened"):
            self.keep(name, {"name": "m.yaml", "text": text})

    def _look(self, url: str) -> None:
        if not url.startswith((self.bench.origin, "data:", "blob:")):
            self.wrong.append(f"asked elsewhere: {url}")

    def _hear(self, kind: str, text: str) -> None:
        if kind in ("error", "warning") and not any(code in text for code in ("status of 422", "status of 409")):
            self.wrong.append(text)

    def keep(self, name: str, value: object) -> None:
        self.page.evaluate("([k, v]) => sessionStorage.setItem(k, v)", [f"fullproof.{name}", json.dumps(value)])

    def open(self, name: str) -> "Page":
        self.page.goto(f"{self.bench.origin}/{name}")
        return self.page

    def ready(self, name: str) -> "Page":
        """Open a page and wait until it has shown what it has to show by itself."""
        page = self.open(name)
        sign = {
            "model": "#diagram svg",
            "methods": "#guarantees .panel",
            "run": "#start:enabled",
            "simulate": "#diagram .fp-here",
            "compare": "#other",
            "certify": "#suite",
            "learn": "#start",
        }[name]
        page.wait_for_selector("body[data-ready]")
        page.wait_for_selector(sign, state="attached", timeout=60_000)
        return page

    def close(self) -> None:
        self.context.close()
        assert self.wrong == []


@pytest.fixture
def visit(browser: "Browser", bench: Bench) -> Iterator[Visit]:
    visit = Visit(browser, bench, TURNSTILE)
    yield visit
    visit.close()


def test_mistakes_are_shown_at_their_line(visit: Visit) -> None:
    page = visit.ready("model")
    page.fill("#model textarea", TURNSTILE.replace("then: alarm", "thn: alarm"))
    page.wait_for_selector("#model .gutter .bad")
    assert page.inner_text("#model .gutter .bad") == "8"
    assert "line 8, column" in page.inner_text("#model-fault") and "did you mean 'then'" in page.inner_text(
        "#model-fault"
    )
    page.click("#model-fault button")
    at = page.evaluate("document.querySelector('#model textarea').selectionStart")
    assert page.input_value("#model textarea")[:at].count("\n") == 7
    page.fill("#model textarea", TURNSTILE)
    page.wait_for_selector("#model .gutter .bad", state="detached")
    assert "2 states" in page.inner_text("#facts") and "✓ minimal" in page.inner_text("#facts")


def test_findings_lead_to_their_line(visit: Visit) -> None:
    visit.keep("model", {"name": "brake.yaml", "text": BRAKE})
    page = visit.ready("model")
    page.wait_for_selector(".finding")
    assert page.locator(".finding .badge.warning").count() == 3
    page.click("#classes summary")
    page.wait_for_selector("#classes-content table")
    assert "27 classes" in page.inner_text("#classes-content")


def test_open_drop_and_download(visit: Visit, tmp_path: Path) -> None:
    page = visit.ready("model")
    path = tmp_path / "coffee.dot"
    path.write_text('digraph { __start0 -> a; a -> b [label="x / y"]; b -> a [label="x / z"]; }')
    page.set_input_files("#model-open", path)
    page.wait_for_selector("#facts :text('2 transitions')")
    assert page.input_value("#name") == "coffee.dot"
    with page.expect_download() as got:
        page.select_option("#save", "yaml")
    assert "machine: fsm" in got.value.path().read_text() and got.value.suggested_filename == "coffee.yaml"
    page.evaluate(
        """() => { const data = new DataTransfer(); data.items.add(new File(["a x y a\\n"], "loop.fsm"));
        dispatchEvent(new DragEvent("dragenter", {dataTransfer: data}));
        dispatchEvent(new DragEvent("drop", {dataTransfer: data, cancelable: true})); }"""
    )
    page.wait_for_selector("#facts :text('1 transition')")
    assert page.input_value("#name") == "loop.fsm" and page.is_hidden("#drop")
    page.select_option("#examples", label="brake.yaml")
    page.wait_for_selector("#facts :text('sfsm')")


def test_methods_side_by_side(visit: Visit) -> None:
    page = visit.ready("methods")
    page.wait_for_selector("tr.working", state="detached")
    assert page.locator("#methods tbody tr").count() == 8
    assert page.locator("tr.best").count() >= 1
    page.fill("#extra", "1")
    page.wait_for_selector("#guarantees :text('+ 1 extra')", timeout=60_000)
    page.wait_for_selector("tr.working", state="detached", timeout=60_000)
    cost = visit.bench.ask(
        "cost", {"model": {"name": "m.yaml", "text": TURNSTILE}, "method": "w", "extra_states": 1}
    ).json
    assert page.inner_text("tr[data-method=w] td >> nth=1") == str(cost["tests"])
    # The guarantee stands there once, with the theorem of each method below it.
    said = page.inner_text("#guarantees")
    assert said.count("Every system that passes all tests") == 1 and cost["claim"]["theorem"]["name"] in said
    page.click("tr[data-method=w] button:text('Tests')")
    page.wait_for_selector("tr.tests")
    assert page.locator("tr.tests li").count() == cost["tests"]
    with page.expect_download() as got:
        page.click("tr[data-method=w] button >> nth=0")
    assert len(got.value.path().read_text().splitlines()) == 1 + cost["tests"]
    page.fill("#faults", "transfer")
    page.wait_for_selector("tr[data-method=faults] button:text('Tests')", timeout=60_000)


def test_a_run_shows_its_progress_and_report(visit: Visit, tmp_path: Path) -> None:
    page = visit.ready("run")
    page.check("input[value=slow]")
    page.fill("#extra", "2")
    page.click("#start")
    page.wait_for_selector("#live-text:text('tests,')")
    page.wait_for_selector("#outcome .badge.fail", timeout=60_000)
    # The short sequence is first, its last step is the wrong one; then the diagnosis, the guarantee, the hypotheses.
    cause = page.locator("#outcome .cause").first
    assert cause.locator("tbody tr").last.get_attribute("class") == "bad"
    assert "prove" in cause.inner_text() and "answers" in cause.locator("h3").inner_text()
    told = page.inner_text("#outcome")
    places = [
        told.index(text) for text in ("observed", "Diagnosis:", "What a pass would prove", "a person has to vouch")
    ]
    assert places == sorted(places)
    page.wait_for_selector("#past tr")
    page.check("input[value=good]")
    page.click("#start")
    page.wait_for_selector("#outcome .badge.pass", timeout=60_000)
    suite = tmp_path / "mine.jsonl"
    made = visit.bench.ask("generate", {"model": {"name": "m.yaml", "text": TURNSTILE}, "method": "w"}).json
    suite.write_text(made["suite"])
    page.set_input_files("#suite-open", suite)
    page.wait_for_selector("#suite-name:text('mine.jsonl')")
    page.click("#start")
    page.wait_for_selector(f"#outcome .card:has-text('tests') b:text-is('{made['tests']}')", timeout=60_000)
    with page.context.expect_page() as opened:
        page.click("#report")
    report = opened.value
    report.wait_for_load_state()
    assert "fullproof conformance report" in report.inner_text("main")
    report.fill("#filter", "zzzz")
    assert report.locator("#tests details:visible").count() == 0


def test_stepping(visit: Visit) -> None:
    page = visit.ready("simulate")
    assert page.inner_text("#state") == "locked"
    page.click("#choices button:text('coin')")
    page.wait_for_selector("#state:text('open')")
    assert "open" in page.text_content("#diagram .fp-here title")  # type: ignore[operator]
    assert page.locator("#diagram .fp-arrow.fp-taken").count() == 1
    assert page.inner_text("#trace tr >> nth=0").split() == ["1", "coin", "unlock", "locked", "open"]
    page.click("#undo")
    page.wait_for_selector("#state:text('locked')")


def test_stepping_with_values(visit: Visit) -> None:
    visit.keep("model", {"name": "brake.yaml", "text": BRAKE})
    page = visit.ready("simulate")
    page.fill("#choices input[name=x]", "250")
    page.keyboard.press("Enter")
    page.wait_for_selector("#state:text('s2')")
    page.keyboard.type("500")  # the field has the focus, and its text is selected
    page.keyboard.press("Enter")
    page.wait_for_selector("#refused:text('not a value')")
    assert page.inner_text("#state") == "s2"
    page.click(".way:has-text('→ s0')")
    page.wait_for_selector("#state:text('s0')")


def test_comparing(visit: Visit) -> None:
    page = visit.ready("compare")
    page.click("#copy")
    page.click("form button")
    page.wait_for_selector("#answer .badge.pass")
    page.fill("#other textarea", TURNSTILE.replace("then: thanks", "then: unlock"))
    page.click("form button")
    page.wait_for_selector("#answer .badge.fail")
    assert page.inner_text("#answer tr.bad").split() == ["2", "coin", "thanks", "unlock"]
    page.fill("#other textarea", "machine: nonsense")
    page.click("form button")
    page.wait_for_selector("#other .gutter .bad")


def test_certifying(visit: Visit) -> None:
    page = visit.ready("certify")
    page.fill("#suite textarea", "coin push\n")
    page.click("form button")
    page.wait_for_selector("#answer .badge.fail")
    page.click("#make")
    while "suite/1" not in page.input_value("#suite textarea"):
        page.wait_for_timeout(50)
    page.click("form button")
    page.wait_for_selector("#answer .badge.pass")
    page.fill("#suite textarea", "coin\njump\n")
    page.click("form button")
    page.wait_for_selector("#suite .gutter .bad")
    assert page.inner_text("#suite .gutter .bad") == "2"


def test_by_keyboard_alone(visit: Visit) -> None:
    """From the first link to a run: Tab, Enter, arrows and letters."""
    page = visit.ready("model")

    def tab_to(selector: str) -> None:
        for _ in range(60):
            page.keyboard.press("Tab")
            if page.evaluate("s => document.activeElement?.matches(s) ?? false", selector):
                outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
                shown = page.evaluate(
                    "getComputedStyle(document.activeElement.closest('.editor') ?? document.body).borderColor"
                )
                assert outline != "none" or shown, "one sees where one is"
                return
        raise AssertionError(f"Tab never reaches {selector}")

    page.focus("body")
    page.keyboard.press("Tab")
    assert page.inner_text(":focus") == "Skip to the content"
    tab_to("#model textarea")
    page.keyboard.press("Control+Home")
    page.keyboard.type("# by hand\n")
    tab_to("#diagram .stage")  # the text field does not keep the Tab key
    page.focus("nav a >> nth=0")
    tab_to("nav a[href='/run']")
    page.keyboard.press("Enter")
    page.wait_for_selector("#start:enabled")
    tab_to("input[name=system]")
    tab_to("#start")
    page.keyboard.press("Enter")
    page.wait_for_selector("#outcome .badge.pass", timeout=60_000)
    page.focus("nav a >> nth=0")
    tab_to("nav a[href='/simulate']")
    page.keyboard.press("Enter")
    page.wait_for_selector("#diagram .fp-here", state="attached")
    tab_to("#choices button")
    page.keyboard.press("Enter")
    page.wait_for_selector("#state:text('open')")
    page.keyboard.press("Enter")  # the focus has stayed where it was
    page.wait_for_selector("#trace tr >> nth=1")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_colours_can_be_read(browser: "Browser", bench: Bench, scheme: str) -> None:
    """Texts reach a contrast of 4.5 on their ground, in both schemes."""
    visit = Visit(browser, bench, TURNSTILE, color_scheme=scheme)
    for name in PAGES:
        page = visit.ready(name)
        assert page.evaluate(CONTRAST) == []
    visit.close()


def test_a_narrow_screen(browser: "Browser", bench: Bench) -> None:
    visit = Visit(browser, bench, BRAKE, viewport={"width": 360, "height": 700})
    for name in PAGES:
        page = visit.ready(name)
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, name
    visit.close()


def test_names_stay_texts(browser: "Browser", bench: Bench) -> None:
    text = next(text for name, _, text in hostile() if name == "markup in every name")
    visit = Visit(browser, bench, text)
    for name in PAGES:
        page = visit.ready(name)
        assert page.locator("main img").count() == 0 and page.locator("main script").count() == 0
    visit.keep("suite", "<img src=x onerror=alert(2)>")
    page = visit.ready("certify")
    page.click("form button")
    page.locator("#suite-fault", has_text="<img src=x onerror=alert(2)>").wait_for()
    page = visit.ready("run")
    page.check("input[value=good]")
    page.click("#start")
    page.wait_for_selector("#outcome .badge", timeout=60_000)
    page.goto(page.get_attribute("#report", "href") and bench.origin + str(page.get_attribute("#report", "href")))
    assert page.locator("main img").count() == 0
    visit.close()


def test_the_end_of_the_workbench_is_told(browser: "Browser") -> None:
    from tests.serve.bench import workbench

    with workbench() as short:
        visit = Visit(browser, short, TURNSTILE)
        page = visit.ready("model")
    page.fill("#model textarea", TURNSTILE + "\n")
    page.wait_for_selector("#alert:text('has ended')")
    visit.context.close()


CONTRAST = """() => {
  const paint = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const rgb = (colour) => {
    paint.clearRect(0, 0, 1, 1);
    paint.fillStyle = colour;
    paint.fillRect(0, 0, 1, 1);
    return paint.getImageData(0, 0, 1, 1).data;
  };
  const linear = (c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
  const light = ([r, g, b]) => 0.2126 * linear(r / 255) + 0.7152 * linear(g / 255) + 0.0722 * linear(b / 255);
  const ground = (node) => {
    for (let n = node; n; n = n.parentElement) {
      const found = rgb(getComputedStyle(n).backgroundColor);
      if (found[3] > 200) return found;
    }
    return [255, 255, 255];
  };
  const passed = "svg, noscript, [hidden], :disabled, .working, .stale, textarea, .skip, .visually-hidden";
  const bad = [];
  for (const node of document.querySelectorAll("body *")) {
    const own = Array.from(node.childNodes).some((n) => n.nodeType === 3 && n.textContent.trim());
    const style = getComputedStyle(node);
    if (!own || node.closest(passed) || !node.getClientRects().length || style.visibility === "hidden") continue;
    const [a, b] = [light(rgb(style.color)), light(ground(node))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) bad.push(`${node.className || node.tagName} ${node.textContent.slice(0, 30)} ${ratio.toFixed(2)}`);
  }
  return bad;
}"""


def test_options_that_do_nothing_are_not_shown(visit: Visit) -> None:
    visit.keep("options", {"relation": "equivalence", "extra_states": "2"})
    reactive = (MODELS / "vending-machine.yaml").read_text()
    for text, shown in ((reactive, False), (TURNSTILE, True)):
        visit.keep("model", {"name": "m.yaml", "text": text})
        for name in ("run", "methods"):
            page = visit.ready(name)
            assert (page.is_visible("#extra"), page.is_visible("#faults")) == (shown, shown), name
            # What was given for another model would be refused, and could not be seen.
            assert shown or page.input_value("#extra") == ""
        page = visit.ready("compare")
        page.wait_for_selector("#relation option >> nth=1", state="attached")
        relations = page.locator("#relation option").all_inner_texts()
        assert ("ioco" in relations, "language-equivalence" in relations) == (not shown, shown)
        if not shown:
            visit.keep("options", {"relation": "equivalence", "extra_states": "2"})
