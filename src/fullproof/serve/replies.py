"""What the JSON interface answers: for its description alone, since workers write their answers themselves."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict


class _Reply(BaseModel):
    """Answers may grow by fields of a kind of model."""

    model_config = ConfigDict(extra="allow")


class FindingReply(_Reply):
    """A remark about a model, with its place where that is known."""

    severity: Literal["error", "warning", "note"]
    rule: str
    where: str
    message: str
    witness: dict[str, Any] | None
    line: int | None
    column: int | None


class Checked(_Reply):
    """As ``fullproof check --json``. None: not asked of this kind, or not decided."""

    kind: str
    name: str
    states: int
    transitions: int
    deterministic: bool | None
    complete: bool | None
    observable: bool | None
    minimal: bool | None
    connected: bool | None
    findings: list[FindingReply]


class Drawn(_Reply):
    """The diagram; states and arrows (source, target) in the order in which they are drawn."""

    svg: str
    states: list[str]
    arrows: list[tuple[str, str]]


class Classified(_Reply):
    """As ``fullproof classes --json``, with the kind of the model, on which the other fields depend."""

    kind: Literal["sfsm", "statemachine"]


class MethodReply(_Reply):
    """A method by its name on the command line."""

    name: str
    title: str
    paper: str


class Methods(_Reply):
    """What can be asked of ``cost`` and ``generate``."""

    kind: str
    relations: list[str]
    relation: str
    extra_states: int
    properties: list[str]
    methods: list[MethodReply]


class Cost(_Reply):
    """As ``fullproof generate --json``."""

    kind: str
    relation: str
    method: str
    states: int
    extra_states: int
    tests: int
    inputs: int
    guarantee: str
    claim: dict[str, Any] | None
    seconds: float
    notes: list[str]


class Generated(Cost):
    """The same with the text of the suite file."""

    suite: str


class CompareReply(_Reply):
    """As ``fullproof compare --json``. ``conforms`` is None where that stayed open."""

    relation: str
    conforms: bool | None
    counterexample: dict[str, Any] | None


class CertifyReply(_Reply):
    """As ``fullproof certify --json``; the survivor is a model in YAML."""

    complete: bool | None
    method: str | None
    survivor: str | None
    witness: list[Any] | None
    reason: str
    tests: int
    inputs: int


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
    """One move that was made; ``from`` and ``to`` are states."""

    input: str
    output: str
    to: str


class WayReply(_Reply):
    """A transition that leaves the state; ``try`` is a move that may take it, where one was found."""

    label: str
    to: str


class Simulated(_Reply):
    """Where the moves have led. ``refused``: why the move after the last step was not possible."""

    kind: str
    state: str
    values: dict[str, str]
    steps: list[StepReply]
    refused: str | None
    outgoing: list[WayReply]
    choices: list[MoveReply]


REPLIES: dict[str, type[BaseModel]] = {
    "check": Checked,
    "draw": Drawn,
    "classes": Classified,
    "methods": Methods,
    "cost": Cost,
    "generate": Generated,
    "compare": CompareReply,
    "certify": CertifyReply,
    "convert": Converted,
    "simulate": Simulated,
}
