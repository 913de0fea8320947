"""model and suite -> whether the suite is complete, regardless of its origin."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from fullproof.artefacts.questions import CertifyRequest
from fullproof.artefacts.replies import CertifyReply
from fullproof.artefacts.request import Relation
from fullproof.cluster.work import Work
from fullproof.core.errors import Place, UserError
from fullproof.core.files import check_writable
from fullproof.kinds import kind_of
from fullproof.pipeline.certificates import (
    PROOF_SECONDS,
    CertificateFile,
    check_certificate_file,
    write_certificate,
)
from fullproof.pipeline.clusters import cluster_of

if TYPE_CHECKING:
    from fullproof.certify.answers import Certificate
    from fullproof.cluster.pool import ClusterPool
    from fullproof.model import Model

_LARGEST = 8
"""Suites in a batch: their words are kept in memory."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Certified:
    """The answer of ``certify``: complete, incomplete or (None) unknown; the survivor's file where there is one."""

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


@dataclass(frozen=True, slots=True, kw_only=True)
class _Question:
    """A suite as words, with the parameters of the check."""

    suite: Path
    words: list[tuple[str, ...]]
    relation: Relation
    extra_states: int


def certify_files(path: Path, suites: Sequence[Path], request: CertifyRequest) -> list[Certified]:
    """Ask the independent checker about each suite, on a cluster where one is given; write survivors to files."""
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
    if request.given is not None:
        return [_checked(model, _question(suites[0], model, request), request.given)]
    sizes: list[tuple[int, int]] = []
    asked: list[_Question] = []

    def questions() -> Iterator[_Question]:
        for suite in suites:
            question = _question(suite, model, request)
            sizes.append(_size(question))
            if request.certificate is not None:
                asked.append(question)
            yield question

    with cluster_of(request.cluster) as pool, closing(_answers(model, questions(), request, pool)) as answers:
        both = zip(answers, targets, strict=True)
        found = [(answer, _certified(answer, target, sizes[k])) for k, (answer, target) in enumerate(both)]
    return [_with_certificate(model, *one, asked[0], request) if asked else one[1] for one in found]


def _size(question: _Question) -> tuple[int, int]:
    return len(question.words), sum(map(len, question.words))


def _with_certificate(
    model: Model, answer: Certificate, certified: Certified, question: _Question, request: CertifyRequest
) -> Certified:
    """Write the certificate that was asked for, of a suite that is complete."""
    if not certified.complete or request.certificate is None:
        return certified
    extra, seconds = question.extra_states, max(request.timeout, PROOF_SECONDS)
    made = write_certificate(model, question.words, answer, request.certificate, extra_states=extra, seconds=seconds)
    lacking = made if isinstance(made, str) else None
    return replace(certified, certificate=None if isinstance(made, str) else made, lacking=lacking)


def _checked(model: Model, question: _Question, path: Path) -> Certified:
    """The answer of a certificate, without any search."""
    if question.relation is not Relation.EQUIVALENCE:
        raise UserError(
            f"certificates are for equivalence, not for {question.relation.value}", at=Place(file=str(path))
        )
    found = check_certificate_file(model, question.words, path, extra_states=question.extra_states)
    tests, inputs = _size(question)
    accepted = found.refused is None
    claim = f"complete for machines with at most {found.states + found.extra_states} states"
    return Certified(
        complete=True if accepted else None,
        method=found.evidence or None,
        survivor=None,
        witness=(),
        reason=claim if accepted else f"{found.refused}",
        tests=tests,
        inputs=inputs,
        certificate=found,
    )


def _targets(suites: Sequence[Path], given: Path | None) -> list[Path]:
    """Where survivors go: beside their suites."""
    if given is not None and len(suites) > 1:
        raise UserError("--output is for the survivor of one suite, and several were given")
    targets = [given or suite.with_suffix(".survivor.yaml") for suite in suites]
    for k, target in enumerate(targets):
        if target in targets[:k] and suites[k] not in suites[:k]:
            other = suites[targets.index(target)]
            message = f"its survivor would be written to {target}, and so would that of {other}"
            raise UserError(message, at=Place(file=str(suites[k])))
    return targets


def _question(suite: Path, model: Model, request: CertifyRequest) -> _Question:
    words, claimed, bound = _read(suite, model)
    extra = request.extra_states if request.extra_states is not None else bound
    return _Question(
        suite=suite,
        words=words,
        relation=request.relation or claimed or Relation.EQUIVALENCE,
        extra_states=extra if extra is not None else model.description.fault_domain.extra_states,
    )


def _answers(
    model: Model, questions: Iterator[_Question], request: CertifyRequest, pool: ClusterPool | None
) -> Generator[Certificate, None, None]:
    """The answers of the checker, in order."""
    if pool is not None:
        work = Work(begin=_checking, common=(model, request.timeout), lost=_lost)
        yield from pool.map(work, questions, largest=_LARGEST)
        return
    with _checking((model, request.timeout)) as check:
        for question in questions:
            yield from check([question])


@contextmanager
def _checking(common: tuple[Model, float]) -> Iterator[Callable[[Sequence[_Question]], Iterable[Certificate]]]:
    from fullproof.certify.answers import UndecidedCompleteness

    model, timeout = common
    kind = kind_of(model)
    certify = kind.required(kind.certify, "certify")

    def answer(question: _Question) -> Certificate:
        if question.relation is not Relation.EQUIVALENCE:
            relation = question.relation.value
            return UndecidedCompleteness(
                reason=f"completeness is decided for equivalence in this version, not for {relation}"
            )
        return certify(model, question.words, question.extra_states, timeout)

    yield lambda batch: map(answer, batch)


def _lost(question: _Question, reason: str) -> Certificate:
    from fullproof.certify.answers import UndecidedCompleteness

    return UndecidedCompleteness(reason=f"the process of the checker {reason}, twice; the suite is {question.suite}")


def _certified(answer: Certificate, target: Path, size: tuple[int, int]) -> Certified:
    from fullproof.certify import Complete, Incomplete
    from fullproof.formats.table import write_model

    tests, inputs = size
    found = Certified(complete=None, method=None, survivor=None, witness=(), reason="", tests=tests, inputs=inputs)
    match answer:
        case Complete(method=method, reason=reason):
            return replace(found, complete=True, method=method.value, reason=reason)
        case Incomplete(survivor=survivor, witness=witness, reason=reason):
            write_model(survivor, target)
            return replace(found, complete=False, method="exact", survivor=target, witness=witness, reason=reason)
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
        survivor=None if answer.survivor is None else str(answer.survivor),
        witness=list(answer.witness) or None,
        reason=answer.reason,
        tests=answer.tests,
        inputs=answer.inputs,
        **({} if answer.certificate is None else answer.certificate.fields()),
    )


def _read(suite: Path, model: Model) -> tuple[list[tuple[str, ...]], Relation | None, int | None]:
    """The words of a suite file, ours or plain text, with what its header claims."""
    from fullproof.formats.suite import is_suite, read_plain_suite
    from fullproof.kinds.suite_file import SuiteFile
    from fullproof.pipeline.observed_models import refuse_observing

    if not is_suite(suite):
        return [_symbols(test.inputs) for test in read_plain_suite(suite, inputs=_symbols_of(model))], None, None
    given = SuiteFile(suite, model, kind_of(model), sha256="")
    refuse_observing(given.header.observe, "certified", at=Place(file=str(suite)))
    return [_symbols(test.inputs) for test in given.tests()], given.relation, given.header.extra_states


def _symbols_of(model: Model) -> tuple[str, ...]:
    """The inputs that a plain suite may name."""
    symbols: tuple[str, ...] = kind_of(model).interface(model).symbols
    return symbols


def _symbols(inputs: tuple[object, ...]) -> tuple[str, ...]:
    return tuple(str(symbol) for symbol in inputs)
