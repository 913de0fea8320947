"""The hash chain of a journal: each row has a hash over itself and the rows before it, the end has one over the rest.

A row that was changed, lost, added or moved does not fit the hash of the next one; the first one is tied to the header.
The entries about the whole run, and the number of rows, are sealed when the run ends. Like the digest of a suite this
detects damage and edits; it is not a signature.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence

_LENGTH = 16
"""Bytes of a hash that a row keeps."""


def first_link(header: str) -> bytes:
    """The link of the first row."""
    return _hash(b"header", header.encode())


def next_link(last: bytes, row: Sequence[object]) -> bytes:
    """The hash of a row, after that of the row before it. ``ascii`` distinguishes texts, numbers and bytes."""
    return hashlib.sha256(last + ascii(row).encode()).digest()[:_LENGTH]


def seal_of(rows: int, last: bytes, about: Mapping[str, str]) -> str:
    """The hash over the entries at the end, the number of rows, and the last link."""
    return _hash(b"seal", json.dumps([rows, last.hex(), sorted(about.items())]).encode()).hex()


def check_of(key: str, value: str) -> str:
    """The hash that stands beside a value in the table ``about``."""
    return _hash(key.encode(), value.encode()).hex()


def _hash(what: bytes, text: bytes) -> bytes:
    return hashlib.sha256(what + b"\0" + text).digest()[:_LENGTH]
