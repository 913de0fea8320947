"""Suite files: exact, streamed, atomic, with a line number in every complaint."""

import dataclasses
import json
from fractions import Fraction
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fullproof.artefacts.guarantee import RESET, Guarantee, Hypothesis, Strength, Theorem, Voucher
from fullproof.artefacts.suite import SuiteHeader, Test, TestInput, header_record, make_test
from fullproof.core.errors import UserError
from fullproof.formats import model_sha256
from fullproof.formats.suite import read_plain_suite, read_suite, write_suite

HEADER = SuiteHeader(
    model="brake",
    model_sha256="ab" * 32,
    kind="sfsm",
    relation="equivalence",
    method="w",
    extra_states=1,
    tool="0.1.0",
    guarantee=Guarantee(
        strength=Strength.PROVED,
        says="is equivalent in Größe",
        hypotheses=(Hypothesis(text="behaves like =A1", by=Voucher.USER, name="FH1"), RESET),
        theorem=Theorem("W-method", ("Chow 1978", "and, others")),
        not_covered=('faults; and "others"',),
        alike=(("a", "b"), ("c", "d")),
    ),
)
HEADER_LINE = json.dumps({"fullproof": "suite/1", **header_record(HEADER)})

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
values = (
    st.booleans()
    | st.integers(-(10**30), 10**30)
    | st.builds(Fraction, st.integers(-(10**20), 10**20), st.integers(1, 10**9))
    | st.sampled_from(["0.1", "1e-7", "123456789.123456789123456789", "20/3", "1e30"]).map(Fraction)
    | st.sampled_from(["O", "W", "größe"])
)  # fmt: skip
inputs: st.SearchStrategy[TestInput] = texts | st.dictionaries(texts, values, max_size=3)
suites = st.lists(st.builds(make_test, st.lists(inputs, max_size=4), st.lists(texts, max_size=2)), max_size=5)


@given(suites)
@settings(suppress_health_check=list(HealthCheck))
def test_reads_back_exactly(tmp_path: Path, tests: list[Test]) -> None:
    path = tmp_path / "suite.jsonl"
    write_suite(path, HEADER, tests)
    first = path.read_bytes()
    header, read = read_suite(path)
    listed = list(read)
    assert dataclasses.replace(header, digest=None) == HEADER
    assert listed == tests
    assert [make_test(test.inputs).id for test in listed] == [test.id for test in tests]
    write_suite(path, header, listed)
    assert path.read_bytes() == first


def test_numbers_are_the_decimals_that_are_written(tmp_path: Path) -> None:
    path = tmp_path / "suite.jsonl"
    path.write_text(
        f'{HEADER_LINE}\n{{"id": "t", "inputs": [{{"x": 0.1, "y": "20/3", "z": 1e-7, "n": 3, "e": "O"}}]}}\n'
    )
    (test,) = read_suite(path)[1]
    assert test.inputs[0] == {"x": Fraction(1, 10), "y": Fraction(20, 3), "z": Fraction(1, 10**7), "n": 3, "e": "O"}


def test_a_suite_is_streamed(tmp_path: Path) -> None:
    path = tmp_path / "suite.jsonl"
    line = '{"id": "t", "inputs": ["a"], "covers": []}\n'
    path.write_text(HEADER_LINE + "\n" + line * 3 + "not json\n")
    _, tests = read_suite(path)
    assert len(list(islice(tests, 3))) == 3
    with pytest.raises(UserError, match="line 5, column 1: not JSON"):
        next(tests)


def test_a_suite_that_cannot_be_finished_leaves_the_old_one(tmp_path: Path) -> None:
    path = tmp_path / "suite.jsonl"
    path.write_text("old")

    def broken() -> object:
        yield make_test(["a"])
        raise RuntimeError("the generator fails")

    with pytest.raises(RuntimeError):
        write_suite(path, HEADER, broken())  # type: ignore[arg-type]
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "the file is empty"),
        ("\n\n", "the file is empty"),
        ("{", "line 1, column 2: not JSON"),
        ("[]", "line 1: expected a JSON object"),
        ("{}", "line 1: not a suite"),
        ('{"fullproof": "suite/2"}', "line 1: suite format \"suite/2\" is unknown, expected 'suite/1'"),
        ('{"fullproof": "suite/1"}', "line 1: the header's 'model' should be a text, found nothing"),
        (HEADER_LINE.replace('"extra_states": 1', '"extra_states": "1"'), "line 1: the header's 'extra_states'"),
        (HEADER_LINE.replace('"extra_states": 1', '"extra_states": -1'), "line 1: the header's 'extra_states'"),
        (HEADER_LINE + '\n{"inputs": []}', "line 2: the test's 'id' should be a text, found nothing"),
        (HEADER_LINE + '\n\n{"id": "t"}', "line 3: the test's 'inputs' should be a list, found nothing"),
        (HEADER_LINE + '\n{"id": "t", "inputs": [3]}', "line 2: an input should be a text or an object"),
        (HEADER_LINE + '\n{"id": "t", "inputs": [{"x": [1]}]}', "line 2: expected a number, a truth value or a text"),
        (HEADER_LINE + '\n{"id": "t", "inputs": [{"x": null}]}', "line 2: expected a number"),
        (HEADER_LINE + '\n{"id": "t", "inputs": [{"x": "1/0"}]}', "line 2: expected a number"),
        (HEADER_LINE + '\n{"id": "t", "inputs": [{"x": NaN}]}', "line 2: NaN is not a number"),
        (HEADER_LINE + '\n{"id": "t", "inputs": [{"x": 1e999999}]}', "line 2: a number has more than"),
        (HEADER_LINE + '\n{"id": "t", "inputs": ["\\ud800"]}', "line 2: half of a surrogate pair"),
        (HEADER_LINE + '\n{"id": "t", "inputs": [], "covers": "R1"}', "line 2: the test's 'covers' should be a list"),
        (HEADER_LINE + "\n" + "[" * 100_000, "line 2"),
        (HEADER_LINE + "\n\udcff", "line 2, column 1: byte 0xff is not UTF-8"),
    ],
)
def test_mistakes_have_a_line_and_say_what_was_expected(tmp_path: Path, text: str, expected: str) -> None:
    path = tmp_path / "suite.jsonl"
    path.write_bytes(text.encode(errors="surrogateescape"))
    with pytest.raises(UserError) as caught:
        list(read_suite(path)[1])
    assert expected in str(caught.value)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_missing_suites_are_the_users_mistake(tmp_path: Path) -> None:
    for path, message in ((tmp_path / "none", "no such file"), (tmp_path, "is a folder")):
        with pytest.raises(UserError, match=message):
            read_suite(path)
        with pytest.raises(UserError, match=message):
            list(read_plain_suite(path))
    with pytest.raises(UserError, match="cannot be read"):
        model_sha256(tmp_path / "none")


def test_sha256_is_that_of_the_bytes(tmp_path: Path) -> None:
    (tmp_path / "m.yaml").write_bytes(b"abc")
    assert model_sha256(tmp_path / "m.yaml").startswith("ba7816bf8f01cfea")


def test_plain_suites(tmp_path: Path) -> None:
    path = tmp_path / "tests.txt"
    path.write_text("# from another tool\n a b\tc \n\na,b, c,\r\na\n")
    assert [test.inputs for test in read_plain_suite(path)] == [("a", "b", "c"), ("a", "b", "c"), ("a",)]
    path.write_text("SYN(V,V) ACK(V,V)\nopen door, shut door\nSYN(V,V)\n")
    known = ["SYN(V,V)", "ACK(V,V)", "open door", "shut door"]
    found = [test.inputs for test in read_plain_suite(path, inputs=known)]
    assert found == [("SYN(V,V)", "ACK(V,V)"), ("open door", "shut door"), ("SYN(V,V)",)]
    path.write_text("a b\na bb\n")
    tests = read_plain_suite(path, inputs=["a", "b"])
    assert next(tests) == make_test(["a", "b"])
    with pytest.raises(UserError, match="line 2: unknown input 'bb'; did you mean 'b'"):
        next(tests)
