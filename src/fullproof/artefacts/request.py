"""What the user asks for: of a suite a relation, a fault domain, a method and limits; of a run a system and how."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from fullproof.model.common import Pairs


class Relation(Enum):
    """How a system must relate to its model."""

    EQUIVALENCE = "equivalence"
    LANGUAGE_EQUIVALENCE = "language-equivalence"
    REDUCTION = "reduction"
    QUASI_REDUCTION = "quasi-reduction"
    STRONG_REDUCTION = "strong-reduction"
    IOCO = "ioco"
    PROPERTY = "property"


GREY_BOX = frozenset({Relation.STRONG_REDUCTION, Relation.LANGUAGE_EQUIVALENCE})
"""Relations that speak of the inputs a system enables: exactly those of the model, after every trace."""

ALL_ANSWERS = frozenset({Relation.EQUIVALENCE, Relation.LANGUAGE_EQUIVALENCE})
"""Relations for which a system must give every answer of the model."""


class Observe(Enum):
    """What is observed of a system beside its outputs."""

    STATE = "state"


class StateDomain(Enum):
    """The fault domain of equivalence testing: a bound on states, or the larger k-A domain."""

    STATES = "states"
    K_A = "k-A"


class Distinguish(Enum):
    """The variants of r-distinguishability of paper 002, section 5.10."""

    RD1 = "rd1"
    RD2 = "rd2"
    RD3 = "rd3"


class Criterion(Enum):
    """What a set of purposes has to cover."""

    SWITCH = "switch"
    LOCATION = "location"
    SWITCH_PAIR = "switch-pair"
    BOUNDARY = "boundary"


class PurposeOrder(Enum):
    """In which order purposes are executed. AUTO: as generated, the farthest goal first with what lies on its way."""

    LONGEST = "longest"
    SHORTEST = "shortest"
    AUTO = "auto"


class Values(Enum):
    """Which solutions of a path condition become inputs."""

    SOLVER = "solver"
    RANDOM = "random"
    BOUNDARY = "boundary"


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteRequest:
    """The options that generate, run, certify and score share. None means: the model's own, or the default."""

    relation: Relation | None = None
    extra_states: int | None = None
    method: str = "auto"
    observe: Observe | None = None
    """None: the outputs alone; of a suite from a file, what its header says."""
    domain: StateDomain = StateDomain.STATES
    distinguish: Distinguish | None = None
    reset_cost: float = 1.0
    max_length: int | None = None
    shrink: bool = False
    timeout: float | None = None
    seed: int = 0
    fsm_method: str | None = None
    """The finite method below an sfsm method."""
    properties: tuple[str, ...] = ()
    """Names of the model's properties to test for; any implies the relation ``property``."""
    mutate_guards: bool = False
    mutate_outputs: bool = False
    """Add typical faults of the model's guards and outputs to the fault domain."""
    mutate_atoms: bool = False
    """Add typical faults of the comparisons in guards, which a system may combine in any way."""
    mutate_limit: int | None = None
    """How many typical faults of each kind; None: the default, 0: all."""
    thresholds: tuple[str, ...] = ()
    pairs: Pairs | None = None
    """For an sfsm: how far thresholds move, such as ``x=0.5``; with which outputs guards occur."""
    coverage: Criterion = Criterion.SWITCH
    depth: int | None = None
    """For an sts: what purposes have to cover, and how far to look for it."""
    degree: int | None = None
    paving: tuple[str, ...] = ()
    """FH3, the degree of polynomials, for a statemachine and an sfsm; FH4, widths such as ``x=5``, for the former."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRequest:
    """What to run against which system, and how."""

    suite: SuiteRequest
    suite_file: Path | None = None
    sut: str
    repeat: int = 1
    stop_on_failure: bool = False
    step_timeout: float | None = 10.0
    test_timeout: float | None = None
    report: Path | None = None
    journal: Path | None = None
    """Default: in the report folder, where there is one."""
    resume: bool = False
    allow_changed_system: bool = False
    """Resume although the system has changed since; then there is no guarantee."""
    jobs: int = 1
    cluster: str | None = None
    """Where to run instead of here: ``dask://HOST:PORT`` or ``local:N``."""
    adaptive: bool = False
    """Choose each input by what the system has answered, instead of running a suite."""
    share_prefixes: bool = False
    until_seen: bool = False
    """Stop repeating a test once everything that the model allows along it was seen."""
    order: PurposeOrder = PurposeOrder.AUTO
    values: Values = Values.RANDOM
    silence: float = 1.0
    retries: int = 4
    """For an sts: which purposes first, which values, seconds that are silence, tries of what was inconclusive."""
    steps: int | None = None
    """For an sts: inputs and outputs of the whole run. None: the default of the method."""
    isolate: bool | None = None
    """Whether a Python system has a process of its own. None: where it has a limit that only that can keep."""

    examined: bool = False
    """Refuse a model in which ``check`` finds errors: ModelErrors says which."""

    @property
    def isolated(self) -> bool:
        """Whether the system is to have a process of its own although one instance is enough.

        Our own modules, such as the controllers of ``demo``, are known to be safe.
        """
        if not self.sut.startswith("python:"):
            return False
        if self.isolate is not None:
            return self.isolate
        return self.step_timeout is not None and not self.sut.startswith("python:fullproof.")
