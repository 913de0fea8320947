"""Paths of spontaneous transitions, and the spontaneous transitions that lie on cycles."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from fullproof.check.running.program import Definition
from fullproof.core.errors import Place
from fullproof.language.syntax import Expression

_Item = TypeVar("_Item")


class Spontaneous(Protocol):
    """A transition without trigger, or an internal step."""

    @property
    def source(self) -> str:
        """Where it begins."""

    @property
    def target(self) -> str:
        """Where it ends."""

    @property
    def guard(self) -> Expression:
        """When it may happen."""

    @property
    def at(self) -> Place:
        """Its place in the file."""


@dataclass(frozen=True, slots=True)
class Path:
    """Transitions one after the other, in terms of the values before the first one.

    The conditions are guards, and that variables stay in their ranges.
    """

    transitions: tuple[Spontaneous, ...]
    conditions: tuple[Expression, ...]
    definitions: tuple[Definition, ...]
    names: Mapping[str, str]

    @property
    def formulas(self) -> list[Expression]:
        """The formulas that values satisfy for which the path can be taken."""
        return [*(definition.equation for definition in self.definitions), *self.conditions]


def cyclic(edges: Sequence[_Item], ends: Callable[[_Item], tuple[str, str]]) -> list[_Item]:
    """Those that lie on a cycle; ``ends`` gives source and target."""
    targets: dict[str, set[str]] = {}
    for source, target in map(ends, edges):
        targets.setdefault(source, set()).add(target)
    closures = {target: _closure(target, targets) for target in {ends(edge)[1] for edge in edges}}
    return [edge for edge in edges if ends(edge)[0] in closures[ends(edge)[1]]]


def _closure(state: str, targets: Mapping[str, Iterable[str]]) -> set[str]:
    found, waiting = {state}, [state]
    while waiting:
        fresh = [target for target in targets.get(waiting.pop(), ()) if target not in found]
        found.update(fresh)
        waiting.extend(fresh)
    return found
