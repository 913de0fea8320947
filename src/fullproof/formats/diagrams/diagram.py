"""The contents of a state diagram, with uninterpreted labels."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import Enum

from fullproof.formats.columns import ColumnTable
from fullproof.formats.document.tree import Scalar


class DiagramShape(Enum):
    """The kind of element that a name of the diagram stands for."""

    STATE = "state"
    CHOICE = "choice point"
    FINAL = "final state"
    REGION = "region"
    HISTORY = "history state"
    DEEP_HISTORY = "deep history state"
    FORK = "fork"
    JOIN = "join"

    @property
    def is_history(self) -> bool:
        """Whether entering it enters what was active last."""
        return self in (DiagramShape.HISTORY, DiagramShape.DEEP_HISTORY)


@dataclass(slots=True, kw_only=True)
class DiagramState:
    """A state. ``block`` is the composite state around it; ``start`` is the target of ``[*] -->`` inside it."""

    identifier: str
    name: str
    block: str | None
    line: int
    column: int
    shape: DiagramShape = DiagramShape.STATE
    composite: bool = False
    parallel: bool = False
    """The boxes inside it are regions."""
    placed: bool = False
    """Declared, rather than only mentioned by an arrow: it stays in the block of its declaration."""
    named: bool = False
    remarks: list[Scalar] = field(default_factory=list)
    """The texts of ``identifier : text``: entry and exit actions, internal transitions, descriptions."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DiagramArrow:
    """An arrow between two states, with its label and the requirements that a comment before it names."""

    source: str
    target: str
    label: Scalar | None
    req: Scalar | None
    line: int
    column: int

    def between(self, source: str, target: str) -> DiagramArrow:
        """The same arrow between other states."""
        return replace(self, source=source, target=target)


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """``[*] --> target`` inside a block (None: at the top)."""

    target: str
    label: Scalar | None
    line: int
    column: int


@dataclass(slots=True, kw_only=True)
class Diagram:
    """Everything in the order of the file."""

    columns: ColumnTable
    header: int = 1
    """The line on which the diagram begins."""
    title: Scalar | None = None
    declarations: list[Scalar] = field(default_factory=list)
    """The lines ``%% fullproof: ...`` without their beginnings."""
    boxes: dict[str, DiagramState] = field(default_factory=dict)
    lines: list[DiagramArrow] = field(default_factory=list)
    starts: dict[str | None, Start] = field(default_factory=dict)

    @classmethod
    def empty(cls, file: str) -> Diagram:
        """Nothing yet."""
        return cls(columns=ColumnTable(file))


UNNAMED = (DiagramShape.FINAL, DiagramShape.REGION, DiagramShape.HISTORY, DiagramShape.DEEP_HISTORY)


def state_names(diagram: Diagram) -> dict[str, str]:
    """The names of states by their identifiers; final states, regions and the like get ones that no other state has."""
    taken = {box.name for box in diagram.boxes.values() if box.shape not in UNNAMED}
    names = {}
    for identifier, box in diagram.boxes.items():
        name = box.name
        while box.shape in UNNAMED and name in taken:
            name += "_"
        taken.add(name)
        names[identifier] = name
    return names
