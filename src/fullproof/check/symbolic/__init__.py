"""Symbolic machines: transitions as formulas over an input and an output."""
