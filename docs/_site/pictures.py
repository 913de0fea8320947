"""Render the report of a caught fault: ``python -m docs._site.pictures`` writes docs/images/caught-fault.png.

The run is that of README.md, on examples/turnstile. Needs Chromium, and the extra ``dev``.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from fullproof.execute.adapters.browser_process import find_browser

ROOT = Path(__file__).parents[2]
PICTURE = ROOT / "docs" / "images" / "caught-fault.png"
WIDTH = 1000
FAULT = "#cause-1"
"""The part of the report about the first cause."""
COMMAND = ("run", "turnstile.yaml", "--sut", "python:turnstile.py:Turnstile", "--extra-states", "1", "--method", "w")


def render(target: Path) -> None:
    """Run the example with a report, and take a picture of the fault that it explains."""
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as tool:
        words = [sys.executable, "-m", "fullproof", *COMMAND, "--report", folder]
        subprocess.run(words, cwd=ROOT / "examples" / "turnstile", check=False, stdout=subprocess.DEVNULL)
        browser = tool.chromium.launch(executable_path=find_browser(), args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(viewport={"width": WIDTH, "height": 900}, color_scheme="light")
        page.goto((Path(folder) / "report.html").as_uri())
        page.locator(FAULT).screenshot(path=target)
        browser.close()


if __name__ == "__main__":
    render(PICTURE)
