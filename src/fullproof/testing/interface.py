"""The commands as functions: ``fullproof.run(model, sut, extra_states=1)`` answers with what ``--json`` prints.

A model is the name of its file or a value of ``fullproof.model``; a system is what ``--sut`` takes, a class, a function
that makes one, or an object. Options are those of the command, with underscores: ``from_options`` reads them, so that a
mistake is refused with the sentence of the command line, as a ``fullproof.UserError``.
"""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar, Unpack

from fullproof.artefacts.options import from_options
from fullproof.artefacts.progress import unheard
from fullproof.artefacts.questions import CheckRequest, CompareRequest, ExploreRequest
from fullproof.artefacts.replies import CheckReply, CompareReply, RunReply, SuiteReply
from fullproof.artefacts.request import GenerateRequest, RunRequest
from fullproof.artefacts.suite import TestInput
from fullproof.core.errors import UserError
from fullproof.model import Fsm, Model
from fullproof.testing.keywords import (
    CheckKeywords,
    CompareKeywords,
    ExploreKeywords,
    GenerateKeywords,
    RunKeywords,
)
from fullproof.testing.systems import as_system, described, resettable

if TYPE_CHECKING:
    from fullproof.pipeline.observed_models import ModelSource
    from fullproof.pipeline.suites import GeneratedSuite

AnyModel: TypeAlias = str | Path | Model
R = TypeVar("R")


@dataclass(frozen=True, slots=True, kw_only=True)
class NewSuite(SuiteReply):
    """``generate --json``, and the tests."""

    made: GeneratedSuite = dataclasses.field(repr=False, compare=False)

    def words(self) -> Iterator[tuple[TestInput, ...]]:
        """The inputs of each test: symbols of an fsm, else values by name."""
        return (test.inputs for test in self.made.tests())


def run(model: AnyModel, sut: Any, **options: Unpack[RunKeywords]) -> RunReply:
    """Run a suite, given or generated, against a system; options are those of ``fullproof run``.

    The reply is true where the verdict is a pass. A class, function or object runs in this process: no ``jobs``.
    """
    from fullproof.artefacts.guarantee_json import as_json
    from fullproof.artefacts.notes import note_texts
    from fullproof.execute.shield import Shield
    from fullproof.pipeline.runs import run_reply, run_suite

    system = resettable(as_system(sut), "fullproof.run")
    request = _request(RunRequest, {**options, "sut": described(system)})
    if not isinstance(system, str):
        _refuse_elsewhere(request)
        request = dataclasses.replace(request, isolate=False)
    made = None if isinstance(system, str) else system
    with Shield(), _complaining():
        outcome = run_suite(_source(model), dataclasses.replace(request, examined=True), progress=unheard, system=made)
    guarantee = outcome.record.context.guarantee
    return dataclasses.replace(
        run_reply(outcome.record),
        guarantee=guarantee.sentence,
        claim=as_json(guarantee),
        notes=note_texts(outcome.notes),
        report=None if outcome.page is None else str(outcome.page),
    )


def generate(model: AnyModel, **options: Unpack[GenerateKeywords]) -> NewSuite:
    """Generate a suite; options are those of ``fullproof generate``, and ``output`` writes it to a file."""
    from fullproof.pipeline.certificates import certify_generated, refuse_uncertified
    from fullproof.pipeline.clusters import cluster_of
    from fullproof.pipeline.observed_models import place_of
    from fullproof.pipeline.spread_suites import refuse_unspread
    from fullproof.pipeline.suites import generate_for, suite_reply, write_generated

    request, source = _request(GenerateRequest, options), _source(model)
    if request.cluster is not None:
        refuse_unspread(request.suite)
    with cluster_of(request.cluster) as pool:
        made = generate_for(source, request.suite, target=request.output)
        if request.certificate is not None:
            refuse_uncertified(made, Path(place_of(source).file or ""))
        summary = write_generated(made, request.output, to_stdout=False, pool=pool)
    reply = suite_reply(summary)
    if request.certificate is not None:
        proof = certify_generated(made, request.certificate)
        if isinstance(proof, str):
            raise UserError(f"no certificate: {proof}")
        reply = dataclasses.replace(reply, **proof.fields())
    return NewSuite(**{one.name: getattr(reply, one.name) for one in dataclasses.fields(reply)}, made=made)


def check(model: AnyModel, **options: Unpack[CheckKeywords]) -> CheckReply:
    """What a model is and what is wrong with it; options are those of ``fullproof check``."""
    from fullproof.pipeline.models import check_file, check_reply

    return check_reply(check_file(_source(model), _request(CheckRequest, options).observe))


def compare(model: AnyModel, other: AnyModel, **options: Unpack[CompareKeywords]) -> CompareReply:
    """Decide whether another model conforms to a model; options are those of ``fullproof compare``."""
    from fullproof.pipeline.comparison import compare_files

    return compare_files(_source(model), _source(other), _request(CompareRequest, options)).reply()


def explore(reference: Any, **options: Unpack[ExploreKeywords]) -> Fsm:
    """Explore a Python class, or ``python:FILE.py:Name``, to the finite machine that it is.

    Options are those of ``fullproof explore``; ``output`` may be left out. Raises UserError where the bound on states
    is reached.
    """
    from fullproof.execute.adapters import factory_name
    from fullproof.execute.shield import Shield
    from fullproof.formats import write_model
    from fullproof.testing.exploration import explore_class, reference_class

    request = _request(ExploreRequest, options)
    with Shield():
        name, make = reference_class(reference) if isinstance(reference, str) else (factory_name(reference), reference)
        found = explore_class(make, name, request, progress=unheard)
    if not found.is_complete:
        raise UserError(f"{name} has more than {request.most:,} states: the bound is --max-states")
    if request.output is not None:
        write_model(found.model, request.output)
    return found.model


def _source(model: AnyModel) -> ModelSource:
    if isinstance(model, str):
        return Path(model)
    if isinstance(model, Path) or dataclasses.is_dataclass(model):
        return model
    raise UserError(f"expected the file of a model or a model, got {str(model)[:60]!r} ({type(model).__name__})")


def _request(kind: type[R], options: Mapping[str, object]) -> R:
    return from_options(kind, options)


def _refuse_elsewhere(request: RunRequest) -> None:
    """Refuse options of systems in other processes, which cannot be given an object of this one."""
    others = {
        "--jobs": request.jobs > 1,
        "--cluster": request.cluster is not None,
        "--isolate": request.isolate is True,
    }
    for name, given in others.items():
        if given:
            raise UserError(f"{name} starts other processes: name the system for them, e.g. python:FILE.py:Name")


@contextlib.contextmanager
def _complaining() -> Iterator[None]:
    """Errors that ``check`` finds in a model are a mistake in the call."""
    from fullproof.pipeline.models import ModelErrors

    try:
        yield
    except ModelErrors as wrong:
        first = next(one for one in wrong.profile.findings if one.severity.value == "error")
        where = f"{first.where}: " if first.where else ""
        raise UserError(f"{wrong}, see fullproof.check: {where}{first.message}", at=first.at) from None
