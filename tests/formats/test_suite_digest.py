"""The digest of a suite: no change of what it says keeps it, every change of how it is said does."""

import json
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from tests.formats.test_suite import HEADER, suites

from fullproof.artefacts.suite import Test
from fullproof.core.errors import UserError
from fullproof.formats.suite import print_lines, read_suite, suite_lines, write_lines, write_suite
from fullproof.formats.suite.check import check_suite

distinct = suites.filter(lambda tests: len({test.id for test in tests}) == len(tests))
quiet = settings(suppress_health_check=list(HealthCheck), deadline=None)


@given(distinct, st.sampled_from(["jsonl", "csv"]))
@quiet
def test_what_was_written_fits(tmp_path: Path, tests: list[Test], ending: str) -> None:
    path = tmp_path / f"suite.{ending}"
    write_suite(path, HEADER, tests)
    assert check_suite(path).doubt is None


@given(distinct, st.data())
@quiet
def test_no_flipped_bit_keeps_the_claim(tmp_path: Path, tests: list[Test], data: st.DataObject) -> None:
    """One bit: the file is refused, or its claim is doubted, or it says the same as before."""
    path = tmp_path / "suite.jsonl"
    write_suite(path, HEADER, tests)
    whole = bytearray(path.read_bytes())
    place = data.draw(st.integers(0, len(whole) - 1))
    whole[place] ^= 1 << data.draw(st.integers(0, 7))
    path.write_bytes(whole)
    try:
        doubt = check_suite(path).doubt
    except UserError:
        return
    assert doubt is not None or list(read_suite(path)[1]) == tests


@given(distinct, st.data())
@quiet
def test_no_other_tests_have_the_same_digest(tmp_path: Path, tests: list[Test], data: st.DataObject) -> None:
    assume(tests)
    path = tmp_path / "suite.jsonl"
    write_suite(path, HEADER, tests)
    first, *lines = path.read_text().rstrip("\n").split("\n")
    others = data.draw(st.lists(st.sampled_from(lines), max_size=len(lines)))
    assume(others != lines)
    path.write_text("\n".join([first, *others]) + "\n")
    try:
        assert check_suite(path).doubt is not None
    except UserError as error:
        assert "a suite has a test once" in str(error)
        assert len(set(others)) < len(others)


@pytest.mark.parametrize("ending", ["jsonl", "csv"])
def test_fields_that_this_version_does_not_know_are_part_of_it(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"suite.{ending}"
    more = {
        "domain": {"outputs": ["y == 0.50"], "bound": 2},
        "scale": 0.5,
        "strict": True,
        "list": [1, "=2"],
        "note": "-x",
    }
    first, *rest = suite_lines(HEADER, [])
    write_lines(path, [json.dumps(json.loads(first) | more) + "\n", *rest])
    assert check_suite(path).doubt is None
    text = path.read_text()
    for old, new in (("0.50", "0.51"), ("true", "false"), ("bound", "bounds"), ("=2", "=3"), ("-x", "+x")):
        assert old in text
        path.write_text(text.replace(old, new))
        assert check_suite(path).doubt is not None


def test_a_pipe_gets_the_same_bytes(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    write_suite(tmp_path / "s.jsonl", HEADER, [])
    print_lines(sys.stdout, suite_lines(HEADER, []))
    sys.stdout.flush()
    write_suite(Path("/dev/stdout"), HEADER, [])
    assert capfd.readouterr().out.endswith((tmp_path / "s.jsonl").read_text())
