"""Suites for finite machines: the methods for equivalence, state counting, and their common parts."""
