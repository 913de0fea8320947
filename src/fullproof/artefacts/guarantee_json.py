"""A guarantee as JSON and back: the key ``claim`` of suite headers, journals, reports and commands."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Any, TypeVar

from fullproof.artefacts.guarantee import About, Guarantee, Hypothesis, Strength, Theorem, Voucher
from fullproof.core.errors import NOWHERE, Place, UserError

_Named = TypeVar("_Named", bound=Enum)


def as_json(guarantee: Guarantee) -> dict[str, object] | None:
    """The data without empty fields; None where only a sentence is known."""
    if guarantee.strength is Strength.STATED:
        return None
    return _record(guarantee)


def guarantee_fields(guarantee: Guarantee) -> dict[str, object]:
    """The keys of a guarantee in a header, a report and the answer of a command: the sentence and the data."""
    return {"guarantee": guarantee.sentence, "claim": as_json(guarantee)}


def from_json(value: object, *, at: Place = NOWHERE) -> Guarantee:
    """The guarantee that ``as_json`` wrote; unknown keys are ignored.

    Raises UserError where a value is not of its type.
    """
    known = _object(value, "claim", at)
    fields: dict[str, Any] = {"strength": _member(Strength, known.get("strength"), "claim.strength", at)}
    for name in ("says", "passes", "refutes", "unobservable"):
        if name in known:
            fields[name] = _string(known[name], f"claim.{name}", at)
    for name in ("undecided", "not_covered", "reasons"):
        fields[name] = _strings(known.get(name, []), f"claim.{name}", at)
    groups = _list(known.get("alike", []), "claim.alike", at)
    fields["alike"] = tuple(_strings(group, "claim.alike", at) for group in groups)
    fields["state_is_output"] = known.get("state_is_output", False)
    if not isinstance(fields["state_is_output"], bool):
        raise _unexpected("claim.state_is_output", "true or false", at)
    fields["hypotheses"] = tuple(_hypothesis(h, at) for h in _list(known.get("hypotheses", []), "claim.hypotheses", at))
    if known.get("theorem") is not None:
        theorem = _object(known["theorem"], "claim.theorem", at)
        name = _string(theorem.get("name", ""), "claim.theorem.name", at)
        fields["theorem"] = Theorem(name, _strings(theorem.get("citations", []), "claim.theorem.citations", at))
    return Guarantee(**fields)


def _hypothesis(value: object, at: Place) -> Hypothesis:
    known, what = _object(value, "claim.hypotheses", at), "claim.hypotheses"
    texts = ("text", "subject", "name", "qualifier", "evidence")
    return Hypothesis(
        by=_member(Voucher, known.get("by"), f"{what}.by", at),
        about=_member(About, known.get("about"), f"{what}.about", at),
        **{name: _string(known.get(name, ""), f"{what}.{name}", at) for name in texts},
    )


def _record(noun: Guarantee | Hypothesis | Theorem) -> dict[str, object]:
    found = {field.name: getattr(noun, field.name) for field in dataclasses.fields(noun)}
    return {name: _plain(value) for name, value in found.items() if value not in ("", (), None, False)}


def _plain(value: object) -> object:
    match value:
        case Enum():
            return value.value
        case tuple():
            return [_plain(item) for item in value]
        case Guarantee() | Hypothesis() | Theorem():
            return _record(value)
        case _:
            return value


def _unexpected(what: str, expected: str, at: Place) -> UserError:
    return UserError(f"the header's {what!r} should be {expected}", at=at)


def _object(value: object, what: str, at: Place) -> Mapping[str, object]:
    if not isinstance(value, Mapping):
        raise _unexpected(what, "an object", at)
    return value


def _list(value: object, what: str, at: Place) -> Sequence[object]:
    if not isinstance(value, list | tuple):
        raise _unexpected(what, "a list", at)
    return value


def _string(value: object, what: str, at: Place) -> str:
    if not isinstance(value, str):
        raise _unexpected(what, "a text", at)
    return value


def _strings(value: object, what: str, at: Place) -> tuple[str, ...]:
    return tuple(_string(item, what, at) for item in _list(value, what, at))


def _member(kind: type[_Named], value: object, what: str, at: Place) -> _Named:
    names = [str(member.value) for member in kind]
    if value not in names:
        raise _unexpected(what, f"one of {', '.join(names)}", at)
    return kind(value)
