"""The digest of a suite: one hash over its claim and its tests, in the header, so that neither changes unnoticed.

SHA-256 over the header's fields but for the digest itself, sorted by name, and then over the lines of the tests as JSON
Lines have them, in their order. The fields are taken as texts, so that a table says the same as JSON. A digest detects
damage and edits; it is not a signature.
"""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Iterable, Iterator, Mapping
from typing import TextIO

from fullproof.artefacts.suite import json_value
from fullproof.core.errors import Place
from fullproof.formats.suite.records import decode_record

KEY = "digest"
_PLACE = "0" * 64
"""Stands in the header until the last test has passed by."""


class Digest:
    """Takes a header, then one test after the other."""

    def __init__(self, header: Mapping[str, object]) -> None:
        fields = sorted([name, _text(value)] for name, value in header.items() if name != KEY)
        self._hash = hashlib.sha256(json.dumps(fields).encode() + b"\n")

    def add(self, lines: bytes) -> None:
        """One test or several, each as a line of a suite file with its line end."""
        self._hash.update(lines)

    def value(self) -> str:
        """What stands in the header, in hexadecimal."""
        return self._hash.hexdigest()


class Sealing:
    """Passes the lines of a suite on, whose header has room for the digest, and knows the digest after the last one."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._lines = iter(lines)
        self._digest: Digest | None = None

    def lines(self) -> Iterator[str]:
        """The lines, the header first."""
        first = next(self._lines, None)
        if first is None:
            return
        digest = self._digest = Digest(decode_record(first, Place()))
        yield json.dumps(json.loads(first) | {KEY: _PLACE}, ensure_ascii=False, separators=(",", ":")) + "\n"
        for line in self._lines:
            digest.add(line.encode())
            yield line

    def write(self, out: TextIO, texts: Iterator[str]) -> None:
        """Write ``texts``, made from ``lines``, and then the digest into its place in the first of them.

        Needs: an empty seekable file.
        """
        head = next(texts, "")
        out.write(head)
        out.writelines(texts)
        if self._digest is not None:
            out.seek(len(head[: head.rindex(_PLACE)].encode()))
            out.write(self._digest.value())
            out.seek(0, io.SEEK_END)


def _text(value: object) -> str:
    return (
        value
        if isinstance(value, str)
        else json.dumps(value, default=json_value, sort_keys=True, separators=(",", ":"))
    )
