"""Is a suite complete? Answered for any suite, whoever made it, without a line of the generators' code."""

from fullproof.certify.answers import Certificate, Complete, Incomplete, Method, Unknown
from fullproof.certify.checker import certify

__all__ = ["Certificate", "Complete", "Incomplete", "Method", "Unknown", "certify"]
