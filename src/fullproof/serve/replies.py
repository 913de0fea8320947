"""What the JSON interface answers: for its description alone, since workers write their answers themselves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel, ConfigDict

from fullproof.artefacts.replies import CertifyReply, CheckReply, CompareReply, FindingReply, SuiteReply


class _Reply(BaseModel):
    """Base of answers, which may have further fields for a kind of model."""

    model_config = ConfigDict(extra="allow")


@dataclass(frozen=True, kw_only=True)
class PlacedFinding(FindingReply):
    """A finding with its place, where that is known."""

    line: int | None
    column: int | None


@dataclass(frozen=True, kw_only=True)
class Checked(CheckReply):
    """As ``fullproof check --json``."""

    findings: tuple[PlacedFinding, ...]


class Drawn(_Reply):
    """The diagram; states and arrows (source, target) in the order in which they are drawn, and their lines.

    ``data-of`` in the drawing has numbers of transitions, whose lines are ``transition_lines``.
    """

    svg: str
    states: list[str]
    arrows: list[tuple[str, str]]
    state_lines: list[int | None]
    arrow_lines: list[int | None]
    transition_lines: list[int | None]


class MutantText(_Reply):
    """A faulty variant: its text, and what is wrong with it. ``conforms``: whether it conforms, None: unknown."""

    name: str
    text: str
    operator: str
    where: str
    conforms: bool | None


class Classified(_Reply):
    """As ``fullproof classes --json``, with the kind of the model, on which the other fields depend."""

    kind: Literal["sfsm", "statemachine"]


class MethodReply(_Reply):
    """A method by its name on the command line."""

    name: str
    title: str
    paper: str


class Methods(_Reply):
    """The options of ``cost`` and ``generate``."""

    kind: str
    relations: list[str]
    relation: str
    extra_states: int
    extra_states_given: bool
    properties: list[str]
    methods: list[MethodReply]
    compared: list[str]
    """The relations that ``compare`` decides."""
    idle: list[str]
    """Options without effect on this model, which pages do not show."""


@dataclass(frozen=True, kw_only=True)
class Generated(SuiteReply):
    """The same as ``cost`` with the text of the suite file."""

    suite: str


class Converted(_Reply):
    """The model in another format."""

    text: str


class Field(_Reply):
    """A value that a move needs; ``options`` are all it can be, where these are few."""

    name: str
    type: str
    options: list[str] | None
    value: str


class MoveReply(_Reply):
    """A move that can be made: a symbol, a signal or a gate, with fields to fill in. No name: no event, or waiting."""

    name: str
    fields: list[Field]


class StepReply(_Reply):
    """One move that was made; ``from`` and ``to`` are states, ``taken`` transitions by their numbers in the drawing."""

    input: str
    output: str
    to: str
    active: list[str]
    taken: list[int]


class WayReply(_Reply):
    """A transition that leaves the state; ``try`` is a move that may take it, where one was found.

    ``of``: its numbers in the drawing.
    """

    label: str
    to: str
    of: list[int]


class Simulated(_Reply):
    """Where the moves have led. ``refused``: why the move after the last step was not possible."""

    kind: str
    state: str
    active: list[str]
    clock: str
    """The time since the beginning and the timers that run, of a model that has any."""
    values: dict[str, str]
    steps: list[StepReply]
    refused: str | None
    outgoing: list[WayReply]
    choices: list[MoveReply]


ANSWERS: dict[str, type] = {
    "check": Checked,
    "draw": Drawn,
    "classes": Classified,
    "methods": Methods,
    "cost": SuiteReply,
    "generate": Generated,
    "compare": CompareReply,
    "certify": CertifyReply,
    "convert": Converted,
    "simulate": Simulated,
    "mutant": MutantText,
}
