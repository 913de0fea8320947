"""Models of AALpy as ours, without a file in between."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from typing import Any

from fullproof.core.errors import UserError
from fullproof.execute.observation import python_symbol
from fullproof.execute.sut import SutError
from fullproof.model import Fsm
from fullproof.model.fsm import FsmTransition

_KNOWN = "a Mealy machine, a Moore machine, a DFA or an ONFSM of AALpy"


def from_aalpy(model: Any, *, name: str = "learnt") -> Fsm:
    """The machine of a Mealy machine, Moore machine, DFA or observable nondeterministic machine (ONFSM) of AALpy.

    Symbols become texts as the outputs of Python systems do (``python_symbol``), other objects by ``str``. A Moore
    machine or DFA gives the output of the state that it reaches, ``true`` or ``false`` of a DFA; what it gives before
    the first input is not in the machine. Raises UserError for other models, and where two symbols become one text.
    """
    if not hasattr(model, "states") or not hasattr(model, "initial_state"):
        raise UserError(f"expected {_KNOWN}, got {str(model)[:60]!r} ({type(model).__name__})")
    states = list(model.states)
    names = dict(zip(map(id, states), _names([state.state_id for state in states], "state"), strict=True))
    inputs = list(dict.fromkeys(symbol for state in states for symbol in state.transitions))
    spelt = dict(zip(inputs, _names(inputs, "input"), strict=True))
    edges = [(state, symbol, output, target) for state in states for symbol, output, target in edges_of(state)]
    outputs = list(dict.fromkeys(output for _, _, output, _ in edges))
    said = dict(zip(outputs, _names(outputs, "output"), strict=True))
    return Fsm(
        name=name,
        initial=names[id(model.initial_state)],
        states=tuple(names.values()),
        inputs=tuple(spelt.values()),
        outputs=tuple(said.values()),
        transitions=tuple(
            FsmTransition(names[id(state)], spelt[symbol], said[output], names[id(target)])
            for state, symbol, output, target in edges
        ),
    )


def edges_of(state: Any) -> Iterator[tuple[Hashable, Hashable, Any]]:
    """The input, output and target of each transition from a state."""
    for symbol, reached in state.transitions.items():
        if hasattr(state, "output_fun"):
            yield symbol, state.output_fun[symbol], reached
        elif isinstance(reached, list):  # of an ONFSM: some outputs, each with its state
            if not all(isinstance(one, tuple) and len(one) == 2 for one in reached):
                raise _unknown(state)
            yield from ((symbol, output, target) for output, target in reached)
        elif hasattr(reached, "is_accepting"):
            yield symbol, bool(reached.is_accepting), reached
        elif hasattr(reached, "output"):
            yield symbol, reached.output, reached
        else:
            raise _unknown(state)


def _unknown(state: object) -> UserError:
    return UserError(f"a model with states of type {type(state).__name__} cannot be converted, only {_KNOWN}")


def _names(symbols: Iterable[object], what: str) -> list[str]:
    found: dict[str, object] = {}
    for symbol in symbols:
        text = _text(symbol)
        if text in found:
            raise UserError(f"two {what}s would have the name {text!r}: {found[text]!r} and {symbol!r}")
        found[text] = symbol
    return list(found)


def _text(symbol: object) -> str:
    try:
        return python_symbol(symbol)
    except SutError:
        return str(symbol)
