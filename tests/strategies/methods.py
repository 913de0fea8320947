"""Suites of the methods for finite machines, by their names in the table."""

from fullproof.analysis.table import Table
from fullproof.artefacts.request import SuiteRequest
from fullproof.artefacts.words import WordSource
from fullproof.generate.finite.methods import equivalence_method


def source(name: str, table: Table, extra: int) -> WordSource:
    return equivalence_method(name).source(table, SuiteRequest(method=name), extra_states=extra)


def suite(name: str, table: Table, extra: int) -> list[tuple[int, ...]]:
    return [tuple(word.tolist()) for piece in source(name, table, extra).chunks() for word in piece]
