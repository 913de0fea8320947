"""Suites as CSV: exactly what JSON Lines hold, row by row, also after a spreadsheet had them."""

import dataclasses
import json
import tracemalloc
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.formats.test_suite import HEADER, suites

from fullproof.artefacts.guarantee import stated
from fullproof.artefacts.suite import SuiteHeader, Test, header_record, make_test
from fullproof.core.errors import UserError
from fullproof.formats.suite import is_suite, read_suite, write_lines, write_suite
from fullproof.formats.suite.check import check_suite

FIELDS = header_record(dataclasses.replace(HEADER, guarantee=stated("none")))
ROWS = "fullproof,suite/1\n" + "".join(f"{name},{value}\n" for name, value in FIELDS.items())
symbols = st.text(max_size=4) | st.sampled_from(
    ["", '"', "{", "[1]", " a", "a ", "a,b", "a;b", "x\ny", "\r", "\t", "=1"]
)
symbols = symbols.filter(lambda text: not any(0xD800 <= ord(c) < 0xE000 for c in text))


@given(suites)
@settings(suppress_health_check=list(HealthCheck))
def test_reads_back_exactly(tmp_path: Path, tests: list[Test]) -> None:
    path, twin = tmp_path / "suite.csv", tmp_path / "suite.jsonl"
    write_suite(path, HEADER, tests)
    first = path.read_bytes()
    header, read = read_suite(path)
    listed = list(read)
    assert (dataclasses.replace(header, digest=None), listed) == (HEADER, tests)
    write_suite(path, header, listed)
    assert path.read_bytes() == first
    write_suite(twin, HEADER, tests)
    with twin.open() as lines:
        write_lines(path, lines)
    assert path.read_bytes() == first
    assert is_suite(path)
    assert is_suite(twin)


@given(st.lists(st.lists(symbols, max_size=4).map(make_test), max_size=4))
@settings(suppress_health_check=list(HealthCheck))
def test_a_row_is_a_line_whatever_the_symbols(tmp_path: Path, tests: list[Test]) -> None:
    path = tmp_path / "suite.csv"
    write_suite(path, HEADER, tests)
    assert len(path.read_text().split("\n")) == len(header_record(HEADER)) + 3 + len(tests) + 1
    assert list(read_suite(path)[1]) == tests


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_what_spreadsheets_save(tmp_path: Path, separator: str) -> None:
    """Another separator, blank cells that fill the rows, a byte order mark, other line ends."""
    path = tmp_path / "suite.csv"
    header = SuiteHeader(
        **{k: getattr(HEADER, k) for k in HEADER.__slots__} | {"guarantee": stated("none"), "tests": 2}
    )
    write_suite(path, header, [make_test(["a", "b"], ["R1"]), make_test(["b"])])
    rows = [line.split(",") for line in path.read_text().splitlines()]
    padded = [separator.join(row + [""] * (7 - len(row))) for row in rows]
    path.write_bytes(b"\xef\xbb\xbf" + "\r\n".join(padded).encode() + b"\r\n")
    found, tests = read_suite(path)
    assert dataclasses.replace(found, digest=None) == header
    assert check_suite(path).doubt is None
    assert [(t.inputs, t.covers) for t in tests] == [(("a", "b"), ("R1",)), (("b",), ())]


def test_nothing_is_kept_in_memory(tmp_path: Path) -> None:
    path = tmp_path / "suite.csv"

    def lines(count: int) -> Iterator[str]:
        first = {"fullproof": "suite/1"} | FIELDS
        yield json.dumps(first) + "\n"
        for k in range(count):
            yield f'{{"id":"t-{k}","inputs":["a","b","c"],"covers":[]}}\n'

    peaks = []
    for count in (2_000, 20_000):
        tracemalloc.start()
        write_lines(path, lines(count))
        assert sum(1 for _ in read_suite(path)[1]) == count
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < peaks[0] + 50_000


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("fullproof,suite/2\ntest,covers,inputs\n", 'line 1: suite format "suite/2" is unknown'),
        ("fullproof,suite/1\n", "the row test,covers,inputs is missing"),
        ("fullproof,suite/1\ntest,covers,inputs\n", "line 1: the header's 'model' should be a text, found nothing"),
        ("fullproof,suite/1\nmodel\n", "line 2: expected a key and a value"),
        ("fullproof,suite/1\na,b,c\n", "line 2: expected a key and a value"),
        (ROWS.replace("extra_states,1", "extra_states,-1") + "test,covers,inputs\n", "the header's 'extra_states'"),
        (ROWS + 'test,covers,inputs\nt,,a\nt,,\'a"\nt,,"a\n', "not CSV"),
        (ROWS + 'test,covers,inputs\nt,,"""a"\n', "not JSON: unterminated string"),
        (ROWS + 'test,covers,inputs\nt,,"""a"",""b"""\n', "not JSON: extra data"),
        (ROWS + 'test,covers,inputs\nt,,"{""x"":null}"\n', "expected a number, a truth value or a text"),
        (ROWS + "test,covers,inputs\nt,[1]\n", "the test's 'covers' should be a list of texts"),
        (ROWS + "test,covers,inputs\nt,R1\n", "the test's 'covers' should be a list"),
        (ROWS + "test,covers,inputs\nt,,\udcff\n", "is not UTF-8"),
    ],
)
def test_mistakes_have_a_line_and_say_what_was_expected(tmp_path: Path, text: str, expected: str) -> None:
    path = tmp_path / "suite.csv"
    path.write_bytes(text.encode(errors="surrogateescape"))
    with pytest.raises(UserError) as caught:
        list(read_suite(path)[1])
    assert expected in str(caught.value)
    assert str(path) in str(caught.value)


def test_tests_are_read_while_they_are_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "suite.csv"
    path.write_text(ROWS + "test,covers,inputs\n" + "t,,a\n" * 3 + 't,,"a\n')
    tests = read_suite(path)[1]
    assert len(list(islice(tests, 3))) == 3
    with pytest.raises(UserError, match="not CSV"):
        next(tests)


def test_plain_text_with_commas_is_no_suite_of_ours(tmp_path: Path) -> None:
    path = tmp_path / "plain.csv"
    for text, ours in (("a,b,c\n", False), ("fullproof,b\n", False), ('"fullproof";"suite/1"\n', True), ("", False)):
        path.write_text(text)
        assert is_suite(path) == ours
