"""The kind ``sts``: symbolic transition systems, which emit outputs of their own accord."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fullproof.artefacts.request import Relation
from fullproof.kinds.kind import Kind
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


STS: Kind[Sts] = Kind(
    name=Sts.kind,
    plural="symbolic transition systems",
    relation=Relation.IOCO,
    compared=(Relation.IOCO,),
    check=_check,
    compare=_compare,
    interface=None,
    oracle=None,
    player=None,
    reasons={"a suite of inputs": "their suites hold purposes, whose values are chosen while they run"},
)
