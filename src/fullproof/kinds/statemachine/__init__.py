"""The kind ``statemachine``: SysML state machines with run-to-completion steps."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import TYPE_CHECKING

from fullproof.artefacts.request import Relation
from fullproof.kinds.kind import NO_CERTIFICATE, NOT_ADAPTIVE, NOT_PUMPED, NOT_SHRUNK, Kind
from fullproof.kinds.methods import Method
from fullproof.kinds.shared import stand_in
from fullproof.model import Fsm, StateMachine

if TYPE_CHECKING:
    from fullproof.artefacts.finding import Profile
    from fullproof.artefacts.request import SuiteRequest
    from fullproof.artefacts.suite import TestInput
    from fullproof.certify.answers import Certificate
    from fullproof.core.errors import Place
    from fullproof.execute.adapters.model_sut import ModelSut
    from fullproof.execute.real_time import Patience
    from fullproof.judge.oracle import Oracle
    from fullproof.kinds.classes import ClassesAsked
    from fullproof.kinds.comparison import Asked, Conformance
    from fullproof.kinds.kind import CompletenessAsked
    from fullproof.kinds.score import MutantScorer, ScoringBasis
    from fullproof.kinds.statemachine.game import StateMachineGame
    from fullproof.kinds.statemachine.partition import ReadPartition
    from fullproof.kinds.statemachine.player import StateMachinePlayer
    from fullproof.kinds.suite import GeneratedSuite
    from fullproof.kinds.suspects import FaultSuspect, ProbesAsked, SuspectFaults
    from fullproof.model import Model
    from fullproof.model.common import Property
    from fullproof.mutate.engine import ListedFaults


def _check(model: StateMachine) -> Profile:
    from fullproof.kinds.statemachine.check import check_statemachine

    return check_statemachine(model)


def _certify(model: StateMachine, tests: Sequence[tuple[TestInput, ...]], asked: CompletenessAsked) -> Certificate:
    if model.timers:
        from fullproof.kinds.statemachine.timed_suite import certify_timed

        return certify_timed(model, tests, asked)
    if asked.faults is not None:
        from fullproof.kinds.statemachine.named_faults import certify_named_events

        return certify_named_events(model, tests, asked)
    from fullproof.kinds.statemachine.certify import certify_statemachine

    return certify_statemachine(model, tests, asked)


def _classes(model: StateMachine, asked: ClassesAsked) -> ReadPartition:
    from fullproof.kinds.statemachine.partition import classes_of
    from fullproof.kinds.statemachine.untimed import require_untimed

    require_untimed(model, "classes")
    return classes_of(model, asked)


def _idle(model: StateMachine, request: object) -> Mapping[str, str]:
    from fullproof.kinds.statemachine.idle import idle

    return idle(model, request)


def _compare(model: StateMachine, asked: Asked) -> Conformance[StateMachine]:
    if model.timers:
        from fullproof.kinds.statemachine.timed_comparison import TimedConformance

        return TimedConformance(model, asked)
    from fullproof.kinds.statemachine.comparison import StateMachineConformance

    return StateMachineConformance(model, asked)


def _player(model: StateMachine, dice: Random) -> StateMachinePlayer:
    from fullproof.kinds.statemachine.player import StateMachinePlayer

    return StateMachinePlayer(model, dice)


def _stand_in(model: StateMachine, other: Model, at: Place, seed: int) -> ModelSut:
    """Another state machine, or a finite machine over events of the model, as a system."""
    from fullproof.execute.adapters.model_sut import ModelSut
    from fullproof.kinds.statemachine.event_player import EventMachinePlayer, is_over_events

    if isinstance(other, Fsm) and is_over_events(other, model):
        dice = Random(seed)
        return ModelSut(EventMachinePlayer(model, other, dice), dice, seed=seed)
    return stand_in(_player, model, other, at, seed)


def _game(model: StateMachine, dice: Random) -> StateMachineGame:
    from fullproof.kinds.statemachine.game import StateMachineGame

    return StateMachineGame(model, _player(model, dice))


def _suite(model: StateMachine, request: SuiteRequest, sha256: str, at: Place) -> GeneratedSuite:
    from fullproof.kinds.statemachine.greeting import leaving_out_greeting

    if model.timers:
        from fullproof.kinds.statemachine.timed_suite import timed_suite_for

        return leaving_out_greeting(timed_suite_for(model, request, sha256, at), model)
    from fullproof.kinds.statemachine.suite import suite_for

    return leaving_out_greeting(suite_for(model, request, sha256, at), model)


def _regions(model: StateMachine) -> tuple[str, ...]:
    from fullproof.kinds.statemachine.regions import region_names

    return region_names(model)


def _named_faults(model: StateMachine, request: SuiteRequest, at: Place) -> str | None:
    if model.timers:
        from fullproof.kinds.statemachine.timed_suite import faults_text

        return faults_text(model, request, at)
    from fullproof.formats.document.named_faults import named_faults_text
    from fullproof.kinds.statemachine.named_faults import asked_events

    found = asked_events(model, request, at)
    return None if found is None else named_faults_text(found)


def _faults(model: StateMachine, request: SuiteRequest) -> ListedFaults[StateMachine]:
    if model.timers:
        from fullproof.kinds.statemachine.timed_suite import timed_mutants

        return timed_mutants(model, request)
    from fullproof.kinds.options import extra_states_of
    from fullproof.kinds.statemachine.named_mutants import named_mutants
    from fullproof.mutate.statemachine import statemachine_faults

    named = named_mutants(model, request)
    if named is not None:
        return named
    return statemachine_faults(model, extra_states=extra_states_of(model, request))


def _scorer(model: StateMachine, basis: ScoringBasis) -> MutantScorer[StateMachine]:
    if model.timers:
        from fullproof.kinds.statemachine.timed_score import TimedScorer

        return TimedScorer(model, basis)
    from fullproof.kinds.statemachine.score import StateMachineScorer

    return StateMachineScorer(model, basis)


def _probes(model: StateMachine, machine: StateMachine, asked: ProbesAsked) -> Iterable[Sequence[TestInput]]:
    from fullproof.kinds.statemachine.suspects import probes_of

    return probes_of(model, machine, asked)


def _suspects(model: StateMachine, asked: SuspectFaults) -> Iterator[Iterable[FaultSuspect]] | None:
    from fullproof.kinds.statemachine.suspects import suspects_of

    return suspects_of(model, asked)


def _oracle(model: StateMachine, relation: Relation, _properties: Sequence[Property]) -> Oracle:
    from fullproof.judge.oracle import Oracle
    from fullproof.judge.statemachine import StateMachineSemantics

    return Oracle(StateMachineSemantics(model), relation)


def _simpler(model: StateMachine) -> Callable[[TestInput], Iterator[TestInput]]:
    from fullproof.kinds.statemachine.simpler import simpler

    return simpler(model)


def _patience(model: StateMachine, relation: Relation) -> Patience | None:
    from fullproof.kinds.statemachine.patience import TimedPatience

    return TimedPatience(model, relation) if model.timers else None


_OURS = "a method of this project, see docs/statemachines.md"
_METHODS = (
    Method("identify", "complete on chosen events, classes identified", _OURS),
    Method("partition", "complete on chosen events", _OURS),
    Method("paper", "equivalence class partition", "Huang and Peleska, section 7"),
    Method("relaxed", "relaxed strategy", "Huang and Peleska, section 8"),
)
_TIMED_METHODS = (
    Method("faults", "complete for faults of transitions and timers", "a method of this project, see docs/time.md"),
)

STATEMACHINE: Kind[StateMachine] = Kind(
    name=StateMachine.kind,
    plural="state machines",
    relation=Relation.EQUIVALENCE,
    compared=(Relation.EQUIVALENCE,),
    check=_check,
    regions=_regions,
    certify=_certify,
    named_faults=_named_faults,
    classes=_classes,
    compare=_compare,
    suite=_suite,
    shrunk=None,
    methods=lambda model, _relation: _TIMED_METHODS if model.timers else _METHODS,
    tested=lambda _: (Relation.EQUIVALENCE,),
    faults=_faults,
    scorer=_scorer,
    judged=(Relation.EQUIVALENCE, Relation.REDUCTION, Relation.QUASI_REDUCTION),
    oracle=_oracle,
    player=_player,
    interface=lambda model: model.interface,
    adaptive=None,
    stand_in=_stand_in,
    suspects=_suspects,
    probes=_probes,
    simpler=_simpler,
    patience=_patience,
    game=_game,
    idle=_idle,
    reasons={
        "--adaptive": NOT_ADAPTIVE,
        "--certificate": NO_CERTIFICATE,
        "--shrink": NOT_SHRUNK,
        "--pump": NOT_PUMPED,
    },
)
