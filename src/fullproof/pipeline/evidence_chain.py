"""journal + certificate -> chain: from the model through the suite and its proof to the verdict, each with its hash."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fullproof.artefacts.suite import SuiteHeader
from fullproof.core.counted import counted, plural_of
from fullproof.core.version import __version__
from fullproof.pipeline.certificates import CertificateFile, check_certificate_file, refuse_other_claims

if TYPE_CHECKING:
    from fullproof.formats.journal import OldJournal
    from fullproof.model import Model

_CHECKER = f"fullproof {__version__}"
"""Who looked at the certificate: not one of the small checkers, which others run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidenceChain:
    """What was executed and judged, and the certificate of its suite."""

    model_sha256: str
    tests: int
    certificate: CertificateFile
    journal_hash: str
    """Of the last row; it covers all rows before."""

    @property
    def holds(self) -> bool:
        """Whether the certificate was accepted for the tests that were executed."""
        return self.certificate.refused is None

    @property
    def answer(self) -> str:
        """What became of the certificate, in words."""
        found = self.certificate
        if found.refused is not None:
            return f"refused: {found.refused}"
        states = plural_of(found.states + found.extra_states, "state")
        claim = f"complete for {found.states} + {found.extra_states} {states}, by {found.evidence}"
        return f"accepted by {_CHECKER}: {claim}"

    def lines(self, verdict: str) -> list[str]:
        """The chain, a link on each line."""
        suite = f"sha256 {self.certificate.suite_sha256}, " if self.holds else ""
        machine = f", as a machine {self.certificate.model_sha256}" if self.holds else ""
        return [
            f"model        sha256 {self.model_sha256}{machine}",
            f"suite        {suite}the {counted(self.tests, 'test that was', 'tests that were')} executed",
            f"certificate  sha256 {self.certificate.sha256}, {self.answer}",
            f"journal      hash of its rows {self.journal_hash}, every row fits",
            f"verdict      {verdict}",
        ]

    def fields(self, verdict: str) -> dict[str, Any]:
        """The chain for ``--json``."""
        return {
            "model": self.model_sha256,
            "machine": self.certificate.model_sha256 or None,
            "suite": self.certificate.suite_sha256 or None,
            "tests": self.tests,
            "certificate": {
                **self.certificate.fields(),
                "accepted": self.holds,
                "refused": self.certificate.refused,
                "checker": _CHECKER,
            },
            "journal": self.journal_hash,
            "verdict": verdict,
        }


def evidence_chain(model: Model, old: OldJournal, suite: SuiteHeader, path: Path) -> EvidenceChain:
    """Check a certificate against the tests that a journal holds, in the order of their suite.

    Needs: the run was judged for equivalence by outputs alone, and its suite is for a bound on states; a UserError says
    so where it was not.
    """
    refuse_other_claims(old.header.relation, path, observe=suite.observe, faults=suite.faults)
    words = [tuple(map(str, execution.test.inputs)) for execution in old.executions() if execution.repetition == 1]
    found = check_certificate_file(model, words, path, extra_states=suite.extra_states)
    return EvidenceChain(
        model_sha256=old.header.model_sha256,
        tests=len(words),
        certificate=found,
        journal_hash=old.checked().hex(),
    )
