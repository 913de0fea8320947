"""Chart -> picture: boxes inside boxes, with the lines that stand in them, before anything has a position."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum

from fullproof.formats.charts.owned_timers import OwnedTimers
from fullproof.formats.charts.times import shown_time
from fullproof.language.printer import to_text
from fullproof.language.syntax import TRUE
from fullproof.model import Model
from fullproof.model.chart import (
    Action,
    Chart,
    ChartTransition,
    ConditionalActions,
    Effect,
    ExitsAndEntries,
    HistoryDepth,
    RaisedEvent,
    SentSignal,
    StartedTimer,
    StoppedTimer,
    Vertex,
    state_names,
)
from fullproof.model.chart_model import ChartModel
from fullproof.model.sts import Assignment
from fullproof.model.unflattened import active_states, arrows_taken, chart_of
from fullproof.report.drawing.picture import Highlight, Line, Mark, PictureArrow, PictureNode, Shape
from fullproof.report.drawing.text_width import visible, wrap

_WIDTH, _LINES = 20.0, 4
"""Em per line, and lines, of one transition or action."""
START = "start of "


class Pseudo(Enum):
    """Small circles: where a box begins, what it remembers, where it ends, where its own transitions begin."""

    START = ""
    SHALLOW = "H"
    DEEP = "H*"
    FINAL = "final"
    DOT = "dot"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartNode:
    """An atomic state, or a small circle; inside of the box of a composite, or of none."""

    name: str
    box: str | None
    node: PictureNode
    pseudo: Pseudo | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartBox:
    """A composite state: its name and what it does by itself stand above what is inside."""

    name: str
    box: str | None
    node: PictureNode
    region: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartArrow:
    """An arrow between nodes; where it begins or ends at a box, its node lies inside of that."""

    source: str
    target: str
    from_box: str | None
    to_box: str | None
    arrow: PictureArrow


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartPicture:
    """All that a drawing of a chart shows; boxes are listed before those inside them."""

    title: str
    nodes: tuple[ChartNode, ...]
    boxes: tuple[ChartBox, ...]
    arrows: tuple[ChartArrow, ...]


def has_boxes(model: Model) -> bool:
    """Whether a model is a chart with states inside states."""
    chart = chart_of(model)
    return chart is not None and any(vertex.parent is not None for vertex in chart.vertices)


def chart_picture(model: Model, highlight: Highlight) -> ChartPicture:
    """The contents of a drawing of a chart."""
    chart = chart_of(model)
    assert chart is not None
    return _Drawing(chart, _of_chart(model, highlight)).picture()


def _of_chart(model: Model, highlight: Highlight) -> Highlight:
    """What stands out, by states and transitions of the chart instead of those of the flat machine."""
    return Highlight(
        states=frozenset(name for state in highlight.states for name in active_states(model, state)),
        transitions=arrows_taken(model, highlight.transitions),
        covered=None if highlight.covered is None else arrows_taken(model, highlight.covered),
    )


class _Drawing:
    def __init__(self, chart: ChartModel, highlight: Highlight) -> None:
        self.chart = _with_times(chart)
        self.tree: Chart = self.chart.tree
        self.highlight = highlight
        self.nodes: list[ChartNode] = []
        self.boxes: list[ChartBox] = []
        self.first: dict[str, str] = {}
        """A node inside each box, by which arrows reach it."""
        self.own: dict[str | None, list[Line]] = {}
        """What a state does without leaving it."""
        self.joined: dict[tuple[str, str, str | None, str | None], list[tuple[Line, ...]]] = {}
        self.members: dict[tuple[str, str, str | None, str | None], list[int]] = {}
        """The transitions of each arrow, by number."""

    def picture(self) -> ChartPicture:
        inside = {id(arrow) for arrow in self.chart.arrows if self.stays(arrow)}
        for number, arrow in enumerate(self.chart.arrows):
            if id(arrow) in inside:
                self.own.setdefault(arrow.source, []).extend(self.lines(number, arrow))
        for name in sorted(self.tree.vertices, key=self.tree.order.__getitem__):
            self.add(self.tree.vertices[name])
        self.begin(None, self.tree.initial)
        for vertex in self.tree.vertices.values():
            if vertex.initial is not None:
                self.begin(vertex, state_names(vertex.initial))
        for number, arrow in enumerate(self.chart.arrows):
            if id(arrow) not in inside:
                self.connect(number, arrow)
        arrows = tuple(self.made(key, listed) for key, listed in self.joined.items())
        title = f"{self.chart.name}: {len(self.tree.vertices)} states, {len(self.chart.arrows)} transitions"
        return ChartPicture(title=title, nodes=tuple(self.nodes), boxes=tuple(self.boxes), arrows=arrows)

    def stays(self, arrow: ChartTransition) -> bool:
        """Whether a transition is listed in its state: one that stays there, or a composite's to itself."""
        return arrow.way is ExitsAndEntries.INTERNAL or state_names(arrow.target) in ((), (arrow.source,))

    def add(self, vertex: Vertex) -> None:
        name, box = vertex.name, vertex.parent
        story = "\n".join(map(visible, [name, *_doings(vertex)]))
        own = [Line(visible(text)) for text in _doings(vertex)] + self.own.get(name, [])
        node = PictureNode(
            story=story,
            lines=wrap(visible(name), width=_WIDTH, lines=3),
            loops=tuple(one for line in own for one in _wrapped(line)),
            shape=Shape.CHOICE if vertex.choice else Shape.STATE,
            marked=name in self.highlight.states,
        )
        if name in self.tree.inside:
            parallel = box is not None and self.tree.vertices[box].parallel
            self.boxes.append(ChartBox(name=name, box=box, node=node, region=parallel))
            return
        pseudo = Pseudo.FINAL if vertex.final else None
        if vertex.history is not None:
            pseudo = Pseudo.DEEP if vertex.history is HistoryDepth.DEEP else Pseudo.SHALLOW
        self.nodes.append(ChartNode(name=name, box=box, node=node, pseudo=pseudo))
        for above in self.tree.paths[name][:-1]:
            self.first.setdefault(above, name)

    def small(self, name: str, box: str | None, pseudo: Pseudo) -> str:
        """A small circle of a box."""
        if not any(node.name == name for node in self.nodes):
            node = PictureNode(story="", lines=("",), loops=(), shape=Shape.STATE, marked=False)
            self.nodes.append(ChartNode(name=name, box=box, node=node, pseudo=pseudo))
        return name

    def begin(self, vertex: Vertex | None, targets: tuple[str, ...]) -> None:
        """The arrow to what is entered by default."""
        if vertex is not None and vertex.history is not None:
            start = vertex.name
        else:
            box = None if vertex is None else vertex.name
            start = self.small(f"{START}{box}", box, Pseudo.START)
        lines = () if vertex is None else tuple(_wrapped(Line(f"/ {_effect(vertex.initial_effect)}")))
        for target in targets:
            named = lines if vertex is not None and vertex.initial_effect else ()
            self.joined.setdefault((start, *self.end(target, start)[:1], None, self.end(target, start)[1]), []).append(
                named
            )

    def end(self, name: str, other: str) -> tuple[str, str | None]:
        """The node by which an arrow reaches a state, and the box at whose edge it ends."""
        if name not in self.tree.inside:
            return name, None
        inner = other in self.tree.paths and self.tree.within(other, name)
        return self.first[name], None if inner else name

    def connect(self, number: int, arrow: ChartTransition) -> None:
        lines = self.lines(number, arrow)
        for k, target in enumerate(state_names(arrow.target)):
            source, from_box = self.begins(arrow, target)
            node, to_box = self.end(target, arrow.source or "")
            if to_box is not None and arrow.source is not None and self.tree.within(arrow.source, target):
                to_box = None
            key = source, node, from_box, to_box
            self.joined.setdefault(key, []).append(lines if k == 0 else ())
            self.members.setdefault(key, []).append(number)

    def begins(self, arrow: ChartTransition, target: str) -> tuple[str, str | None]:
        name = arrow.source
        if name is None:
            return self.small("(chart)", None, Pseudo.DOT), None
        if name not in self.tree.inside:
            return name, None
        if self.tree.within(target, name):
            return self.small(f"dot of {name}", name, Pseudo.DOT), None
        return self.first[name], name

    def lines(self, number: int, arrow: ChartTransition) -> tuple[Line, ...]:
        head = " ".join(
            part
            for part in (
                arrow.trigger or ("done" if arrow.completion else ""),
                "" if arrow.guard == TRUE else f"[{to_text(arrow.guard)}]",
            )
            if part
        )
        effect = _effect(arrow.effect)
        mark = self.highlight.mark(number)
        line = Line(visible(head), visible(f"/ {effect}") if effect else "", mark=mark, of=(number,))
        return tuple(_wrapped(line))

    def made(self, key: tuple[str, str, str | None, str | None], listed: list[tuple[Line, ...]]) -> ChartArrow:
        source, target, from_box, to_box = key
        lines = tuple(line for lines in listed for line in lines if line.stimulus or line.response)
        marks = [line.mark for line in lines]
        mark = next((mark for mark in Mark if mark in marks), None)
        story = "\n".join(f"{line.stimulus} {line.response}".strip() for line in lines)
        of = tuple(self.members.get(key, ()))
        arrow = PictureArrow(source=0, target=0, lines=lines, story=story, mark=mark, of=of)
        return ChartArrow(source=source, target=target, from_box=from_box, to_box=to_box, arrow=arrow)


def _with_times(chart: ChartModel) -> ChartModel:
    """The chart as it is read: a timer of a state is the time for which its transitions wait, and no action of it."""
    owned = OwnedTimers(chart)
    if not owned.owners:
        return chart
    constants = {constant.name: constant.value for constant in chart.description.constants}
    words = {
        name: f"{'every' if timer.periodic else 'after'} {shown_time(timer, owned.owners[name], constants)}"
        for name, timer in owned.timers.items()
        if name in owned.owners
    }
    arrows = (replace(arrow, trigger=words.get(arrow.trigger or "", arrow.trigger)) for arrow in chart.arrows)
    return replace(chart, vertices=tuple(owned.bare()), arrows=tuple(arrows))


def _doings(vertex: Vertex) -> Iterator[str]:
    for what, effect in (("entry", vertex.entry), ("exit", vertex.exit)):
        if effect:
            yield f"{what} / {_effect(effect)}"


def _wrapped(line: Line) -> Iterator[Line]:
    """A line of a label, broken where it is long."""
    heads = wrap(line.stimulus, width=_WIDTH, lines=_LINES) if line.stimulus else ()
    tails = wrap(line.response, width=_WIDTH, lines=_LINES) if line.response else ()
    if len(heads) == 1 and len(tails) == 1 and len(heads[0]) + len(tails[0]) < 2 * _WIDTH:
        yield Line(heads[0], tails[0], mark=line.mark, of=line.of)
        return
    for k, text in enumerate(heads):
        yield Line(text, further=k > 0, mark=line.mark, of=line.of)
    for k, text in enumerate(tails):
        yield Line("", text, further=bool(heads) or k > 0, mark=line.mark, of=line.of)


def _effect(effect: Effect) -> str:
    return "; ".join(_action(action) for action in effect.steps())


def _action(action: Action) -> str:
    match action:
        case Assignment(variable=name, expression=value):
            return f"{name} = {to_text(value)}"
        case SentSignal(signal=name):
            return f"send {name}"
        case RaisedEvent(event=name):
            return f"raise {name}"
        case StartedTimer(timer=name, state=state):
            return f"start {name}" if state is None else f"restart {name}"
        case StoppedTimer(timer=name):
            return f"stop {name}"
        case ConditionalActions(cases=cases):
            conditions = [f"if {to_text(when)}" for when, _ in cases]
            if len(cases) > 1 and cases[-1][0] == TRUE:
                conditions[-1] = ""
            heads = [condition if k == 0 else f"else {condition}".strip() for k, condition in enumerate(conditions)]
            done = (", ".join(map(_action, actions)) or "nothing" for _, actions in cases)
            return " ".join(f"{head}: {what}" for head, what in zip(heads, done, strict=True))
