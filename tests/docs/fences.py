"""The fenced blocks of a document, in order, with what their first line says of them.

A block with ``title="FILE"`` is that file: the page's later commands find it in their folder.
"""

import re
import textwrap
from dataclasses import dataclass
from pathlib import Path

FENCE = re.compile(
    r"^(?P<indent>[ \t]*)```(?P<info>[^`\n]*)\n(?P<body>.*?)^(?P=indent)```[ \t]*$", re.MULTILINE | re.DOTALL
)
_TITLE = re.compile(r'title="([^"]+)"')


@dataclass(frozen=True, slots=True)
class Fence:
    language: str
    title: str | None
    text: str
    line: int


def fence_of(match: re.Match[str]) -> Fence:
    info = match["info"].strip()
    title = _TITLE.search(info)
    return Fence(
        language=re.split(r"[\s{]", info)[0],
        title=title[1] if title else None,
        text=textwrap.dedent(match["body"]),
        line=match.string.count("\n", 0, match.start()) + 1,
    )


def fences(path: Path) -> list[Fence]:
    return [fence_of(match) for match in FENCE.finditer(path.read_text(encoding="utf-8"))]
