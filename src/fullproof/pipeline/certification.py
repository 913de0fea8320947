"""model and suite -> whether the suite is complete, regardless of its origin."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from fullproof.artefacts.notes import WarningNote, note_texts
from fullproof.artefacts.progress import Progress, unheard
from fullproof.artefacts.questions import CertifyRequest
from fullproof.artefacts.replies import CertifyReply
from fullproof.artefacts.request import Relation, SuiteRequest
from fullproof.artefacts.written_states import WrittenStates, written_states
from fullproof.cluster.work import Work
from fullproof.core.counted import counted
from fullproof.core.errors import NOWHERE, Place, UserError
from fullproof.core.files import check_writable
from fullproof.core.interrupts import telling
from fullproof.kinds import kind_of
from fullproof.kinds.kind import CompletenessAsked
from fullproof.model.interface import Interface
from fullproof.pipeline.certificates import (
    PROOF_SECONDS,
    CertificateFile,
    check_certificate_file,
    refuse_hindered,
    refuse_other_claims,
    write_certificate,
)
from fullproof.pipeline.clusters import cluster_of

if TYPE_CHECKING:
    from fullproof.artefacts.suite import TestInput
    from fullproof.certify.answers import Certificate
    from fullproof.cluster.pool import ClusterPool
    from fullproof.kinds.suite_file import SuiteFile
    from fullproof.model import Model

_LARGEST = 8
"""Suites in a batch: their words are kept in memory."""
_NO_MODEL = WarningNote("no model is written: what is wrong in the machine that passes is said in words only")


@dataclass(frozen=True, slots=True, kw_only=True)
class Certified:
    """The answer of ``certify``: complete, incomplete or (None) unknown; the survivor's file where one is wanted."""

    complete: bool | None
    method: str | None
    survivor: Path | None
    witness: tuple[str, ...]
    reason: str
    tests: int
    inputs: int
    certificate: CertificateFile | None = None
    lacking: str | None = None
    """Why there is no certificate, where one was asked for."""
    notes: tuple[str, ...] = ()
    machine: str | None = None
    """The survivor as the text of a model file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Question:
    """A suite as the inputs of its tests, with the parameters of the check."""

    suite: Path
    tests: list[tuple[TestInput, ...]]
    asked: CompletenessAsked
    notes: tuple[str, ...] = ()

    def words(self) -> list[tuple[str, ...]]:
        """The tests of a model whose inputs are symbols."""
        return [tuple(map(str, test)) for test in self.tests]


def certify_files(
    path: Path, suites: Sequence[Path], request: CertifyRequest, *, progress: Progress = unheard
) -> list[Certified]:
    """Ask the independent checker about each suite, on a cluster where one is given; write a survivor where that was
    asked for.
    """
    from fullproof.formats import read_model
    from fullproof.formats.table import check_target

    targets = _targets(suites, request.target)
    if request.target is not None:
        check_target(request.target)
    if len(suites) > 1 and (request.certificate or request.given):
        raise UserError("--certificate and --with are for one suite, and several were given")
    if request.certificate is not None:
        check_writable(request.certificate)
    model = read_model(path)
    kind = kind_of(model)
    kind.required(kind.certify, "certify", at=Place(file=str(path)))
    if request.certificate is not None or request.given is not None:
        kind.required(kind.certificate, "--certificate", at=Place(file=str(path)))
    if request.second_solver is not None and not kind.has_expressions:
        raise UserError("--second-solver is for symbolic machines, whose partition rests on a solver")
    if request.given is not None:
        return [_checked(model, _question(suites[0], model, request, path), request.given)]
    sizes: list[tuple[int, int, tuple[str, ...]]] = []
    asked: list[_Question] = []

    def questions() -> Iterator[_Question]:
        for suite in suites:
            question = _question(suite, model, request, path)
            sizes.append((*_size(question), question.notes))
            if request.certificate is not None:
                asks = question.asked
                refuse_other_claims(asks.relation.value, suite, observe=None, faults=asks.faults)
                refuse_hindered(model, path)
                asked.append(question)
            yield question

    found: list[tuple[Certificate, Certified]] = []
    with (
        telling(lambda: _decided(suites, [one for _, one in found]), "to go on, name the suites that are left"),
        cluster_of(request.cluster) as pool,
        closing(_answers(model, questions(), pool)) as answers,
    ):
        for k, (answer, target) in enumerate(zip(answers, targets, strict=True)):
            found.append((answer, _certified(answer, target, sizes[k])))
            progress(len(found), len(suites))
    return [_with_certificate(model, *one, asked[0], request) if asked else one[1] for one in found]


def _decided(suites: Sequence[Path], found: Sequence[Certified]) -> str:
    """What is known of the suites that were looked at before an interruption."""
    words = {True: "complete", False: "not complete", None: "unknown"}
    known = ", ".join(f"{suite} is {words[one.complete]}" for suite, one in zip(suites, found, strict=False))
    return f"{len(found)} of {counted(len(suites), 'suite')} decided{f' ({known})' if known else ''}"


def _size(question: _Question) -> tuple[int, int]:
    return len(question.tests), sum(map(len, question.tests))


def _with_certificate(
    model: Model, answer: Certificate, certified: Certified, question: _Question, request: CertifyRequest
) -> Certified:
    """Write the certificate that was asked for, of a suite that is complete."""
    if not certified.complete or request.certificate is None:
        return certified
    extra, seconds = question.asked.extra_states, max(request.timeout, PROOF_SECONDS)
    made = write_certificate(model, question.words(), answer, request.certificate, extra_states=extra, seconds=seconds)
    lacking = made if isinstance(made, str) else None
    return replace(certified, certificate=None if isinstance(made, str) else made, lacking=lacking)


def _checked(model: Model, question: _Question, path: Path) -> Certified:
    """The answer of a certificate, without any search."""
    refuse_other_claims(question.asked.relation.value, path, observe=None, faults=question.asked.faults)
    found = check_certificate_file(model, question.words(), path, extra_states=question.asked.extra_states)
    tests, inputs = _size(question)
    accepted = found.refused is None
    claim = f"complete for machines with at most {counted(found.states + found.extra_states, 'state')}"
    return Certified(
        complete=True if accepted else None,
        method=found.evidence or None,
        survivor=None,
        witness=(),
        reason=claim if accepted else f"{found.refused}",
        tests=tests,
        inputs=inputs,
        certificate=found,
        notes=question.notes,
    )


def _targets(suites: Sequence[Path], given: Path | None) -> list[Path | None]:
    """Where survivors go: into the file that was named, or nowhere."""
    if given is not None and len(suites) > 1:
        raise UserError("--output is for the survivor of one suite, and several were given")
    return [given] * len(suites)


def _question(suite: Path, model: Model, request: CertifyRequest, path: Path) -> _Question:
    kind = kind_of(model)
    tests, claim = _read(suite, model)
    claimed = kind.relation if claim is None else claim.relation
    asked_for = request.relation or (Relation.PROPERTY if request.properties else claimed)
    relation = kind.relation_for(asked_for, request.properties, "certified")
    kind.monitored(model, relation, request.properties, Place(file=str(path)))  # refuses names that it does not have
    faults = _faults(claim, model, request)
    bounds = (
        request.extra_states,
        None if claim is None else claim.header.extra_states,
        model.description.fault_domain.extra_states,
    )
    given = next((bound for bound in bounds if bound is not None), None)
    note = None
    if kind.distinguishable is not None and faults is None:
        counts = WrittenStates(
            written=written_states(model),
            distinguishable=kind.distinguishable(model),
            inputs=len(kind.interface(model).symbols),
        )
        note = counts.note(counts.default if given is None else given, given=given is not None)
        given = counts.default if given is None else given
    asked = CompletenessAsked(
        extra_states=given or 0,
        seconds=request.timeout,
        relation=relation,
        faults=faults,
        header=None if claim is None else claim.header,
        second_solver=request.second_solver,
        properties=request.properties,
    )
    return _Question(suite=suite, tests=tests, asked=asked, notes=() if note is None else (note,))


def _faults(claim: SuiteFile | None, model: Model, request: CertifyRequest) -> str | None:
    """The fault domain by name: that of the request, else that which the suite claims, else that of the model."""
    kind = kind_of(model)
    if request.faults is not None or request.since is not None:
        named = kind.required(kind.named_faults, "--faults")
    elif claim is not None:
        return claim.header.faults
    elif kind.named_faults is None:
        return None
    else:
        named = kind.named_faults
    text: str | None = named(model, SuiteRequest(faults=request.faults, since=request.since), NOWHERE)
    return text


def _answers(
    model: Model, questions: Iterator[_Question], pool: ClusterPool | None
) -> Generator[Certificate, None, None]:
    """The answers of the checker, in order."""
    if pool is not None:
        work = Work(begin=_checking, common=model, lost=_lost)
        yield from pool.map(work, questions, largest=_LARGEST)
        return
    with _checking(model) as check:
        for question in questions:
            yield from check([question])


@contextmanager
def _checking(model: Model) -> Iterator[Callable[[Sequence[_Question]], Iterable[Certificate]]]:
    kind = kind_of(model)
    certify = kind.required(kind.certify, "certify")

    yield lambda batch: (certify(model, question.tests, question.asked) for question in batch)


def _lost(question: _Question, reason: str) -> Certificate:
    from fullproof.certify.answers import UndecidedCompleteness

    return UndecidedCompleteness(reason=f"the process of the checker {reason}, twice; the suite is {question.suite}")


def _certified(answer: Certificate, target: Path | None, asked: tuple[int, int, tuple[str, ...]]) -> Certified:
    from fullproof.certify import Complete, Incomplete
    from fullproof.formats.table import model_text, write_model

    tests, inputs, notes = asked
    found = Certified(
        complete=None, method=None, survivor=None, witness=(), reason="", tests=tests, inputs=inputs, notes=notes
    )
    match answer:
        case Complete(method=method, reason=reason):
            return replace(found, complete=True, method=method.value, reason=reason)
        case Incomplete(survivor=survivor, witness=witness, reason=reason):
            found = replace(found, complete=False, method="exact", witness=witness, reason=reason)
            if survivor is None:
                return found if target is None else replace(found, notes=(*notes, _NO_MODEL))
            if target is not None:
                write_model(survivor, target)
            return replace(found, survivor=target, machine=model_text(survivor))
        case unknown:
            return replace(found, reason=unknown.reason)


def all_certified(answers: Sequence[Certified]) -> bool | None:
    """Whether all suites are complete: False where one is not, else None where one is unknown."""
    if any(answer.complete is False for answer in answers):
        return False
    return None if any(answer.complete is None for answer in answers) else True


def certify_reply(answer: Certified) -> CertifyReply:
    """The answer of ``certify`` for one suite."""
    return CertifyReply(
        complete=answer.complete,
        method=answer.method,
        survivor=answer.machine if answer.survivor is None else str(answer.survivor),
        witness=list(answer.witness) or None,
        reason=answer.reason,
        tests=answer.tests,
        inputs=answer.inputs,
        notes=note_texts(answer.notes),
        **({} if answer.certificate is None else answer.certificate.fields()),
    )


def _read(suite: Path, model: Model) -> tuple[list[tuple[TestInput, ...]], SuiteFile | None]:
    """The inputs of the tests of a suite file, ours or plain text, with what its header claims."""
    from fullproof.formats.suite import is_suite, read_plain_suite
    from fullproof.kinds.suite_file import SuiteFile
    from fullproof.pipeline.observed_models import refuse_observing

    kind = kind_of(model)
    if not is_suite(suite):
        interface = model.interface
        typed = interface if isinstance(interface, Interface) else None
        words = read_plain_suite(suite, inputs=kind.interface(model).symbols, interface=typed)
        return [test.inputs for test in words], None
    given = SuiteFile(suite, model, kind, sha256="")
    refuse_observing(given.header.observe, "certified", at=Place(file=str(suite)))
    return [test.inputs for test in given.tests()], given
