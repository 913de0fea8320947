"""Checks by its digest that a suite file is unchanged since its generation, before a test of it is run."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from fullproof.core.errors import Place, UserError
from fullproof.formats.source import readable
from fullproof.formats.suite.digest import KEY, Digest
from fullproof.formats.suite.reader import placed_tests, read_plain_suite
from fullproof.formats.suite.records import decode_record
from fullproof.formats.suite.writer import test_line
from fullproof.model.interface import Interface

_PIECE = 1 << 20


@dataclass(frozen=True, slots=True)
class SuiteCheck:
    """The SHA-256 of the file, why the claim in its header is not valid (None where it is), and its tests."""

    sha256: str
    doubt: str | None
    tests: int


def check_suite(path: Path) -> SuiteCheck:
    """Compare the digest of a suite with what the file holds; a test that stands there twice is an error.

    An unchanged file costs one hash. Any other one, such as a table or one with other line ends, is read
    test by test.
    """
    path = Path(path)
    sha256, claimed, raw, lines = _as_written(path)
    if claimed is not None and raw == claimed:
        return SuiteCheck(sha256, None, lines)
    claimed, found, tests = _as_meant(path)
    if claimed is None:
        doubt = "its header has no digest of the tests and the claim, as older or other tools leave it"
        return SuiteCheck(sha256, doubt, tests)
    if claimed != found:
        doubt = "the digest in its header does not fit its tests and its claim: it was changed after it was generated"
        return SuiteCheck(sha256, doubt, tests)
    return SuiteCheck(sha256, None, tests)


def check_plain(path: Path, interface: Interface) -> SuiteCheck:
    """The same of a suite of plain text, which claims nothing."""
    ids: set[str] = set()
    for test in read_plain_suite(path, interface=interface):
        if test.id in ids:
            raise UserError(f"test {test.id} stands there twice", at=Place(file=str(path)))
        ids.add(test.id)
    return SuiteCheck(hashlib.sha256(Path(path).read_bytes()).hexdigest(), None, len(ids))


def _as_written(path: Path) -> tuple[str, str | None, str, int]:
    """The hash of the file, the digest in its header, the one of its bytes, and the number of its other lines."""
    lines = 0
    with readable(path), path.open("rb") as file:
        head = file.readline()
        whole = hashlib.sha256(head)
        record = _header(head)
        digest = Digest(record)
        while piece := file.read(_PIECE):
            whole.update(piece)
            digest.add(piece)
            lines += piece.count(b"\n")
    claimed = record.get(KEY)
    return whole.hexdigest(), claimed if isinstance(claimed, str) else None, digest.value(), lines


def _header(line: bytes) -> Mapping[str, object]:
    """The header that the first line holds; errors in it are reported when the file is read test by test."""
    try:
        return decode_record(line.decode(), Place())
    except (UserError, UnicodeDecodeError):
        return {}


def _as_meant(path: Path) -> tuple[str | None, str, int]:
    """The digest in the header, the one of the tests as they are read, and their number."""
    header, tests = placed_tests(path)
    digest = Digest(header)
    ids: dict[bytes, int | None] = {}
    words: dict[bytes, int | None] = {}
    for at, test in tests:
        line, word = test_line(test)
        for known, key, what in ((words, word, "inputs"), (ids, test.id, "id")):
            name = hashlib.sha256(key.encode()).digest()
            if name in known:
                raise UserError(f"a test with the same {what} is in line {known[name]}: a suite has a test once", at=at)
            known[name] = at.line
        digest.add(line.encode())
    claimed = header.get(KEY)
    return claimed if isinstance(claimed, str) else None, digest.value(), len(words)
