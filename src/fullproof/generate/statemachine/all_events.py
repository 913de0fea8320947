"""Machines with few events: all of them are taken, and no partition is needed."""

from __future__ import annotations

from fullproof.analysis.input_values import all_inputs
from fullproof.analysis.symbolic_runs import SymbolicRuns
from fullproof.artefacts.partition import ClassPartition, StateClass, TriggerCondition
from fullproof.generate.statemachine.places import Places
from fullproof.generate.statemachine.restriction import Restriction, all_sequences
from fullproof.language.syntax import TRUE
from fullproof.model import StateMachine

FEW_INPUTS = 12
FEW_CELLS = 1_500
"""Up to this many combinations of input values, and this many configurations times events, all events are used
without a partition."""


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
