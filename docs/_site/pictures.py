"""Render the report of a caught fault: ``python -m docs._site.pictures`` writes docs/images/caught-fault.png.

The run is that of README.md, on examples/turnstile. Needs Chromium.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from fullproof.execute.adapters.browser_process import find_browser

ROOT = Path(__file__).parents[2]
PICTURE = ROOT / "docs" / "images" / "caught-fault.png"
SIZE = "1000,900"
COMMAND = ("run", "turnstile.yaml", "--sut", "python:turnstile.py:Turnstile", "--extra-states", "1", "--method", "w")


def render(target: Path) -> None:
    """Run the example with a report, and take a picture of its first page."""
    browser = find_browser()
    if browser is None:
        raise SystemExit("there is no Chromium: install it, or name it by FULLPROOF_BROWSER")
    with tempfile.TemporaryDirectory() as folder:
        words = [sys.executable, "-m", "fullproof", *COMMAND, "--report", folder]
        subprocess.run(words, cwd=ROOT / "examples" / "turnstile", check=False, stdout=subprocess.DEVNULL)
        page = (Path(folder) / "report.html").as_uri() + "#failures"
        shot = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", f"--window-size={SIZE}"]
        profile = f"--user-data-dir={folder}/profile"
        subprocess.run([str(browser), *shot, profile, f"--screenshot={target}", page], check=True, capture_output=True)


if __name__ == "__main__":
    render(PICTURE)
