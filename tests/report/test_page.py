"""The report in a real browser, for every kind: nothing is too wide, links lead somewhere, tests open."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.browser import needs_browser

from fullproof import pipeline
from fullproof.artefacts.options import from_options
from fullproof.artefacts.progress import unheard
from fullproof.artefacts.questions import JudgeRequest
from fullproof.artefacts.request import RunRequest
from fullproof.execute.adapters.browser_process import find_browser

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

LONG = "a_name_that_is_much_longer_than_a_narrow_screen_is_wide_and_has_no_place_to_break"
MODELS = {
    "fsm": (
        f"""
machine: fsm
name: door
initial: shut
states:
  shut:
    - {{when: push, then: moves, to: open, req: [R1]}}
    - {{when: look, then: {LONG}, to: shut}}
  open:
    - {{when: push, then: moves, to: shut}}
    - {{when: look, then: ajar, to: open}}
requirements:
  R1: A door that is pushed moves, {LONG}.
""",
        ("then: moves, to: shut", "then: stuck, to: open"),
    ),
    "sfsm": (
        f"""
machine: sfsm
name: {LONG}
inputs: {{x: int 0..9}}
outputs: {{{LONG}: int 0..9}}
initial: s
states:
  s:
    - {{when: x < 5, then: {LONG} == x, to: s}}
    - {{when: x >= 5, then: {LONG} == 0, to: s}}
""",
        ("== 0, to", "== 1, to"),
    ),
    "sts": (
        f"""
machine: sts
name: shelf
variables: {{x: int 0..3 = 0}}
inputs: {{{LONG}: {{p: int 0..3}}}}
outputs: {{answer: {{p: int}}}}
initial: idle
states:
  idle:
    - {{gate: {LONG}, set: {{x: p}}, to: busy}}
  busy:
    - {{gate: answer, when: p == x, to: idle}}
""",
        ("p == x", "p == 3 - x"),
    ),
    "statemachine": (
        f"""
machine: statemachine
name: lamp
signals: {{in: [press], out: [{LONG}]}}
inputs: {{x: int 0..3}}
outputs: {{lit: bool = false}}
initial: dark
states:
  dark:
    - {{trigger: press, when: x > 1, do: [lit = true], send: [{LONG}], to: bright}}
  bright:
    - {{trigger: press, do: [lit = false], to: dark}}
""",
        ("x > 1", "x > 2"),
    ),
}
OPTIONS: dict[str, dict[str, Any]] = {"sts": {"timeout": 0.02, "steps": 30}}
pytestmark = needs_browser


@pytest.fixture(scope="module")
def browser() -> "Iterator[Browser]":
    from playwright.sync_api import sync_playwright

    with sync_playwright() as tool:
        opened = tool.chromium.launch(executable_path=find_browser(), args=["--no-sandbox", "--disable-gpu"])
        yield opened
        opened.close()


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a report of a passing and of a failing run of each kind; the latter compared with the former."""
    folder = tmp_path_factory.mktemp("reports")
    for kind, (text, change) in MODELS.items():
        (folder / f"{kind}.yaml").write_text(text)
        (folder / f"{kind}-bad.yaml").write_text(text.replace(*change))
        assert run(folder, kind, "pass") == "pass"
        assert run(folder, kind, "fail", meta=("firmware=2.1",), baseline=folder / f"{kind}-pass") == "fail"
    return folder


def run(folder: Path, kind: str, name: str, **more: Any) -> str:
    played = f"model:{folder / kind}{'-bad' if name == 'fail' else ''}.yaml"
    given = {"sut": played, "report": folder / f"{kind}-{name}", "shrink_failures": 1, **OPTIONS.get(kind, {}), **more}
    outcome = pipeline.run_suite(folder / f"{kind}.yaml", from_options(RunRequest, given), progress=unheard)
    return outcome.record.result.verdict.value


def opened(browser: "Browser", folder: Path, width: int) -> "Page":
    page = browser.new_page(viewport={"width": width, "height": 800})
    page.on("pageerror", lambda error: pytest.fail(str(error)))
    page.goto((folder / "report.html").as_uri())
    return page


@pytest.mark.parametrize("kind", MODELS)
@pytest.mark.parametrize("verdict", ["pass", "fail"])
def test_nothing_is_wider_than_a_narrow_screen(browser: "Browser", reports: Path, kind: str, verdict: str) -> None:
    page = opened(browser, reports / f"{kind}-{verdict}", 400)
    for summary in page.locator("summary").all():
        summary.click()
    # Rows come with the event of the details, which a click does not await.
    page.wait_for_function(
        """() => { const opened = [...document.querySelectorAll("#tests details[open]")];
        return opened.length > 0 && opened.every((row) => row.querySelector("tbody tr")); }"""
    )
    assert page.evaluate("document.documentElement.scrollWidth") <= 400
    inside = """() => [...document.querySelectorAll("main > *, .panel > :not(svg), .test > *")].filter(
      (node) => node.getBoundingClientRect().right > 401).map((node) => node.outerHTML.slice(0, 90))"""
    assert page.evaluate(inside) == []
    page.close()


def test_the_first_screen_says_what_is_proved_and_the_contents_lead_to_the_rest(
    browser: "Browser", reports: Path
) -> None:
    from playwright.sync_api import expect

    page = opened(browser, reports / "fsm-fail", 1200)
    order = [page.locator(place).bounding_box()["y"] for place in (".verdict", "#hypotheses", ".cause")]  # type: ignore[index]
    assert order == sorted(order) and order[1] < 800
    links = page.locator("nav a").all()
    titles = [link.inner_text() for link in links]
    assert {"Failures by cause", "Compared with an earlier run", "The model", "Requirements", "Evidence"} < {*titles}
    for link, title in zip(links, titles, strict=True):
        link.click()
        target = str(link.get_attribute("href"))
        page.wait_for_function("target => location.hash === target", arg=target)
        heading = page.locator(target)
        assert heading.inner_text() == title
        expect(heading).to_be_in_viewport()
        page.evaluate("scrollTo(0, 0)")
    page.close()


def test_failures_are_one_entry_with_a_short_sequence_a_proof_and_a_cause(browser: "Browser", reports: Path) -> None:
    from playwright.sync_api import expect

    document = json.loads((reports / "fsm-fail" / "report.json").read_text())
    page = opened(browser, reports / "fsm-fail", 1200)
    assert page.locator(".cause").count() == len(document["groups"]) == 1
    group, cause = document["groups"][0], page.locator(".cause")
    assert cause.locator("h3").inner_text() == group["title"].replace("`", "")
    assert cause.locator("table").first.locator("tbody tr").count() == len(group["shortest"])
    assert cause.locator(".tag.confirmed").count() == 1 and group["cause"]["confirmed"]
    assert group["proves"] in cause.locator(".proof summary").inner_text()
    # The wrong transition is drawn beside the one that is missing, and each is recognised without colours.
    wrong, missing = (cause.locator(f".diagram .fp-{mark}") for mark in ("wrong", "missing"))
    assert "stuck" in "".join(wrong.all_text_contents()) and "moves" in "".join(missing.all_text_contents())
    dashes = {group.locator("[stroke-dasharray]").count() > 0 for group in (page.locator(".fp-arrow.fp-missing"),)}
    assert dashes == {True}
    # The link shows the tests of this cause alone.
    cause.locator("[data-filter]").click()
    expect(page.locator("#tests details")).to_have_count(group["tests"])
    expect(page.locator("#tests .badge.fail")).to_have_count(group["tests"])
    page.close()


def test_a_passing_test_opens_to_its_outputs(browser: "Browser", reports: Path) -> None:
    page = opened(browser, reports / "fsm-pass", 1200)
    row = page.locator("#tests details", has=page.locator(".badge.pass")).first
    assert row.locator("table").count() == 0, "its steps are made when it is opened"
    row.locator("summary").click()
    row.locator("tbody tr").first.wait_for()
    cells = row.locator("tbody tr").first.locator("td").all_inner_texts()
    assert cells[:1] == ["1"] and (cells[1], cells[2]) in {("push", "moves"), ("look", LONG)}
    page.close()


def test_covered_arrows_and_the_failing_way_differ(browser: "Browser", reports: Path) -> None:
    page = opened(browser, reports / "fsm-fail", 1200)
    look = "(n) => { const s = getComputedStyle(n.querySelector('path')); return [s.stroke, s.strokeWidth]; }"
    covered = page.locator(".diagram .fp-arrow.fp-covered").first.evaluate(look)
    failing = page.locator(".diagram .fp-arrow.fp-marked").first.evaluate(look)
    assert covered[0] != failing[0] and covered[1] != failing[1]
    page.close()


def test_the_comparison_and_the_evidence(browser: "Browser", reports: Path) -> None:
    document = json.loads((reports / "fsm-fail" / "report.json").read_text())
    page = opened(browser, reports / "fsm-fail", 1200)
    told, compared = page.locator("#baseline-panel").inner_text(), document["baseline"]
    assert compared["new"] and compared["gone"] == [] and compared["suite"] == {"added": 0, "removed": 0}
    assert f"new failures\n{len(compared['new'])}" in told and "gone failures\nnone" in told
    assert "the tests are the same" in told and "firmware: 2.1 instead of nothing" in told
    text = page.locator("main").inner_text()
    for value in (document["command"], document["hashes"]["model"], *document["hashes"]["system"].values(), "2.1"):
        assert value in text
    assert (reports / "fsm-fail" / str(page.locator("a", has_text="run.sqlite").get_attribute("href"))).is_file()
    page.close()


def test_ten_thousand_tests_are_data(browser: "Browser", reports: Path, tmp_path: Path) -> None:
    """Rows are made as they are shown: the page has few elements however many tests there are."""
    from playwright.sync_api import expect

    given = {"sut": f"model:{reports / 'fsm.yaml'}", "report": tmp_path, "method": "w", "extra_states": 10}
    outcome = pipeline.run_suite(reports / "fsm.yaml", from_options(RunRequest, given), progress=unheard)
    assert len(outcome.record.tests) > 3_000
    page = opened(browser, tmp_path, 1200)
    assert page.locator("#tests details").count() == 200
    assert page.evaluate("document.querySelectorAll('*').length") < 3_000
    assert (tmp_path / "report.html").stat().st_size < 200 * len(outcome.record.tests)
    last = outcome.record.tests[-1].id
    page.fill("#filter", last)
    page.locator("#tests summary").click()
    expect(page.locator("#tests tbody tr")).to_have_count(len(outcome.record.tests[-1].inputs))
    page.close()


def test_judging_again_gives_the_same_evidence(reports: Path, tmp_path: Path) -> None:
    folder = reports / "fsm-fail"
    asked = JudgeRequest(report=tmp_path / "again", baseline=reports / "fsm-pass")
    record = pipeline.judge_journal(folder / "run.sqlite", asked, progress=unheard).record
    run, judged = (json.loads((place / "report.json").read_text()) for place in (folder, tmp_path / "again"))
    assert (
        judged["command"]
        == f"fullproof judge {folder}/run.sqlite --report {tmp_path}/again --baseline {reports}/fsm-pass"
    )
    for document in (run, judged):  # the title is that of a sequence, which is shorter where the system is at hand
        assert len(document["baseline"].pop("new_causes")) == 1
    for name in ("hashes", "hypotheses", "meta", "baseline"):
        assert judged[name] == run[name] and run[name]
    assert record.context.meta == {"firmware": "2.1"}
