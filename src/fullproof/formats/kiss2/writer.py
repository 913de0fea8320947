"""Write a Mealy machine as KISS2; words of bits stay cubes, other names stay as they are where they are words.

What is not a word of the format gets a short one, and the comment ``#: {...}`` says which (see ``kiss2.reader``).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence

from fullproof.core.errors import UserError
from fullproof.formats.kiss2.reader import ANY_STATE, NOTES
from fullproof.formats.mealy import require_printable, used_symbols
from fullproof.model.fsm import Fsm

_WORD = re.compile(r"[^\s#.][^\s#]*\Z")
_BITS = {"input": re.compile(r"[01]+\Z"), "output": re.compile(r"[01-]+\Z")}
_CUBE = re.compile(r"[01-]+\Z")


def kiss2_lines(fsm: Fsm) -> Iterator[str]:
    """Yield the lines of the file. An input of the machine's alphabet that has no transition survives in the notes."""
    require_printable(fsm, ending=".kiss2")
    if not fsm.transitions:
        raise UserError("a .kiss2 file cannot hold a machine without transitions")
    used_inputs, used_outputs = used_symbols(fsm)
    states = _state_words(fsm.states)
    inputs, width = _symbol_words(fsm.inputs, used_inputs, "input")
    outputs, out_width = _symbol_words(fsm.outputs, used_outputs, "output")
    notes: dict[str, object] = {"name": fsm.name}
    mentioned = tuple(dict.fromkeys(s for t in fsm.transitions for s in (t.source, t.target)))
    for key, words, used in (
        ("inputs", inputs, used_inputs),
        ("outputs", outputs, used_outputs),
        ("states", states, mentioned),
    ):
        if tuple(words) != used or any(word != name for name, word in words.items()):
            notes[key] = {word: name for name, word in words.items()}
    yield f"{NOTES}{json.dumps(notes, ensure_ascii=False)}\n"
    yield f".i {width}\n.o {out_width}\n.p {len(fsm.transitions)}\n.s {len(fsm.states)}\n.r {states[fsm.initial]}\n"
    for t in fsm.transitions:
        yield f"{inputs[t.input]} {states[t.source]} {states[t.target]} {outputs[t.output]}\n"
    yield ".e\n"


def _state_words(names: Sequence[str]) -> dict[str, str]:
    if all(_WORD.match(name) and name not in ANY_STATE for name in names):
        return {name: name for name in names}
    return {name: f"s{number}" for number, name in enumerate(names)}


def _symbol_words(names: Sequence[str], used: Sequence[str], what: str) -> tuple[dict[str, str], int]:
    """The word of each symbol, and the number of bits (1 for symbols that are not bits).

    A reader takes words for bits where all words in the terms look so: names may only be left as they are where that
    is what they are, or where one used name keeps them from being taken so.
    """
    if all(_BITS[what].match(name) for name in names) and len({len(name) for name in names}) == 1:
        return {name: name for name in names}, len(names[0])
    if all(_WORD.match(name) for name in names) and not all(_CUBE.match(name) for name in used):
        return {name: name for name in names}, 1
    return {name: f"{what[0]}{number}" for number, name in enumerate(names)}, 1
