"""Suites for symbolic machines, on their finite abstractions (papers 000 and 004)."""
