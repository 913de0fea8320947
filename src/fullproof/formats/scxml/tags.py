"""Tags and texts of XML as writers need them."""

from __future__ import annotations

import re

from fullproof.core.errors import UserError

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_ESCAPES = {"&": "&amp;", "<": "&lt;", '"': "&quot;", "\t": "&#9;", "\n": "&#10;", "\r": "&#13;"}


def tag(level: int, name: str, *pairs: tuple[str, str], end: str = "/>", keep: bool = False) -> str:
    """A start tag on a line; attributes without text are left out unless they are to be kept."""
    text = "".join(f' {key}="{xml_text(value)}"' for key, value in pairs if value or keep)
    return f"{'  ' * level}<{name}{text}{end}\n"


def xml_text(text: str) -> str:
    """A text as XML holds it, in an attribute or between tags; UserError for characters that XML does not have."""
    wrong = _NOT_XML.search(text)
    if wrong is not None:
        shown = text if len(text) <= 40 else text[:37] + "..."
        raise UserError(f"a file of XML cannot hold {shown!r}: XML has no character U+{ord(wrong.group()):04X}")
    return "".join(_ESCAPES.get(character, character) for character in text)
