"""A state machine as keys, lists and texts: its chart, one state inside another, where a model file can say that."""

from __future__ import annotations

from fullproof.formats.charts.owned_timers import OwnedTimers, TimerAction
from fullproof.formats.charts.start import assigned_first
from fullproof.formats.charts.times import shown_time, time_text
from fullproof.formats.charts.written import ChartQuestions, plain_effect, tree_of
from fullproof.formats.document.outline import (
    Outline,
    ScalarText,
    Word,
    chart_keys,
    guard_outline,
    names_outline,
    outline,
)
from fullproof.formats.document.state_paths import Path, StatePaths
from fullproof.language.printer import to_text
from fullproof.language.syntax import TRUE
from fullproof.model import Model, StateMachine
from fullproof.model.chart import (
    Action,
    ChartTransition,
    ConditionalActions,
    Effect,
    ExitsAndEntries,
    Names,
    StartedTimer,
    Vertex,
    done_event,
    state_names,
)
from fullproof.model.chart_model import ChartModel, TransitionRank
from fullproof.model.sts import Assignment
from fullproof.model.timed import Timer


def written_outline(model: Model) -> dict[str, Outline]:
    """The keys of the model file, from top to bottom."""
    if not isinstance(model, StateMachine):
        return outline(model)
    chart = tree_of(model, lambda chart: _is_sayable(assigned_first(chart)))
    return outline(model) if chart is None else _ChartOutline(assigned_first(chart)).keys()


def _is_sayable(chart: ChartModel) -> bool:
    """Whether a model file can say all of a chart."""
    asks, owned = ChartQuestions(chart), OwnedTimers(chart)
    starts = all(a == StartedTimer(a.timer) for a in chart.before.actions if isinstance(a, StartedTimer))
    begins = starts and all(isinstance(a, StartedTimer) for a in chart.before.steps())
    for action in asks.actions:
        if isinstance(action, StartedTimer) and action.state is not None and action.timer not in owned.owners:
            return False
    arrows = all(arrow.target != () or (arrow.source is None and _stays(arrow)) for arrow in chart.arrows)
    return begins and arrows and asks.asks_plainly and _triggers_are_known(chart, asks) and _names_mean_states(chart)


def _triggers_are_known(chart: ChartModel, asks: ChartQuestions) -> bool:
    """Whether each event is received, raised, or the end of a state, and none of two of these."""
    known = {*chart.received, *asks.raised, *(done_event(vertex.name) for vertex in chart.vertices)}
    return all(arrow.trigger is None or arrow.trigger in known for arrow in chart.arrows)


def _names_mean_states(chart: ChartModel) -> bool:
    """Whether the name of each state means it, from wherever it is used."""
    asks = ChartQuestions(chart)
    paths = StatePaths(asks.path(vertex.name) for vertex in chart.vertices)
    used: list[tuple[Path, str]] = [((), name) for name in (*state_names(chart.initial), *chart.choices)]
    for vertex in chart.vertices:
        used += [(asks.path(vertex.name), name) for name in state_names(vertex.initial)]
    for arrow in chart.arrows:
        place = () if arrow.source is None else asks.path(arrow.source)
        used += [(place, name) for name in state_names(arrow.target)]
    same = all(name == path[-1] for path, name in paths.names.items())
    return same and all(paths.meant(name, place) == [asks.path(name)] for place, name in dict.fromkeys(used))


def _stays(arrow: ChartTransition) -> bool:
    return arrow.way is ExitsAndEntries.INTERNAL


class _ChartOutline:
    def __init__(self, chart: ChartModel) -> None:
        self.chart = chart
        self.owned = OwnedTimers(chart)
        self.constants = {constant.name: constant.value for constant in chart.description.constants}

    def keys(self) -> dict[str, Outline]:
        """The whole file."""
        chart = self.chart
        found: dict[str, Outline] = {"machine": ScalarText("statemachine"), "name": ScalarText(chart.name)}
        if chart.order is TransitionRank.DOCUMENT:
            found["semantics"] = ScalarText("scxml")
        described = chart_keys(chart)
        late = ("choices", "fault_domain", "properties", "requirements")
        found |= {key: value for key, value in described.items() if key not in late}
        free = {t.name: ScalarText(time_text(t)) for t in chart.timers if t.name not in self.owned.owners}
        if free:
            found["timers"] = {**free}
        started = [action.timer for action in chart.before.actions if isinstance(action, StartedTimer)]
        if started:
            found["started"] = names_outline(started)
        found["initial"] = _targets(chart.initial)
        found |= {"choices": described["choices"]} if "choices" in described else {}
        whole: list[Outline] = [self.transition(arrow) for arrow in chart.arrows if arrow.source is None]
        found |= {"transitions": whole} if whole else {}
        found["states"] = self.states()
        return found | {key: value for key, value in described.items() if key in late[1:]}

    def states(self) -> dict[str, Outline]:
        """The states, one inside another."""
        made: dict[str, dict[str, Outline]] = {}
        inside: dict[str | None, dict[str, Outline]] = {None: {}}
        chart, order = self.chart, self.chart.tree.order
        leaving: dict[str | None, list[Outline]] = {}
        for arrow in chart.arrows:
            leaving.setdefault(arrow.source, []).append(self.transition(arrow))
        around = {vertex.name: vertex for vertex in chart.vertices}
        for vertex in sorted(chart.vertices, key=lambda v: order[v.name]):
            record = made[vertex.name] = self.state(vertex)
            if vertex.name in leaving:
                record["transitions"] = leaving[vertex.name]
            if vertex.parent is not None and vertex.parent not in inside:
                inside[vertex.parent] = {}
                key = "parallel" if around[vertex.parent].parallel else "states"
                made[vertex.parent][key] = inside[vertex.parent]
            inside[vertex.parent][vertex.name] = record
        for part in inside.values():
            for name in part:
                if set(made[name]) <= {"transitions"}:
                    part[name] = made[name].get("transitions", [])
        return inside[None]

    def state(self, vertex: Vertex) -> dict[str, Outline]:
        """The keys of a state, without its transitions and the states inside it."""
        found: dict[str, Outline] = {}
        if vertex.history is not None:
            found["history"] = ScalarText(vertex.history.value)
        if vertex.initial is not None:
            start = self.effect(vertex.initial_effect)
            found["initial"] = {"to": _targets(vertex.initial), **start} if start else _targets(vertex.initial)
        for key, effect in (("entry", vertex.entry), ("exit", vertex.exit)):
            kept = self.effect(self.owned.without(effect))
            if kept:
                found[key] = kept
        if vertex.final:
            found["final"] = ScalarText("true", Word.NUMBER)
        return found

    def transition(self, arrow: ChartTransition) -> dict[str, Outline]:
        """The keys of a transition."""
        found: dict[str, Outline] = {}
        if arrow.trigger in self.owned.owners:
            found = self.time(self.owned.timers[arrow.trigger], self.owned.owners[arrow.trigger])
        elif arrow.trigger is not None:
            found["trigger"] = ScalarText(arrow.trigger)
        started = [a.timer for a in arrow.effect.actions if isinstance(a, StartedTimer)]
        restarts = [name for name in started if name in self.owned.owners]
        found |= {**guard_outline(arrow.guard), **self.effect(self.owned.without(arrow.effect))}
        if restarts:
            found["restart"] = names_outline(dict.fromkeys(restarts))
        if arrow.way is not ExitsAndEntries.INTERNAL:
            found["to"] = _targets(arrow.target)
        if arrow.completion or arrow.way is not ExitsAndEntries.EXTERNAL:
            found["kind"] = ScalarText("completion" if arrow.completion else arrow.way.value)
        return {**found, **({"req": names_outline(arrow.requirements)} if arrow.requirements else {})}

    def time(self, timer: Timer, owner: str) -> dict[str, Outline]:
        """``after: 30 s``, as it was written where the name of the timer shows that."""
        key = "every" if timer.periodic else "after"
        shown = shown_time(timer, owner, self.constants)
        named = timer.name != f"{owner} {key} {shown}"
        return {key: ScalarText(shown), **({"timer": ScalarText(timer.name)} if named else {})}

    def effect(self, effect: Effect) -> dict[str, Outline]:
        """Assignments, internal events, timers of no state, and signals."""
        if any(isinstance(action, ConditionalActions) for action in effect.actions):
            return {"do": [self.item(action) for action in effect.steps()]}
        plain = plain_effect(effect)
        found: dict[str, Outline] = {}
        if plain.assignments:
            texts = [f"{a.variable} = {to_text(a.expression)}" for a in plain.assignments]
            found["do"] = [ScalarText(text, Word.CODE) for text in texts]
        last = {action.timer: action for action in effect.actions if isinstance(action, TimerAction)}
        starts = [name for name, action in last.items() if isinstance(action, StartedTimer)]
        stops = [name for name in last if name not in starts]
        named = {"raise": plain.raises, "send": plain.sends, "start": starts, "stop": stops}
        return found | {key: names_outline(names) for key, names in named.items() if names}

    def item(self, action: Action) -> Outline:
        """An action at its place among others."""
        match action:
            case Assignment():
                return ScalarText(f"{action.variable} = {to_text(action.expression)}", Word.CODE)
            case ConditionalActions():
                return self.cases(action)
            case _:
                return self.effect(Effect(actions=(action,)))

    def cases(self, action: ConditionalActions) -> Outline:
        """``{if: x > 3, do: [...], else: {...}}``"""
        found: dict[str, Outline] = {}
        for when, done in reversed(action.cases):
            last = not found and when == TRUE and len(action.cases) > 1
            found = {
                **({} if last else {"if": ScalarText(to_text(when), Word.CODE)}),
                **self.effect(Effect(actions=done)),
                **({"else": found} if found else {}),
            }
        return found


def _targets(names: Names) -> Outline:
    listed = state_names(names)
    return ScalarText(listed[0]) if len(listed) == 1 else names_outline(listed)
