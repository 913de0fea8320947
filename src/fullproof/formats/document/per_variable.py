"""A key of the fault domain with a value for each of some variables, and the option that says the same."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Generic, TypeVar

from fullproof.core.errors import Place, UserError
from fullproof.core.suggest import did_you_mean
from fullproof.formats.document.document import Document
from fullproof.formats.document.tree import Node
from fullproof.language.types import Variable

Entry = TypeVar("Entry")


@dataclass(frozen=True, slots=True, kw_only=True)
class PerVariable(Generic[Entry]):
    """``key: {x: 0.5}`` in a file, ``option x=0.5`` on the command line."""

    key: str
    option: str
    noun: str
    """What the variables are: ``input``."""
    value: str
    """What is given for each: ``a distance``."""
    wanted: str
    """What a value of the option should be."""
    read: Callable[[Variable, str, Place], Entry]

    def of_document(
        self, document: Document, node: Node | None, variables: Sequence[Variable] | None
    ) -> tuple[Entry, ...]:
        """What stands below the key."""
        known = {v.name: v for v in variables or ()}
        found = []
        for name, value in () if node is None else document.fields(node, self.key):
            if name.text not in known:
                hint = did_you_mean(name.text[:60], known)
                raise document.error(f"unknown {self.noun} {name.text[:60]!r}{hint}", name)
            found.append(document.parsed(value, self.value, partial(self.read, known[name.text])))
        return tuple(found)

    def of_options(self, texts: Sequence[str], variables: Sequence[Variable], *, at: Place) -> tuple[Entry, ...]:
        """What the values of the option say; of two for one variable the last counts."""
        known = {v.name: v for v in variables}
        found: dict[str, Entry] = {}
        for text in texts:
            name, equals, value = (part.strip() for part in text.partition("="))
            if not equals:
                raise UserError(f"{self.option} {text[:60]}: expected {self.wanted}", at=at)
            if name not in known:
                hint = did_you_mean(name[:60], known)
                raise UserError(f"{self.option}: unknown {self.noun} {name[:60]!r}{hint}", at=at)
            found[name] = self.read(known[name], value, at)
        return tuple(found.values())
