"""Reactive systems: Python objects, and processes or servers with a protocol of lines."""
