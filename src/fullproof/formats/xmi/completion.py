"""Completion transitions of UML: their guards are asked once, when the state is completed."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import NoReturn

from fullproof.core.errors import UserError
from fullproof.language.traversal import free_names
from fullproof.language.types import Variable
from fullproof.model.chart import Action, ChartTransition, ConditionalActions, Effect, ExitsAndEntries, Vertex
from fullproof.model.sts import Assignment


def refuse_changing_guards(
    vertices: Sequence[Vertex], arrows: Sequence[ChartTransition], inputs: Iterable[Variable]
) -> None:
    """UserError for a guard without trigger whose value may change while its state is active.

    Here such a guard is asked whenever something changes, in UML only once (UML 2.5.1, 14.2.3.8.3).
    """
    known = {vertex.name: vertex for vertex in vertices}
    given = {variable.name for variable in inputs}
    for arrow in arrows:
        if arrow.trigger is not None or arrow.source is None or known[arrow.source].choice:
            continue
        changing = free_names(arrow.guard) & (given | _assigned_meanwhile(arrow.source, known, arrows, vertices))
        if changing:
            _refuse(min(changing), arrow)


def refuse_asking_for_states(arrows: Iterable[ChartTransition], choices: Collection[str]) -> None:
    """UserError for a guard without trigger that asks whether another state is active."""
    for arrow in arrows:
        asked = [name for name in free_names(arrow.guard) if name.startswith("in(")]
        if asked and arrow.trigger is None and arrow.source not in choices:
            _refuse(min(asked), arrow)


def _refuse(name: str, arrow: ChartTransition) -> NoReturn:
    message = f"a transition without trigger asks for {name[:60]!r}, which may change while its state is active;"
    raise UserError(f"{message} UML asks once, when the state is completed: expected a trigger", at=arrow.at)


def _assigned_meanwhile(
    source: str, known: dict[str, Vertex], arrows: Sequence[ChartTransition], vertices: Sequence[Vertex]
) -> set[str]:
    around = [source]
    while (parent := known[around[-1]].parent) is not None:
        around.append(parent)
    if any(known[name].parallel for name in around[1:]):  # another region may assign
        effects = [effect for vertex in vertices for effect in (vertex.entry, vertex.exit, vertex.initial_effect)]
        return _assigned([*effects, *(arrow.effect for arrow in arrows)])
    staying = [arrow for arrow in arrows if arrow.source in around and arrow.way is ExitsAndEntries.INTERNAL]
    inner = [arrow for arrow in arrows if arrow.source not in around and _inside(arrow.source, source, known)]
    return _assigned([arrow.effect for arrow in (*staying, *inner)])


def _inside(name: str | None, outer: str, known: dict[str, Vertex]) -> bool:
    while name is not None and name != outer:
        name = known[name].parent
    return name == outer


def _assigned(effects: Iterable[Effect]) -> set[str]:
    return {name for effect in effects for action in effect.actions for name in _names(action)}


def _names(action: Action) -> set[str]:
    match action:
        case Assignment():
            return {action.variable}
        case ConditionalActions():
            return {name for _, actions in action.cases for inner in actions for name in _names(inner)}
        case _:
            return set()
