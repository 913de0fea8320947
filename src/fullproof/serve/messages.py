"""What the JSON interface takes: checked here, before a worker sees it. OpenAPI is made from these classes."""

from __future__ import annotations

from enum import Enum
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from fullproof.artefacts.request import Criterion, Relation, StateDomain
from fullproof.formats.table import single_files

Name = Annotated[str, Field(min_length=1, max_length=200)]
Names = Annotated[list[Name], Field(max_length=100)]


class _Message(BaseModel):
    model_config = ConfigDict(extra="forbid")


class ModelText(_Message):
    """A model: its text, and a file name of which only the ending counts, such as .yaml or .dot."""

    name: Name = "model.yaml"
    text: str


class ModelQuestion(_Message):
    """A question about a model alone."""

    model: ModelText


class ClassesQuestion(ModelQuestion):
    """Which classes?"""

    properties: Names = []
    timeout: Annotated[float, Field(gt=0, le=600)] = 20.0


class MethodsQuestion(ModelQuestion):
    """Which methods are there?"""

    relation: Relation | None = None


class SuiteQuestion(ModelQuestion):
    """Which suite? The options are those of ``fullproof generate``."""

    relation: Relation | None = None
    extra_states: Annotated[int, Field(ge=0, le=20)] | None = None
    method: Name = "auto"
    fsm_method: Name | None = None
    properties: Names = []
    domain: StateDomain = StateDomain.STATES
    coverage: Criterion = Criterion.SWITCH
    reset_cost: Annotated[float, Field(ge=0, le=1e6)] = 1.0
    max_length: Annotated[int, Field(ge=1, le=10**6)] | None = None
    seed: Annotated[int, Field(ge=0, le=2**31)] = 0
    timeout: Annotated[float, Field(gt=0, le=600)] | None = None


class SuiteFormat(Enum):
    """The notations of a suite file."""

    JSONL = "jsonl"
    CSV = "csv"


class GenerateQuestion(SuiteQuestion):
    """The suite itself, please."""

    format: SuiteFormat = SuiteFormat.JSONL


class CompareQuestion(ModelQuestion):
    """Does the other model conform to the first?"""

    other: ModelText
    relation: Relation | None = None
    properties: Names = []
    timeout: Annotated[float, Field(gt=0, le=600)] | None = None
    depth: Annotated[int, Field(ge=1, le=200)] = 20


class CertifyQuestion(ModelQuestion):
    """Is this suite complete? A suite file, or one test a line, inputs separated by blanks or commas."""

    suite: str
    relation: Relation | None = None
    extra_states: Annotated[int, Field(ge=0, le=20)] | None = None
    timeout: Annotated[float, Field(gt=0, le=600)] = 30.0


def _single_file(word: str) -> str:
    if word not in (known := single_files()):
        raise ValueError(f"expected one of {', '.join(known)}")
    return word


class ConvertQuestion(ModelQuestion):
    """The model in another format."""

    format: Annotated[str, AfterValidator(_single_file)]
    """The ending of its files without the point, where one file holds the whole model."""


class MoveMessage(_Message):
    """One step by hand: a symbol, a signal or a gate, with the values of its fields as texts. No name: no event."""

    name: Annotated[str, Field(max_length=1000)] = ""
    values: Annotated[dict[str, Annotated[str, Field(max_length=1000)]], Field(max_length=200)] = {}


class SimulateQuestion(ModelQuestion):
    """Where do these moves lead?"""

    moves: Annotated[list[MoveMessage], Field(max_length=2000)] = []
    seed: Annotated[int, Field(ge=0, le=2**31)] = 0


class RunQuestion(SuiteQuestion):
    """Run a suite, given or generated, against one of the systems that the command line names."""

    system: Name
    suite: str | None = None
    repeat: Annotated[int, Field(ge=1, le=1000)] = 1
    stop_on_failure: bool = False
    step_timeout: Annotated[float, Field(gt=0, le=600)] = 10.0


class Complaint(_Message):
    """What is wrong; where it stands, if it stands in a text that was sent."""

    error: str
    message: str
    file: Literal["model", "other", "suite"] | None = None
    line: int | None = None
    column: int | None = None


class System(_Message):
    """A system under test."""

    name: str
    spec: str


class RunState(_Message):
    """How far a run has come. ``result`` has the fields of ``fullproof run --json`` and is there at its end."""

    id: str
    system: str
    model: str
    status: Literal["waiting", "running", "done", "failed", "stopped"]
    done: int = 0
    total: int | None = None
    steps: int = 0
    seconds: float = 0.0
    complaint: Complaint | None = None
    result: dict[str, object] | None = None
    report: str | None = None
