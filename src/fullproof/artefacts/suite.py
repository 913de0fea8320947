"""Test suites: a header that carries the guarantee, and tests that are sequences of inputs."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields

from fullproof.artefacts.guarantee import Guarantee
from fullproof.artefacts.guarantee_json import guarantee_fields
from fullproof.model.inputs import SignalEvent, TestInput, json_input, json_value

__all__ = [
    "SUITE_FORMAT",
    "SuiteDomain",
    "SuiteHeader",
    "Test",
    "TestInput",
    "header_record",
    "id_of",
    "json_input",
    "json_value",
    "make_test",
]

SUITE_FORMAT = "suite/1"


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteDomain:
    """The fault domain of a suite for a symbolic machine: all that its guarantee and the judge of its runs rest on.

    Expressions are texts over the variables and constants of the model. The bound on states is ``states`` of the
    minimal model and the ``extra_states`` of the header.
    """

    guards: tuple[str, ...]
    outputs: tuple[str, ...]
    """Every guard and output expression that a system may use: of the model, of its fault domain, and derived ones."""
    propositions: tuple[str, ...]
    properties: tuple[str, ...]
    """The atomic propositions that the classes distinguish, and the names of the properties that are claimed."""
    states: int
    single: bool
    """Whether only systems with one transition for each state and input are covered."""
    undecided: tuple[str, ...]
    """What a solver could not decide and the claim depends on, such as formulas that must be unsatisfiable."""
    families: tuple[str, ...] = ()
    """What systems may use beside: thresholds that moved (``x: 0.5``) and polynomials (``degree: 2``)."""
    never: tuple[str, ...] = ()
    """What no system has: excluded pairs (``when x == 200 then y == 0``), pairs across transitions (``pairs: own``)."""
    assumptions: tuple[str, ...] = ()
    """Assumptions on the environment: the claim is about inputs that satisfy all of these."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteHeader:
    """The first line of a suite file."""

    model: str
    model_sha256: str
    kind: str
    relation: str
    method: str
    extra_states: int
    tool: str
    guarantee: Guarantee
    """Written as a sentence, ``guarantee``, and as data, ``claim``."""
    observe: str | None = None
    """What is observed beside the outputs: ``state``, or nothing."""
    tests: int | None = None
    inputs: int | None = None
    """The number of tests: a file with fewer tests is incomplete and has no guarantee."""
    domain: SuiteDomain | None = None
    """For an sfsm."""
    faults: str | None = None
    """The faults that the suite is for, as a fault domain by name is written; None: a bound on states."""
    regions: int | None = None
    """Of a chart: the suite is for the projections on all sets of so many regions; None: for the whole model."""
    events: tuple[tuple[SignalEvent, ...], ...] | None = None
    """Of a state machine, for the model or each projection: the claim is about all sequences of these events.

    None of them where it is about some sequences alone. Tests may have further events, beside boundaries of guards.
    """
    digest: str | None = None
    """Over all other fields and the tests: the guarantee is for the tests that it was given for, and for no others."""


def header_record(header: SuiteHeader) -> dict[str, object]:
    """The fields of a header as JSON, without empty ones."""
    found: dict[str, object] = {}
    for field in fields(header):
        match value := getattr(header, field.name):
            case Guarantee():
                found |= guarantee_fields(value)
            case SuiteDomain():
                found[field.name] = asdict(value)
            case tuple() if field.name == "events":
                found[field.name] = [[json_input(event) for event in part] for part in value]
            case _:
                found[field.name] = value
    return {name: value for name, value in found.items() if value is not None}


class Test:
    """One test, never changed. ``covers`` names what it exercises, e.g. requirements.

    No dataclass, as there may be millions: the id, by default a hash of the inputs, costs more than all the rest, and
    is computed on demand.
    """

    __slots__ = ("_id", "covers", "inputs")
    __test__ = False  # not a pytest class

    def __init__(
        self,
        *,
        inputs: tuple[TestInput, ...],
        covers: tuple[str, ...] = (),
        id: str | None = None,  # noqa: A002  # as it is called in suite files
    ) -> None:
        self.inputs = inputs
        self.covers = covers
        self._id = id

    @property
    def id(self) -> str:
        """A hash of the inputs, or the id from a suite file."""
        if self._id is None:
            inputs = [json_input(symbol) for symbol in self.inputs]
            self._id = id_of(json.dumps(inputs, sort_keys=True, ensure_ascii=False, separators=(",", ":")))
        return self._id

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Test):
            return NotImplemented
        return (self.inputs, self.covers, self.id) == (other.inputs, other.covers, other.id)

    def __hash__(self) -> int:
        return hash(self.id)

    def __repr__(self) -> str:
        return f"Test(id={self.id!r}, inputs={self.inputs!r}, covers={self.covers!r})"


def make_test(inputs: Iterable[TestInput], covers: Iterable[str] = ()) -> Test:
    """Build a test whose id is a hash of its inputs: the same test keeps its id."""
    return Test(inputs=tuple(inputs), covers=tuple(covers))


def id_of(text: str) -> str:
    """The id of the test whose inputs are this JSON array, written without blanks."""
    return "t-" + hashlib.sha256(text.encode()).hexdigest()[:12]
