"""What the site adds to MkDocs: pages that live elsewhere in the project, and links between all of them.

``examples/``, ``ARCHITECTURE.md`` and ``CHANGELOG.md`` stay where readers of the project look for them, and are pages
of the site, too. Their links, and those that lead to them, are written for the project and are turned here.
"""

import importlib.util
import posixpath
import re
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parent.parent.parent
ELSEWHERE = {"ARCHITECTURE.md": "architecture.md", "CHANGELOG.md": "changelog.md", "README.md": "index.md"}
_SHOWN = {".md", ".yaml", ".py", ".c", ".html", ".js", ".css", ".png", ".dot", ".scxml", ".sysml", ".mmd"}
_LINK = re.compile(r"(!?\[[^\]\[]*(?:\[[^\]]*\])?[^\]\[]*\])\(([^)\s#]+)(#[^)\s]*)?\)")


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Fill in the folders of the navigation."""
    config.nav = _filled(config.nav or [])
    return config


def _filled(entries: list[Any]) -> list[Any]:
    kept = []
    for entry in entries:
        ((title, target),) = entry.items()
        if isinstance(target, list):
            kept.append({title: _filled(target)})
        elif target.endswith("/"):
            kept.append({title: _folder(target)})
        else:
            kept.append(entry)
    return kept


def _folder(name: str) -> list[Any]:
    if name == "examples/":
        pages = sorted(_example_pages(), key=lambda page: (page.count("/"), page))
        return ["examples/README.md", *({_named(page): page} for page in pages if page != "examples/README.md")]
    return [{_heading(path): f"{name}{path.name}"} for path in sorted((ROOT / "docs" / name).glob("*.md"))]


def _heading(path: Path) -> str:
    return path.read_text(encoding="utf-8").splitlines()[0].removeprefix("# ").replace("`", "")


def _example_pages() -> list[str]:
    return [str(path.relative_to(ROOT)) for path in (ROOT / "examples").rglob("README.md")]


def _named(page: str) -> str:
    return page.removeprefix("examples/").removesuffix("/README.md")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages and files that live elsewhere."""
    files.append(File.generated(config, "commands.md", content=_commands_page()))
    for name, page in ELSEWHERE.items():
        if page != "index.md" and (ROOT / name).is_file():
            files.append(File.generated(config, page, abs_src_path=str(ROOT / name)))
    for path in sorted((ROOT / "examples").rglob("*")):
        if path.is_file() and path.suffix in _SHOWN and "__pycache__" not in path.parts:
            file = File.generated(config, str(path.relative_to(ROOT)), abs_src_path=str(path))
            if path.name == "README.md":  # not index.html, which an example may have itself
                file.dest_uri = file.src_uri.removesuffix(".md") + ".html"
            files.append(file)
    return files


def _commands_page() -> str:
    found = importlib.util.spec_from_file_location("commands", Path(__file__).with_name("commands.py"))
    assert found is not None and found.loader is not None
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return str(module.commands_page())


def on_page_markdown(markdown: str, page: Page, **_: object) -> str:
    """Turn links that are written for the project into links of the site."""
    here = _in_project(page.file.src_uri)

    def turned(match: re.Match[str]) -> str:
        text, target, anchor = match[1], match[2], match[3] or ""
        if re.match(r"[a-z]+:", target):
            return match[0]
        there = posixpath.normpath(posixpath.join(posixpath.dirname(here), target))
        return f"{text}({posixpath.relpath(_in_site(there), posixpath.dirname(page.file.src_uri) or '.')}{anchor})"

    return _LINK.sub(turned, markdown)


def _in_project(page: str) -> str:
    for name, uri in ELSEWHERE.items():
        if uri == page and name != "README.md":
            return name
    return page if page.startswith("examples/") else f"docs/{page}"


def _in_site(path: str) -> str:
    if path in ELSEWHERE:
        return ELSEWHERE[path]
    if path == "docs/adr":
        return "adr/001-rooms-and-layers.md"
    if (ROOT / path / "README.md").is_file():
        return f"{path}/README.md"
    if path.startswith("docs/"):
        return path.removeprefix("docs/")
    return path
