"""Render what the documents show of the tool: ``python -m docs._site.pictures`` writes the pictures in docs/images.

With names of files, such as ``report-dark.png``, only those: run times are in reports, and differ each time.
Pictures of reports and of the workbench need Chromium and the extra ``dev``; ``make editor`` builds the editor that the
picture of a model shows. The rooms (architecture.svg) are drawn by ``python -m docs._site.architecture``.
"""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from fullproof.core.errors import UserError
from fullproof.execute.adapters.browser_process import find_browser

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

ROOT = Path(__file__).parents[2]
IMAGES = ROOT / "docs" / "images"
WIDTH = 1000
FAULT = "#cause-1"
"""The part of the report about the first cause."""
_TURNSTILE = ROOT / "examples" / "turnstile"
_BUNDLED = ROOT / "src" / "fullproof" / "serve" / "models"
_RUN = ("run", "turnstile.yaml", "--sut", "python:turnstile.py:Turnstile", "--extra-states", "1")
_TOOL = (sys.executable, "-m", "fullproof")


def drawing(target: Path) -> None:
    """Draw the model of the same name, which is a block of the document that shows the picture."""
    block = re.compile(rf'^```yaml title="{re.escape(target.stem)}\.yaml"\n(.*?)^```', re.MULTILINE | re.DOTALL)
    texts = [page.read_text(encoding="utf-8") for page in (ROOT / "docs").rglob("*.md")]
    (model,) = [found[1] for text in texts if f"images/{target.name}" in text and (found := block.search(text))]
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "model.yaml").write_text(model, encoding="utf-8")
        subprocess.run([*_TOOL, "draw", "model.yaml", "-o", str(target), "--quiet"], cwd=folder, check=True)


def report(target: Path, *, more: tuple[str, ...] = (), scheme: str = "light", part: str | None = None) -> None:
    """Run examples/turnstile with a report, and take a picture of its first screens or of one part."""
    with tempfile.TemporaryDirectory() as folder, _browser() as browser:
        words = [*_TOOL, *_RUN, *more, "--report", folder]
        subprocess.run(words, cwd=_TURNSTILE, check=False, stdout=subprocess.DEVNULL)
        page = _page(browser, WIDTH, 1150, scheme)
        page.goto((Path(folder) / "report.html").as_uri())
        if part is None:
            page.screenshot(path=target)
        else:
            page.locator(part).screenshot(path=target)


def workbench(target: Path, *, model: Path, height: int, show: Callable[[Page], object]) -> None:
    """Start a workbench, give it a model, and take a picture of what ``show`` has opened."""
    with _serving() as url, _browser() as browser:
        page = _page(browser, 1240, height, "light")
        page.goto(url)
        page.wait_for_selector("body[data-ready]")
        given = json.dumps({"name": model.name, "text": model.read_text(encoding="utf-8")})
        for name in ("model", "opened"):
            page.evaluate("([k, v]) => sessionStorage.setItem(k, v)", [f"fullproof.{name}", given])
        show(page)
        page.screenshot(path=target)


def _show_model(page: Page) -> None:
    _open(page, "model")
    page.wait_for_selector(".finding")


def _show_methods(page: Page) -> None:
    _open(page, "methods")
    page.wait_for_selector("#guarantees .panel", timeout=60_000)
    page.wait_for_selector("tr.working", state="detached", timeout=60_000)


def _show_simulate(page: Page) -> None:
    _open(page, "simulate")
    for steps, move in enumerate(("push", "coin", "coin"), start=1):
        page.click(f"#choices button:text-is('{move}')")
        page.wait_for_function("n => document.querySelectorAll('#trace tr').length === n", arg=steps)


def _open(page: Page, name: str) -> None:
    page.goto(f"{page.url.rpartition('/')[0]}/{name}")
    page.wait_for_selector("body[data-ready]")


PICTURES: Mapping[str, Callable[[Path], None]] = {
    **dict.fromkeys(("account.svg", "drinks.svg", "greedy.svg", "turnstile.svg"), drawing),
    "caught-fault.png": partial(report, more=("--method", "w"), part=FAULT),  # as README.md runs it
    "report-light.png": report,
    "report-dark.png": partial(report, scheme="dark"),
    "workbench-model.png": partial(workbench, model=_BUNDLED / "brake.yaml", height=800, show=_show_model),
    "workbench-methods.png": partial(workbench, model=_TURNSTILE / "turnstile.yaml", height=820, show=_show_methods),
    "workbench-simulate.png": partial(workbench, model=_TURNSTILE / "turnstile.yaml", height=640, show=_show_simulate),
}


@contextmanager
def _browser() -> Iterator[Browser]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as tool:
        browser = tool.chromium.launch(executable_path=find_browser(), args=["--no-sandbox", "--disable-gpu"])
        yield browser
        browser.close()


def _page(browser: Browser, width: int, height: int, scheme: str) -> Page:
    dark = scheme == "dark"
    return browser.new_page(viewport={"width": width, "height": height}, color_scheme="dark" if dark else "light")


@contextmanager
def _serving() -> Iterator[str]:
    words = [*_TOOL, "serve", str(_BUNDLED), "--no-open", "--port", "0", "--json"]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    assert process.stdout is not None
    try:
        yield json.loads(process.stdout.readline())["url"]
    finally:
        process.send_signal(signal.SIGINT)
        process.wait()
        process.stdout.close()


def main(names: list[str]) -> None:
    """Render pictures by their names, or all."""
    for name in names or PICTURES:
        if name not in PICTURES:
            raise UserError(f"no picture {name!r}; there are {', '.join(PICTURES)}")
        PICTURES[name](IMAGES / name)
        sys.stdout.write(f"{IMAGES / name}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
