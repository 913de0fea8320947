"""Expressions and LTL: one grammar, frozen syntax trees, types, exact evaluation, printing."""
