"""Model files in JSON: the same keys as in YAML, a line for each transition."""

from __future__ import annotations

import json
from collections.abc import Iterator

from fullproof.formats.document.chart_outline import written_outline
from fullproof.formats.document.outline import Outline, ScalarText, Word
from fullproof.model import Model

_BLOCKS = ("states", "fault_domain", "properties", "requirements")
_INSIDE = ("states", "parallel")
"""The keys of a state with other states."""


def json_lines(model: Model) -> Iterator[str]:
    """Yield the lines of the file. The same model gives the same lines."""
    entries = list(written_outline(model).items())
    yield "{\n"
    for number, (key, value) in enumerate(entries):
        comma = "," if number < len(entries) - 1 else ""
        if key in _BLOCKS and isinstance(value, dict):
            yield f"  {json.dumps(key)}: {{\n"
            yield from _block(value)
            yield f"  }}{comma}\n"
        else:
            yield f"  {json.dumps(key)}: {_flow(value)}{comma}\n"
    yield "}\n"


def _block(values: dict[str, Outline], level: int = 2) -> Iterator[str]:
    blanks = "  " * level
    for number, (key, value) in enumerate(values.items()):
        comma = "," if number < len(values) - 1 else ""
        if isinstance(value, list) and value and isinstance(value[0], dict):
            yield f"{blanks}{_text(key)}: [\n"
            yield ",\n".join(f"{blanks}  {_flow(item)}" for item in value)
            yield f"\n{blanks}]{comma}\n"
        elif isinstance(value, dict) and (key in _INSIDE or any(part in value for part in (*_INSIDE, "transitions"))):
            yield f"{blanks}{_text(key)}: {{\n"
            yield from _block(value, level + 1)
            yield f"{blanks}}}{comma}\n"
        else:
            yield f"{blanks}{_text(key)}: {_flow(value)}{comma}\n"


def _flow(value: Outline) -> str:
    match value:
        case ScalarText():
            return value.text if value.word is Word.NUMBER else _text(value.text)
        case list():
            return "[" + ", ".join(_flow(item) for item in value) + "]"
        case dict():
            return "{" + ", ".join(f"{_text(key)}: {_flow(item)}" for key, item in value.items()) + "}"


def _text(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
