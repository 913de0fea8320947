"""Mealy machines written in the formats of others read back as the same machines."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.strategies.models import any_names, fsms, plain_names, printable_names, sfsms

from fullproof.core.errors import UserError
from fullproof.formats import read_model, write_model
from fullproof.formats.dot.reader import read_dot
from fullproof.formats.dot.writer import dot_lines
from fullproof.formats.fsmlib.csv import csv_lines, read_csv
from fullproof.formats.kiss2.reader import read_kiss2
from fullproof.formats.kiss2.writer import kiss2_lines
from fullproof.model import Fsm, Sfsm
from fullproof.model.common import Description

FORMATS: dict[str, tuple[Callable[[Fsm], Iterator[str]], Callable[[str, Path], Fsm]]] = {
    ".dot": (dot_lines, read_dot),
    ".kiss2": (kiss2_lines, read_kiss2),
    ".csv": (csv_lines, read_csv),
}


def written(fsm: Fsm, ending: str) -> str:
    return "".join(FORMATS[ending][0](fsm))


def reread(fsm: Fsm, ending: str) -> Fsm:
    return FORMATS[ending][1](written(fsm, ending), Path(f"m{ending}"))


def bare(fsm: Fsm) -> Fsm:
    """What these formats hold: the machine without requirements, constants and fault domain."""
    transitions = tuple(t._replace(requirements=()) for t in fsm.transitions)
    return replace(fsm, transitions=transitions, description=Description())


@given(fsms(names=printable_names))
def test_dot_reads_back(fsm: Fsm) -> None:
    assert reread(fsm, ".dot") == bare(fsm)


@given(fsms(names=printable_names).filter(lambda fsm: fsm.transitions))
def test_kiss2_reads_back(fsm: Fsm) -> None:
    assert reread(fsm, ".kiss2") == bare(fsm)


@given(fsms(names=st.sampled_from(["00", "01", "10", "11"])).filter(lambda fsm: fsm.transitions))
def test_kiss2_of_bits_needs_no_table_of_names(fsm: Fsm) -> None:
    text = written(fsm, ".kiss2")
    assert ".i 2\n.o 2\n" in text
    assert {tuple(line.split()) for line in text.split("\n") if line[:1] in ("0", "1")} == {
        (t.input, t.source, t.target, t.output) for t in fsm.transitions
    }
    assert reread(fsm, ".kiss2") == bare(fsm)


@given(fsms(names=printable_names, deterministic=True, complete=True))
def test_csv_reads_back_or_is_refused(fsm: Fsm) -> None:
    try:
        read = reread(fsm, ".csv")
    except UserError as error:
        assert "cannot hold" in error.message
        return
    assert (read.initial, read.inputs) == (fsm.initial, fsm.inputs)
    assert set(read.states) == set(fsm.states)
    assert sorted(read.transitions) == sorted(bare(fsm).transitions)


@given(fsms(names=plain_names, deterministic=True, complete=True))
def test_csv_of_plain_names_is_never_refused(fsm: Fsm) -> None:
    assert sorted(reread(fsm, ".csv").transitions) == sorted(bare(fsm).transitions)


@given(fsms(names=any_names), st.sampled_from([".dot", ".kiss2", ".csv"]))
def test_any_name_is_kept_or_refused(fsm: Fsm, ending: str) -> None:
    try:
        read = reread(fsm, ending)
    except UserError as error:
        assert "cannot hold" in error.message
        return
    assert sorted(read.transitions) == sorted(bare(fsm).transitions)
    assert read.initial == fsm.initial


@given(fsms(names=any_names))
@settings(suppress_health_check=list(HealthCheck), max_examples=40)
def test_fsm_reads_back_but_for_the_order(tmp_path: Path, fsm: Fsm) -> None:
    path = tmp_path / "m.fsm"
    try:
        write_model(fsm, path)
    except UserError as error:
        assert "cannot hold" in error.message
        assert error.at.file == str(path)
        return
    read = read_model(path)
    assert isinstance(read, Fsm)
    assert sorted(read.transitions) == sorted(bare(fsm).transitions)
    assert replace(read, transitions=()) == replace(bare(fsm), name="m", transitions=())


@given(fsms(deterministic=True, complete=True))
@settings(suppress_health_check=list(HealthCheck), max_examples=10)
def test_files_by_ending(tmp_path: Path, fsm: Fsm) -> None:
    for ending in (".dot", ".kiss2", ".fsm", ".csv"):
        write_model(fsm, tmp_path / f"m{ending.upper()}")
        read = read_model(tmp_path / f"m{ending.upper()}")
        assert isinstance(read, Fsm)
        assert sorted(read.transitions) == sorted(bare(fsm).transitions)


def test_a_machine_that_cannot_be_written_leaves_no_file(tmp_path: Path) -> None:
    names = ("a\nb",)
    fsm = Fsm(name="m", initial="a\nb", states=names, inputs=(), outputs=(), transitions=())
    for ending in (".dot", ".kiss2", ".fsm", ".csv"):
        with pytest.raises(UserError, match=f"a {ending} file cannot hold"):
            write_model(fsm, tmp_path / f"m{ending}")
    assert not list(tmp_path.iterdir())


@given(sfsms())
@settings(max_examples=5, suppress_health_check=list(HealthCheck))
def test_formats_of_mealy_machines_refuse_other_kinds(tmp_path: Path, sfsm: Sfsm) -> None:
    for ending in (".dot", ".kiss2", ".fsm", ".csv"):
        with pytest.raises(UserError, match="cannot hold a model of kind sfsm"):
            write_model(sfsm, tmp_path / f"m{ending}")
        assert not list(tmp_path.iterdir())


def test_the_empty_output_may_be_declared(tmp_path: Path) -> None:
    """A mutant of a machine that answers nothing lists its outputs, since not all of them may be used any more."""
    path = tmp_path / "m.yaml"
    path.write_text("machine: fsm\ninitial: a\noutputs: ['', b]\nstates:\n  a: [{when: x, then: '', to: a}]\n")
    model = read_model(path)
    assert isinstance(model, Fsm)
    assert model.outputs == ("", "b")
    write_model(model, path)
    assert read_model(path) == model
    for wrong in ("outputs: ['', '']", "inputs: ['']", "outputs: [b, b]"):
        path.write_text(f"machine: fsm\ninitial: a\n{wrong}\nstates:\n  a: [{{when: x, then: b, to: a}}]\n")
        with pytest.raises(UserError, match="line 3"):
            read_model(path)
