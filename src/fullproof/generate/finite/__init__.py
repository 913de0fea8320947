"""Suites for finite machines: the methods for equivalence, state counting, and what they are made from."""
