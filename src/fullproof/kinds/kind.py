"""The parts of a kind of models, each with one signature for all kinds, so that flows need not know the kind."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeAlias, TypeVar

from fullproof.artefacts.request import Relation
from fullproof.core.errors import NOWHERE, Place, UserError

if TYPE_CHECKING:
    from pathlib import Path
    from random import Random

    from fullproof.artefacts.execution import Execution
    from fullproof.artefacts.finding import Profile
    from fullproof.artefacts.journal import JournalHeader
    from fullproof.artefacts.request import SuiteRequest
    from fullproof.artefacts.suite import SuiteHeader, TestInput
    from fullproof.certify.answers import Certificate, Complete, Open
    from fullproof.certify.certificate_check import Accepted, Rejected
    from fullproof.execute.play import EmittingPlayer, Player
    from fullproof.execute.real_time import Patience
    from fullproof.execute.recorded_log import LogMapping, RecordedTrace
    from fullproof.judge.oracle import Oracle
    from fullproof.judge.sts import StsOracle
    from fullproof.kinds.classes import Classes, ClassesAsked
    from fullproof.kinds.comparison import Asked, Conformance
    from fullproof.kinds.conduct import AdaptiveTester, Conduct, RunCoverage, RunOrder
    from fullproof.kinds.game import Game
    from fullproof.kinds.methods import Method
    from fullproof.kinds.score import MutantScorer, ScoringBasis
    from fullproof.kinds.suite import GeneratedSuite
    from fullproof.kinds.suspects import FaultSuspect, ProbesAsked, SuspectFaults
    from fullproof.model import Model
    from fullproof.model.common import Property
    from fullproof.mutate import Faults

NOT_CERTIFIED = "their suites cover and judge, and claim no conformance that could be decided"
"""Why some kinds have no ``certify``."""

NO_CERTIFICATE = "certificates are for complete deterministic finite machines"
"""Why only an fsm has ``--certificate``."""

NOT_NAMED = "the faults are those of the transitions of a finite machine"
"""Why only an fsm has ``--faults``."""

NO_REGIONS = "only charts have regions"
"""Why only a statemachine has ``--regions``."""

NOT_PUMPED = "a loop of its states need not bring back its variables"
"""Why only an fsm and an sfsm have ``--pump``."""

NOT_SHRUNK = "the exact checker, which decides what a suite does not need, is for finite machines"
"""Why only an fsm has ``--shrink``."""

M = TypeVar("M")
P = TypeVar("P")


def _nothing(_model: M, _relation: Relation, _names: Sequence[str], _at: Place) -> tuple[Property, ...]:
    return ()


def _as_it_is(model: M, _header: SuiteHeader, _at: Place) -> M:
    return model


def _no_goals(_oracle: Any, _header: JournalHeader, _at: Place) -> RunCoverage:
    from fullproof.kinds.conduct import NoGoals

    return NoGoals()


def _by_tests(model: M, order: RunOrder) -> Conduct:
    return order.by_tests(model, order)


def _no_suspects(_model: M, _asked: object) -> None:
    return None


def _timeless(_model: M, _relation: Relation) -> None:
    return None


def _no_probes(_model: M, _machine: M, _asked: ProbesAsked) -> Iterable[Sequence[TestInput]]:
    raise UserError("there are no tests for machines of this kind")


def _no(_model: M) -> bool:
    return False


def _step_by_step(model: Any, path: Path, mapping: LogMapping) -> Iterable[RecordedTrace]:
    from fullproof.execute.recorded_log import recorded_traces

    return recorded_traces(path, model.interface, mapping)


def _all_have_effect(_model: M, _request: object) -> Mapping[str, str]:
    return {}


def _no_formulas(_model: M) -> tuple[tuple[str, str], ...]:
    return ()


NOT_ADAPTIVE = "inputs are chosen by what a finite machine may answer"
"""Why only an fsm has ``--adaptive``."""


def _nothing_simpler(_model: M) -> Callable[[Any], Iterable[Any]]:
    return lambda _symbol: ()


def _beginning(execution: Execution, length: int) -> tuple[TestInput, ...]:
    return execution.test.inputs[:length]


class Letters(Protocol):
    """What the inputs of a test are: of a model whose systems answer each input, a part of its ``interface``."""

    @property
    def symbols(self) -> tuple[str, ...]:
        """All of them, where they are symbols."""

    def misfit(self, symbol: TestInput, /) -> str | None:
        """Why a value is not an input of a test of the model; None where it is one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CompletenessAsked:
    """What a suite should be complete for, and how many seconds the answer may take."""

    extra_states: int
    seconds: float
    relation: Relation = Relation.EQUIVALENCE
    faults: str | None = None
    """A fault domain by name, as the head of a suite has it."""
    header: SuiteHeader | None = None
    """What the suite claims, where it does."""
    second_solver: Path | None = None
    """Where questions to a second solver go."""
    properties: tuple[str, ...] = ()
    """Those that were asked about by name; without any, those that the suite claims."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind(Generic[M]):
    """A kind of models and its parts. A part loads its stage when it is called.

    Where a part is None, ``reasons`` says why, under the name by which users know it; ``required`` makes the sentence.
    """

    name: str
    plural: str
    """The plural name of models of this kind in messages."""
    relation: Relation
    """The default relation between systems and models of this kind."""
    compared: tuple[Relation, ...]
    """The relations that ``compare`` decides."""
    has_expressions: bool = False
    """Whether guards and outputs are expressions, to which typical faults can be added."""
    reactive: bool = False
    """Whether systems emit outputs spontaneously, instead of answering each input."""
    shows_state: bool = True
    """Whether systems can show their state with each answer (``--observe state``)."""
    names_merged_states: bool = False
    """Whether the notes of a suite name the states that count as one."""
    check: Callable[[M], Profile]
    certify: Callable[[M, Sequence[tuple[TestInput, ...]], CompletenessAsked], Certificate] | None
    """Whether the inputs of some tests are a complete suite."""
    certificate: Callable[[M, Sequence[tuple[str, ...]], Complete, int, float], str | Open] | None = None
    """The certificate of words that ``certify`` found complete."""
    check_certificate: Callable[[M, Sequence[tuple[str, ...]], bytes], Accepted | Rejected] | None = None
    """Whether a certificate proves words complete; of a kind that has ``certificate``."""
    certificate_hindrance: Callable[[M], str | None] | None = None
    """Why a model has no certificates; None where it may have them. Of a kind that has ``certificate``."""
    distinguishable: Callable[[M], int] | None = None
    """How many of the reachable states tests distinguish; for bounds that follow from the model as written."""
    named_faults: Callable[[M, SuiteRequest, Place], str | None] | None = None
    """The fault domain by name that a request or the model asks for, as the head of a suite has it."""
    regions: Callable[[M], tuple[str, ...]] | None = None
    """The regions of a model that own outputs, for a suite by projections on them."""
    moves: Callable[[M, Sequence[TestInput]], Mapping[int, Mapping[int, int]]] | None = None
    """The next state for each state and input, by their numbers, where there is one only; state 0 is initial."""
    classes: Callable[[M, ClassesAsked], Classes] | None
    compare: Callable[[M, Asked], Conformance[M]]
    suite: Callable[[M, SuiteRequest, str, Place], GeneratedSuite]
    """A suite for a model, as a request asks for it; with the SHA-256 of the model's file, and the file."""
    shrunk: Callable[[GeneratedSuite, SuiteRequest, Place], GeneratedSuite] | None
    """The suite without redundant tests and inputs."""
    methods: Callable[[M, Relation], tuple[Method, ...]]
    """The methods for a model and a relation."""
    tested: Callable[[M], tuple[Relation, ...]]
    """How systems may be tested against a model; the default first."""
    faults: Callable[[M, SuiteRequest], Faults[M]]
    """The single faults that mutants have, as a request asks for them."""
    scorer: Callable[[M, ScoringBasis], MutantScorer[M]] | None
    """Scores mutants."""
    judged: tuple[Relation, ...]
    """The relations for which executions are judged."""
    oracle: Callable[[M, Relation, Sequence[Property]], Oracle | StsOracle]
    """Judges executions for one of these relations; the properties are those that a property run asks for."""
    player: Callable[[M, Random], Player | EmittingPlayer]
    """Executes the model as a system; its choices come from the generator."""
    interface: Callable[[M], Letters]
    """What the inputs of tests are."""
    stand_in: Callable[[M, Model, Place, int], Any]
    """A system that is simulated by another model from a file, with a seed; a UserError where that is impossible."""
    game: Callable[[M, Random], Game]
    """Executes the model by hand; its choices come from the generator."""
    adaptive: Callable[[M, RunOrder], AdaptiveTester] | None
    """Chooses the inputs of tests while they run."""
    conduct: Callable[[M, RunOrder], Conduct] = _by_tests
    """How systems are driven; by default, by the inputs of each test one after the other."""
    coverage: Callable[[Any, JournalHeader, Place], RunCoverage] = _no_goals
    """What a run is to cover besides running its tests, by the head of its journal; with the oracle of the run."""
    patience: Callable[[M, Relation], Patience | None] = _timeless
    """What a model says of tests in real time; None where it has no timers."""
    is_partial: Callable[[M], bool] = _no
    """Whether an input may be undefined, so that a test is over before its last input."""
    admits_all: Callable[[M], bool] = _no
    """Whether it is proved after all that every state admits every input, so that a test may go on after a failure."""
    formulas: Callable[[M], tuple[tuple[str, str], ...]] = _no_formulas
    """The classes of inputs and outputs that a report lists, each with its formula."""
    suspects: Callable[[M, SuspectFaults], Iterable[Iterable[FaultSuspect]] | None] = _no_suspects
    """Faults that may explain a failing run, in groups: one is tried where those before it explain nothing."""
    probes: Callable[[M, M, ProbesAsked], Iterable[Sequence[TestInput]]] = _no_probes
    """Of a model and a machine with a fault, tests that every system passes which behaves like that machine, and others
    hardly: of a suite, no other system of its fault domain. A UserError where there are none."""
    closest: Callable[[M, Sequence[Execution]], FaultSuspect | None] = _no_suspects
    """The machine that explains some executions with the fewest changes to the model."""
    monitored: Callable[[M, Relation, Sequence[str], Place], tuple[Property, ...]] = _nothing
    """The properties that a run for a relation monitors: those that are named, or all where it is for properties."""
    widened: Callable[[M, SuiteHeader, Place], M] = _as_it_is
    """The model with the fault domain that the header of a suite names."""
    simpler: Callable[[M], Callable[[Any], Iterable[Any]]] = _nothing_simpler
    """Inputs that are simpler than another one, the simplest first: by what failing sequences are made simpler."""
    replay: Callable[[Execution, int], tuple[TestInput, ...]] = _beginning
    """The inputs of a test that repeats the beginning of an execution, of this many steps or events."""
    recorded: Callable[[M, Path, LogMapping], Iterable[RecordedTrace]] = _step_by_step
    """The traces of a log that others recorded; by default, an input and its output a line."""
    idle: Callable[[M, object], Mapping[str, str]] = _all_have_effect
    """Options of a request, by the names of their fields, that have no effect on a model, and why."""
    reasons: Mapping[str, str] = field(default_factory=dict)

    def required(self, part: P | None, name: str, *, at: Place = NOWHERE) -> P:
        """The part, which users know as ``name``, or a UserError that says why this kind has none."""
        if part is None:
            raise UserError(f"{name} is not for {self.name} models: {self.reasons[name]}", at=at)
        return part

    def relation_for(self, relation: Relation | None, properties: Sequence[str], what: str) -> Relation:
        """The relation from the options; ``what`` is a participle for messages, such as "tested"."""
        asked = relation or (Relation.PROPERTY if properties else self.relation)
        if asked not in self.compared:
            *most, last = (one.value for one in self.compared)
            names = f"{', '.join(most)} or {last}" if most else last
            raise UserError(f"{self.plural} are {what} for {names}, not for {asked.value}")
        if properties and asked is not Relation.PROPERTY:
            raise UserError(f"--property asks for --relation property, not {asked.value}")
        return asked


AnyKind: TypeAlias = Kind[Any]
