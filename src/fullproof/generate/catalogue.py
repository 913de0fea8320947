"""The methods by name, with what each one guarantees and where it was published."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import cast

from fullproof.analysis.table import Table
from fullproof.artefacts.words import WordList
from fullproof.core.errors import UserError
from fullproof.core.suggest import did_you_mean


@dataclass(frozen=True, slots=True, kw_only=True)
class FiniteMethod:
    """A method for equivalence of deterministic complete machines; its function lives in the module of its name."""

    name: str
    title: str
    paper: str

    @property
    def generate(self) -> Callable[..., WordList]:
        """The function ``(table, *, extra_states) -> WordList``, imported when first asked for."""
        module = importlib.import_module(f"fullproof.generate.{self.name}")
        return cast("Callable[..., WordList]", getattr(module, self.name))


EQUIVALENCE_METHODS: dict[str, FiniteMethod] = {
    method.name: method
    for method in (
        FiniteMethod(name="w", title="W-method", paper="Chow 1978, Vasilevskii 1973"),
    )
}


def equivalence_method(name: str) -> FiniteMethod:
    """Look a method up, or say which ones there are."""
    if name not in EQUIVALENCE_METHODS:
        known = [*EQUIVALENCE_METHODS, "auto"]
        raise UserError(f"unknown method {name!r} for the equivalence of finite machines{did_you_mean(name, known)}")
    return EQUIVALENCE_METHODS[name]


def words_by(name: str, table: Table, *, extra_states: int) -> WordList:
    """Generate with the method of that name."""
    return equivalence_method(name).generate(table, extra_states=extra_states)
