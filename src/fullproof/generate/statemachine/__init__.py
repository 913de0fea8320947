"""Suites for SysML state machines from a justified partition: paper 003, sections 5 to 8."""
