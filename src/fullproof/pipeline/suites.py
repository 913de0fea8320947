"""model -> suite: prepare the machine, generate, name what is guaranteed, write."""

from __future__ import annotations

import dataclasses
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from fullproof import __version__
from fullproof.artefacts.request import Relation, SuiteRequest
from fullproof.artefacts.suite import SuiteHeader, Test, make_test
from fullproof.core.errors import NothingToDo, Place, UserError
from fullproof.core.files import check_writable
from fullproof.model import Fsm, Model
from fullproof.pipeline.covering import requirements_of

if TYPE_CHECKING:
    from fullproof.artefacts.words import WordSource


@dataclass(frozen=True, slots=True, kw_only=True)
class GeneratedSuite:
    """A suite as numbers, with everything that its file says about it."""

    header: SuiteHeader
    model: Fsm
    words: WordSource
    states: int
    notes: tuple[str, ...]
    seconds: float

    def tests(self) -> Iterator[Test]:
        """The tests by name, in the order of the words."""
        names, covered = self.model.inputs, requirements_of(self.model)
        for piece in self.words.chunks():
            for numbers in piece:
                word = [names[symbol] for symbol in numbers.tolist()]
                yield make_test(word, covered(word))

    def lines(self, size: tuple[int, int]) -> Iterator[str]:
        """The lines of the suite's file, whose first says how many tests and inputs follow."""
        from fullproof.formats.suite import header_line, json_text, symbol_line

        names, covered = self.model.inputs, requirements_of(self.model)
        texts = [json_text(name) for name in names]
        tests, inputs = size
        yield header_line(dataclasses.replace(self.header, tests=tests, inputs=inputs))
        for piece in self.words.chunks():
            for word in piece:
                numbers = word.tolist()
                yield symbol_line([texts[k] for k in numbers], covered([names[k] for k in numbers]))

    def size(self) -> tuple[int, int]:
        """Tests and inputs."""
        pieces = [(len(piece), piece.total) for piece in self.words.chunks()]
        return sum(tests for tests, _ in pieces), sum(inputs for _, inputs in pieces)


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteSummary:
    """The fields of ``generate --json``, and what was done to the model on the way."""

    kind: str
    relation: str
    method: str
    states: int
    extra_states: int
    tests: int
    inputs: int
    guarantee: str
    seconds: float
    notes: tuple[str, ...]


def generate_for(path: Path, request: SuiteRequest, *, target: Path | None = None) -> GeneratedSuite:
    """Read a model and generate the suite that was asked for; ``target`` is where it will be written."""
    from fullproof.formats import read_model
    from fullproof.formats.suite import model_sha256

    if target is not None:
        check_writable(target)
    at = Place(file=str(path))
    suite = generate_suite(read_model(path), request, sha256=model_sha256(path), at=at)
    if not request.shrink:
        return suite
    from fullproof.pipeline.shrinking import shrunk

    return shrunk(suite, request, at=at)


def generate_suite(model: Model, request: SuiteRequest, *, sha256: str, at: Place) -> GeneratedSuite:
    """Generate for a model in memory; the guarantee is the sentence in the header."""
    from fullproof.generate.finite import finite_suite

    if not isinstance(model, Fsm):
        message = f"suites are generated for fsm models in this version; this is a model of kind {model.kind}"
        raise UserError(message, at=at)
    if not model.inputs:
        raise NothingToDo("the machine has no inputs, so there is nothing to test", at=at)
    extra = request.extra_states if request.extra_states is not None else model.description.fault_domain.extra_states
    begin = time.perf_counter()
    suite = finite_suite(model, request, extra_states=extra, at=at)
    seconds = time.perf_counter() - begin
    header = SuiteHeader(
        model=model.name,
        model_sha256=sha256,
        kind=model.kind,
        relation=(request.relation or Relation.EQUIVALENCE).value,
        method=suite.method,
        extra_states=extra,
        tool=__version__,
        guarantee=suite.guarantee,
    )
    return GeneratedSuite(
        header=header,
        model=model,
        words=suite.words,
        states=suite.states,
        notes=suite.notes,
        seconds=seconds,
    )


def write_generated(suite: GeneratedSuite, target: Path | None, *, to_stdout: bool) -> SuiteSummary:
    """Write the suite to a file (whole or not at all) or to standard output, and say what it is."""
    from fullproof.formats.suite import write_lines

    tests, inputs = size = suite.size()
    if target is not None:
        write_lines(target, suite.lines(size))
    elif to_stdout:
        sys.stdout.writelines(suite.lines(size))
    header = suite.header
    return SuiteSummary(
        kind=header.kind,
        relation=header.relation,
        method=header.method,
        states=suite.states,
        extra_states=header.extra_states,
        tests=tests,
        inputs=inputs,
        guarantee=header.guarantee,
        seconds=suite.seconds,
        notes=suite.notes,
    )


def summary_fields(summary: SuiteSummary) -> dict[str, object]:
    """The fields of ``generate --json``."""
    return {
        "kind": summary.kind,
        "relation": summary.relation,
        "method": summary.method,
        "states": summary.states,
        "extra_states": summary.extra_states,
        "tests": summary.tests,
        "inputs": summary.inputs,
        "guarantee": summary.guarantee,
        "seconds": round(summary.seconds, 6),
        "notes": list(summary.notes),
    }
