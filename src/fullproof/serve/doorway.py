"""A page that only this user can read leads a browser to the workbench: an argument list is visible to all users.

``fullproof serve`` opens a browser, whose process has what it is to open among its arguments. That is the name of a
file; the address with its secret is in the file.
"""

from __future__ import annotations

import html
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_PAGE = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>fullproof</title>
<meta name="referrer" content="no-referrer"><meta http-equiv="refresh" content="0; url={address}"></head>
<body><p><a href="{address}">Open the workbench</a></p></body></html>
"""


@contextmanager
def doorway() -> Iterator[Path]:
    """A private folder, which exists while the workbench is open."""
    folder = Path(tempfile.mkdtemp(prefix="fullproof-open-"))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def page_to(address: str, folder: Path) -> str:
    """Write the page; returns its own address, which is not secret."""
    page = folder / "workbench.html"
    descriptor = os.open(page, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(_PAGE.format(address=html.escape(address, quote=True)))
    return page.as_uri()
