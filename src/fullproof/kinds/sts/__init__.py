"""The kind ``sts``: symbolic transition systems, which emit outputs of their own accord."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fullproof.artefacts.request import Relation
from fullproof.kinds.kind import NOT_CERTIFIED, Kind
from fullproof.kinds.methods import Method
from fullproof.model import Sts

if TYPE_CHECKING:
    from fullproof.artefacts.finding import Profile
    from fullproof.kinds.comparison import Asked
    from fullproof.kinds.sts.comparison import StsConformance


def _check(model: Sts) -> Profile:
    from fullproof.check import check

    return check(model)


def _compare(model: Sts, asked: Asked) -> StsConformance:
    from fullproof.kinds.sts.comparison import StsConformance

    return StsConformance(model, asked)


_METHODS = (
    Method("tour", "tours over all goals", "a method of this project, see docs/sts.md"),
    Method("switch", "a shortest path to each goal", "van den Bos and Tretmans 2019"),
)

STS: Kind[Sts] = Kind(
    name=Sts.kind,
    plural="symbolic transition systems",
    relation=Relation.IOCO,
    compared=(Relation.IOCO,),
    check=_check,
    certify=None,
    classes=None,
    compare=_compare,
    methods=lambda _model, _relation: _METHODS,
    tested=lambda _: (Relation.IOCO,),
    faults=None,
    trial=None,
    interface=None,
    oracle=None,
    player=None,
    reasons={
        "certify": NOT_CERTIFIED,
        "classes": "those of an sfsm are classes of inputs and outputs, those of a statemachine of states and triggers",
        "a suite of inputs": "their suites hold purposes, whose values are chosen while they run",
        "mutate": "there are no operators that make typical faults of gates and assignments",
        "score": "what a purpose shows of a mutant depends on values that are chosen while it runs",
    },
)
