"""fsmlib's ``.fsm``: four columns ``source input output target``; name files ``.in .out .state`` may stand beside it.

As in fsmlib-cpp, the initial state is the source of the first line, line k of a name file (counted from 0) names number
k, and a number without a name is its own name. A column without a name file may hold words instead of numbers.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

from fullproof.core.errors import Place, UserError
from fullproof.formats.mealy import MealyBuilder, require_printable
from fullproof.formats.source import BYTE_ORDER_MARK, decode, readable
from fullproof.model.fsm import Fsm

NAME_FILES = {"inputs": ".in", "outputs": ".out", "states": ".state"}
_NUMBER = re.compile(r"[0-9]{1,9}\Z")


def read_columns(text: str, path: Path) -> Fsm:
    """Read a transition table."""
    machine = MealyBuilder(path)
    file = str(path)
    tables = {key: _read_names(path.with_suffix(ending)) for key, ending in NAME_FILES.items()}
    state, symbol, output = (_namer(tables[key], NAME_FILES[key], file) for key in ("states", "inputs", "outputs"))
    for line, raw in enumerate(text.split("\n"), start=1):
        words = raw.split()
        if len(words) == 4:
            source, read, wrote, target = words
            machine.add(state(source, line), symbol(read, line), output(wrote, line), state(target, line), line=line)
        elif words:
            message = f"expected four columns 'source input output target', found {len(words)}"
            raise UserError(message, at=Place(file=file, line=line))
    initial = machine.first_source()
    for key, table in (("states", machine.states), ("inputs", machine.inputs), ("outputs", machine.outputs)):
        _order(table, tables[key])
    return machine.build(initial=initial)


def columns_lines(fsm: Fsm) -> Iterator[str]:
    """Yield the lines of the ``.fsm`` file: those of the initial state first, since the first line marks it."""
    if not any(t.source == fsm.initial for t in fsm.transitions):
        raise UserError(
            f"a .fsm file cannot hold this machine: its first line marks the initial state, and {fsm.initial!r}"
            " has no transition"
        )
    state, symbol, output = (
        {name: number for number, name in enumerate(names)} for names in (fsm.states, fsm.inputs, fsm.outputs)
    )
    transitions = fsm.transitions
    if transitions[0].source != fsm.initial:
        transitions = tuple(sorted(transitions, key=lambda t: t.source != fsm.initial))
    for t in transitions:
        yield f"{state[t.source]} {symbol[t.input]} {output[t.output]} {state[t.target]}\n"


def name_file_lines(fsm: Fsm) -> dict[str, list[str]]:
    """The lines of the three name files, by ending."""
    require_printable(fsm, ending=".fsm")
    for name in (*fsm.states, *fsm.inputs, *fsm.outputs):
        if not name.strip() or name != name.strip():
            raise UserError(f"a .fsm file cannot hold the name {name!r}: it begins or ends with a blank, or is empty")
    return {ending: [name + "\n" for name in getattr(fsm, key)] for key, ending in NAME_FILES.items()}


def _read_names(path: Path) -> list[str] | None:
    """The names in a name file, or None where there is no such file."""
    if not path.is_file():
        return None
    with readable(path):
        text = decode(path.read_bytes(), file=str(path)).removeprefix(BYTE_ORDER_MARK)
    names = [line.strip() for line in text.rstrip().split("\n")]
    if names == [""]:
        return None
    seen: set[str] = set()
    for line, name in enumerate(names, start=1):
        if not name or name in seen:
            message = f"the name {name[:60]!r} is listed twice" if name else "expected a name, the line is blank"
            raise UserError(message, at=Place(file=str(path), line=line))
        seen.add(name)
    return names


def _namer(names: list[str] | None, ending: str, file: str) -> Callable[[str, int], str]:
    if names is None:
        return lambda word, _: word
    known = dict(enumerate(names))
    taken = set(names)
    cache: dict[str, str] = {}

    def name(word: str, line: int) -> str:
        found = cache.get(word)
        if found is None:
            place = Place(file=file, line=line)
            if not _NUMBER.match(word):
                raise UserError(
                    f"expected a number, since a {ending} file gives the names, found {word[:60]!r}", at=place
                )
            found = known.get(int(word), word)
            if int(word) not in known and word in taken:
                raise UserError(f"number {word} has no name, and {word!r} is the name of another number", at=place)
            cache[word] = found
        return found

    return name


def _order(table: dict[str, str], names: list[str] | None) -> None:
    """Order names as their file does, else by number where all are numbers, else as they occur."""
    if names is not None:
        order = [*names, *sorted(set(table) - set(names), key=int)]
    elif all(_NUMBER.match(name) for name in table):
        order = sorted(table, key=int)
    else:
        return
    # The strings already in the table are those of the transitions: keep them.
    kept = [table.get(name, name) for name in order]
    table.clear()
    table.update((name, name) for name in kept)
