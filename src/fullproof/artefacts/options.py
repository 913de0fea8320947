"""Options: described once, beside the fields of the request that they become.

``from_options`` is the one way from names and values to a request, for the command line, pytest and the workbench: all
three refuse the same mistake with the same sentence, in which an option has its name of the command line.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cache
from pathlib import Path
from types import UnionType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from fullproof.core.errors import UserError
from fullproof.core.suggest import did_you_mean

R = TypeVar("R")
_OPTION, _PART = "option", "part"
_LONGEST = 60
"""Characters of a wrong value or name that a message quotes."""


@dataclass(frozen=True, slots=True)
class Option:
    """What ``--help`` says of an option, and which values it takes."""

    help: str
    name: str = ""
    """Where it is not the name of the field."""
    short: str = ""
    metavar: str = ""
    least: float | None = None
    most: float | None = None
    required: bool = False
    off: str = ""
    """The name that says no, of an option that has three values: yes, no and the default."""


@dataclass(frozen=True, slots=True)
class RequestOption:
    """An option of a request: its field, the type of its values and its default."""

    field: str
    name: str
    described: Option
    type: Any
    """The class of one value, where the option may be repeated."""
    repeated: bool
    default: Any
    part: str = ""
    """The field that holds the request of which it is an option, where that is a part of a larger one."""

    @property
    def choices(self) -> tuple[str, ...]:
        """All values, where these are few."""
        return tuple(str(one.value) for one in self.type) if issubclass(self.type, Enum) else ()

    def read(self, value: object, *, most: float | None = None) -> Any:
        """The value as the request has it, or a UserError; ``most`` is the largest number allowed, if not the usual."""
        if self.repeated:
            return tuple(self._one(one) for one in ([value] if isinstance(value, str) else self._several(value)))
        found = self._one(value)
        if isinstance(found, int | float) and not isinstance(found, bool):
            least, largest = self.described.least, self.described.most if most is None else most
            if least is not None and found < least:
                raise UserError(f"--{self.name} must be >= {least:g}, got {_shown(found)}")
            if largest is not None and found > largest:
                raise UserError(f"--{self.name} must be <= {largest:g}, got {_shown(found)}")
        return found

    def _several(self, value: object) -> Iterable[object]:
        if not isinstance(value, list | tuple):
            raise self._wrong("a list of texts", value)
        return value

    def _one(self, value: object) -> Any:
        """One value. Numbers may be texts, as on a command line."""
        if issubclass(self.type, Enum):
            return self._choice(value)
        if self.type is bool:
            if not isinstance(value, bool):
                raise self._wrong("true or false", value)
            return value
        if self.type is Path:
            if not isinstance(value, str | Path):
                raise self._wrong("the name of a file", value)
            return Path(value)
        if self.type is str:
            if not isinstance(value, str):
                raise self._wrong("a text", value)
            return value
        expected = "a whole number" if self.type is int else "a number"
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            raise self._wrong(expected, value)
        try:
            number = self.type(value)
        except (ValueError, OverflowError):
            raise self._wrong(expected, value) from None
        if math.isnan(number) or (isinstance(value, float) and number != value):
            raise self._wrong(expected, value)
        return number

    def _choice(self, value: object) -> Any:
        if isinstance(value, self.type):
            return value
        known = {str(one.value): one for one in self.type}
        if not isinstance(value, str) or value not in known:
            hint = did_you_mean(str(value)[:_LONGEST], known)
            raise UserError(f"--{self.name}: unknown value {_shown(value)}{hint}")
        return known[value]

    def _wrong(self, expected: str, value: object) -> UserError:
        return UserError(f"--{self.name} must be {expected}, got {_shown(value)}")


def option(described: str | Option, default: object = None, **rest: Any) -> Any:
    """A field of a request that is an option, with what ``--help`` says of it; ``rest`` are fields of Option."""
    known = Option(described, **rest) if isinstance(described, str) else dataclasses.replace(described, **rest)
    if known.required:
        return dataclasses.field(metadata={_OPTION: known})
    return dataclasses.field(default=default, metadata={_OPTION: known})


def part(request: type, *, only: Iterable[str] = (), without: Iterable[str] = ()) -> Any:
    """A field that holds another request, whose options become those of the larger one: all, some, or all but some."""
    chosen = frozenset(only or (field.name for field in dataclasses.fields(request))) - frozenset(without)
    return dataclasses.field(default_factory=request, metadata={_PART: chosen})


@cache
def options_of(request: type) -> Mapping[str, RequestOption]:
    """The options of a request by their names on the command line, in the order of its fields."""
    hints, found = get_type_hints(request), dict[str, RequestOption]()
    for field in dataclasses.fields(request):
        if (chosen := field.metadata.get(_PART)) is not None:
            inner = options_of(hints[field.name]).values()
            found |= {one.name: dataclasses.replace(one, part=field.name) for one in inner if one.field in chosen}
        elif (described := field.metadata.get(_OPTION)) is not None:
            kind, repeated = _type(hints[field.name])
            name = described.name or field.name.replace("_", "-")
            found[name] = RequestOption(field.name, name, described, kind, repeated, field.default)
    return found


def _type(hint: Any) -> tuple[type, bool]:
    if isinstance(hint, UnionType):
        return _type(next(one for one in get_args(hint) if one is not type(None)))
    if get_origin(hint) is tuple:
        return get_args(hint)[0], True
    return hint, False


def option_named(request: type, name: str) -> RequestOption:
    """An option by its name, with dashes or underscores, or by that of its field; else a UserError with the nearest."""
    known, asked = options_of(request), name.removeprefix("--").replace("_", "-")
    if asked in known:
        return known[asked]
    for one in known.values():
        if one.field == name:
            return one
    raise unknown_option(asked, known)


def is_given(request: Any, field: str) -> bool:
    """Whether an option, by the name of its field, has another value than its default."""
    return bool(getattr(request, field) != option_named(type(request), field).default)


def read_meta(given: Iterable[str]) -> dict[str, str]:
    """The values of ``--meta`` by their keys; a UserError for one without a key, or two with the same."""
    found: dict[str, str] = {}
    for text in given:
        key, equals, value = text.partition("=")
        if not equals or not key.strip():
            raise UserError(f"--meta must be KEY=VALUE, got {text!r}")
        if key in found:
            raise UserError(f"--meta {key} is given twice")
        found[key] = value
    return found


def unknown_option(name: str, known: Iterable[str]) -> UserError:
    """The sentence for a name that no option has; known names are without dashes in front."""
    asked = name[:_LONGEST] if name.startswith("-") else f"--{name[:_LONGEST]}"
    return UserError(f"unknown option {asked}{did_you_mean(asked, [f'--{one}' for one in known])}")


def from_options(request: type[R], given: Mapping[str, object], *, most: Mapping[str, float] | None = None) -> R:
    """The request that options ask for; None stands for an option that is not given.

    ``most`` holds the largest values of numbers by their names, where a front end allows less than others.
    """
    parts: dict[str, dict[str, Any]] = {}
    for name, value in given.items():
        one = option_named(request, name)
        if value is not None:
            parts.setdefault(one.part, {})[one.field] = one.read(value, most=(most or {}).get(one.name))
    hints = get_type_hints(request) if parts.keys() - {""} else {}
    own = parts.pop("", {})
    return request(**own, **{field: hints[field](**values) for field, values in parts.items()})


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


def arguments_of(request: Any) -> Iterator[str]:
    """The options of a request as words of a command line: those that differ from their defaults."""
    kind: type = type(request)
    for one in options_of(kind).values():
        value = getattr(getattr(request, one.part) if one.part else request, one.field)
        if value == one.default or value is None:
            continue
        for item in value if one.repeated else [value]:
            if isinstance(item, bool):
                yield f"--{one.name}" if item else one.described.off
            else:
                yield from (f"--{one.name}", str(item.value if isinstance(item, Enum) else item))
