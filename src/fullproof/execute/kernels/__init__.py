"""Compiled loops of execution."""
