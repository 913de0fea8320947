"""Suites on their way from numbers to files."""

import dataclasses
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from tests.strategies.models import fsms

from fullproof.artefacts.guarantee import stated
from fullproof.artefacts.request import SuiteRequest
from fullproof.artefacts.suite import SuiteHeader, make_test
from fullproof.core.errors import Place
from fullproof.formats.suite import json_text, read_suite, suite_lines, symbol_line
from fullproof.model import Fsm
from fullproof.pipeline.suites import generate_suite, write_generated


@given(st.lists(st.text()), st.lists(st.text()))
def test_fast_lines_are_the_same_bytes(word: list[str], covers: list[str]) -> None:
    header_and_test = list(suite_lines_of(word, covers))
    assert symbol_line([json_text(symbol) for symbol in word], covers) == header_and_test[1]


def suite_lines_of(word: list[str], covers: list[str]) -> list[str]:
    header = SuiteHeader(
        model="m",
        model_sha256="",
        kind="fsm",
        relation="equivalence",
        method="w",
        extra_states=0,
        tool="0",
        guarantee=stated(""),
    )
    return list(suite_lines(header, [make_test(word, covers)]))


@given(fsms(deterministic=True, complete=True, max_states=3))
def test_what_is_written_is_read_back(tmp_path_factory: object, fsm: Fsm) -> None:
    if not fsm.inputs:
        return
    folder: Path = tmp_path_factory.mktemp("suite")  # type: ignore[attr-defined]
    suite = generate_suite(fsm, SuiteRequest(method="hsi", extra_states=1), sha256="0", at=Place())
    summary = write_generated(suite, folder / "s.jsonl", to_stdout=False)
    header, tests = read_suite(folder / "s.jsonl")
    listed = list(tests)
    assert dataclasses.replace(header, digest=None) == dataclasses.replace(
        suite.header, tests=summary.tests, inputs=summary.inputs
    )
    assert listed == list(suite.tests())
    assert (len(listed), sum(len(t.inputs) for t in listed)) == (summary.tests, summary.inputs)
