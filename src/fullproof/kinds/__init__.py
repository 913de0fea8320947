"""One module for each kind of models; everything above this room is blind to kinds.

``kind_of`` is the one place that goes from a model to its kind. A kind is imported when a model of it turns up.
"""

from __future__ import annotations

from fullproof.kinds.kind import AnyKind, Interface, Kind
from fullproof.model import Fsm, Model, Sfsm, StateMachine, Sts


def kind_of(model: Model) -> AnyKind:
    """The kind of a model, with its parts."""
    match model:
        case Fsm():
            from fullproof.kinds.fsm import FSM

            return FSM
        case Sfsm():
            from fullproof.kinds.sfsm import SFSM

            return SFSM
        case Sts():
            from fullproof.kinds.sts import STS

            return STS
        case StateMachine():
            from fullproof.kinds.statemachine import STATEMACHINE

            return STATEMACHINE


__all__ = ["AnyKind", "Interface", "Kind", "kind_of"]
