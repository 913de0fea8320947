"""The editor, the diagram and the flows from a failure to its replay, in a real browser."""

from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.browser import needs_browser
from tests.serve.bench import Bench, workbench
from tests.serve.conftest import TURNSTILE as TURNSTILE_SYSTEM
from tests.serve.test_interface import TURNSTILE
from tests.serve.test_pages import Visit, browser

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

__all__ = ["browser"]
pytestmark = needs_browser
BUILT = (files("fullproof.serve") / "static" / "codemirror.js").is_file()
real_editor = pytest.mark.skipif(not BUILT, reason="the editor was not built: make editor")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("models")
    (path / "turnstile.yaml").write_text(TURNSTILE)
    (path / "turnstile.py").write_text(TURNSTILE_SYSTEM)
    (path / "wrong.py").write_text("import nothing_like_it\nclass Wrong: pass\n")
    return path


@pytest.fixture(scope="module")
def bench(folder: Path) -> Iterator[Bench]:
    systems = ("--sut", "good=python:turnstile.py:Turnstile", "--sut", "wrong=python:wrong.py:Wrong")
    with workbench(".", *systems, folder=folder) as running:
        yield running


@pytest.fixture(params=[True, pytest.param(False, marks=real_editor)], ids=["plain", "real"])
def visit(browser: "Browser", bench: Bench, request: pytest.FixtureRequest) -> Iterator[Visit]:
    visit = Visit(browser, bench, TURNSTILE, plain=request.param)
    yield visit
    visit.close()


def field(page: "Page") -> str:
    return "#model .cm-content" if page.locator("#model .cm-content").count() else "#model textarea"


def typed(page: "Page") -> str:
    if field(page).endswith("textarea"):
        return page.input_value("#model textarea")
    return "\n".join(page.locator("#model .cm-line").all_inner_texts()).replace("\n\n", "\n")


def test_nothing_typed_is_lost(visit: Visit) -> None:
    page = visit.ready("model")
    page.click(field(page))
    page.keyboard.press("Control+Home")
    page.keyboard.type("# mine\n")
    assert page.is_visible("#unsaved")
    page.reload()
    page.wait_for_selector("#diagram svg")
    assert typed(page).startswith("# mine\n") and page.is_visible("#unsaved")
    with page.context.expect_page() as opened:
        page.select_option("#examples", label="brake.yaml")
    opened.value.wait_for_selector("#facts :text('sfsm')")
    assert opened.value.input_value("#name") == "brake.yaml"
    opened.value.close()
    assert typed(page).startswith("# mine\n")


def test_undo_takes_back_an_opened_file(visit: Visit, tmp_path: Path) -> None:
    page = visit.ready("model")
    (tmp_path / "loop.fsm").write_text("a x y a\n")
    page.set_input_files("#model-open", tmp_path / "loop.fsm")
    if page.locator("dialog").count():
        page.click("dialog button[value=replace]")
    page.wait_for_selector("#facts :text('1 state')")
    page.click(field(page))
    page.keyboard.press("Control+z")
    page.wait_for_selector("#facts :text('2 states')")
    assert "machine: fsm" in typed(page) and page.input_value("#name") == "m.yaml"


def test_files_of_the_folder(visit: Visit, folder: Path) -> None:
    page = visit.ready("model")
    page.fill("#name", "new.yaml")
    (folder / "new.yaml").unlink(missing_ok=True)
    page.click("#write")
    page.wait_for_selector("#unsaved", state="hidden")
    assert (folder / "new.yaml").read_text() == TURNSTILE
    (folder / "new.yaml").write_text("changed elsewhere\n")
    page.click(field(page))
    page.keyboard.press("Control+Home")
    page.keyboard.type("# mine\n")
    page.keyboard.press("Control+s")
    page.wait_for_selector("dialog")
    page.click("dialog button[value=keep]")
    assert (folder / "new.yaml").read_text() == "changed elsewhere\n"
    page.keyboard.press("Control+s")
    page.click("dialog button[value=replace]")
    page.wait_for_selector("#unsaved", state="hidden")
    assert (folder / "new.yaml").read_text().startswith("# mine\n")
    page.select_option("#files", "turnstile.yaml")
    while page.input_value("#name") != "turnstile.yaml":
        page.wait_for_timeout(50)


def test_the_diagram_leads_to_its_line_and_back(visit: Visit) -> None:
    page = visit.ready("model")
    line = TURNSTILE.splitlines().index("  open:") + 1
    page.click("#diagram .fp-state[aria-label='state open']")
    page.click("#find")
    page.wait_for_selector("#diagram .fp-here[aria-label='state open']")
    page.keyboard.press("Control+Home")
    before = page.evaluate("document.querySelector('#diagram svg').getBoundingClientRect().width")
    page.click("#diagram button[title='Zoom in']")
    assert page.evaluate("document.querySelector('#diagram svg').getBoundingClientRect().width") > before
    page.focus("#diagram .stage")
    page.keyboard.press("0")
    assert page.evaluate("document.querySelector('#diagram svg').getBoundingClientRect().width") <= before + 1
    page.focus("#diagram [role=button][tabindex='0']")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    page.click("#find")
    page.wait_for_selector("#diagram .fp-here")
    assert line > 0


@real_editor
def test_the_real_editor(browser: "Browser", bench: Bench) -> None:
    visit = Visit(browser, bench, TURNSTILE, plain=False)
    page = visit.ready("model")
    page.click("#model .cm-content")
    page.keyboard.press("Control+End")
    page.keyboard.type("    - {when: x, then: y, to: lo")
    page.wait_for_selector("#model .cm-tooltip-autocomplete li:has-text('locked')")
    page.wait_for_timeout(150)  # what was offered a moment ago is not taken by a key meant for the text
    page.keyboard.press("Enter")
    assert "to: locked" in page.inner_text("#model .cm-content")
    page.keyboard.type("}")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('#model') !== null"), "Tab indents"
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('#model .real') === null"), "Escape, then Tab, leaves"
    page.click("#model .cm-content")
    page.keyboard.press("Control+Home")
    page.keyboard.type("mashine: fsm\n")
    page.wait_for_selector("#model-fault button")
    page.wait_for_selector("#model .cm-lint-marker-error")
    visit.close()


def test_from_a_mutant_to_its_replay(visit: Visit) -> None:
    page = visit.ready("run")
    page.check("input[value='/mutant']")
    page.click("#start")
    page.wait_for_selector("#outcome .badge.fail", timeout=60_000)
    assert "The fault that was put in" in page.inner_text("#outcome")
    cause = page.locator("#outcome .cause").first
    cause.locator(".diagram .fp-here").wait_for()
    cause.locator("button:text('Back')").click()
    assert "Diagnosis:" in cause.inner_text()
    with page.expect_download() as got:
        cause.locator("a:text('Reproduce')").click()
    assert "exit" in got.value.path().read_text()
    steps = cause.locator("tbody tr").count()
    cause.locator("button:text('Replay in Simulate')").click()
    page.wait_for_selector(f"#trace tr >> nth={steps - 1}")
    assert page.locator("#trace tr").count() == steps


def test_another_model_and_a_run_that_cannot_start(visit: Visit, tmp_path: Path) -> None:
    page = visit.ready("run")
    (tmp_path / "other.yaml").write_text(TURNSTILE)
    page.set_input_files("#other-open", tmp_path / "other.yaml")
    page.click("#start")
    page.wait_for_selector("#outcome .badge.pass", timeout=60_000)
    page.check("input[value=wrong]")
    page.click("#start")
    page.wait_for_selector("#outcome .notrun", timeout=60_000)
    assert page.locator("#outcome .badge").count() == 0 and "no verdict" in page.inner_text("#outcome")


def test_arrows_are_taken_in_simulate(visit: Visit) -> None:
    page = visit.ready("simulate")
    page.click("#diagram .fp-state[aria-label='state open']")
    page.wait_for_selector("#state:text('open')")
    page.focus("#diagram [role=button][aria-label='state locked']")
    page.keyboard.press("Enter")
    page.wait_for_selector("#state:text('locked')")


def test_survivors_and_differences_are_drawn(visit: Visit) -> None:
    page = visit.ready("certify")
    page.click("#suite .cm-content, #suite textarea")
    page.keyboard.press("Control+a")
    page.keyboard.type("coin push")
    page.click("form button[type=submit]")
    page.wait_for_selector("#answer .diagram .fp-here")
    page.click("button:text('Compare it')")
    page.wait_for_selector("body[data-page=compare][data-ready]")
    page.click("form button[type=submit]")
    page.wait_for_selector("#answer figure >> nth=1 >> .fp-here")


def test_each_transition_can_be_taken(visit: Visit) -> None:
    """Those inside of a state, too, by click and by key."""
    page = visit.ready("simulate")
    page.click("#diagram .fp-state[aria-label='state locked'] text[data-of]")
    page.wait_for_selector("#trace tr:has-text('push')")
    page.wait_for_selector("#diagram text.fp-taken")
    page.focus("#diagram .fp-state text[role=button] >> nth=0")
    page.keyboard.press("Enter")
    page.wait_for_selector("#trace tr >> nth=1")
    page = visit.ready("model")
    page.click("#diagram .fp-state[aria-label='state open'] text[data-of]")
    page.click("#find")
    page.wait_for_selector("#diagram .fp-state[aria-label='state open'] text.fp-taken")


def test_no_control_is_inside_of_another_or_has_no_name(visit: Visit) -> None:
    """What is inside of a button or an image does not exist for some screen readers."""
    inside = "button button, [role=button] [role=button], [role=img] [role=button], button [role=button]"
    unnamed = (
        "nodes => nodes.filter(n => n.checkVisibility() && !n.closest('.cm-editor') && !(n.labels?.length || "
        "n.getAttribute('aria-label') || n.textContent.trim() || n.title)).map(n => n.outerHTML)"
    )
    for name in ("model", "simulate", "run", "compare", "certify", "learn"):
        page = visit.ready(name)
        assert page.locator(inside).count() == 0, name
        assert page.locator("button, input, select, textarea, [role=button], a").evaluate_all(unnamed) == [], name
    page = visit.ready("simulate")
    parts = page.locator("#diagram [role=button]").evaluate_all("nodes => nodes.map(n => n.ariaLabel)")
    assert {"state locked", "state open"} < set(parts) and len(parts) == 6


def test_a_large_diagram_is_readable_and_fits(browser: "Browser", bench: Bench) -> None:
    def row(k: int) -> str:
        return f"  s{k}: [{{when: a, then: x, to: s{(k + 1) % 40}}}, {{when: b, then: y, to: s{k * 7 % 40}}}]"

    text = "\n".join(["machine: fsm", "initial: s0", "states:", *map(row, range(40))])
    visit = Visit(browser, bench, text)
    page = visit.ready("model")
    width = "document.querySelector('#diagram svg').getBoundingClientRect().width"
    room = "document.querySelector('#diagram .stage').clientWidth"
    size = "document.querySelector('#diagram svg').viewBox.baseVal.width"
    assert page.evaluate(f"{width} / {size}") >= 0.79, "letters can be read"
    page.click("#diagram button[title='Fit the diagram']")
    assert page.evaluate(width) <= page.evaluate(room)
    page.click("#diagram button[title='Full screen']")
    page.wait_for_selector("#diagram:fullscreen")
    page.click("#diagram button[title='Full screen']")
    page.wait_for_selector("#diagram:not(:fullscreen)")
    visit.close()


def test_a_system_is_learnt(visit: Visit) -> None:
    pytest.importorskip("aalpy")
    page = visit.ready("learn")
    page.fill("#inputs", "coin, push")
    page.click("#start")
    page.wait_for_selector("#outcome svg", timeout=60_000)
    with page.context.expect_page() as opened:
        page.click("button:text('Open it in a tab')")
    opened.value.wait_for_selector("#facts:has-text('2 states')", timeout=60_000)
    assert opened.value.is_visible("#unsaved")
    page.check("input[value=wrong]")
    page.click("#start")
    page.wait_for_selector("#outcome .notrun", timeout=60_000)
    page.check("input[value=good]")
    page.click("#start")
    page.wait_for_selector("#outcome svg", timeout=60_000)
    page.click("button:text('Compare it')")
    page.wait_for_selector("body[data-page=compare][data-ready]")
    page.click("form button[type=submit]")
    page.wait_for_selector("#answer .badge.pass", timeout=60_000)


def test_a_phone(browser: "Browser", bench: Bench) -> None:
    for plain in (True, False) if BUILT else (True,):
        visit = Visit(browser, bench, TURNSTILE, plain=plain, viewport={"width": 360, "height": 700}, has_touch=True)
        for name in ("model", "methods", "run", "simulate", "compare", "certify"):
            page = visit.ready(name)
            assert page.evaluate("document.documentElement.scrollWidth") <= 360, name
        visit.close()
