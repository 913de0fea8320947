"""The kind ``sfsm``: symbolic finite state machines, with guards and output expressions over values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING

from fullproof.artefacts.request import Relation
from fullproof.kinds.kind import Kind
from fullproof.model import Sfsm

if TYPE_CHECKING:
    from fullproof.artefacts.finding import Profile
    from fullproof.execute.play import Player
    from fullproof.judge import Oracle
    from fullproof.kinds.comparison import Asked
    from fullproof.kinds.sfsm.comparison import SfsmConformance
    from fullproof.kinds.sfsm.interface import Valuations
    from fullproof.model.common import Property


def _check(model: Sfsm) -> Profile:
    from fullproof.check import check

    profile = check(model)
    if not model.description.properties:
        return profile
    from fullproof.check.remarks import arranged
    from fullproof.kinds.sfsm.properties import property_findings

    return replace(profile, findings=arranged((*profile.findings, *property_findings(model))))


def _compare(model: Sfsm, asked: Asked) -> SfsmConformance:
    from fullproof.kinds.sfsm.comparison import SfsmConformance

    return SfsmConformance(model, asked)


def _interface(model: Sfsm) -> Valuations:
    from fullproof.kinds.sfsm.interface import Valuations

    return Valuations(model)


def _oracle(model: Sfsm, relation: Relation, properties: Sequence[Property]) -> Oracle:
    from fullproof.judge import oracle_for

    return oracle_for(model, relation, properties=properties)


def _player(model: Sfsm, dice: Random) -> Player:
    from fullproof.execute.play.sfsm import SfsmPlayer

    return SfsmPlayer(model, dice)


SFSM: Kind[Sfsm] = Kind(
    name=Sfsm.kind,
    plural="symbolic machines",
    relation=Relation.EQUIVALENCE,
    compared=(
        Relation.EQUIVALENCE,
        Relation.REDUCTION,
        Relation.QUASI_REDUCTION,
        Relation.STRONG_REDUCTION,
        Relation.PROPERTY,
    ),
    check=_check,
    compare=_compare,
    interface=_interface,
    oracle=_oracle,
    player=_player,
)
