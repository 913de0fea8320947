"""Is a suite complete? Answered for any suite, whoever made it, without a line of the generators' code."""

from fullproof.certify.answers import Certificate, Complete, Incomplete, ProofEngine, UndecidedCompleteness
from fullproof.certify.checker import certify

__all__ = ["Certificate", "Complete", "Incomplete", "ProofEngine", "UndecidedCompleteness", "certify"]
