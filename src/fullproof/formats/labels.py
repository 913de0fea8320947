"""One line of text for a transition, shared by every picture and diagram."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable
from typing import TypeAlias

from fullproof.language.durations import duration_from_text, duration_to_text
from fullproof.language.printer import to_text
from fullproof.language.syntax import TRUE, Expression
from fullproof.model import Fsm, Model, StateMachine, Sts
from fullproof.model.fsm import FsmTransition
from fullproof.model.sfsm import SfsmTransition
from fullproof.model.statemachine import SmTransition
from fullproof.model.sts import TAU, Switch
from fullproof.model.timed import Timer

_NAMED_TIME = re.compile(r"(?:after|every) (.+)\Z")

AnyTransition: TypeAlias = FsmTransition | SfsmTransition | Switch | SmTransition


def transition_label(model: Model, transition: AnyTransition, *, name: Callable[[str], str] = str) -> str:
    """What stands on the arrow; ``name`` writes the names of symbols, gates and signals.

    ``a / 0`` (fsm), ``x <= vmax / y == 0`` (sfsm), ``inX? [1 <= p <= 10] x := x + p`` (sts, ``!`` marks outputs,
    internal steps have no mark), ``a [x > 0] / m = x / 2; send s`` (statemachine; nothing at all where the empty
    trigger meets no guard; timers that it starts are shown, those that it stops are not).
    """
    match transition:
        case FsmTransition():
            return f"{name(transition.input)} / {name(transition.output)}"
        case SfsmTransition():
            return f"{to_text(transition.guard)} / {to_text(transition.output)}"
        case Switch():
            return _switch_label(model, transition, name)
        case SmTransition():
            return _statemachine_label(model, transition, name)


def label_halves(model: Model, transition: AnyTransition) -> tuple[str, str]:
    """The label, cut where the reaction begins."""
    label = transition_label(model, transition)
    match transition:
        case FsmTransition():
            head = transition.input
        case SfsmTransition():
            head = transition_label(model, dataclasses.replace(transition, output=TRUE)).removesuffix("/ true")
        case Switch():
            head = transition_label(model, dataclasses.replace(transition, assignments=()))
        case SmTransition():
            bare = dataclasses.replace(transition, actions=(), sends=(), starts=(), stops=())
            head = transition_label(model, bare)
    return label[: len(head)].strip(), label[len(head) :].strip()


def symbol_pairs(model: Model) -> list[tuple[str, str]] | None:
    """The input and output of each transition, where these are symbols."""
    return [(t.input, t.output) for t in model.transitions] if isinstance(model, Fsm) else None


def transition_name(model: Model, transition: AnyTransition) -> str:
    """A transition as reports name it: from where, with what on the arrow, to where."""
    match transition:
        case FsmTransition():
            label = f"{transition.input}/{transition.output}"
        case SfsmTransition():
            label = f"[{to_text(transition.guard)}] / {to_text(transition.output)}"
        case Switch() | SmTransition():
            label = transition_label(model, transition)
    return f"{transition.source} --{label}--> {transition.target}"


def _switch_label(model: Model, switch: Switch, name: Callable[[str], str]) -> str:
    receives = isinstance(model, Sts) and any(gate.name == switch.gate for gate in model.inputs)
    update = ", ".join(f"{a.variable} := {to_text(a.expression)}" for a in switch.assignments)
    mark = "" if switch.gate == TAU else "?" if receives else "!"
    return _joined(name(switch.gate) + mark, _guard(switch.guard), update)


def _statemachine_label(model: Model, transition: SmTransition, name: Callable[[str], str]) -> str:
    effects = [f"{a.variable} = {to_text(a.expression)}" for a in transition.actions]
    effects += [f"send {name(signal)}" for signal in transition.sends]
    trigger = "" if transition.trigger is None else name(transition.trigger)
    if transition.starts or trigger:
        times = {timer.name: timer for timer in model.timers} if isinstance(model, StateMachine) else {}
        if transition.trigger in times:
            trigger = _time(times[transition.trigger], name)
        effects += [f"start {_time(times[timer], name)}" for timer in transition.starts if timer in times]
    return _joined(trigger, _guard(transition.guard), "/ " + "; ".join(effects) if effects else "")


def _time(timer: Timer, name: Callable[[str], str]) -> str:
    """The name of a timer, with its time where that is not part of the name."""
    time = duration_to_text(timer.duration)
    named = _NAMED_TIME.search(timer.name)
    same = named is not None and duration_from_text(named[1]) == timer.duration
    return name(timer.name) if same or time in timer.name else f"{name(timer.name)} ({time})"


def _guard(guard: Expression) -> str:
    return "" if guard == TRUE else f"[{to_text(guard)}]"


def _joined(*parts: str) -> str:
    return " ".join(part for part in parts if part)
