"""Equivalence class partitions of SysML state machines (paper 003, section 3), and their justification."""
