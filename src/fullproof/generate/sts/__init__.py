"""Symbolic transition systems -> test purposes: paper 001, sections 3 and 4."""
