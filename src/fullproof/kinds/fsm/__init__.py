"""The kind ``fsm``: finite Mealy machines, which may be partial and nondeterministic."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TYPE_CHECKING

from fullproof.artefacts.request import GREY_BOX, Relation
from fullproof.kinds.kind import Kind
from fullproof.model import Fsm

if TYPE_CHECKING:
    from fullproof.artefacts.finding import Profile
    from fullproof.execute.play import Player
    from fullproof.judge import Oracle
    from fullproof.kinds.comparison import Asked
    from fullproof.kinds.fsm.comparison import FsmConformance
    from fullproof.kinds.fsm.interface import Symbols
    from fullproof.model.common import Property


def _check(model: Fsm) -> Profile:
    from fullproof.check import check

    return check(model)


def _compare(model: Fsm, asked: Asked) -> FsmConformance:
    from fullproof.kinds.fsm.comparison import FsmConformance

    return FsmConformance(model, asked)


def _interface(model: Fsm) -> Symbols:
    from fullproof.kinds.fsm.interface import Symbols

    return Symbols(model)


def _oracle(model: Fsm, relation: Relation, properties: Sequence[Property]) -> Oracle:
    from fullproof.judge import oracle_for

    return oracle_for(model, relation, properties=properties)


def _player(model: Fsm, dice: Random) -> Player:
    from fullproof.execute.play.fsm import FsmPlayer

    return FsmPlayer(model, dice)


FSM: Kind[Fsm] = Kind(
    name=Fsm.kind,
    plural="finite machines",
    relation=Relation.EQUIVALENCE,
    compared=(Relation.EQUIVALENCE, Relation.REDUCTION, Relation.QUASI_REDUCTION, *GREY_BOX),
    check=_check,
    compare=_compare,
    interface=_interface,
    oracle=_oracle,
    player=_player,
)
