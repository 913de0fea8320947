"""The state of a Python object as a value: two objects whose values are equal hold equal data."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any, TypeAlias

StateKey: TypeAlias = Any
"""A nested tuple that can be compared and hashed."""
_PLAIN = (type(None), bool, int, float, complex, str, bytes, Enum, range)
_NAMED = (type, FunctionType, BuiltinFunctionType, ModuleType)


class NotComparable(Exception):
    """Part of a state is not data: a file, a generator, a lock. The message says which."""


def state_key(thing: object) -> StateKey:
    """The data of an object, of the objects that it holds and so on.

    Dicts are equal if their items are, in the same order, since code may depend on it; sets if their members are.
    Other objects are what pickle would store of them. Raises NotComparable.
    """
    try:
        return _key(thing, {}, type(thing).__name__)
    except RecursionError:
        raise NotComparable(f"the data of {type(thing).__name__} are nested too deeply") from None


def _key(thing: object, above: dict[int, int], where: str) -> StateKey:
    if isinstance(thing, _PLAIN):
        return type(thing).__qualname__, repr(thing)
    if isinstance(thing, _NAMED):
        return "named", getattr(thing, "__module__", ""), getattr(thing, "__qualname__", getattr(thing, "__name__", ""))
    if id(thing) in above:  # a cycle: how far up it leads
        return "above", len(above) - above[id(thing)]
    above = {**above, id(thing): len(above)}
    kind = f"{type(thing).__module__}.{type(thing).__qualname__}"
    if isinstance(thing, list | tuple) and type(thing) in (list, tuple):
        return kind, tuple(_key(one, above, f"{where}[{place}]") for place, one in enumerate(thing))
    if isinstance(thing, set | frozenset):
        return kind, frozenset(_key(one, above, f"a member of {where}") for one in thing)
    if type(thing) is dict:
        return kind, tuple((_key(k, above, where), _key(v, above, f"{where}[{k!r}]")) for k, v in thing.items())
    return kind, *_reduced(thing, above, where)


def _reduced(thing: object, above: dict[int, int], where: str) -> tuple[StateKey, ...]:
    try:
        found = thing.__reduce_ex__(4)
    except Exception as error:  # code of the user may run here
        raise NotComparable(f"{where} is a {type(thing).__name__}, whose state cannot be read") from error
    if isinstance(found, str):  # the name of a global object
        return (found,)
    made, arguments, state, items, pairs = (*found, None, None, None)[:5]
    parts: list[StateKey] = [_key(made, above, where), _key(arguments, above, where)]
    if isinstance(state, dict):
        parts += [(name, _key(value, above, f"{where}.{name}")) for name, value in sorted(state.items())]
    else:
        parts.append(_key(state, above, where))
    parts.append(tuple(_key(one, above, where) for one in items or ()))
    parts.append(tuple((_key(k, above, where), _key(v, above, where)) for k, v in pairs or ()))
    return tuple(parts)


def _defines_equality(thing: object) -> bool:
    return any("__eq__" in vars(kind) for kind in type(thing).__mro__[:-1])


class EqualStates:
    """Numbers states: equal ones have one number. A class that defines ``__eq__`` is asked, others by their data."""

    def __init__(self, copy: Callable[[Any], Any] | None) -> None:
        """``copy`` keeps an object as it is now; without one, ``__eq__`` cannot be asked later."""
        self._copy = copy
        self._numbers: dict[StateKey, int] = {}
        self._kept: list[Any] = []

    def number(self, thing: Any) -> int:
        """The number of its state; the next one where it is new."""
        if self._copy is not None and _defines_equality(thing):
            for number, known in enumerate(self._kept):
                if known == thing:
                    return number
            self._kept.append(self._copy(thing))
            return len(self._kept) - 1
        return self._numbers.setdefault(state_key(thing), len(self._numbers))
