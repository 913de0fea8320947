"""Requests: for a suite a relation, a fault domain, a method and limits; for a run a system and how to drive it.

The fields are the options of the command line, of pytest and of the workbench; ``from_options`` makes requests.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path

from fullproof.artefacts.options import Option, is_given, option, options_of, part, read_meta
from fullproof.core.errors import UserError
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
"""Relations that refer to the inputs a system enables: exactly those of the model, after every trace."""

ALL_ANSWERS = frozenset({Relation.EQUIVALENCE, Relation.LANGUAGE_EQUIVALENCE})
"""Relations for which a system must give every answer of the model."""


class Observe(Enum):
    """What is observed of a system beside its outputs."""

    STATE = "state"


class Clock(Enum):
    """How delays of tests pass: systems are asked to let time pass, or the tester waits."""

    VIRTUAL = "virtual"
    REAL = "real"


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


OTHER_METHODS = (
    *("counting", "general", "separable", "abstraction", "local"),
    *("identify", "partition", "paper", "relaxed", "tour", "switch", "random"),
)
"""The methods beside those for the equivalence of finite machines, for models of all kinds."""
SCHEMES = ("python", "exec", "tcp", "http", "lib", "fmu", "model", "browser", "serial")
"""How systems may be reached."""

RELATION = Option("How the system must relate to the model. Default: equivalence.")
EXTRA_STATES = Option(
    "How many states the system may have more than the minimal model. Default: the model's, else as many as make "
    "room for systems with as many states as the model has as written (0 for a minimal model).",
    least=0,
)
FAULTS = Option(
    "Instead of all machines with so many states, those with these faults of transitions: transfer, "
    "output, stuck, missing, swapped, separated by commas; or a file that names them. For a statemachine with timers "
    "also duration and start. Default there: transfer,output,duration,start, at most 2 at once.",
    metavar="NAME,...|FILE",
)
SINCE = Option(
    "For an fsm, sfsm or statemachine: only transitions that changed since this older model may be wrong; alone, "
    "with --faults transfer,output.",
    metavar="OLD_MODEL",
)
OBSERVE = Option(
    "What is observed beside the outputs: state, the active state, of a system that shows it (not of an sts)."
)
PROPERTY = Option("A property of the model to test for; may be repeated.", name="property", metavar="NAME")
CLUSTER = Option(
    "Work on the Dask workers of dask://HOST:PORT, or on N processes of this machine: local:N.", metavar="WHERE"
)
BASELINE = Option(
    "Compare with the earlier run of this report folder: new failures, gone failures, what else is different.",
    metavar="DIR",
)
SUT = Option(
    "The system under test: python:FILE.py:Name, python:package.module:Name, exec:COMMAND LINE, tcp:HOST:PORT, "
    "http://HOST:PORT, lib:FILE.so, fmu:FILE.fmu, model:FILE, or a mapping file: tcp:, exec:, serial:, http:, lib: or "
    "browser:MAPPING.yaml",
    metavar="SUT",
)
SEED = Option("Seed of every random choice.")
CERTIFICATE = Option(
    "Write a certificate there, which proves to others that the suite is complete (fsm, equivalence). Exit code 6 "
    "where there is none.",
    metavar="FILE",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteRequest:
    """The options of a suite. None means: the model's own, or the default."""

    relation: Relation | None = option(RELATION)
    observe: Observe | None = option(OBSERVE)
    """None: the outputs alone; of a suite from a file, what its header says."""
    extra_states: int | None = option(EXTRA_STATES)
    faults: str | None = option(FAULTS)
    since: Path | None = option(SINCE)
    margin: str | None = option(
        "For a model with timers: how far inputs and ends of delays stay away from timeouts of the model, e.g. '100 "
        "ms'. Default: a tenth of the shortest time.",
        metavar="TIME",
    )
    tolerance: str | None = option(
        "For a model with timers: how early or late a faulty timer is at least. Default: twice the margin.",
        metavar="TIME",
    )
    method: str = option(
        "The generation method; auto picks the smallest suite it can afford. For an sfsm: general, separable, "
        "abstraction, local. For a statemachine: identify, partition, paper, relaxed. For an sts: tour, switch, "
        "random.",
        "auto",
    )
    fsm_method: str | None = option("The finite method below separable or partition.")
    properties: tuple[str, ...] = option(PROPERTY, ())
    """Any implies the relation ``property``."""
    mutate_guards: bool = option("Add typical faults of the model's guards to the fault domain.", default=False)
    mutate_outputs: bool = option("Add typical faults of the model's outputs to the fault domain.", default=False)
    mutate_atoms: bool = option(
        "Add typical faults of the comparisons in guards, which a system may combine in any way: far fewer expressions "
        "than --mutate-guards.",
        default=False,
    )
    mutate_limit: int | None = option(
        "How many typical faults of guards, comparisons and outputs each are added, the most typical first; 0: all. "
        "Default: 20.",
        metavar="N",
        least=0,
    )
    thresholds: tuple[str, ...] = option(
        "For an sfsm: thresholds of this input may move, by this distance or more, e.g. x=0.5; may be repeated. "
        "Needs method local.",
        (),
        name="threshold",
        metavar="NAME=DISTANCE",
    )
    pairs: Pairs | None = option(
        "For an sfsm and method local: a guard, whatever became of it, occurs with all outputs, or with those of its "
        "own transitions. Default: the model's, else all."
    )
    regions: str | None = option(
        "For a statemachine with regions: make suites for the projections on all sets of T regions, instead of one for "
        "all regions together. Default: auto, the largest T that it can afford.",
        metavar="T|all|auto",
    )
    degree: int | None = option(
        "For a statemachine (FH3) and an sfsm (method local): the system computes polynomials of at most this degree. "
        "Default: the model's.",
        least=0,
    )
    paving: tuple[str, ...] = option(
        "For a statemachine, FH4: no fault is narrower, e.g. x=5 or 'x=5 in -20..20'; may be repeated.",
        (),
        metavar="NAME=WIDTH",
    )
    domain: StateDomain = option(
        "What an equivalence suite covers: all machines up to the bound on states, with the smallest suites; or k-A, a "
        "far larger set of faulty machines, with the larger suites of w, wp, hsi, hads.",
        StateDomain.STATES,
    )
    distinguish: Distinguish | None = option(
        "How strong reduction distinguishes states: rd1 by the enabled inputs, rd2 by one input, rd3 by outputs only. "
        "Default: rd1."
    )
    reset_cost: float = option("What a reset costs, in inputs: auto and walks weigh it.", 1.0, least=0)
    max_length: int | None = option(
        "The longest test allowed. walks keeps to it; other methods are refused where their tests are longer.", least=1
    )
    shrink: bool = option("Trim the suite with the exact checker as long as it stays complete.", default=False)
    pump: int | None = option(
        "Add tests that repeat each loop of the model so many times, for counters that no bound on states sees. They "
        "are outside of the guarantee.",
        metavar="N",
        least=1,
    )
    timeout: float | None = option(
        "Seconds after which auto tries no further method of a finite machine, and --shrink, the search with --faults, "
        "and that for the classes of an sfsm or statemachine, are cut short. "
        "Default: they end by steps, so that the same model gives the same suite.",
        least=0,
    )
    coverage: Criterion = option("For an sts: what its test purposes have to cover.", Criterion.SWITCH)
    depth: int | None = option("For an sts: the longest path to a goal that is looked for. Default: 60.", least=1)
    seed: int = option(SEED, 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class GenerateRequest:
    """A suite, and where it is made and written."""

    output: Path | None = option(
        "The suite file: JSON Lines, or by its ending CSV (.csv), pytest (.py), Robot Framework (.robot) or Gherkin "
        "(.feature). Default: standard output.",
        short="-o",
        metavar="SUITE",
    )
    suite: SuiteRequest = part(SuiteRequest)
    certificate: Path | None = option(CERTIFICATE)
    cluster: str | None = option(CLUSTER)

    def __post_init__(self) -> None:
        """Refuse what cannot be combined."""
        if self.suite.pump is not None and (self.suite.shrink or self.certificate is not None):
            other = "--shrink" if self.suite.shrink else "--certificate"
            raise UserError(f"--pump adds tests that the guarantee does not need: not with {other}")
        if self.cluster is not None and self.suite.pump is not None:
            raise UserError("--pump is not for --cluster")
        if self.cluster is not None and self.suite.shrink:
            raise UserError("--shrink works on the whole suite at once: it has no use for --cluster")


_KEPT_BY_ADAPTIVE = ("--relation", "--observe", "--extra-states", "--seed", "--property")
"""Options of a suite that concern what a run proves, also of chosen inputs; a property is refused elsewhere."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRequest:
    """What to run against which system, and how."""

    sut: str = option(SUT, required=True)
    suite_file: Path | None = option("A suite file of fullproof generate. Default: generate one.", name="suite")
    suite: SuiteRequest = part(SuiteRequest, without=("shrink", "timeout"))
    repeat: int = option("How often a nondeterministic test is run.", 1, least=1)
    adaptive: bool = option(
        "Choose each input by what the system has answered, instead of a suite (reductions of an fsm).", default=False
    )
    share_prefixes: bool = option(
        "Run common beginnings of tests once, on a system with snapshot and restore.", default=False
    )
    until_seen: bool = option("Stop repeating a test once all answers that the model allows were seen.", default=False)
    stop_on_failure: bool = option("Stop at the first failing test.", default=False)
    max_failures: int | None = option("Stop after so many tests that fail.", metavar="N", least=1)
    confirm: int | None = option(
        "How often a failing test is run again on a fresh system. Default: 2; 0 where --shrink-failures is 0.",
        metavar="N",
        least=0,
    )
    clock: Clock = option(
        "How delays of a model with timers pass: virtual, the system is asked to turn its clock forward, or real, they "
        "are waited for. What comes too late is repeated, then inconclusive.",
        Clock.VIRTUAL,
    )
    step_timeout: float | None = option("Seconds a system may take for one answer.", 10.0, least=0.001)
    test_timeout: float | None = option("Seconds one test may take.", least=0.001)
    shrink_failures: float = option(
        "Seconds at most to look for shortest failing sequences on the system; 0 for none.", 10.0, metavar="S", least=0
    )
    report: Path | None = option("Write report.html, junit.xml, report.json, tests.csv there.", metavar="DIR")
    meta: tuple[str, ...] = option(
        "Keep this in the journal, the report and --json, e.g. firmware=2.1; may be repeated.",
        (),
        metavar="KEY=VALUE",
    )
    baseline: Path | None = option(BASELINE)
    journal: Path | None = option(
        "Keep every execution in this SQLite file. Default: run.sqlite in the report folder.", metavar="FILE"
    )
    resume: bool = option("Go on with the journal of a run that was interrupted.", default=False)
    allow_changed_system: bool = option(
        "With --resume: go on although files of the system have changed since. Then there is no guarantee.",
        default=False,
    )
    jobs: int = option("How many instances of the system run at the same time.", 1, short="-j", least=1)
    isolate: bool | None = option(
        "Whether a python: system has a process of its own, so that it can neither hang nor end the run. Default: it "
        "has.",
        off="--no-isolate",
    )
    cluster: str | None = option(CLUSTER)
    order: PurposeOrder = option(
        "For an sts: which purposes come first; longest and shortest take the purposes of method switch.",
        PurposeOrder.AUTO,
    )
    values: Values = option("For an sts: which values inputs get, of all that the purpose allows.", Values.RANDOM)
    silence: float = option(
        "For an sts: seconds without an output that count as silence.", 1.0, name="timeout", least=0.001
    )
    retries: int = option("For an sts: how often to try again what was inconclusive.", 4, least=0)
    steps: int | None = option(
        "For an sts: inputs and outputs of the whole run. By default purposes, then walks, 2,000 in all; with --method "
        "switch, tour or random: again and again until they are used up.",
        metavar="N",
        least=1,
    )
    examined: bool = field(default=False)
    """Refuse a model in which ``check`` finds errors: ModelErrors says which."""
    tells_interrupted: bool = field(default=False)
    """Whether an interruption ends the run with what it has seen, instead of an exception."""

    def __post_init__(self) -> None:
        """Refuse what cannot be combined."""
        if self.share_prefixes and self.repeat > 1:
            raise UserError("--share-prefixes answers from memory what is known: it cannot be combined with --repeat")
        if self.share_prefixes and self.clock is Clock.REAL:
            raise UserError("--share-prefixes goes back in time: it cannot be combined with --clock real")
        read_meta(self.meta)
        if self.resume and self.journal is None and self.report is None:
            raise UserError("--resume needs the journal of the run: give its --report folder or --journal file")
        if self.allow_changed_system and not self.resume:
            raise UserError("--allow-changed-system goes with --resume")
        if self.stop_on_failure and self.max_failures is not None:
            raise UserError("--stop-on-failure is --max-failures 1: give one of them")
        if self.adaptive:
            self._refuse_with_adaptive()

    def _refuse_with_adaptive(self) -> None:
        others = {
            "--suite": self.suite_file is not None,
            "--jobs": self.jobs > 1,
            "--cluster": self.cluster is not None,
            "--share-prefixes": self.share_prefixes,
            "--until-seen": self.until_seen,
            "--resume": self.resume,
            "--isolate": self.isolate is True,
        }
        chosen = {f"--{one.name}": is_given(self.suite, one.field) for one in options_of(SuiteRequest).values()}
        for name in _KEPT_BY_ADAPTIVE:
            del chosen[name]
        for name, given in {**others, **chosen}.items():
            if given:
                raise UserError(f"--adaptive chooses each input by what one run has seen: not with {name}")

    @property
    def failures_wanted(self) -> int | None:
        """How many failing tests end the run; None for no number."""
        return 1 if self.stop_on_failure else self.max_failures

    @property
    def confirmations(self) -> int:
        """How often a failing test is run again."""
        if self.confirm is not None:
            return self.confirm
        return 2 if self.shrink_failures else 0

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
