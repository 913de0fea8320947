"""Graphviz files of Mealy machines, as on the Automata Wiki."""
