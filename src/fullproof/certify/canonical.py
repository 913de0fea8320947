"""Model and suite as certificates see them: numbered without regard to the file's layout, and hashed.

docs/certificate-format.md, sections 1 and 2.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from fullproof.certify.machine import FlatMachine, Word, classes, minimal, obstacle, reachable, tabulate
from fullproof.core.errors import UserError
from fullproof.model.fsm import Fsm


@dataclass(frozen=True, slots=True)
class CanonicalModel:
    """Inputs sorted by name, reachable states breadth first; ``minimal`` is the machine of the classes.

    Outputs are numbered in the order of their names.
    """

    names: tuple[str, ...]
    outputs: tuple[str, ...]
    whole: FlatMachine
    classes: tuple[int, ...]
    minimal: FlatMachine

    def sha256(self) -> str:
        """The hash of the model."""
        lines = [b"fullproof-machine 1", b"inputs %d" % len(self.names), *map(_name, self.names)]
        lines.append(b"states %d" % self.whole.states)
        outputs = [_name(output) for output in self.outputs]
        for targets, answers in zip(self.whole.target, self.whole.output, strict=True):
            lines += [b"%d %s" % (t, outputs[o]) for t, o in zip(targets, answers, strict=True)]
        return hashlib.sha256(b"\n".join(lines) + b"\n").hexdigest()


def canonical(fsm: Fsm) -> CanonicalModel:
    """Number a model as certificates do. Needs: complete and deterministic."""
    hindrance = obstacle(fsm)
    if hindrance is not None:
        raise UserError(f"certificates are for complete deterministic models: {hindrance}")
    # By code point, which is the order of the bytes in UTF-8.
    names, outputs = tuple(sorted(fsm.inputs)), sorted(set(fsm.outputs))
    place = {symbol: k for k, symbol in enumerate(fsm.inputs)}
    answer = [outputs.index(symbol) for symbol in fsm.outputs]
    order = [place[symbol] for symbol in names]
    table = tabulate(fsm)
    by_name = FlatMachine(
        target=tuple(tuple(row[k] for k in order) for row in table.target),
        output=tuple(tuple(answer[row[k]] for k in order) for row in table.output),
    )
    states = reachable(by_name)
    number = {s: k for k, s in enumerate(states)}
    whole = FlatMachine(
        target=tuple(tuple(number[t] for t in by_name.target[s]) for s in states),
        output=tuple(by_name.output[s] for s in states),
    )
    return CanonicalModel(names, tuple(outputs), whole, tuple(classes(whole).values()), minimal(whole))


def suite_sha256(words: Sequence[Sequence[int]]) -> str:
    """The hash of a suite whose inputs are numbered by their names."""
    lines = ["fullproof-tests 1", f"tests {len(words)}", *(word_line(word) for word in words)]
    return hashlib.sha256(("\n".join(lines) + "\n").encode()).hexdigest()


def word_line(word: Iterable[int]) -> str:
    """A word as certificates write it."""
    return " ".join(map(str, word))


def distinctions(model: FlatMachine) -> dict[tuple[int, int], Word]:
    """For each pair of states a shortest word that they answer differently. Needs: a minimal model."""
    found: dict[tuple[int, int], Word] = {}
    pending = list(combinations(range(model.states), 2))
    for q, r in pending:
        i = next((i for i in range(model.inputs) if model.output[q][i] != model.output[r][i]), None)
        if i is not None:
            found[q, r] = (i,)
    while pending := [pair for pair in pending if pair not in found]:
        known = dict(found)
        for q, r in pending:
            for i in range(model.inputs):
                after = sorted((model.target[q][i], model.target[r][i]))
                if (after[0], after[1]) in known:
                    found[q, r] = (i, *known[after[0], after[1]])
                    break
    return found


def _name(name: str) -> bytes:
    try:
        text = name.encode()
    except UnicodeEncodeError:
        raise UserError(f"the name {name!r} cannot be encoded in UTF-8: no certificate is possible") from None
    return b"%d:%s" % (len(text), text)
