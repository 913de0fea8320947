"""Machines with few events: all of them are taken, and no partition is needed."""

from __future__ import annotations

from itertools import product
from math import prod

from fullproof.analysis.symbolic_runs import SymbolicRuns
from fullproof.artefacts.partition import ClassPartition, StateClass, TriggerCondition
from fullproof.generate.statemachine.places import Inputs, Places
from fullproof.generate.statemachine.restriction import Restriction, all_sequences
from fullproof.language.syntax import TRUE
from fullproof.language.types import BoolType, EnumType, IntType, Value, Variable
from fullproof.language.values import count_of
from fullproof.model import StateMachine

FEW_INPUTS = 12
FEW_CELLS = 1_500
"""Up to this many combinations of input values, and this many configurations times events, all events are used
without a partition."""


def all_inputs(model: StateMachine, *, most: int) -> list[Inputs] | None:
    """Every combination of input values; None where there are more than ``most``."""
    if not 0 < prod(count_of(variable.type) or 0 for variable in model.inputs) <= most:
        return None
    names = [variable.name for variable in model.inputs]
    combinations = product(*(_values(variable) for variable in model.inputs))
    return [tuple(zip(names, values, strict=True)) for values in combinations]


def _values(variable: Variable) -> list[Value]:
    match variable.type:
        case BoolType():
            return [False, True]
        case EnumType(values=values):
            return list(values)
        case IntType(low=low, high=high) if low is not None and high is not None:
            return list(range(low, high + 1))
    raise AssertionError("a type with finitely many values")


def by_control_state(model: StateMachine) -> ClassPartition:
    """One class for each control state, and one for all inputs: sufficient where nothing depends on the partition."""
    runs = SymbolicRuns(model)
    states = tuple(StateClass(s, runs.quiescent(s)) for s in model.states if s not in model.choices)
    signals = (None, *model.signals_in)
    whole = (TriggerCondition((TRUE,)),)
    return ClassPartition(states=states, triggers=whole, signals=signals, nominal=len(signals), rounds=0)


def explored(model: StateMachine, *, most_inputs: int, most_cells: int) -> tuple[Places, Restriction] | None:
    """The whole model, all its events and configurations, where there are few enough of both."""
    inputs = all_inputs(model, most=most_inputs)
    if inputs is None:
        return None
    places = Places(model, by_control_state(model))
    machine = all_sequences(places, inputs, most_cells=most_cells)
    return None if machine is None else (places, machine)
