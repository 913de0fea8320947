"""model -> suite: prepare the machine, generate, name what is guaranteed, write."""

from __future__ import annotations

import dataclasses
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from fullproof.analysis.requirements import requirements_along
from fullproof.artefacts.request import Observe, Relation, SuiteRequest
from fullproof.artefacts.suite import SuiteHeader, Test, TestInput, json_input
from fullproof.core.errors import NothingToDo, Place, UserError
from fullproof.core.files import check_writable
from fullproof.core.version import __version__
from fullproof.model import Fsm, Model, Sfsm, StateMachine, Sts
from fullproof.pipeline.blindness import blindness

if TYPE_CHECKING:
    from fullproof.artefacts.words import WordSource
    from fullproof.cluster.pool import Pool


def _nothing(_word: Sequence[TestInput]) -> tuple[str, ...]:
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class GeneratedSuite:
    """A suite as numbers, with everything that its file says about it."""

    header: SuiteHeader
    model: Model
    alphabet: tuple[TestInput, ...]
    """What the numbers of the words stand for."""
    words: WordSource
    states: int
    notes: tuple[str, ...]
    seconds: float
    covered: Callable[[Sequence[TestInput]], tuple[str, ...]] = _nothing
    """Which requirements a word exercises."""
    details: Mapping[str, object] = field(default_factory=dict)
    """What else ``generate --json`` says of suites for this kind of model."""

    def tests(self) -> Iterator[Test]:
        """The tests by name, in the order of the words."""
        alphabet, covered = self.alphabet, self.covered
        for piece in self.words.chunks():
            for word in piece:
                inputs = tuple([alphabet[k] for k in word.tolist()])
                yield Test(inputs=inputs, covers=covered(inputs))

    def lines(self, size: tuple[int, int]) -> Iterator[str]:
        """The lines of the suite's file, whose first says how many tests and inputs follow."""
        from fullproof.formats.suite import header_line, json_text, symbol_line

        names = self.alphabet
        texts = [json_text(json_input(name)) for name in names]
        tests, inputs = size
        yield header_line(dataclasses.replace(self.header, tests=tests, inputs=inputs))
        for piece in self.words.chunks():
            for word in piece:
                numbers = word.tolist()
                yield symbol_line([texts[k] for k in numbers], self.covered([names[k] for k in numbers]))

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
    details: Mapping[str, object]
    undecided: tuple[str, ...] = ()
    """What the guarantee rests on and a solver could not tell."""


def generate_for(path: Path, request: SuiteRequest, *, target: Path | None = None) -> GeneratedSuite:
    """Read a model and generate the suite that was asked for; ``target`` is where it will be written."""
    from fullproof.formats.suite import model_sha256
    from fullproof.pipeline.observing import read_observed

    if target is not None:
        check_writable(target)
    at = Place(file=str(path))
    suite = generate_suite(read_observed(path, request.observe), request, sha256=model_sha256(path), at=at)
    if not request.shrink:
        return suite
    from fullproof.pipeline.shrinking import shrunk

    return shrunk(suite, request, at=at)


def generate_suite(model: Model, request: SuiteRequest, *, sha256: str, at: Place) -> GeneratedSuite:
    """Generate for a model in memory; the guarantee is the sentence in the header."""
    made = _generated(model, request, sha256=sha256, at=at)
    blind = blindness(model, Relation(made.header.relation))
    header = dataclasses.replace(made.header, guarantee=blind.framed(made.header.guarantee))
    return dataclasses.replace(made, header=header, notes=(*blind.notes, *made.notes))


def _generated(model: Model, request: SuiteRequest, *, sha256: str, at: Place) -> GeneratedSuite:
    if not isinstance(model, Sfsm):
        _refuse_symbolic(request, at=at)
    match model:
        case Fsm():
            return _finite_suite(model, request, sha256=sha256, at=at)
        case Sfsm():
            from fullproof.pipeline.symbolic_suites import symbolic_suite

            return symbolic_suite(model, request, sha256=sha256, at=at)
        case Sts():
            from fullproof.pipeline.purposes import purpose_suite

            return purpose_suite(model, request, sha256=sha256, at=at)
        case StateMachine():
            from fullproof.pipeline.statemachine_suites import statemachine_suite

            return statemachine_suite(model, request, sha256=sha256, at=at)


def _refuse_symbolic(request: SuiteRequest, *, at: Place) -> None:
    """Options of symbolic machines that would silently do nothing for others."""
    for asked, option in (
        (request.thresholds, "--threshold"),
        (request.pairs, "--pairs"),
        (request.mutate_atoms, "--mutate-atoms"),
        (request.mutate_limit is not None, "--mutate-limit"),
    ):
        if asked:
            raise UserError(f"{option} is for models of kind sfsm", at=at)


def header_for(model: Model, request: SuiteRequest, *, sha256: str, method: str, guarantee: str) -> SuiteHeader:
    """The first line of a suite file."""
    default = Relation.IOCO if isinstance(model, Sts) else Relation.EQUIVALENCE
    return SuiteHeader(
        model=model.name,
        model_sha256=sha256,
        kind=model.kind,
        relation=(request.relation or (Relation.PROPERTY if request.properties else default)).value,
        method=method,
        extra_states=extra_states_of(model, request),
        tool=__version__,
        guarantee=guarantee,
        observe=None if model.description.unobserved is None else Observe.STATE.value,
    )


def extra_states_of(model: Model, request: SuiteRequest) -> int:
    """How many states a system may have more than the model: as asked, else as the model says."""
    asked = request.extra_states
    return asked if asked is not None else model.description.fault_domain.extra_states


def _finite_suite(model: Fsm, request: SuiteRequest, *, sha256: str, at: Place) -> GeneratedSuite:
    from fullproof.generate.finite import finite_suite

    if not model.inputs:
        raise NothingToDo("the machine has no inputs, so there is nothing to test", at=at)
    begin = time.perf_counter()
    suite = finite_suite(model, request, extra_states=extra_states_of(model, request), at=at)
    return GeneratedSuite(
        header=header_for(model, request, sha256=sha256, method=suite.method, guarantee=suite.guarantee),
        model=model,
        alphabet=model.inputs,
        words=suite.words,
        states=suite.states,
        notes=suite.notes,
        seconds=time.perf_counter() - begin,
        covered=requirements_along(model),
    )


def write_generated(
    suite: GeneratedSuite, target: Path | None, *, to_stdout: bool, pool: Pool | None = None
) -> SuiteSummary:
    """Write the suite to a file (whole or not at all) or to standard output, and say what it is.

    Where a cluster is given, its workers lay the tests out; the bytes are the same.
    """
    from fullproof.formats.suite import print_lines, write_lines

    if pool is None:
        tests, inputs = size = suite.size()
        lines = suite.lines(size)
    else:
        from fullproof.pipeline.spread_suites import spread_lines

        suite, (tests, inputs), lines = spread_lines(pool, suite)
    if target is not None:
        write_lines(target, lines)
    elif to_stdout:
        print_lines(sys.stdout, lines)
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
        details=suite.details,
        undecided=() if header.domain is None else header.domain.undecided,
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
        **summary.details,
    }
