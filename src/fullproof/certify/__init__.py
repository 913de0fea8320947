"""Decides whether a suite is complete, for a suite from any source, without using code of the generators."""

from fullproof.certify.answers import Certificate, Complete, Incomplete, ProofEngine, UndecidedCompleteness
from fullproof.certify.checker import certify

__all__ = ["Certificate", "Complete", "Incomplete", "ProofEngine", "UndecidedCompleteness", "certify"]
