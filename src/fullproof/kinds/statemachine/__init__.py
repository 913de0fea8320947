"""The kind ``statemachine``: SysML state machines with run-to-completion steps."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from random import Random
from typing import TYPE_CHECKING

from fullproof.artefacts.request import Relation
from fullproof.kinds.kind import NOT_ADAPTIVE, NOT_CERTIFIED, NOT_SHRUNK, Kind
from fullproof.kinds.methods import Method
from fullproof.kinds.shared import checked, stand_in
from fullproof.model import StateMachine

if TYPE_CHECKING:
    from fullproof.artefacts.request import SuiteRequest
    from fullproof.artefacts.suite import TestInput
    from fullproof.core.errors import Place
    from fullproof.judge.oracle import Oracle
    from fullproof.kinds.classes import ClassesAsked
    from fullproof.kinds.comparison import Asked
    from fullproof.kinds.score import ScoringBasis
    from fullproof.kinds.statemachine.comparison import StateMachineConformance
    from fullproof.kinds.statemachine.game import StateMachineGame
    from fullproof.kinds.statemachine.partition import ReadPartition
    from fullproof.kinds.statemachine.player import StateMachinePlayer
    from fullproof.kinds.statemachine.score import StateMachineScorer
    from fullproof.kinds.suite import GeneratedSuite
    from fullproof.kinds.suspects import FaultSuspect, SuspectFaults
    from fullproof.model.common import Property
    from fullproof.mutate.engine import ListedFaults


def _classes(model: StateMachine, asked: ClassesAsked) -> ReadPartition:
    from fullproof.kinds.statemachine.partition import classes_of

    return classes_of(model, asked)


def _compare(model: StateMachine, asked: Asked) -> StateMachineConformance:
    from fullproof.kinds.statemachine.comparison import StateMachineConformance

    return StateMachineConformance(model, asked)


def _player(model: StateMachine, dice: Random) -> StateMachinePlayer:
    from fullproof.kinds.statemachine.player import StateMachinePlayer

    return StateMachinePlayer(model, dice)


def _game(model: StateMachine, dice: Random) -> StateMachineGame:
    from fullproof.kinds.statemachine.game import StateMachineGame

    return StateMachineGame(model, _player(model, dice))


def _suite(model: StateMachine, request: SuiteRequest, sha256: str, at: Place) -> GeneratedSuite:
    from fullproof.kinds.statemachine.suite import suite_for

    return suite_for(model, request, sha256, at)


def _faults(model: StateMachine, request: SuiteRequest) -> ListedFaults[StateMachine]:
    from fullproof.kinds.options import extra_states_of
    from fullproof.mutate.statemachine import statemachine_faults

    return statemachine_faults(model, extra_states=extra_states_of(model, request))


def _scorer(model: StateMachine, basis: ScoringBasis) -> StateMachineScorer:
    from fullproof.kinds.statemachine.score import StateMachineScorer

    return StateMachineScorer(model, basis)


def _suspects(model: StateMachine, asked: SuspectFaults) -> Iterator[Iterable[FaultSuspect]]:
    from fullproof.kinds.statemachine.suspects import suspects_of

    return suspects_of(model, asked)


def _oracle(model: StateMachine, relation: Relation, _properties: Sequence[Property]) -> Oracle:
    from fullproof.judge.oracle import Oracle
    from fullproof.judge.statemachine import StateMachineSemantics

    return Oracle(StateMachineSemantics(model), relation)


def _simpler(model: StateMachine) -> Callable[[TestInput], Iterator[TestInput]]:
    from fullproof.kinds.statemachine.simpler import simpler

    return simpler(model)


_OURS = "a method of this project, see docs/statemachines.md"
_METHODS = (
    Method("identify", "complete on chosen events, classes identified", _OURS),
    Method("partition", "complete on chosen events", _OURS),
    Method("paper", "equivalence class partition", "Huang and Peleska, section 7"),
    Method("relaxed", "relaxed strategy", "Huang and Peleska, section 8"),
)

STATEMACHINE: Kind[StateMachine] = Kind(
    name=StateMachine.kind,
    plural="state machines",
    relation=Relation.EQUIVALENCE,
    compared=(Relation.EQUIVALENCE,),
    check=checked,
    certify=None,
    classes=_classes,
    compare=_compare,
    suite=_suite,
    shrunk=None,
    methods=lambda _model, _relation: _METHODS,
    tested=lambda _: (Relation.EQUIVALENCE,),
    faults=_faults,
    scorer=_scorer,
    judged=(Relation.EQUIVALENCE, Relation.REDUCTION, Relation.QUASI_REDUCTION),
    oracle=_oracle,
    player=_player,
    interface=lambda model: model.interface,
    adaptive=None,
    stand_in=partial(stand_in, _player),
    suspects=_suspects,
    simpler=_simpler,
    game=_game,
    reasons={"--adaptive": NOT_ADAPTIVE, "certify": NOT_CERTIFIED, "--shrink": NOT_SHRUNK},
)
