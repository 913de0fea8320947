"""The four kinds of models: frozen values, valid by construction."""

from __future__ import annotations

from typing import TypeAlias

from fullproof.model.fsm import Fsm
from fullproof.model.sfsm import Sfsm
from fullproof.model.statemachine import StateMachine
from fullproof.model.sts import Sts

Model: TypeAlias = Fsm | Sfsm | Sts | StateMachine

__all__ = ["Fsm", "Model", "Sfsm", "StateMachine", "Sts"]
