"""Delays, and what transition systems do by themselves, on the pages."""

from pathlib import Path

from tests.browser import needs_browser
from tests.serve.test_editing import bench, folder, visit
from tests.serve.test_pages import Visit, browser

__all__ = ["bench", "browser", "folder", "visit"]
pytestmark = needs_browser


TIMED = """machine: statemachine
name: lamp
signals: {in: [press], out: [dark]}
initial: lamp-off
states:
  lamp-off: [{trigger: press, to: lamp-on}]
  lamp-on: [{after: 30 s, send: [dark], to: lamp-off}]
"""


def test_time_passes_in_simulate(visit: Visit) -> None:
    visit.keep("model", {"name": "lamp.yaml", "text": TIMED})
    page = visit.ready("simulate")
    page.click("#choices button:text('press')")
    page.wait_for_selector("#clock:text('at 0 s: lamp-on after 30 s in 30 s')")
    page.fill("#choices input[name=seconds]", "12")
    page.click("#choices button:text('advance')")
    page.wait_for_selector("#clock:text('in 18 s')")
    page.fill("#choices input[name=seconds]", "18")
    page.keyboard.press("Enter")
    page.wait_for_selector("#state:text('lamp-off')")
    assert "send dark" in page.inner_text("#trace tr >> nth=0")


QUEUE = """machine: sts
name: queue
variables: {n: int = 0}
inputs: {put: {p: int 0..9}, get: {}}
outputs: {out: {p: int}}
initial: empty
states:
  empty: [{gate: put, set: {n: p}, to: full}]
  full: [{gate: get, to: asked}]
  asked: [{gate: out, when: p == n, to: empty}]
"""


def test_events_of_a_transition_system_are_followed_on_the_diagram(visit: Visit, tmp_path: Path) -> None:
    """From a wrong output to its place in the diagram and in Simulate, and to the difference on both diagrams."""
    visit.keep("model", {"name": "queue.yaml", "text": QUEUE})
    page = visit.ready("run")
    page.check("input[value='/mutant']")
    page.click("#start")
    page.wait_for_selector("#outcome .badge.fail", timeout=60_000)
    assert "The fault that was put in: " in page.inner_text("#outcome")
    page.reload()
    page.wait_for_selector("#start:enabled")
    (tmp_path / "other.yaml").write_text(QUEUE.replace("p == n", "p == n + 1"))
    page.set_input_files("#other-open", tmp_path / "other.yaml")
    page.click("#start")
    page.wait_for_selector("#outcome .badge.fail", timeout=60_000)
    cause = page.locator("#outcome .cause").first
    cause.locator(".fp-here[aria-label], .fp-here").first.wait_for(state="attached")
    assert "out(1), where the model allows out(0)" in cause.locator("[role=status]").inner_text()
    assert cause.locator(".fp-arrow.fp-fault").count() == 1
    cause.locator("button:text('Back')").click()
    assert "step 2 of 3: get" in cause.locator("[role=status]").inner_text()
    cause.locator("button:text('Replay in Simulate')").click()
    page.wait_for_selector("#refused:has-text('out(1) is no output of the model here')")
    assert page.inner_text("#state") == "asked" and page.locator("#trace tr").count() == 2
    visit.keep("other", {"name": "other.yaml", "text": QUEUE.replace("p == n", "p == n + 1")})
    page = visit.ready("compare")
    page.click("form button[type=submit]")
    page.wait_for_selector("#answer figure >> nth=0 >> .fp-arrow.fp-fault", state="attached", timeout=60_000)
    page.wait_for_selector("#answer figure >> nth=1 >> .fp-arrow.fp-fault", state="attached")
