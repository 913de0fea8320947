"""Which transitions are enabled together, and under which condition on the values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from fullproof.formats.charts.action_paths import PathConditions
from fullproof.formats.charts.exclusion import exclude, guard_unless
from fullproof.formats.charts.microstep import Microsteps
from fullproof.language.formulas import conjuncts
from fullproof.language.scope import Scope
from fullproof.language.shallow_trees import joined_as_written
from fullproof.language.syntax import TRUE, Boolean, Expression
from fullproof.model.chart import ChartTransition
from fullproof.model.chart_model import TransitionRank


@dataclass(frozen=True, slots=True)
class Candidate:
    """A transition that acts for an innermost state, from ``height`` states further out, with its guard there."""

    height: int
    number: int
    arrow: ChartTransition
    guard: Expression

    @property
    def waits(self) -> bool:
        """Whether it needs an event."""
        return self.arrow.trigger is not None

    def outranks(self, other: Candidate, order: TransitionRank) -> bool:
        """Whether it is taken where both are enabled."""
        if self.height == other.height and order is TransitionRank.NONE:
            return self.arrow.completion and other.waits
        return (self.waits, self.height, self.number) < (other.waits, other.height, other.number)


@dataclass(frozen=True, slots=True)
class Selection:
    """Transitions taken together, if the guard holds; none for an event that nothing waits for."""

    arrows: tuple[ChartTransition, ...]
    guard: Expression


class Selector:
    """The transitions of a chart by the states that are active."""

    def __init__(
        self, steps: Microsteps, order: TransitionRank, scope: Scope | None, conditions: PathConditions
    ) -> None:
        self._steps = steps
        self._order = order
        self._scope = scope
        self._conditions = conditions

    def chain(self, innermost: str, active: frozenset[str]) -> list[Candidate]:
        """All transitions that act for an innermost state, from the inside out."""
        chart = self._steps.chart
        found: list[Candidate] = []
        vertex = chart.vertices[innermost]
        if vertex.final and vertex.parent is None:
            return []
        around = (innermost,) if vertex.choice else (innermost, *chart.around(innermost))
        for height, name in enumerate(around):
            for arrow in chart.leaving[name]:
                if arrow.completion and (name is None or not self._steps.is_complete(name, active)):
                    continue
                guard = self._conditions.known(arrow.guard, active)
                if guard == Boolean(False) and guard is not arrow.guard:  # decided by in(...)
                    continue
                found.append(Candidate(height, len(found), arrow, guard))
        return found

    def alone(self, chain: Sequence[Candidate]) -> Iterator[Selection]:
        """The selections of the only innermost state, by signals and without one."""
        # Large flat machines have one height and no order: then nothing is compared with anything.
        plain = self._order is TransitionRank.NONE and all(one.height == 0 for one in chain)
        for one in chain:
            higher = [
                other.guard
                for other in ([] if plain else chain)
                if _meet(one.arrow, other.arrow) and other.outranks(one, self._order)
            ]
            guard = guard_unless(one.guard, higher, self._scope)
            if guard is not None:
                yield Selection((one.arrow,), guard)

    def together(
        self, chains: Sequence[Sequence[Candidate]], event: str | None, *, idle: bool = False
    ) -> Iterator[Selection]:
        """The selections by an event, or without one, of several innermost states; transitions without event come
        first. ``idle`` adds the one where nothing is enabled at all.
        """
        matching = [[one for one in chain if one.arrow.trigger == event] for chain in chains]
        first = [] if event is None else [one.guard for chain in chains for one in chain if not one.waits]
        options = [list(self._options(chain)) for chain in matching]
        yield from self._products(options, [], [], first, idle=idle)

    def _options(self, chain: Sequence[Candidate]) -> Iterator[tuple[Candidate | None, list[Expression]]]:
        """Each transition of a chain that may be selected, with the guards that must not hold; at last none."""
        for one in chain:
            higher = [other.guard for other in chain if other.outranks(one, self._order)]
            if guard_unless(one.guard, higher, self._scope) is not None:
                yield one, higher
        if not any(one.guard == TRUE for one in chain):
            yield None, [one.guard for one in chain]

    def _products(
        self,
        options: Sequence[Sequence[tuple[Candidate | None, list[Expression]]]],
        chosen: list[ChartTransition],
        holds: list[Expression],
        fails: list[Expression],
        *,
        idle: bool,
    ) -> Iterator[Selection]:
        if not options:
            guard = guard_unless(joined_as_written("and", holds) if holds else TRUE, fails, self._scope)
            if guard is not None and (chosen or idle):
                yield Selection(tuple(chosen), guard)
            return
        for one, higher in options[0]:
            new = [] if one is None else [part for part in conjuncts(one.guard) if part not in (TRUE, *holds)]
            if any(exclude(part, other, self._scope) for part in new for other in holds):
                continue
            against = [*fails, *(guard for guard in higher if guard not in fails)]
            so_far = joined_as_written("and", [*holds, *new]) if holds or new else TRUE
            if guard_unless(so_far, against, self._scope) is not None:
                arrows = chosen if one is None else [*chosen, one.arrow]
                yield from self._products(options[1:], arrows, [*holds, *new], against, idle=idle)


def _meet(first: ChartTransition, second: ChartTransition) -> bool:
    """Whether one event may fire either."""
    return first.trigger is None or second.trigger is None or first.trigger == second.trigger


def heard_events(chains: Iterable[Sequence[Candidate]]) -> list[str]:
    """The triggers of transitions, in order."""
    found = (one.arrow.trigger for chain in chains for one in chain)
    return list(dict.fromkeys(trigger for trigger in found if trigger is not None))
