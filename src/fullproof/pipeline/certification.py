"""model and suite -> is the suite complete? Whoever generated it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from fullproof.artefacts.request import Relation
from fullproof.model import Fsm
from fullproof.pipeline.comparison import read_fsm


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


def certify_files(
    path: Path, suite: Path, *, relation: Relation | None, extra_states: int | None, timeout: float, target: Path | None
) -> Certified:
    """Ask the independent checker, and write the surviving machine where it finds one."""
    from fullproof.certify import Complete, Incomplete, certify
    from fullproof.formats.endings import check_target, write_model

    if target is not None:
        check_target(target)
    model = read_fsm(path, what="certified")
    words, claimed, bound = _read(suite, model)
    extra = extra_states if extra_states is not None else bound
    extra = extra if extra is not None else model.description.fault_domain.extra_states
    asked = relation or claimed or Relation.EQUIVALENCE
    counts = {"tests": len(words), "inputs": sum(map(len, words))}
    if asked is not Relation.EQUIVALENCE:
        reason = f"completeness is decided for equivalence in this version, not for {asked.value}"
        return Certified(complete=None, method=None, survivor=None, witness=(), reason=reason, **counts)
    answer = certify(model, words, extra_states=extra, timeout=timeout)
    match answer:
        case Complete(method=method, reason=reason):
            return Certified(complete=True, method=method.value, survivor=None, witness=(), reason=reason, **counts)
        case Incomplete(survivor=survivor, witness=witness, reason=reason):
            file = target or suite.with_suffix(".survivor.yaml")
            write_model(survivor, file)
            return Certified(complete=False, method="exact", survivor=file, witness=witness, reason=reason, **counts)
        case unknown:
            return Certified(complete=None, method=None, survivor=None, witness=(), reason=unknown.reason, **counts)


def certified_fields(answer: Certified) -> dict[str, object]:
    """The fields of ``certify --json``."""
    return {
        "complete": answer.complete,
        "method": answer.method,
        "survivor": None if answer.survivor is None else str(answer.survivor),
        "witness": list(answer.witness) or None,
        "reason": answer.reason,
        "tests": answer.tests,
        "inputs": answer.inputs,
    }


def _read(suite: Path, model: Fsm) -> tuple[list[tuple[str, ...]], Relation | None, int | None]:
    """The words of a suite file, ours or plain text, with what its header claims."""
    from fullproof.formats.suite import is_suite, read_plain_suite
    from fullproof.pipeline.suite_file import SuiteFile

    if not is_suite(suite):
        return [_symbols(test.inputs) for test in read_plain_suite(suite, inputs=model.inputs)], None, None
    given = SuiteFile(suite, model, sha256="")
    return [_symbols(test.inputs) for test in given.tests()], given.relation, given.header.extra_states


def _symbols(inputs: tuple[object, ...]) -> tuple[str, ...]:
    return tuple(str(symbol) for symbol in inputs)
