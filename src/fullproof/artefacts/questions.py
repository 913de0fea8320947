"""What the user asks about models and suites: classes, conformance, completeness, mutants and which of them die."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from fullproof.artefacts.options import option, part
from fullproof.artefacts.request import (
    CERTIFICATE,
    CLUSTER,
    EXTRA_STATES,
    OBSERVE,
    PROPERTY,
    RELATION,
    SEED,
    Observe,
    Relation,
    SuiteRequest,
)
from fullproof.core.errors import UserError


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
    extra_states: int | None = option(EXTRA_STATES)
    timeout: float = option("Seconds the exact search may take.", 60.0, least=0)
    target: Path | None = option(
        "Where a surviving machine goes. Default: SUITE with .survivor.yaml", name="output", short="-o"
    )
    certificate: Path | None = option(CERTIFICATE)
    given: Path | None = option(
        "Do not search: check this certificate of the suite. Exit code 1 where it is refused.",
        name="with",
        metavar="FILE",
    )
    cluster: str | None = option(CLUSTER)

    def __post_init__(self) -> None:
        """Refuse what cannot be combined."""
        if self.given is not None and (self.certificate is not None or self.cluster is not None):
            raise UserError("--with checks a certificate: it has no use for --certificate or --cluster")


@dataclass(frozen=True, slots=True, kw_only=True)
class MutateRequest:
    """Mutants of a model, in a folder."""

    folder: Path = option("Where the mutants go.", name="output", short="-o", metavar="DIR", required=True)
    faults: SuiteRequest = part(
        SuiteRequest,
        only=(
            *("relation", "extra_states", "properties"),
            *("mutate_guards", "mutate_outputs", "mutate_limit", "seed"),
        ),
    )
    order: int = option("How many faults a mutant has.", 1, least=1, most=3)
    sample: int | None = option("This many at random instead of all.", least=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreRequest:
    """Which mutants of a folder a suite kills."""

    suite: Path = option("A suite file of fullproof generate.", required=True)
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
    seed: int = option(SEED, 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeRequest:
    """A journal, judged once more."""

    report: Path | None = option("Write the report of the run there once more.", metavar="DIR")
    certificate: Path | None = option(
        "Check that this certificate proves complete what the run has executed, and print the chain from the model to "
        "the verdict.",
        metavar="FILE",
    )
