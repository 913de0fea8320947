"""Model files of charts with regions beside each other."""

from __future__ import annotations

from random import Random

from fullproof.language.parser import parse_assignment, parse_expression
from fullproof.language.syntax import TRUE
from fullproof.language.types import IntType, Variable
from fullproof.model.chart import (
    Action,
    ChartTransition,
    ConditionalActions,
    Effect,
    ExitsAndEntries,
    HistoryDepth,
    RaisedEvent,
    Vertex,
)
from fullproof.model.chart_model import ChartModel, TransitionRank
from fullproof.model.sts import Assignment


def counting_regions(count: int, states: int = 5, *, back: bool = True) -> str:
    """Regions that count in a circle, each by its signals, with a way back or without, and an output of its own."""
    names = ("go", "back") if back else ("go",)
    signals = ", ".join(f"{name}{r}" for r in range(count) for name in names)
    outputs = ", ".join(f"o{r}: int 0..{states - 1} = 0" for r in range(count))
    lines = [
        "machine: statemachine",
        "name: counting",
        f"signals: {{in: [{signals}]}}",
        f"outputs: {{{outputs}}}",
        "initial: all",
        "states:",
        "  all:",
        "    parallel:",
    ]
    for r in range(count):
        lines += [f"      r{r}:", f"        initial: s{r}_0", "        states:"]
        for s in range(states):
            up = (s + 1) % states
            lines.append(f"          s{r}_{s}:")
            lines.append(f"            - {{trigger: go{r}, do: ['o{r} = {up}'], to: s{r}_{up}}}")
            if s and back:
                lines.append(f"            - {{trigger: back{r}, do: ['o{r} = 0'], to: s{r}_0}}")
    return "\n".join(lines) + "\n"


def random_regions(dice: Random) -> ChartModel:
    """A chart with up to four regions, some inside others, that now and then ask, tell, stop and restart each other.

    Its input attribute is ``x``, from 0 to 3.
    """
    return _Drawing(dice).chart()


class _Drawing:
    def __init__(self, dice: Random) -> None:
        self.dice = dice
        self.vertices: list[Vertex] = []
        self.atoms: dict[str, list[str]] = {}
        self.shy = dice.choice((0.0, 0.1, 0.3))
        self.order = dice.choice(list(TransitionRank))

    def chart(self) -> ChartModel:
        outer = self.dice.random() < 0.5
        if outer:
            self.vertices += [Vertex(name="idle"), Vertex(name="box", initial="P")]
        self.add(Vertex(name="P", parallel=True, parent="box" if outer else None))
        regions = [f"r{k}" for k in range(self.dice.randint(2, 3))]
        for name in regions:
            self.region(name, "P")
        if self.dice.random() < 0.4:
            self.add(Vertex(name="Q", parallel=True, parent="r0"))
            regions += ["q0", "q1"]
            self.region("q0", "Q")
            self.region("q1", "Q")
        if outer and self.dice.random() < 0.5:
            target = self.dice.choice(self.atoms["r1"])
            self.add(Vertex(name="h", parent="box", history=self.dice.choice(list(HistoryDepth)), initial=target))
        self.names = regions
        arrows = [self.arrow() for _ in range(self.dice.randint(4, 12))]
        if self.dice.random() < 0.5:
            arrows += [self.staying("P"), self.staying(self.dice.choice([*regions, *self.atoms["r1"]]))]
        if outer:
            arrows += [self.plain("idle", "a", self.dice.choice(["P", "box", *self.atoms["r0"]])), self.plain("P", "b")]
        return ChartModel(
            name="m",
            signals_in=("a", "b", "c"),
            signals_out=tuple(f"s_{name}" for name in regions),
            inputs=(Variable(name="x", type=IntType(0, 3)),),
            outputs=tuple(Variable(name=f"o_{name}", type=IntType(0, 9), initial=0) for name in regions),
            variables=tuple(Variable(name=f"v_{name}", type=IntType(0, 2), initial=0) for name in regions),
            vertices=tuple(self.vertices),
            arrows=tuple(arrows),
            initial="idle" if outer else "P",
            order=self.order,
        )

    def add(self, vertex: Vertex) -> None:
        self.vertices.append(vertex)

    def region(self, name: str, parent: str) -> None:
        atoms = [f"{name}{letter}" for letter in "xyz"[: self.dice.randint(2, 3)]]
        self.atoms[name] = atoms
        self.add(Vertex(name=name, parent=parent, initial=atoms[0]))
        for atom in atoms:
            final = atom.endswith("z") and self.dice.random() < 0.3
            entry = self.effect(name) if self.dice.random() < 0.3 else Effect()
            self.add(Vertex(name=atom, parent=name, final=final, entry=entry))

    def foreign(self, name: str) -> str:
        return (
            self.dice.choice(self.names if hasattr(self, "names") else [name])
            if self.dice.random() < self.shy
            else name
        )

    def effect(self, name: str) -> Effect:
        whose = self.foreign(name)
        lines: list[Action] = [_assigned(f"o_{whose} = {self.dice.randint(0, 9)}")]
        if self.dice.random() < 0.3:
            lines.append(_assigned(f"v_{name} = (v_{self.foreign(name)} + 1) % 3"))
        if self.dice.random() < 0.2:
            lines.append(RaisedEvent(self.dice.choice(["e", "f"])))
        if self.dice.random() < 0.2:
            condition = parse_expression(f"v_{self.foreign(name)} == 1")
            lines.append(ConditionalActions(((condition, (_assigned(f"o_{name} = 7"), RaisedEvent("f"))),)))
        return Effect(actions=tuple(lines), sends=(f"s_{name}",) if self.dice.random() < 0.3 else ())

    def arrow(self) -> ChartTransition:
        dice = self.dice
        name = dice.choice(self.names)
        sources = [v.name for v in self.vertices if v.name in self.atoms[name] and not v.final]
        source = dice.choice([*sources, *sources, name])
        target: str | tuple[str, ...] = dice.choice(self.atoms[name])
        way = ExitsAndEntries.LOCAL if source == name and dice.random() < 0.8 else ExitsAndEntries.EXTERNAL
        if dice.random() < self.shy and way is ExitsAndEntries.EXTERNAL:
            others = [v.name for v in self.vertices if v.name not in ("idle",)]
            target = dice.choice([*others, (self.atoms["r0"][-1], self.atoms["r1"][-1])])
        guard = TRUE
        if dice.random() < 0.4:
            other = self.foreign(name)
            guard = parse_expression(dice.choice([f"in({dice.choice(self.atoms[other])})", f"v_{other} == 1"]))
        trigger = dice.choice(["a", "b", "c", "a", "b", "c", "e", "f", f"done.state.{name}"])
        if dice.random() < 0.15:  # taken when the input changes, before events are
            guard, trigger = parse_expression(f"x == {dice.randint(0, 3)}"), dice.choice([None, trigger])
        return ChartTransition(
            source=source, trigger=trigger, guard=guard, effect=self.effect(name), target=target, way=way
        )

    def staying(self, name: str) -> ChartTransition:
        """A transition that leaves nothing, of a region, a state in it or what is around all."""
        region = next((one for one in self.names if name.startswith(one)), self.dice.choice(self.names))
        names = [v.name for v in self.vertices if v.final]
        way, target = self.dice.choice([(ExitsAndEntries.INTERNAL, name), (ExitsAndEntries.EXTERNAL, ())])
        source = region if name in names else name
        target = region if target in names else target
        effect, trigger = self.effect(region), self.dice.choice("abcef")
        return ChartTransition(source=source, trigger=trigger, effect=effect, target=target, way=way)

    def plain(self, source: str, trigger: str, target: str | None = None) -> ChartTransition:
        there = target or self.dice.choice([v.name for v in self.vertices if v.name in ("idle", "h", "P")])
        return ChartTransition(source=source, trigger=trigger, target=there)


def _assigned(text: str) -> Assignment:
    name, expression = parse_assignment(text)
    return Assignment(variable=name, expression=expression)
