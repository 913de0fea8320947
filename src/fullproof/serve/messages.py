"""The requests of the JSON interface, checked before a worker gets them. OpenAPI is made from these classes."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Annotated, Any, ClassVar, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError

from fullproof.artefacts.options import RequestOption, from_options, option_named, options_of, unknown_option
from fullproof.artefacts.questions import CertifyRequest, ClassesRequest, CompareRequest, MethodsRequest
from fullproof.artefacts.request import RunRequest, SuiteRequest
from fullproof.core.errors import UserError
from fullproof.formats.table import single_files
from fullproof.model.named_faults import FaultName

Name = Annotated[str, Field(min_length=1, max_length=200)]
_TYPES = {bool: "boolean", int: "integer", float: "number"}
_MOST = {
    "extra-states": 20,
    "reset-cost": 1e6,
    "max-length": 10**6,
    "depth": 200,
    "repeat": 1000,
    "steps": 10**6,
    "seed": 2**31,
    "timeout": 600,
    "step-timeout": 600,
    "test-timeout": 600,
}
"""The largest numbers that a page may request."""
_PATHS = frozenset({"since"})
"""Options that name a file, which no page may do."""


def _require_names(faults: object) -> None:
    """On the command line ``--faults`` may name a file, too."""
    known = [name.value for name in FaultName]
    for name in str(faults).split(","):
        if name.strip() not in known:
            raise UserError(
                f"--faults {name.strip()[:60]}: a page may name {', '.join(known)}; files are for the command line"
            )


class _Message(BaseModel):
    model_config = ConfigDict(extra="forbid")


class ModelText(_Message):
    """A model: its text, and a file name of which only the ending counts, such as .yaml or .dot."""

    name: Name = "model.yaml"
    text: str


class ModelQuestion(_Message):
    """A question about a model alone."""

    model: ModelText


class _OptionsQuestion(ModelQuestion):
    """A question with the options of a request, by their names; ``options`` holds them for the worker."""

    model_config = ConfigDict(json_schema_extra=lambda schema, kind: _describe(schema, kind))
    request: ClassVar[type]
    fixed: ClassVar[Mapping[str, object]] = {}
    """Options that a page may not set."""
    withheld: ClassVar[frozenset[str]] = _PATHS
    usual: ClassVar[Mapping[str, object]] = {}
    """Defaults that differ from those of the command line."""
    options: dict[str, Any] = {}

    @model_validator(mode="before")
    @classmethod
    def _read(cls, body: Any) -> Any:
        """Check the options as every front end does; pydantic checks the rest."""
        if not isinstance(body, dict):
            return body
        declared = cls.model_fields.keys() - {"options"}
        given = {str(name): value for name, value in body.items() if name not in declared}
        known = cls.known()
        try:
            for name, value in given.items():
                if option_named(cls.request, name).name not in known:
                    raise unknown_option(name, known)
                if name == "faults" and value is not None:
                    _require_names(value)
            from_options(cls.request, {**cls.usual, **given, **cls.fixed}, most=_MOST)
        except UserError as error:
            raise PydanticCustomError("option", "{message}", {"message": error.message}) from None
        return {name: body[name] for name in body.keys() & declared} | {"options": {**cls.usual, **given}}

    @classmethod
    def known(cls) -> dict[str, RequestOption]:
        """The options that a page may give."""
        kept = options_of(cls.request).items()
        return {name: one for name, one in kept if name not in cls.withheld and name not in cls.fixed}


def _describe(schema: dict[str, Any], kind: Any) -> None:
    """The options as properties of the body."""
    schema["properties"].pop("options", None)
    schema["properties"] |= {one.field: _schema(one) for one in kind.known().values()}


def _schema(one: RequestOption) -> dict[str, Any]:
    value: dict[str, Any] = {"type": _TYPES.get(one.type, "string")}
    if one.choices:
        value["enum"] = list(one.choices)
    least, most = one.described.least, _MOST.get(one.name, one.described.most)
    value |= {} if least is None else {"minimum": least}
    value |= {} if most is None else {"maximum": most}
    return {"description": one.described.help, **({"type": "array", "items": value} if one.repeated else value)}


class ClassesQuestion(_OptionsQuestion):
    """The classes of a model."""

    request = ClassesRequest
    usual: ClassVar[Mapping[str, object]] = {"timeout": 20.0}


class MethodsQuestion(_OptionsQuestion):
    """The methods for a model."""

    request = MethodsRequest


class SuiteQuestion(_OptionsQuestion):
    """A suite. The options are those of ``fullproof generate``."""

    request = SuiteRequest


class SuiteFormat(Enum):
    """The notations of a suite file."""

    JSONL = "jsonl"
    CSV = "csv"


class GenerateQuestion(SuiteQuestion):
    """The suite itself."""

    format: SuiteFormat = SuiteFormat.JSONL


class CompareQuestion(_OptionsQuestion):
    """Does the other model conform to the first?"""

    request = CompareRequest
    other: ModelText


class CertifyQuestion(_OptionsQuestion):
    """Is this suite complete? A suite file, or one test a line, inputs separated by blanks or commas."""

    request = CertifyRequest
    withheld: ClassVar[frozenset[str]] = _PATHS | frozenset(
        {"output", "cluster", "certificate", "with", "second-solver"}
    )
    usual: ClassVar[Mapping[str, object]] = {"timeout": 30.0}
    suite: str


def _single_file(word: str) -> str:
    if word not in (known := single_files()):
        raise ValueError(f"expected one of {', '.join(known)}")
    return word


class ConvertQuestion(ModelQuestion):
    """The model in another format."""

    format: Annotated[str, AfterValidator(_single_file)]
    """The ending of its files without the point, where one file holds the whole model."""


class MoveMessage(_Message):
    """One step by hand: a symbol, a signal or a gate, with the values of its fields as texts. No name: no event.

    ``event``: instead, what a transition system did, as its failures and counterexamples tell it.
    """

    event: Annotated[dict[str, Any], Field(max_length=1)] | None = None
    name: Annotated[str, Field(max_length=1000)] = ""
    values: Annotated[dict[str, Annotated[str, Field(max_length=1000)]], Field(max_length=200)] = {}


class SimulateQuestion(ModelQuestion):
    """Where do these moves lead?"""

    moves: Annotated[list[MoveMessage], Field(max_length=2000)] = []
    seed: Annotated[int, Field(ge=0, le=2**31)] = 0


class MutantQuestion(ModelQuestion):
    """A faulty variant of the model; another number, another one."""

    number: Annotated[int, Field(ge=0, le=2**31)] = 0


class RunQuestion(_OptionsQuestion):
    """Run a suite, given or generated, as ``fullproof run``.

    The system is one that the command line names, or ``other``, a model that plays it.
    """

    request = RunRequest
    fixed: ClassVar[Mapping[str, object]] = {"sut": ""}
    withheld: ClassVar[frozenset[str]] = _PATHS | frozenset(
        {"suite", "report", "journal", "resume", "allow-changed-system", "jobs", "isolate", "cluster", "baseline"}
    )
    system: Name | None = None
    other: ModelText | None = None
    suite: str | None = None

    @model_validator(mode="after")
    def _one_system(self) -> RunQuestion:
        if (self.system is None) == (self.other is None):
            raise PydanticCustomError("option", "a run needs either the name of a system or another model")
        return self

    @property
    def system_name(self) -> str:
        """What the system is called."""
        return self.system or f"model {self.other.name if self.other else ''}"


class LearnQuestion(_Message):
    """Learn the model of a system that the command line names, as ``fullproof learn``."""

    system: Name
    inputs: Annotated[list[Annotated[str, Field(min_length=1, max_length=1000)]], Field(min_length=1, max_length=500)]
    extra_states: Annotated[int, Field(ge=0, le=20)] = 1
    method: Annotated[str, Field(max_length=100)] = "auto"


class Complaint(_Message):
    """An error, with its place if it is in a text of the request."""

    error: str
    message: str
    file: Literal["model", "other", "suite"] | None = None
    line: int | None = None
    column: int | None = None


class FileText(_Message):
    """A file of the folder that the command line names; ``digest`` says which text it is about, None a new file."""

    name: Annotated[str, Field(min_length=1, max_length=1000)]
    text: str
    digest: str | None = None


class FolderList(_Message):
    """The models of the folder that the command line names; no name where it names none."""

    folder: str | None
    files: list[str]


class KnownKeys(_Message):
    """The keys of model files, by kind of model."""

    model: dict[str, list[str]]
    state: dict[str, list[str]]
    transition: dict[str, list[str]]


class System(_Message):
    """A system under test."""

    name: str
    spec: str


class RunProgress(_Message):
    """How far a run has come, or learning. ``result`` is there at its end: the fields of ``run --json``; of
    ``learn --json``, with the ``text`` of the model.
    """

    id: str
    question: Literal["run", "learn"]
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
