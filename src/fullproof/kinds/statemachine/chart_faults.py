"""Single faults of a chart: of one arrow, or of what one state does, in all configurations at once.

A program has one place for each of them, where the flat machine has many transitions. Of each arrow: another target in
the same region, another trigger, no guard or a typical slip in it, an assignment or a signal missing or another value
assigned, and no arrow at all. Of each state: the same for its entry and exit. Then arrows that the chart does not have.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from typing import NamedTuple

from fullproof.core.errors import UserError
from fullproof.language.formulas import negation
from fullproof.language.printer import to_text
from fullproof.language.syntax import TRUE, Binary, Expression
from fullproof.model.chart import Chart, ChartTransition, Effect, Vertex, state_names
from fullproof.model.chart_model import ChartModel
from fullproof.model.sts import Assignment
from fullproof.mutate.assignments import with_wrong_assignment, with_wrong_signal, wrong_assignments
from fullproof.mutate.expressions import chosen, epsilon_of, exchangeable
from fullproof.mutate.rewrites import Rewriter
from fullproof.smt import open_solver

_GUARDS = 8
_EACH = 1.0
"""Seconds for a question to the solver."""


class ChartFault(NamedTuple):
    """A fault in words, the chart that has it, and what it has instead of what."""

    text: str
    chart: ChartModel
    replaced: tuple[str, str] | None = None


class _Wrong(NamedTuple):
    """Something wrong about an effect."""

    what: str
    effect: Effect
    replaced: tuple[str, str] | None = None


def is_nested(chart: ChartModel) -> bool:
    """Whether something in the chart is in several transitions of the flat machine."""
    return any(vertex.parent is not None or vertex.entry or vertex.exit for vertex in chart.vertices)


def chart_faults(chart: ChartModel) -> Iterator[ChartFault]:
    """All of them, those of arrows first; some of the charts may be malformed."""
    slips, tree = _Slips(chart), chart.tree
    for k, arrow in enumerate(chart.arrows):
        for what, changed, replaced in _wrong_arrows(chart, tree, arrow, slips):
            yield ChartFault(f"{what} on {said(arrow)}", _with_arrow(chart, k, changed), replaced)
    for k, arrow in enumerate(chart.arrows):
        yield ChartFault(f"no transition {said(arrow)}", _with_arrow(chart, k, None))
    for k, vertex in enumerate(chart.vertices):
        for wrong in slips.effects(vertex.entry):
            entered = _with_vertex(chart, k, dataclasses.replace(vertex, entry=wrong.effect))
            yield ChartFault(f"{wrong.what} at the entry of {vertex.name}", entered, wrong.replaced)
        for wrong in slips.effects(vertex.exit):
            left = _with_vertex(chart, k, dataclasses.replace(vertex, exit=wrong.effect))
            yield ChartFault(f"{wrong.what} at the exit of {vertex.name}", left, wrong.replaced)
    yield from _added(chart, tree)


def said(arrow: ChartTransition) -> str:
    """``idle --start--> busy``."""
    source, target = arrow.source or "(chart)", "+".join(state_names(arrow.target))
    return f"{source} -> {target}" if arrow.trigger is None else f"{source} --{arrow.trigger}--> {target}"


class _Slips:
    """Typical mistakes in the guards and effects of a chart."""

    def __init__(self, chart: ChartModel) -> None:
        self._chart = chart
        self._scope = chart.scope
        arrows = chart.arrows
        guards = [arrow.guard for arrow in arrows]
        assigned = [a.expression for arrow in arrows for a in arrow.effect.actions if isinstance(a, Assignment)]
        self._rewriter = Rewriter(
            scope=self._scope,
            constants=exchangeable(chart, (*guards, *assigned), self._scope),
            epsilon=epsilon_of(guards, self._scope),
        )
        self._solver = open_solver(self._scope, timeout=_EACH)

    def guards(self, guard: Expression) -> Iterator[Expression]:
        """Another guard, at last none."""
        if guard == TRUE:
            return
        try:
            found = [(slip, e, guard) for slip, e in self._rewriter.variants(guard)]
            yield from (fault.expression for fault in chosen(found, [guard, TRUE], self._scope, _GUARDS))
        except UserError:  # it asks which states are active, of which a solver knows nothing
            yield negation(guard)
        yield TRUE

    def effects(self, effect: Effect) -> Iterator[_Wrong]:
        """A part missing, another value, another signal."""
        for what, row, replaced in with_wrong_assignment(effect.actions, self._assigned):
            yield _Wrong(f"action {what}", dataclasses.replace(effect, actions=row), replaced)
        for what, row, replaced in with_wrong_signal(effect.sends, self._chart.signals_out):
            yield _Wrong(what, dataclasses.replace(effect, sends=row), replaced)

    def _assigned(self, action: Assignment) -> Iterator[Assignment]:
        return wrong_assignments(action, self._rewriter, self._solver)


def _wrong_arrows(
    chart: ChartModel, tree: Chart, arrow: ChartTransition, slips: _Slips
) -> Iterator[tuple[str, ChartTransition, tuple[str, str] | None]]:
    target = "+".join(state_names(arrow.target))
    for guard in slips.guards(arrow.guard):
        old, new = to_text(arrow.guard), to_text(guard)
        what = f"no guard instead of {old}" if guard == TRUE else f"guard {new} instead of {old}"
        yield what, dataclasses.replace(arrow, guard=guard), None if guard == TRUE else (new, old)
    for wrong in slips.effects(arrow.effect):
        yield wrong.what, dataclasses.replace(arrow, effect=wrong.effect), wrong.replaced
    for other in _beside(tree, target):
        yield f"target {other} instead of {target}", dataclasses.replace(arrow, target=other), (other, target)
    for trigger in chart.signals_in if arrow.trigger in chart.signals_in else ():
        if trigger != arrow.trigger:
            what = f"trigger {trigger} instead of {arrow.trigger}"
            yield what, dataclasses.replace(arrow, trigger=trigger), (trigger, str(arrow.trigger))


def _beside(tree: Chart, name: str) -> Iterator[str]:
    """The states in the same region, and those that are there when that is entered anew."""
    if name not in tree.vertices:  # several at once
        return
    parent = tree.vertices[name].parent
    for other in (*tree.inside.get(parent, ()), *tree.histories.get(parent, ())):
        if other != name:
            yield other
    if parent is not None and not tree.vertices[parent].parallel:
        yield parent


def _added(chart: ChartModel, tree: Chart) -> Iterator[ChartFault]:
    """Arrows for signals that nothing in a state listens to, to the states beside it."""
    for vertex in chart.vertices:
        parent = vertex.parent
        if vertex.history or vertex.choice or (parent is not None and tree.vertices[parent].parallel):
            continue
        heard = {arrow.trigger for arrow in tree.leaving[vertex.name]}
        for trigger in chart.signals_in:
            for target in tree.inside.get(parent, ()) if trigger not in heard else ():
                arrow = ChartTransition(source=vertex.name, trigger=trigger, target=target)
                made = dataclasses.replace(chart, arrows=(*chart.arrows, arrow))
                yield ChartFault(f"transition {said(arrow)} added", made)


def _with_arrow(chart: ChartModel, k: int, new: ChartTransition | None) -> ChartModel:
    """With another arrow, or none. What a wrong guard or trigger takes from other arrows is its own."""
    arrows, old = list(chart.arrows), chart.arrows[k]
    if new is None:
        del arrows[k]
        return dataclasses.replace(chart, arrows=tuple(arrows))
    if (new.guard, new.trigger) != (old.guard, old.trigger):
        gives_way = _giving_way(new)
        beside = (gives_way(one) if n != k else new for n, one in enumerate(arrows))
        return dataclasses.replace(chart, arrows=tuple(one for one in beside if one is not None))
    arrows[k] = new
    return dataclasses.replace(chart, arrows=tuple(arrows))


def _giving_way(wrong: ChartTransition) -> Callable[[ChartTransition], ChartTransition | None]:
    def rest(arrow: ChartTransition) -> ChartTransition | None:
        if (arrow.source, arrow.trigger) != (wrong.source, wrong.trigger):
            return arrow
        if wrong.guard == TRUE:
            return None
        left = negation(wrong.guard)
        return dataclasses.replace(arrow, guard=left if arrow.guard == TRUE else Binary("and", arrow.guard, left))

    return rest


def _with_vertex(chart: ChartModel, k: int, new: Vertex) -> ChartModel:
    return dataclasses.replace(chart, vertices=(*chart.vertices[:k], new, *chart.vertices[k + 1 :]))
