"""Write a Mealy machine as on the Automata Wiki; what labels cannot carry goes into attributes (see ``dot.reader``)."""

from __future__ import annotations

import json
from collections.abc import Iterator

from fullproof.core.errors import UserError
from fullproof.formats.dot.reader import NAMELESS, START
from fullproof.formats.dot.tokens import quote
from fullproof.formats.mealy import require_printable, split_label, used_symbols
from fullproof.model.fsm import Fsm
from fullproof.model.statemachine import StateMachine


def dot_lines(model: Fsm | StateMachine) -> Iterator[str]:
    """Yield the lines of the file: of a Mealy machine, or of one with local timers."""
    if isinstance(model, StateMachine):
        from fullproof.formats.dot.local_timers_writer import local_timer_lines

        return local_timer_lines(model)
    return _mealy_lines(model)


def _mealy_lines(fsm: Fsm) -> Iterator[str]:
    require_printable(fsm, ending=".dot")
    for state in fsm.states:
        if state.startswith(START):
            raise UserError(f"a .dot file cannot hold the state {state!r}: {START}... marks the initial state")
    yield f"digraph {quote(fsm.name)} {{\n"
    if fsm.name in NAMELESS:
        yield f"    name={quote(fsm.name)};\n"
    for key, used, declared in zip(("inputs", "outputs"), used_symbols(fsm), (fsm.inputs, fsm.outputs), strict=True):
        if used != declared:
            yield f"    {key}={quote(json.dumps(declared, ensure_ascii=False))};\n"
    for state in fsm.states:
        yield f"    {quote(state)};\n"
    yield f'    {START}0 [label="" shape="none"];\n'
    yield f"    {START}0 -> {quote(fsm.initial)};\n"
    for t in fsm.transitions:
        yield f"    {quote(t.source)} -> {quote(t.target)} [{_label(t.input, t.output)}];\n"
    yield "}\n"


def _label(symbol: str, output: str) -> str:
    label = f"{symbol} / {output}"
    text = f"label={quote(label)}"
    if split_label(label) != (symbol, output):
        text += f" input={quote(symbol)} output={quote(output)}"
    return text
