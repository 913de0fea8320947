"""Inputs as people type them: ``coin``, ``temp=17``, ``17`` where there is one variable, ``go(x=3, y=4)``; delays, too:
``advance 30``, ``advance(1.5 min)``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from fullproof.core.errors import UserError
from fullproof.core.suggest import did_you_mean
from fullproof.language.durations import duration_from_text
from fullproof.language.values import number_from_json
from fullproof.model.inputs import ADVANCE, TRIGGER, Advance, TestInput
from fullproof.model.interface import Interface

SECONDS = "seconds"
"""The value of a delay, which may have a unit."""
_WORDS = re.compile(r"(?:[^\s()]|\([^()]*\))+")


def typed_input(text: str, forms: Mapping[str, Sequence[str]]) -> tuple[str, dict[str, str]]:
    """The name and the values that a text stands for. ``forms`` are the names with the variables of each.

    The name may be empty, of inputs that are values alone. Values have their names, or are in the order of the
    variables.
    """
    text = text.strip()
    if text in forms:
        return text, {}
    for name in sorted((one for one in forms if one), key=len, reverse=True):  # a name may have blanks
        rest = text.removeprefix(name)
        if rest != text and forms[name] == [SECONDS] and rest[0] in "=( \t":
            return name, _delay(rest.strip("=() \t"))
        if rest != text and rest[0] in "( \t":
            return name, _values(rest.strip().removeprefix("(").removesuffix(")"), forms[name])
    if forms.get(""):
        return "", _values(text, forms[""])
    name = re.split(r"[\s(]", text, maxsplit=1)[0]
    raise UserError(f"unknown input {name[:60]!r}{did_you_mean(name[:60], [one for one in forms if one])}")


def meant_name(text: str, forms: Iterable[str]) -> str:
    """What to add to the complaint about a value which may be the name of an input that was misspelt."""
    word = re.split(r"[\s(=]", text.strip(), maxsplit=1)[0][:60]
    names = [one for one in forms if one]
    hint = "" if word in names else did_you_mean(word, names)
    return hint if hint.endswith("?") else ""  # a value that resembles no name is a wrong value


def _delay(text: str) -> dict[str, str]:
    seconds = duration_from_text(re.sub(rf"^{SECONDS}\s*=\s*", "", text))
    return _values(text, [SECONDS]) if seconds is None else {SECONDS: str(seconds)}


def _values(text: str, names: Sequence[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    pieces = [piece for piece in re.split(r"[,\s]+", re.sub(r"\s*=\s*", "=", text.strip())) if piece]
    for place, piece in enumerate(pieces):
        name, equals, value = piece.partition("=")
        if not equals:
            if place >= len(names):
                known = f"there are values for {', '.join(names)}" if names else "this input has none"
                raise UserError(f"{piece[:60]!r} is one value too many: {known}")
            name, value = names[place], piece
        if name not in names:
            raise UserError(f"unknown input {name[:60]!r}{did_you_mean(name[:60], names)}")
        if name in found:  # one of them would be read and the other one lost
            raise UserError(f"two values of {name}: {found[name][:60]!r} and {value[:60]!r}")
        found[name] = value
    return found


def input_of(text: str, interface: Interface) -> TestInput:
    """The input of a model that a text stands for; a UserError where it is none."""
    if interface.symbols:
        return text
    variables = [v.name for v in interface.inputs]
    forms = dict.fromkeys(("", *(interface.named or ())), variables)
    delays = interface.has_time and ADVANCE not in forms
    name, values = typed_input(text, {**forms, ADVANCE: [SECONDS]} if delays else forms)
    if delays and name == ADVANCE:
        given = number_from_json(values.get(SECONDS, ""))
        if given is None or given < 0:
            raise UserError(f"{text[:60]!r} is no delay; {ADVANCE}(30) and {ADVANCE}(0.5 min) are")
        return Advance(Fraction(given))
    raw: dict[str, object] = {key: _scalar(value) for key, value in values.items()}
    try:
        found = interface.decode({TRIGGER: name, **raw} if name else raw)
        if (misfit := interface.misfit(found)) is not None:
            raise UserError(misfit)
    except UserError as error:
        raise UserError(error.message + (meant_name(text, forms) if not name else "")) from None
    return found


def typed_words(line: str) -> list[str]:
    """The inputs of a line, separated by blanks; those in parentheses separate none."""
    return _WORDS.findall(line)


def _scalar(text: str) -> object:
    if text in ("true", "false"):
        return json.loads(text)
    return text
