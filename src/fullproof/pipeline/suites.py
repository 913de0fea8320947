"""model -> suite: prepare the machine, generate, name what is guaranteed, write."""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from fullproof.artefacts.guarantee import Guarantee, Strength
from fullproof.artefacts.guarantee_json import as_json
from fullproof.artefacts.notes import note_texts
from fullproof.artefacts.replies import SuiteReply
from fullproof.artefacts.request import Relation, SuiteRequest
from fullproof.artefacts.written_states import WrittenStates, given_extra_states, written_states
from fullproof.core.counted import counted
from fullproof.core.errors import Place, UserError
from fullproof.core.files import check_writable, replacing
from fullproof.kinds import kind_of
from fullproof.kinds import suite as made_suite
from fullproof.kinds.idle import idle_notes, refuse_idle
from fullproof.kinds.options import extra_states_of, refuse_symbolic_options, refuse_times
from fullproof.kinds.suite import GeneratedSuite
from fullproof.model import Model
from fullproof.pipeline.blindness import blindness
from fullproof.pipeline.observed_models import ModelSource, place_of, read_observed, sha256_of
from fullproof.pipeline.pumping import pumped

if TYPE_CHECKING:
    from fullproof.artefacts.suite import SuiteHeader
    from fullproof.cluster.pool import ClusterPool
    from fullproof.kinds.kind import AnyKind


__all__ = [
    "GeneratedSuite",
    "SuiteSummary",
    "extra_states_of",
    "generate_for",
    "generate_suite",
    "header_for",
    "suite_reply",
    "write_generated",
]


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
    guarantee: Guarantee
    seconds: float
    notes: tuple[str, ...]
    details: Mapping[str, object]
    undecided: tuple[str, ...] = ()
    """The undecided formulas that the guarantee depends on."""


def generate_for(source: ModelSource, request: SuiteRequest, *, target: Path | None = None) -> GeneratedSuite:
    """Read a model and generate the requested suite; ``target`` is where it will be written."""
    if target is not None:
        check_writable(target)
    at = place_of(source)
    model = read_observed(source, request.observe)
    kind = kind_of(model)
    shrunk = kind.required(kind.shrunk, "--shrink", at=at) if request.shrink else None
    suite = generate_suite(model, request, sha256=sha256_of(source), at=at)
    return suite if shrunk is None else shrunk(suite, request, at)


def generate_suite(model: Model, request: SuiteRequest, *, sha256: str, at: Place) -> GeneratedSuite:
    """Generate for a model in memory; the header says what it guarantees."""
    from fullproof.analysis.requirements import requirements_along

    kind = kind_of(model)
    refuse_symbolic_options(kind, request, at=at)
    refuse_times(model, request, at=at)
    refuse_idle(kind, model, request, at=at)
    notes = idle_notes(kind, model, request)
    if request.faults is not None or request.since is not None:
        kind.required(kind.named_faults, "--faults", at=at)
    made = _covering_written_states(kind, model, request, sha256, at)
    covered = requirements_along(model, properties=tuple(dict.fromkeys(request.properties)))
    blind = blindness(model, Relation(made.header.relation))
    header = dataclasses.replace(made.header, guarantee=blind.framed(made.header.guarantee))
    made = dataclasses.replace(made, header=header, notes=(*notes, *blind.notes, *made.notes), covered=covered)
    if request.pump is None:
        return made
    return _within_length(pumped(made, request.pump, at=at), request, at)


def _within_length(made: GeneratedSuite, request: SuiteRequest, at: Place) -> GeneratedSuite:
    """A UserError where a test is longer than ``--max-length`` allows, whatever made it."""
    from fullproof.generate.finite.lengths import TestsTooLong, longest_of

    if request.max_length is None or kind_of(made.model).reactive:  # purposes keep to it by themselves
        return made
    if (longest := longest_of(made.words)) > request.max_length:
        found = f"tests of method {made.header.method!r} for this model have up to {counted(longest, 'input')}"
        raise TestsTooLong(f"{found}, and --max-length allows {request.max_length}", at=at)
    return made


def _covering_written_states(
    kind: AnyKind, model: Model, request: SuiteRequest, sha256: str, at: Place
) -> GeneratedSuite:
    """The suite for the number of extra states that was given, or else for systems with as many states as the model has
    as written, where such a suite is not too large.
    """
    made = _within_length(kind.suite(model, request, sha256, at), request, at)
    if made.header.guarantee.strength is not Strength.PROVED or made.header.regions is not None:
        return made
    counts = WrittenStates(written=written_states(model), distinguishable=made.states, inputs=len(made.alphabet))
    given, obstacle = given_extra_states(model, request), ""
    if given is None and counts.default:
        try:
            asked = dataclasses.replace(request, extra_states=counts.default)
            made = _within_length(kind.suite(model, asked, sha256, at), asked, at)
        except (
            UserError
        ) as error:  # the suite without extra states exists: this one is too large, or its tests too long
            obstacle = error.message
    note = counts.note(made.header.extra_states, given=given is not None, obstacle=obstacle)
    return made if note is None else dataclasses.replace(made, notes=(note, *made.notes))


def header_for(model: Model, request: SuiteRequest, *, sha256: str, method: str, guarantee: Guarantee) -> SuiteHeader:
    """The first line of a suite file."""
    default = kind_of(model).relation
    return made_suite.header_for(model, request, sha256=sha256, method=method, guarantee=guarantee, default=default)


def write_generated(
    suite: GeneratedSuite, target: Path | None, *, to_stdout: bool, pool: ClusterPool | None = None
) -> SuiteSummary:
    """Write the suite to a file (whole or not at all) or to standard output, and say what it is.

    Where a cluster is given, its workers lay the tests out; the bytes are the same.
    """
    from fullproof.formats.suite import print_lines, write_lines
    from fullproof.pipeline.exported_suites import exported_lines, is_export

    if pool is None:
        tests, inputs = size = suite.size()
        lines = suite.lines(size)
    else:
        from fullproof.pipeline.spread_suites import spread_lines

        suite, (tests, inputs), lines = spread_lines(pool, suite)
    if target is not None and is_export(target):
        with replacing(target) as out:
            out.writelines(exported_lines(suite, target))
    elif target is not None:
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
        undecided=suite.undecided if header.domain is None else header.domain.undecided,
    )


def suite_reply(summary: SuiteSummary) -> SuiteReply:
    """The answer of ``generate``."""
    return SuiteReply(
        kind=summary.kind,
        relation=summary.relation,
        method=summary.method,
        states=summary.states,
        extra_states=summary.extra_states,
        tests=summary.tests,
        inputs=summary.inputs,
        guarantee=summary.guarantee.sentence,
        claim=as_json(summary.guarantee),
        seconds=round(summary.seconds, 6),
        notes=note_texts(summary.notes),
        details=summary.details,
    )
