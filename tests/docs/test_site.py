"""The documentation site: builds strictly, needs no network, and shows what fullproof draws."""

import csv
import importlib.util
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
import typer
from docs._site.pictures import PICTURES
from tests.browser import needs_browser
from tests.docs.fences import fences
from tests.docs.transcripts import DOCUMENTS, plain
from tests.shared import ROOT, SHARED

from fullproof.cli.app import app
from fullproof.execute.adapters.browser_process import find_browser

needs_mkdocs = pytest.mark.skipif(
    importlib.util.find_spec("material") is None, reason="MkDocs Material is not installed"
)
IMAGES = sorted(path for path in (ROOT / "docs/images").glob("*.svg") if path.name != "architecture.svg")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"NO_MKDOCS_2_WARNING": "1"},
    )
    assert done.returncode == 0, done.stderr
    assert "WARNING" not in done.stderr
    return folder


class Loaded(HTMLParser):
    """What a browser fetches for a page, and where its links lead."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.fetched: list[str] = []
        self.links: list[str] = []
        self.anchors: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if given.get("id"):
            self.anchors.add(given["id"] or "")
        if tag in ("script", "img", "iframe", "source") and given.get("src"):
            self.fetched.append(given["src"] or "")
        if tag == "link" and given.get("rel") in ("stylesheet", "icon", "preload", "preconnect"):
            self.fetched.append(given["href"] or "")
        if tag == "a" and given.get("href"):
            self.links.append(given["href"] or "")


def _pages(site: Path) -> Iterator[tuple[Path, Loaded]]:
    for path in sorted(site.rglob("*.html")):
        if path.name != "404.html":  # which has absolute links, for a server
            yield path, Loaded(path.read_text(encoding="utf-8"))


@needs_mkdocs
def test_nothing_comes_from_a_network(site: Path) -> None:
    count = 0
    for path, page in _pages(site):
        count += 1
        assert [url for url in page.fetched if re.match(r"(https?:)?//", url)] == [], path
        assert 'class="mermaid"' not in path.read_text(encoding="utf-8"), "the theme would fetch a script to draw it"
    assert count > 40


@needs_mkdocs
def test_links_and_anchors_lead_somewhere(site: Path) -> None:
    """In the pages as they are, navigation included: what MkDocs itself checks is the Markdown."""
    pages = dict(_pages(site))
    for path, page in pages.items():
        for link in page.links:
            target, _, anchor = link.partition("#")
            if re.match(r"[a-z]+:|//", link) or target in (".", "./"):
                continue
            there = (path.parent / target).resolve() if target else path
            assert there.exists(), f"{path}: {link}"
            if anchor and there in pages:
                assert anchor in pages[there].anchors, f"{path}: {link}"


@needs_mkdocs
def test_every_command_and_option_is_in_the_reference(site: Path) -> None:
    page = (site / "commands.html").read_text(encoding="utf-8")
    group: Any = typer.main.get_command(app)
    for name, command in group.commands.items():
        assert f'id="{name}"' in page
        section = page.split(f'<h2 id="{name}"')[1].split("<h2 ")[0]
        options = [p.opts[0] for p in command.params if p.param_type_name == "option" and not p.hidden]
        told = re.sub("<[^>]+>", " ", section)
        assert [o for o in options if o not in ("--json", "--quiet", "--help") and f" {o} " not in told] == []


@needs_mkdocs
@needs_browser
def test_pages_opened_as_files_work_without_a_network(site: Path) -> None:
    """Light and dark, wide and narrow: no errors, only files are asked for, nothing is too wide, the search finds."""
    from playwright.sync_api import sync_playwright

    asked: list[str] = []
    errors: list[str] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(find_browser()), args=["--no-sandbox"])
        for scheme, width in (("light", 1300), ("dark", 400)):
            page = browser.new_page(color_scheme=scheme, viewport={"width": width, "height": 900})
            page.on("request", lambda request: asked.append(request.url))
            page.on("pageerror", lambda error: errors.append(str(error)))
            page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
            for name in ("index.html", "methods/walks.html", "theory/fault-domains.html", "other-tools.html"):
                page.goto((site / name).as_uri())
                wide = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
                assert wide <= 0, f"{name} at {width}"
                shown = page.evaluate("getComputedStyle(document.body).getPropertyValue('color-scheme')")
                assert shown == {"light": "light", "dark": "dark"}[scheme]
        page.set_viewport_size({"width": 1300, "height": 900})
        page.keyboard.press("s")
        page.keyboard.type("window walks")
        page.locator(".md-search-result__item").first.wait_for()
        browser.close()
    assert errors == []
    assert [url for url in asked if not url.startswith("file:")] == []


@pytest.mark.parametrize("image", IMAGES, ids=lambda path: path.name)
def test_diagrams_are_what_the_tool_draws(image: Path, tmp_path: Path) -> None:
    """The labels are those of the model that the page shows; where they are placed is the layout's business."""
    pages = [page for page in DOCUMENTS if f"images/{image.name}" in page.read_text(encoding="utf-8")]
    (model,) = {f.text for page in pages for f in fences(page) if f.title == f"{image.stem}.yaml"}
    (tmp_path / "m.yaml").write_text(model)
    command = [str(Path(sys.executable).parent / "fullproof"), "draw", "m.yaml", "-o", "m.svg", "--quiet"]
    subprocess.run(command, cwd=tmp_path, check=True)
    drawn = (tmp_path / "m.svg").read_text()
    assert _labels(drawn) == _labels(image.read_text()) != []


def test_every_picture_has_a_command_that_renders_it(tmp_path: Path) -> None:
    shown = {path.name for path in (ROOT / "docs/images").iterdir()}
    assert {*PICTURES, "architecture.svg"} == shown
    PICTURES["greedy.svg"](tmp_path / "greedy.svg")
    assert _labels((tmp_path / "greedy.svg").read_text()) == _labels((ROOT / "docs/images/greedy.svg").read_text())


def _labels(svg: str) -> list[str]:
    return sorted(re.findall(r">([^<>\n]+)</t(?:ext|span)>", svg))


def test_the_transcript_is_that_of_the_tutorial() -> None:
    """What was typed is what the tutorial says, and what was seen is what it promises, in the same order."""
    docs = ROOT / "docs"
    (told, *_) = [fence.text for fence in fences(docs / "tutorial-transcript.md") if fence.language == "text"]
    lines = [re.sub(r"^\[\d+:\d\d\] ", "", line) for line in told.splitlines()]
    seen = [line for line in lines if not re.match(r"\(exit code|\(saved|done$", line)]
    wanted = [fence.text for fence in fences(docs / "tutorial.md") if fence.language in ("text", "console")]
    assert plain(seen) == plain("".join(wanted).splitlines())


@pytest.mark.skipif(not (SHARED / "peers").is_dir(), reason="what other tools were measured at (../shared) is not here")
def test_figures_of_other_tools_are_those_that_were_measured() -> None:
    rows = list(csv.DictReader((SHARED / "peers" / "results.csv").open()))
    measured = {
        (int(r["n"]), int(r["p"]), int(r["a"]), r["tool"], r["method"]): f"{int(r['tests']) + int(r['inputs']):,}"
        for r in rows
        if r["status"] == "ok"
    }
    columns = [
        ("FSMlib", "s"),
        ("FSMlib", "spy-st"),
        ("fsmlib-cpp", "wp"),
        ("hybrid-ads", "hads-minimal"),
        ("AALpy", "wp"),
    ]
    page = (ROOT / "docs" / "other-tools.md").read_text()
    table = [
        line.strip("| ").split(" | ") for line in page.split("## Are they complete?")[0].splitlines() if "**" in line
    ]
    lines = [line for line in table if len(line) == 11]
    assert len(lines) == 11
    for _, states, inputs, extra, _, *theirs, _ in lines:
        key = (int(states.replace(",", "")), int(inputs), int(extra))
        assert theirs == [measured.get((*key, *column), "timeout") for column in columns], key
