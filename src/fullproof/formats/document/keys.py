"""The keys of a model file, by kind, in the order in which they are written."""

from __future__ import annotations

_HEAD = ("machine", "name", "constants")
_TAIL = ("fault_domain", "properties", "requirements")
KEYS: dict[str, tuple[str, ...]] = {
    "fsm": (*_HEAD, "inputs", "outputs", "initial", "ignore", "unavailable", "states", *_TAIL),
    "sfsm": (*_HEAD, "inputs", "outputs", "assume", "initial", "states", *_TAIL),
    "sts": (*_HEAD, "variables", "inputs", "outputs", "initial", "states", *_TAIL),
    "statemachine": (
        "machine", "name", "semantics", "constants", "signals", "inputs", "outputs", "variables", "timers", "started",
        "initial", "choices", "transitions", "states", *_TAIL,
    ),
}  # fmt: skip
TRANSITION_KEYS: dict[str, tuple[str, ...]] = {
    "fsm": ("when", "then", "to", "req"),
    "sfsm": ("when", "then", "to", "req"),
    "sts": ("gate", "when", "set", "to", "req"),
    "statemachine": (
        "trigger", "after", "every", "timer", "when", "do", "send", "raise", "start", "stop", "restart", "to", "kind",
        "req", "if", "else",
    ),
}  # fmt: skip
"""Of a transition, and of actions under a condition."""
STATE_KEYS: dict[str, tuple[str, ...]] = {
    "statemachine": ("initial", "entry", "exit", "final", "history", "transitions", "states", "parallel"),
}
"""Of a state that is more than a list of transitions."""
