"""The size of a report of ten thousand tests, and how long a browser takes to open it, filter it and open a test."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from fullproof import pipeline
from fullproof.artefacts.options import from_options
from fullproof.artefacts.progress import unheard
from fullproof.artefacts.request import RunRequest
from fullproof.execute.adapters.browser_process import find_browser

TURNSTILE = Path(__file__).parents[1] / "examples" / "turnstile" / "turnstile.yaml"
SIZES = (6, 9, 12)
"""Extra states."""


def main() -> None:
    """Print one row for each number of tests."""
    from playwright.sync_api import sync_playwright

    print(f"{'tests':>7} {'listed':>7} {'kB':>7} {'load ms':>8} {'elements':>9} {'filter ms':>10} {'open ms':>8}")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as tool:
        browser = tool.chromium.launch(executable_path=find_browser(), args=["--no-sandbox", "--disable-gpu"])
        for extra in SIZES:
            given = {"sut": f"model:{TURNSTILE}", "report": Path(folder), "method": "w", "extra_states": extra}
            record = pipeline.run_suite(TURNSTILE, from_options(RunRequest, given), progress=unheard).record
            page = browser.new_page(viewport={"width": 1200, "height": 800})
            place = Path(folder) / "report.html"
            load = _milliseconds(partial(page.goto, place.as_uri()))
            elements = page.evaluate("document.querySelectorAll('*').length")
            filtered = _milliseconds(partial(page.fill, "#filter", record.tests[-1].id))
            opened = _milliseconds(page.locator("#tests summary").click)
            size = place.stat().st_size // 1000
            counts = f"{record.result.tests:>7} {len(record.tests):>7} {size:>7}"
            print(f"{counts} {load:>8.0f} {elements:>9} {filtered:>10.0f} {opened:>8.0f}", flush=True)
            page.close()
        browser.close()


def _milliseconds(work: Callable[[], object]) -> float:
    begin = time.perf_counter()
    work()
    return (time.perf_counter() - begin) * 1000


if __name__ == "__main__":
    main()
