"""Signatures of C functions, as far as a test needs them: numbers, pointers to outputs, and names of symbols."""

from __future__ import annotations

import re
from dataclasses import dataclass

from fullproof.core.errors import NOWHERE, Place, UserError
from fullproof.language.types import BoolType, IntType, RealType, Type
from fullproof.model.inputs import TRIGGER
from fullproof.model.interface import Interface

TEXT = "const char *"
HANDLE = "void *"
"""A pointer that functions make and take, into which nothing looks."""
FLOATS = ("double", "float")
INTEGERS = (
    "int", "unsigned int", "short", "unsigned short", "long", "unsigned long", "long long", "unsigned long long",
    "signed char", "unsigned char", "char", "int8_t", "uint8_t", "int16_t", "uint16_t", "int32_t", "uint32_t",
    "int64_t", "uint64_t", "size_t", "bool",
)  # fmt: skip
_ALIASES = {"unsigned": "unsigned int", "_Bool": "bool", "signed int": "int", "signed": "int", "long int": "long"}
_DECLARATION = re.compile(r"\s*(?P<returns>[\w\s]+?[\s*]+)(?P<name>[A-Za-z_]\w*)\s*\((?P<parameters>[^()]*)\)\s*;?\s*")
_PARAMETER = re.compile(r"\s*(?P<type>[\w\s]+?[\s*]+)(?P<name>[A-Za-z_]\w*)\s*")


@dataclass(frozen=True, slots=True)
class Parameter:
    """``double x``, or with ``pointer`` ``double *y``, through which the function answers."""

    type: str
    name: str
    pointer: bool = False


@dataclass(frozen=True, slots=True)
class Signature:
    """``returns name(parameters)``"""

    name: str
    returns: str
    parameters: tuple[Parameter, ...]

    def __str__(self) -> str:
        shown = (f"{p.type} {'*' if p.pointer else ''}{p.name}" for p in self.parameters)
        return f"{self.returns} {self.name}({', '.join(shown) or 'void'})"


def parse_signature(text: str, *, at: Place = NOWHERE, handles: bool = False) -> Signature:
    """Read a declaration such as ``double brake_step(double x)``, or say what is wrong with it."""
    found = _DECLARATION.fullmatch(text)
    if found is None:
        raise UserError(f"{text!r} is no C declaration, expected one such as 'double step(double x)'", at=at)
    returns, pointer = _type(found["returns"], at, handles=handles)
    if pointer:
        raise UserError(f"{text!r} returns a pointer; only '{TEXT}' can be read", at=at)
    listed = found["parameters"].strip()
    parts = [] if listed in ("", "void") else listed.split(",")
    return Signature(found["name"], returns, tuple(_parameter(part, at, handles=handles) for part in parts))


def default_step(interface: Interface) -> Signature:
    """Inputs in the order of the model; one output is returned, several are written through pointers.

    Of a state machine the number of the signal comes first; where it sends signals, their names are returned.
    """
    signal = [Parameter("int", TRIGGER)] if interface.has_events else []
    inputs = [*signal, *(Parameter(natural(v.type), v.name) for v in interface.inputs)]
    outputs = [Parameter(natural(v.type), v.name, pointer=True) for v in interface.outputs or ()]
    if interface.signals_out:
        return Signature("step", TEXT, (*inputs, *outputs))
    if len(outputs) == 1:
        return Signature("step", outputs[0].type, tuple(inputs))
    return Signature("step", "void", (*inputs, *outputs))


def natural(type_: Type) -> str:
    """The C type for values of a type: enum values are numbered as listed."""
    match type_:
        case RealType():
            return "double"
        case BoolType():
            return "bool"
        case IntType():
            return "long long"
        case _:
            return "int"


def _parameter(text: str, at: Place, *, handles: bool) -> Parameter:
    found = _PARAMETER.fullmatch(text)
    if found is None:
        raise UserError(f"{text.strip()!r} is not a parameter with a type and a name, such as 'double x'", at=at)
    kind, pointer = _type(found["type"], at, handles=handles)
    return Parameter(kind, found["name"], pointer)


def _type(text: str, at: Place, *, handles: bool) -> tuple[str, bool]:
    words = text.replace("*", " * ").split()
    stars = words.count("*")
    plain = " ".join(word for word in words if word not in ("*", "const"))
    plain = _ALIASES.get(plain, plain)
    if plain == "char" and stars == 1 and "const" in words:
        return TEXT, False
    if handles and plain == "void" and stars == 1:
        return HANDLE, False
    if stars > 1 or plain not in (*FLOATS, *INTEGERS, "void") or (plain == "void" and stars):
        known = ", ".join(("double", "float", "int", "bool", "int32_t", "long long", TEXT))
        raise UserError(f"the C type {text.strip()!r} is not known here, expected one such as {known}", at=at)
    return plain, stars == 1
