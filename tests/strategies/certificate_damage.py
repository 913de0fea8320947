"""Certificates with something wrong: in a byte, in a line, in the suite, in the model, in the claim."""

import dataclasses
import hashlib
from collections.abc import Sequence
from random import Random

from fullproof.certify.canonical import canonical, suite_sha256
from fullproof.model.fsm import Fsm

Words = Sequence[tuple[str, ...]]
WAYS = ("byte", "line", "number", "test", "output", "target", "bound", "lemma", "hint")


@dataclasses.dataclass(frozen=True)
class Damaged:
    """What to hand to a checker, and how it was damaged. ``certain``: it has to be refused, whatever the luck."""

    way: str
    model: Fsm
    words: Words
    certificate: str
    certain: bool


def damage(dice: Random, fsm: Fsm, words: Words, certificate: str, *, way: str, forge: bool) -> Damaged:
    """Damage a certificate, its suite or its model.

    ``forge``: make the hashes fit afterwards; then the claim may be true by luck. Not of ``byte``.
    """
    body, _, _ = certificate.rpartition("end ")
    lines = body.splitlines()
    match way:
        case "byte":
            k = dice.randrange(len(certificate))
            raw = bytearray(certificate.encode())
            raw[k] ^= 1 << dice.randrange(7)
            return Damaged(way, fsm, words, raw.decode("ascii"), certain=True)
        case "line":
            del lines[dice.randrange(len(lines))]
        case "number":
            k = dice.randrange(1, len(lines))
            fields = lines[k].split(" ")
            place = dice.randrange(len(fields))
            fields[place] = str(dice.randrange(max(2, len(words))))
            lines[k] = " ".join(fields)
        case "test":
            words = list(words)
            k = dice.randrange(len(words))
            words[k] = words[k][:-1]
        case "output" | "target":
            fsm = _changed(dice, fsm, way)
        case "bound":
            k = next(k for k, line in enumerate(lines) if line.startswith("extra "))
            lines[k] = f"extra {int(lines[k].split()[1]) + 1}"
        case "lemma":
            found = [k for k, line in enumerate(lines) if line.startswith(("lemma ", "take ", "apart "))]
            if found:
                del lines[dice.choice(found)]
        case "hint":
            found = [k for k, line in enumerate(lines) if line.startswith("lemma ")]
            if found:
                k = dice.choice(found)
                fields = lines[k].split(" ")
                place = dice.randint(fields.index("0") + 1, len(fields) - 1)
                fields.insert(place, dice.choice((fields[place], str(dice.randint(1, max(map(int, fields[1:])))))))
                lines[k] = " ".join(fields)
    if forge:
        return Damaged(way, fsm, words, forged(lines, fsm, words), certain=False)
    kept = "".join(f"{line}\n" for line in lines)
    return Damaged(way, fsm, words, f"{kept}{certificate[len(body) :]}", certain=True)


def forged(lines: Sequence[str], fsm: Fsm, words: Words) -> str:
    """The text of some lines with hashes that fit."""
    model = canonical(fsm)
    place = {symbol: k for k, symbol in enumerate(model.names)}
    suite = suite_sha256([[place[symbol] for symbol in word] for word in words])
    fitting = {"model": f"model {model.sha256()}", "suite": f"suite {suite}"}
    body = "".join(fitting.get(line.split(" ")[0], line) + "\n" for line in lines)
    return f"{body}end {hashlib.sha256(body.encode()).hexdigest()}\n"


def with_superfluous_hints(fsm: Fsm, words: Words, certificate: str) -> str:
    """A refutation with all hints twice but the last ones, and with a lemma ``x or not x``.

    The empty lemma cites that one, too, after x is known: one of its literals is true already. Needs: a unit among the
    lemmas.
    """
    lines = certificate.splitlines()[:-1]
    first = next(k for k, line in enumerate(lines) if line.startswith("lemma "))
    count = int(lines[first - 1].split(" ")[1])
    place = next(k for k in range(first, len(lines)) if lines[k].split(" ")[2] == "0")
    unit = count + 1 + place - first
    made = []
    for line in lines[first:]:
        head, _, hints = line.partition(" 0 ")
        *some, last = [number + (number > unit) for number in map(int, hints.split(" "))]
        made.append([head, "0", *[str(number) for number in some for _ in range(2)], str(last)])
    made[-1][2:2] = [str(unit), str(unit), str(unit + 1)]
    literal = int(made[place - first][0].split(" ")[1])
    made.insert(place - first + 1, ["lemma", str(literal), str(-literal), "0", str(unit)])
    return forged([*lines[:first], *map(" ".join, made)], fsm, words)


def _changed(dice: Random, fsm: Fsm, way: str) -> Fsm:
    """The model with another output or target."""
    rows = list(fsm.transitions)
    k = dice.randrange(len(rows))
    if way == "output":
        rows[k] = rows[k]._replace(output=dice.choice([*fsm.outputs, "another"]))
    else:
        rows[k] = rows[k]._replace(target=dice.choice(fsm.states))
    outputs = tuple(dict.fromkeys((*fsm.outputs, *(row.output for row in rows))))
    return dataclasses.replace(fsm, transitions=tuple(rows), outputs=outputs)
