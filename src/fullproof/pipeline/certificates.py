"""suite -> certificate, and back: what proves a suite complete to others, written and checked."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fullproof.artefacts.request import Relation
from fullproof.core.counted import counted
from fullproof.core.errors import Place, UserError
from fullproof.core.files import write_text
from fullproof.kinds import kind_of
from fullproof.kinds.kind import CompletenessAsked

if TYPE_CHECKING:
    from fullproof.certify.answers import Certificate
    from fullproof.kinds.suite import GeneratedSuite
    from fullproof.model import Model

Words = Sequence[tuple[str, ...]]
PROOF_SECONDS = 600.0
"""For writing a refutation down, at least: it takes longer than the search for one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CertificateFile:
    """A certificate that was written or checked, and the SHA-256 of its file."""

    path: Path
    sha256: str
    states: int
    extra_states: int
    evidence: str
    model_sha256: str = ""
    suite_sha256: str = ""
    """Of the machine and the tests that it was accepted for, as the certificate has them."""
    refused: str | None = None
    """Why it was refused; then the numbers are 0."""

    def fields(self) -> dict[str, Any]:
        """What ``--json`` says of it."""
        return {"certificate": str(self.path), "certificate_sha256": self.sha256, "evidence": self.evidence}


def write_certificate(
    model: Model, words: Words, answer: Certificate, path: Path, *, extra_states: int, seconds: float
) -> CertificateFile | str:
    """Write the certificate of a suite that was found complete, checked once more; or say why there is none."""
    from fullproof.certify.answers import Complete, Open

    if not isinstance(answer, Complete):
        return answer.reason
    kind = kind_of(model)
    text = kind.required(kind.certificate, "--certificate")(model, words, answer, extra_states, seconds)
    if isinstance(text, Open):
        return text.reason
    found = _checked(model, words, path, text.encode("ascii"), extra_states=extra_states)
    if found.refused is not None:
        return f"the certificate did not pass its check ({found.refused})"
    write_text(path, text)
    return found


def refuse_uncertified(suite: GeneratedSuite, path: Path) -> None:
    """Complain before long work about a suite that has no certificate."""
    kind = kind_of(suite.model)
    kind.required(kind.certify, "certify")
    kind.required(kind.certificate, "--certificate")
    header = suite.header
    refuse_other_claims(header.relation, path, observe=header.observe, faults=header.faults)
    refuse_hindered(suite.model, path)


def refuse_hindered(model: Model, path: Path) -> None:
    """Complain about a model that has no certificates, although its kind has some."""
    kind = kind_of(model)
    found = None if kind.certificate_hindrance is None else kind.certificate_hindrance(model)
    if found is not None:
        raise UserError(f"certificates are for complete deterministic models: {found}", at=Place(file=str(path)))


def refuse_other_claims(relation: str, path: Path, *, observe: str | None, faults: str | None) -> None:
    """Certificates are for one claim. That of a suite for faults by name may be about more states than the model has
    when it is minimal, or about fewer machines.
    """
    if faults is not None:
        raise UserError("certificates are for a bound on states, not for faults by name", at=Place(file=str(path)))
    if relation != Relation.EQUIVALENCE.value or observe is not None:
        what = f"observing the {observe}" if observe is not None else relation
        raise UserError(f"--certificate is for equivalence by outputs alone, not for {what}", at=Place(file=str(path)))


def certify_generated(suite: GeneratedSuite, path: Path) -> CertificateFile | str:
    """Decide whether a generated suite is complete, by code of its own, and write its certificate; or why not."""
    model, extra = suite.model, suite.header.extra_states
    words = [tuple(str(symbol) for symbol in test.inputs) for test in suite.tests()]
    kind = kind_of(model)
    asked = CompletenessAsked(extra_states=extra, seconds=PROOF_SECONDS)
    answer = kind.required(kind.certify, "certify")(model, words, asked)
    return write_certificate(model, words, answer, path, extra_states=extra, seconds=PROOF_SECONDS)


def check_certificate_file(model: Model, words: Words, path: Path, *, extra_states: int) -> CertificateFile:
    """Check the certificate of a suite, for at least so many extra states."""
    try:
        text = path.read_bytes()
    except OSError as error:
        raise UserError(f"cannot read: {error.strerror or error}", at=Place(file=str(path))) from error
    return _checked(model, words, path, text, extra_states=extra_states)


def _checked(model: Model, words: Words, path: Path, text: bytes, *, extra_states: int) -> CertificateFile:
    from fullproof.certify.certificate_check import Rejected

    kind = kind_of(model)
    answer = kind.required(kind.check_certificate, "--certificate")(model, words, text)
    sha256 = hashlib.sha256(text).hexdigest()
    reason = answer.reason if isinstance(answer, Rejected) else None
    if not isinstance(answer, Rejected) and answer.extra < extra_states:
        reason = f"it is for {counted(answer.extra, 'extra state')}, and {counted(extra_states, 'is', 'are')} asked for"
    if isinstance(answer, Rejected) or reason is not None:
        return CertificateFile(path=path, sha256=sha256, states=0, extra_states=0, evidence="", refused=reason)
    return CertificateFile(
        path=path,
        sha256=sha256,
        states=answer.states,
        extra_states=answer.extra,
        evidence=answer.evidence,
        model_sha256=answer.model_sha256,
        suite_sha256=answer.suite_sha256,
    )
