"""One module for each kind of models; everything above this room is blind to kinds.

``kind_of`` is the one place that goes from a model to its kind. A kind is imported when a model of that kind is used.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import TYPE_CHECKING, TypeAlias

from fullproof.artefacts.request import Relation
from fullproof.core.errors import UserError
from fullproof.kinds.kind import AnyKind, Kind, Letters
from fullproof.model import Fsm, Model, Sfsm, StateMachine, Sts

if TYPE_CHECKING:
    from fullproof.execute.play import EmittingPlayer, Player
    from fullproof.judge.oracle import Oracle
    from fullproof.judge.sts import StsOracle
    from fullproof.model.common import Property

    AnyOracle: TypeAlias = Oracle | StsOracle


def _fsm() -> AnyKind:
    from fullproof.kinds.fsm import FSM

    return FSM


def _sfsm() -> AnyKind:
    from fullproof.kinds.sfsm import SFSM

    return SFSM


def _sts() -> AnyKind:
    from fullproof.kinds.sts import STS

    return STS


def _statemachine() -> AnyKind:
    from fullproof.kinds.statemachine import STATEMACHINE

    return STATEMACHINE


KINDS: Mapping[type, Callable[[], AnyKind]] = {Fsm: _fsm, Sfsm: _sfsm, Sts: _sts, StateMachine: _statemachine}
"""The kind of each class of models, imported when a model of it turns up."""


def kind_of(model: Model) -> AnyKind:
    """The kind of a model, with its parts: that of its own class, else of one that it extends."""
    return next(KINDS[listed] for listed in type(model).__mro__ if listed in KINDS)()


def play(model: Model, dice: Random) -> Player | EmittingPlayer:
    """Start executing a model. A function of a module, so that it can be pickled for other processes."""
    return kind_of(model).player(model, dice)


def oracle_for(
    model: Model, relation: Relation = Relation.EQUIVALENCE, *, properties: Sequence[Property] = ()
) -> Oracle:
    """Prepare to judge many executions of one model whose systems answer each input."""
    from fullproof.judge.oracle import Oracle

    oracle = any_oracle_for(model, relation, properties=properties)
    assert isinstance(oracle, Oracle)
    return oracle


def any_oracle_for(model: Model, relation: Relation, *, properties: Sequence[Property] = ()) -> AnyOracle:
    """Prepare to judge many executions of one model."""
    kind = kind_of(model)
    if relation not in kind.judged:
        raise UserError(f"runs cannot be judged for {relation.value} of a model of kind {kind.name} in this version")
    return kind.oracle(model, relation, properties)


__all__ = ["KINDS", "AnyKind", "Kind", "Letters", "any_oracle_for", "kind_of", "oracle_for", "play"]
