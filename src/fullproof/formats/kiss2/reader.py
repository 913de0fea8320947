"""KISS2, the state tables of logic synthesis: ``.i .o .s .p .r`` and terms ``input state next-state output``.

Where all inputs consist of 0, 1 and - they are cubes: ``0-`` stands for the symbols ``00`` and ``01``. Other words are
symbols as they are. A dash in an output is kept: ``0-``, ``00`` and ``01`` are three outputs, as in the benchmarks of
the Automata Wiki. A present state ``*`` (or ``-``) stands for every state. The initial state is that of ``.r``, else
the present state of the first term.

This project's writer adds one comment ``#: {...}`` with what the format cannot say: the machine's name, names that are
no words, symbols that no term uses.
"""

from __future__ import annotations

import json
import re
from itertools import product
from pathlib import Path
from typing import NamedTuple

from fullproof.core.counted import counted
from fullproof.core.errors import Place, UserError
from fullproof.core.suggest import did_you_mean
from fullproof.formats.mealy import MealyBuilder
from fullproof.model.fsm import Fsm

MAX_TERMS = 1_000_000
"""Cubes are expanded up to this many transitions in all."""

ANY_STATE = ("*", "-")
NOTES = "#: "
_COUNTS = (".i", ".o", ".s", ".p")
_IGNORED = (".ilb", ".ob", ".type", ".start_kiss", ".end_kiss")
_CUBE = re.compile(r"[01-]+\Z")


class _Term(NamedTuple):
    input: str
    source: str
    target: str
    output: str
    line: int


class _File:
    """The directives, terms and notes of a file, before they mean anything."""

    def __init__(self, text: str, file: str) -> None:
        self.file = file
        self.counts: dict[str, tuple[int, int]] = {}
        self.reset: tuple[str, int] | None = None
        self.terms: list[_Term] = []
        self.notes: dict[str, object] = {}
        for number, raw in enumerate(text.split("\n"), start=1):
            if raw.startswith(NOTES):
                self.notes = self.read_notes(raw[len(NOTES) :], number)
            words = raw.split("#", 1)[0].split()
            if not words:
                continue
            if words[0] in (".e", ".end"):
                break
            if words[0].startswith("."):
                self.directive(words, number)
            else:
                self.term(words, number)

    def directive(self, words: list[str], line: int) -> None:
        name, values = words[0], words[1:]
        if name in _COUNTS:
            if len(values) != 1 or not values[0].isascii() or not values[0].isdecimal() or len(values[0]) > 9:
                raise self.error(f"expected one number after {name}", line)
            self.counts[name] = (int(values[0]), line)
        elif name == ".r":
            if len(values) != 1:
                raise self.error("expected the name of one state after .r", line)
            self.reset = (values[0], line)
        elif name not in _IGNORED:
            known = (*_COUNTS, ".r", ".e", ".end", *_IGNORED)
            raise self.error(f"unknown directive {name[:60]!r}{did_you_mean(name[:60], known)}", line)

    def term(self, words: list[str], line: int) -> None:
        if len(words) != 4:
            raise self.error(f"expected 'input state next-state output', found {counted(len(words), 'word')}", line)
        if words[2] in ANY_STATE:
            raise self.error(f"the next state {words[2]!r} (any state) is not supported, expected a name", line)
        self.terms.append(_Term(words[0], words[1], words[2], words[3], line))

    def read_notes(self, text: str, line: int) -> dict[str, object]:
        try:
            notes = json.loads(text)
        except (ValueError, RecursionError):
            notes = None
        if not isinstance(notes, dict):
            raise self.error(f"expected a JSON object after {NOTES.strip()!r}", line)
        for key in ("inputs", "outputs", "states"):
            table = notes.get(key, {})
            if not isinstance(table, dict) or not all(isinstance(name, str) for name in table.values()):
                raise self.error(f"{key} should be a JSON object from words to names", line)
            if len(set(table.values())) < len(table):
                raise self.error(f"{key} gives two words the same name", line)
        if not isinstance(notes.get("name", ""), str):
            raise self.error("name should be a text", line)
        return notes

    def names(self, key: str) -> dict[str, str]:
        table = self.notes.get(key, {})
        return table if isinstance(table, dict) else {}

    def error(self, message: str, line: int) -> UserError:
        return UserError(message, at=Place(file=self.file, line=line))


def read_kiss2(text: str, path: Path) -> Fsm:
    """Read a state table."""
    file = _File(text, str(path))
    if not file.terms:
        raise UserError("there are no terms 'input state next-state output'", at=Place(file=str(path)))
    _check_widths(file)
    machine = MealyBuilder(path)
    for key, table in (("inputs", machine.inputs), ("outputs", machine.outputs), ("states", machine.states)):
        table.update((name, name) for name in file.names(key).values())
    _add_terms(file, machine)
    _check_counts(file, len(machine.states))
    name = file.notes.get("name")
    if isinstance(name, str):
        machine.name = name
    return machine.build(initial=_initial(file, machine))


def _add_terms(file: _File, machine: MealyBuilder) -> None:
    inputs, outputs, states = file.names("inputs"), file.names("outputs"), file.names("states")
    cubes = all(_CUBE.match(term.input) for term in file.terms)
    everywhere = [s for s in dict.fromkeys(s for t in file.terms for s in (t.source, t.target)) if s not in ANY_STATE]
    total = 0
    for term in file.terms:
        symbols = _expanded(file, term) if cubes else [term.input]
        sources = everywhere if term.source in ANY_STATE and term.source not in states else [term.source]
        total += len(symbols) * len(sources)
        if total > MAX_TERMS:
            raise file.error(f"the cubes up to here stand for more than {MAX_TERMS:,} transitions", term.line)
        for source in sources:
            for symbol in symbols:
                machine.add(
                    states.get(source, source),
                    inputs.get(symbol, symbol),
                    outputs.get(term.output, term.output),
                    states.get(term.target, term.target),
                    line=term.line,
                )


def _expanded(file: _File, term: _Term) -> list[str]:
    if "-" not in term.input:
        return [term.input]
    if 2 ** term.input.count("-") > MAX_TERMS:
        raise file.error(f"the cube {term.input[:60]} stands for more than {MAX_TERMS:,} symbols", term.line)
    return ["".join(bits) for bits in product(*("01" if c == "-" else c for c in term.input))]


def _check_widths(file: _File) -> None:
    """Bits must be as many as announced; where nothing is announced, as many as in the first term."""
    for index, directive, what in ((0, ".i", "input"), (3, ".o", "output")):
        words = [(str(term[index]), term.line) for term in file.terms]
        if not all(_CUBE.match(word) for word, _ in words):
            continue
        width = file.counts[directive][0] if directive in file.counts else len(words[0][0])
        for word, line in words:
            if len(word) != width:
                raise file.error(f"the {what} {word[:60]} has {len(word)} bits, expected {width}", line)


def _check_counts(file: _File, states: int) -> None:
    if ".p" in file.counts and file.counts[".p"][0] != len(file.terms):
        announced, line = file.counts[".p"]
        raise file.error(f".p announces {announced} terms, the file has {len(file.terms)}", line)
    if ".s" in file.counts and file.counts[".s"][0] < states:
        announced, line = file.counts[".s"]
        raise file.error(f".s announces {counted(announced, 'state')}, the file names {states}", line)


def _initial(file: _File, machine: MealyBuilder) -> str | None:
    if file.reset is None:
        return machine.first_source()
    word, line = file.reset
    name = file.names("states").get(word, word)
    if name not in machine.states:
        raise file.error(f"unknown state {name[:60]!r} after .r{did_you_mean(name[:60], machine.states)}", line)
    return name
