"""Symbolic machines against each other: products whose letters are solutions of formulas."""
