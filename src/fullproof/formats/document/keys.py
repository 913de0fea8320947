"""The keys of a model file, by kind, in the order in which they are written."""

from __future__ import annotations

_HEAD = ("machine", "name", "constants")
_TAIL = ("fault_domain", "properties", "requirements")
KEYS: dict[str, tuple[str, ...]] = {
    "fsm": (*_HEAD, "inputs", "outputs", "initial", "ignore", "states", *_TAIL),
    "sfsm": (*_HEAD, "inputs", "outputs", "assume", "initial", "states", *_TAIL),
    "sts": (*_HEAD, "variables", "inputs", "outputs", "initial", "states", *_TAIL),
    "statemachine": (
        *_HEAD, "signals", "inputs", "outputs", "variables", "initial", "choices", "states", *_TAIL,
    ),
}  # fmt: skip
