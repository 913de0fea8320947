"""The kind ``sts``: symbolic transition systems, which emit outputs spontaneously."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from typing import TYPE_CHECKING

from fullproof.artefacts.request import Relation
from fullproof.kinds.kind import (
    NO_CERTIFICATE,
    NO_REGIONS,
    NOT_ADAPTIVE,
    NOT_CERTIFIED,
    NOT_NAMED,
    NOT_PUMPED,
    NOT_SHRUNK,
    Kind,
)
from fullproof.kinds.methods import Method
from fullproof.kinds.shared import checked
from fullproof.model import Sts

if TYPE_CHECKING:
    from pathlib import Path

    from fullproof.artefacts.execution import Execution, Listen, Sent
    from fullproof.artefacts.journal import JournalHeader
    from fullproof.artefacts.request import SuiteRequest
    from fullproof.core.errors import Place
    from fullproof.execute.recorded_log import LogMapping, RecordedTrace
    from fullproof.judge.sts import StsOracle
    from fullproof.kinds.comparison import Asked
    from fullproof.kinds.conduct import RunOrder
    from fullproof.kinds.sts.comparison import StsConformance
    from fullproof.kinds.sts.conduct import PurposeConduct
    from fullproof.kinds.sts.game import StsGame
    from fullproof.kinds.sts.goal_coverage import GoalCoverage
    from fullproof.kinds.sts.letters import LetterReader
    from fullproof.kinds.sts.model_system import StsModelSut
    from fullproof.kinds.sts.player import StsPlayer
    from fullproof.kinds.suite import GeneratedSuite
    from fullproof.model import Model
    from fullproof.model.common import Property
    from fullproof.mutate.engine import ListedFaults


def _idle(model: Sts, request: object) -> Mapping[str, str]:
    from fullproof.kinds.sts.idle import idle

    return idle(model, request)


def _compare(model: Sts, asked: Asked) -> StsConformance:
    from fullproof.kinds.sts.comparison import StsConformance

    return StsConformance(model, asked)


def _player(model: Sts, dice: Random) -> StsPlayer:
    from fullproof.kinds.sts.player import StsPlayer

    return StsPlayer(model, dice)


def _game(model: Sts, dice: Random) -> StsGame:
    from fullproof.kinds.sts.game import StsGame

    return StsGame(model, _player(model, dice))


def _suite(model: Sts, request: SuiteRequest, sha256: str, at: Place) -> GeneratedSuite:
    from fullproof.kinds.sts.purposes import suite_for

    return suite_for(model, request, sha256, at)


def _faults(_model: Sts, _request: SuiteRequest) -> ListedFaults[Sts]:
    from fullproof.mutate.sts import sts_faults

    return sts_faults()


_METHODS = (
    Method("tour", "tours over all goals", "a method of this project, see docs/sts.md"),
    Method("switch", "a shortest path to each goal", "van den Bos and Tretmans 2019"),
)


def _oracle(model: Sts, _relation: Relation, _properties: Sequence[Property]) -> StsOracle:
    from fullproof.analysis.sts_semantics import StsSemantics
    from fullproof.judge.sts import StsOracle

    return StsOracle(StsSemantics(model))


def _stand_in(model: Sts, other: Model, at: Place, seed: int) -> StsModelSut:
    from fullproof.kinds.shared import require_same_kind
    from fullproof.kinds.sts.model_system import stand_in

    require_same_kind(model, other, at)
    assert isinstance(other, Sts)
    return stand_in(model, other, at, seed)


def _conduct(model: Sts, order: RunOrder) -> PurposeConduct:
    from fullproof.kinds.sts.conduct import PurposeConduct

    return PurposeConduct(model, order)


def _coverage(oracle: StsOracle, header: JournalHeader, at: Place) -> GoalCoverage:
    from fullproof.kinds.sts.goal_coverage import coverage_of

    return coverage_of(oracle, header, at)


def _simpler(model: Sts) -> Callable[[Sent | Listen], Iterator[Sent | Listen]]:
    from fullproof.kinds.sts.simpler import simpler

    return simpler(model)


def _replay(execution: Execution, length: int) -> tuple[str, ...]:
    from fullproof.kinds.sts.moves import move_texts, moves_of

    return move_texts(moves_of(execution)[:length])


def _recorded(model: Sts, path: Path, mapping: LogMapping) -> Iterator[RecordedTrace]:
    from fullproof.kinds.sts.recorded import recorded_conversations

    return recorded_conversations(model, path, mapping)


def _interface(model: Sts) -> LetterReader:
    from fullproof.kinds.sts.letters import LetterReader

    return LetterReader(model)


STS: Kind[Sts] = Kind(
    name=Sts.kind,
    plural="symbolic transition systems",
    relation=Relation.IOCO,
    compared=(Relation.IOCO,),
    reactive=True,
    shows_state=False,
    check=checked,
    certify=None,
    classes=None,
    compare=_compare,
    suite=_suite,
    shrunk=None,
    methods=lambda _model, _relation: _METHODS,
    tested=lambda _: (Relation.IOCO,),
    faults=_faults,
    scorer=None,
    judged=(Relation.IOCO,),
    oracle=_oracle,
    player=_player,
    interface=_interface,
    adaptive=None,
    conduct=_conduct,
    coverage=_coverage,
    stand_in=_stand_in,
    simpler=_simpler,
    replay=_replay,
    game=_game,
    recorded=_recorded,
    idle=_idle,
    reasons={
        "--regions": NO_REGIONS,
        "--adaptive": NOT_ADAPTIVE,
        "certify": NOT_CERTIFIED,
        "--certificate": NO_CERTIFICATE,
        "--shrink": NOT_SHRUNK,
        "--faults": NOT_NAMED,
        "--pump": NOT_PUMPED,
        "classes": "those of an sfsm are classes of inputs and outputs, those of a statemachine of states and triggers",
        "score": "what a purpose shows of a mutant depends on values that are chosen while it runs",
    },
)
