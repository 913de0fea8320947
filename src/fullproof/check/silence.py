"""State machines that show nothing: signals that a state loses, and states after which no output is seen any more."""

from __future__ import annotations

from collections.abc import Iterator

from fullproof.artefacts.finding import Finding
from fullproof.check.remarks import LISTED, some_of, warning
from fullproof.core.counted import counted, plural_of
from fullproof.language.syntax import TRUE
from fullproof.model import StateMachine

_SHOWN = 3
"""How many states and signals of each are spelt out in one line."""


def ignored_signals(model: StateMachine) -> Iterator[Finding]:
    """States in which a signal that others react to fires nothing, whatever the values: it is lost without a trace.

    Choice points, and states that a transition without trigger and guard leaves at once, wait for no signal.
    """
    heard = {t.trigger for t in model.transitions if t.trigger is not None}
    passed = {t.source for t in model.transitions if t.trigger is None and t.guard == TRUE}
    own: dict[str, set[str | None]] = {state: set() for state in model.states}
    for t in model.transitions:
        own[t.source].add(t.trigger)
    waiting = [state for state in model.states if state not in model.choices and state not in passed]
    lost = {state: [s for s in model.signals_in if s in heard and s not in own[state]] for state in waiting}
    gaps = [(state, signals) for state, signals in lost.items() if signals]
    if gaps:
        texts = [f"{state} ({some_of(signals, limit=_SHOWN)})" for state, signals in gaps[:_SHOWN]]
        yield warning(
            "ignored-signal",
            f"{len(gaps):,} of {counted(len(waiting), 'state')}",
            f"signals that other states react to are lost there without an answer: {some_of(texts, total=len(gaps))}",
            witness={"state": gaps[0][0], "signals": gaps[0][1]},
        )


def silent_states(model: StateMachine) -> Iterator[Finding]:
    """States with transitions, from which no run sends a signal or writes an output any more."""
    written = {v.name for v in model.outputs}
    loud = {t.source for t in model.transitions if t.sends or any(a.variable in written for a in t.actions)}
    before: dict[str, list[str]] = {}
    for t in model.transitions:
        before.setdefault(t.target, []).append(t.source)
    todo = sorted(loud)
    while todo:
        for source in before.get(todo.pop(), ()):
            if source not in loud:
                loud.add(source)
                todo.append(source)
    sources = {t.source for t in model.transitions}
    silent = [state for state in model.states if state in sources and state not in loud]
    if silent and loud:  # where there is no output at all, nothing is observable, which is another finding
        yield warning(
            "silent-states",
            f"{plural_of(len(silent), 'state')} {some_of(silent[:LISTED], total=len(silent))}",
            "no output is ever seen from there on, so no test shows what the system does",
            witness={"states": silent[:LISTED]},
        )
