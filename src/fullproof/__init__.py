"""fullproof: test suites that prove conformance to a model within a stated fault domain."""

__version__ = "0.1.0"
