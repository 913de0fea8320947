"""What the user asks about models and suites: classes, conformance, completeness, mutants and which of them die."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from fullproof.artefacts.options import is_given, option, part
from fullproof.artefacts.request import (
    BASELINE,
    CERTIFICATE,
    CLUSTER,
    EXTRA_STATES,
    FAULTS,
    OBSERVE,
    PROPERTY,
    RELATION,
    SEED,
    SINCE,
    SUT,
    Observe,
    Relation,
    SuiteRequest,
)
from fullproof.core.errors import UserError


class StateEquality(Enum):
    """When two states of a Python object are one state of its model."""

    VALUE = "value"
    BEHAVIOUR = "behaviour"


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckRequest:
    """What a model is, and what is wrong with it."""

    observe: Observe | None = option(OBSERVE)


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassesRequest:
    """The classes of a model."""

    properties: tuple[str, ...] = option(PROPERTY, ())
    timeout: float | None = option(
        "Seconds after which the search for classes is cut short. Default: it ends by the solver's steps.", least=0
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class MethodsRequest:
    """The methods that there are for a model."""

    relation: Relation | None = option(RELATION)


@dataclass(frozen=True, slots=True, kw_only=True)
class CompareRequest:
    """Whether another model conforms."""

    relation: Relation | None = option(RELATION)
    properties: tuple[str, ...] = option(PROPERTY, ())
    depth: int = option("How many events a trace may have (sts, statemachine).", 20, least=1)
    timeout: float | None = option(
        "Seconds for one question to the solver (sfsm, default 10) or for the whole search (sts and statemachine, "
        "default 60).",
        least=0,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class CertifyRequest:
    """Whether suites are complete. Defaults of relation and extra states are those that a suite claims."""

    relation: Relation | None = option(RELATION)
    properties: tuple[str, ...] = option(PROPERTY, ())
    extra_states: int | None = option(EXTRA_STATES)
    faults: str | None = option(FAULTS)
    since: Path | None = option(SINCE)
    timeout: float = option("Seconds the exact search may take.", 60.0, least=0)
    target: Path | None = option("Write a surviving machine there.", name="output", short="-o", metavar="MODEL")
    certificate: Path | None = option(CERTIFICATE)
    given: Path | None = option(
        "Do not search: check this certificate of the suite. Exit code 1 where it is refused.",
        name="with",
        metavar="FILE",
    )
    second_solver: Path | None = option(
        "Of symbolic machines: write the questions about the partition into this folder as SMT-LIB, and have cvc5 "
        "answer them, too.",
        metavar="DIR",
    )
    cluster: str | None = option(CLUSTER)

    def __post_init__(self) -> None:
        """Refuse what cannot be combined."""
        if self.second_solver is not None and (self.cluster is not None or self.given is not None):
            raise UserError("--second-solver goes with a search on this machine, not with --cluster or --with")
        if self.given is not None and (self.certificate is not None or self.cluster is not None):
            raise UserError("--with checks a certificate: it has no use for --certificate or --cluster")
        if self.given is not None and (self.target is not None or is_given(self, "timeout")):
            other = "--output" if self.target is not None else "--timeout"
            raise UserError(f"--with checks a certificate and searches for no survivor: it has no use for {other}")
        named = "--faults" if self.faults is not None else "--since" if self.since is not None else ""
        if named and (self.certificate is not None or self.given is not None):
            raise UserError(f"--certificate and --with are for a bound on states, not for {named}")


@dataclass(frozen=True, slots=True, kw_only=True)
class MutateRequest:
    """Mutants of a model, in a folder."""

    folder: Path = option("Where the mutants go.", name="output", short="-o", metavar="DIR", required=True)
    faults: SuiteRequest = part(
        SuiteRequest,
        only=(
            *("relation", "extra_states", "faults", "since", "properties"),
            *("mutate_guards", "mutate_outputs", "mutate_limit", "seed"),
        ),
    )
    order: int = option("How many faults a mutant has.", 1, least=1, most=3)
    sample: int | None = option("This many at random instead of all.", least=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreRequest:
    """Which mutants of a folder a suite kills."""

    mutants: Path = option("A folder of machines.", metavar="DIR", required=True)
    relation: Relation | None = option(RELATION)
    properties: tuple[str, ...] = option(PROPERTY, ())
    timeout: float = option(
        "Seconds for one question to the solver (sfsm) or one comparison (statemachine).", 10.0, least=0
    )
    cluster: str | None = option(CLUSTER)


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulateRequest:
    """How a model is played."""

    listen: str | None = option("Serve TCP clients instead, one at a time.", metavar="HOST:PORT")
    observe: Observe | None = option(OBSERVE)
    show_state: bool = option('Add the active innermost states to each answer: "state": [...].', False)
    seed: int = option(SEED, 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeRequest:
    """A journal, judged once more."""

    report: Path | None = option("Write the report of the run there once more.", metavar="DIR")
    baseline: Path | None = option(BASELINE)
    certificate: Path | None = option(
        "Check that this certificate proves complete what the run has executed, and print the chain from the model to "
        "the verdict.",
        metavar="FILE",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class LogRequest:
    """Traces that others recorded, judged by a model."""

    log: Path
    mapping: Path | None = None
    relation: Relation | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnRequest:
    """How the model of a system is learnt."""

    extra_states: int = option("How many states the system may have more than the model that is learnt.", 1, least=0)
    method: str = option(
        "The method of the suites by which hypotheses are tested; auto picks the smallest suite it can afford.", "auto"
    )
    name: str = option("The name of the model.", "learnt")
    output: Path | None = option("Where the model goes.", short="-o", metavar="MODEL")
    journal: Path | None = option("Keep every question and answer in this file.", metavar="FILE")
    resume: bool = option("Go on with the journal of learning that was interrupted.", default=False)
    repeats: int = option("How often answers that contradict each other are asked for again.", 5, least=2)
    step_timeout: float | None = option("Seconds a system may take for one answer.", 10.0, least=0.001)


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnOrder:
    """Which system is learnt, and how."""

    sut: str = option(SUT, required=True)
    inputs: tuple[str, ...] = option(
        "The inputs, separated by commas; may be repeated.", metavar="NAMES", required=True
    )
    learning: LearnRequest = part(LearnRequest)

    @property
    def symbols(self) -> tuple[str, ...]:
        """The inputs one by one; a UserError where there are none."""
        found = tuple(dict.fromkeys(name.strip() for text in self.inputs for name in text.split(",") if name.strip()))
        if not found:
            raise UserError("no inputs: give --inputs NAME,NAME,...")
        return found


@dataclass(frozen=True, slots=True, kw_only=True)
class ExploreRequest:
    """How a Python class becomes a finite machine."""

    inputs: tuple[str, ...] = option(
        "The inputs, separated by commas; may be repeated. Default: INPUTS of the class.", (), metavar="NAMES"
    )
    states: StateEquality = option(
        "When two states are one: value, where the object's data are equal, which must be copyable and comparable; "
        "or behaviour, where all sequences of --depth inputs have the same answers.",
        StateEquality.VALUE,
    )
    most: int = option("Stop after this many states.", 1_000, name="max-states", least=1)
    depth: int = option("For --states behaviour: the length of the sequences.", 3, least=1)
    name: str | None = option("The name of the model. Default: that of the class.")
    output: Path | None = option("Where the model goes. Default: NAME.yaml.", short="-o", metavar="MODEL")

    def __post_init__(self) -> None:
        """Refuse what cannot be combined."""
        if self.states is StateEquality.VALUE and is_given(self, "depth"):
            raise UserError("--depth goes with --states behaviour")
