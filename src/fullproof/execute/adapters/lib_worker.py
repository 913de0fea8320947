"""The child process behind ``lib:``: calls a shared library and speaks JSON Lines.

Only the standard library is imported, since a child is started anew after every crash. What the library prints goes to
standard error: standard output belongs to the protocol.
"""

from __future__ import annotations

import ctypes
import json
import os
import struct
import sys
from fractions import Fraction
from typing import Any, BinaryIO

from fullproof.execute.adapters.lib_calls_worker import HANDLE, CalledLibrary

_TEXT = "const char *"
_TYPES: dict[str, Any] = {
    "double": ctypes.c_double,
    "float": ctypes.c_float,
    "int": ctypes.c_int,
    "unsigned int": ctypes.c_uint,
    "short": ctypes.c_short,
    "unsigned short": ctypes.c_ushort,
    "long": ctypes.c_long,
    "unsigned long": ctypes.c_ulong,
    "long long": ctypes.c_longlong,
    "unsigned long long": ctypes.c_ulonglong,
    # 8-bit integers, not characters.
    "char": ctypes.c_byte,
    "signed char": ctypes.c_byte,
    "unsigned char": ctypes.c_ubyte,
    "int8_t": ctypes.c_int8,
    "uint8_t": ctypes.c_uint8,
    "int16_t": ctypes.c_int16,
    "uint16_t": ctypes.c_uint16,
    "int32_t": ctypes.c_int32,
    "uint32_t": ctypes.c_uint32,
    "int64_t": ctypes.c_int64,
    "uint64_t": ctypes.c_uint64,
    "size_t": ctypes.c_size_t,
    "bool": ctypes.c_bool,
    _TEXT: ctypes.c_char_p,
    HANDLE: ctypes.c_void_p,
    "void": None,
}


class Library:
    """The functions of a library, by what they are for."""

    def __init__(self, described: dict[str, Any]) -> None:
        loaded = ctypes.CDLL(described["library"])
        self._codes: dict[str, dict[str, int]] = described["codes"]
        self._symbols = {name: {code: symbol for symbol, code in codes.items()} for name, codes in self._codes.items()}
        self._step: dict[str, Any] = described["step"]
        self._single: str | None = described["single"]
        self._names: list[str] = described["names"]
        self.resets = described["reset"] is not None and (described["named"] or hasattr(loaded, "reset"))
        """Whether there is a way back to the initial state; else each test has a process of its own."""
        self._reset_function = _function(loaded, described["reset"]) if self.resets else None
        self._step_function = _function(loaded, self._step)
        self._enabled: dict[str, Any] | None = described["enabled"]
        self._enabled_function = None if self._enabled is None else _function(loaded, self._enabled)
        self._sent: dict[str, Any] | None = described.get("sent")
        self._sent_function = None if self._sent is None else _function(loaded, self._sent)
        self._state: dict[str, Any] | None = described.get("state")
        self._state_function = None if self._state is None else _function(loaded, self._state)
        self._states = {code: name for name, code in described.get("states", {}).items()}
        self._silent: int | None = described.get("silent")
        self._given: dict[str, Any] = {}
        self._advance: dict[str, Any] | None = described.get("advance")
        self._advance_function = None if self._advance is None else _function(loaded, self._advance)
        self._passed = Fraction(0)

    def reset(self) -> dict[str, Any]:
        """Call the function that brings the system into its initial state."""
        if self._reset_function is not None:
            self._reset_function()
        self._given, self._passed = {}, Fraction(0)
        return self._with_enabled({"ready": True})

    def step(self, given: Any) -> dict[str, Any]:
        """Apply one input: a symbol, or values by name."""
        return self._answer(self._symbolic(given) if isinstance(given, dict) else self._finite(given))

    def advance(self, seconds: Any) -> dict[str, Any]:
        """Let time pass, or look after a delay in real time; of whole units, what is left over is kept."""
        assert self._advance is not None
        named = [p["name"] for p in self._advance["parameters"] if not p["pointer"]]
        time: Any = Fraction(str(seconds))
        if named and named[0] != "seconds":
            scale, before = {"ms": 1_000, "us": 1_000_000}[named[0]], self._passed
            self._passed += time
            time = int(self._passed * scale) - int(before * scale)
        return self._answer(self._called(self._advance_function, self._advance, dict.fromkeys(named, time)))

    def _answer(self, output: Any) -> dict[str, Any]:
        answer = self._with_enabled({"output": output})
        if self._state is not None and self._state_function is not None:
            shown = self._state_function()
            # A number that stands for no state is an observation, too, and a wrong one.
            answer["state"] = _text(shown) if self._state["returns"] == _TEXT else self._states.get(shown, str(shown))
        return answer

    def _with_enabled(self, answer: dict[str, Any]) -> dict[str, Any]:
        if self._enabled is not None and self._enabled_function is not None:
            kind = self._enabled["parameters"][0]["type"]
            answer["enabled"] = [
                name for name in self._names if self._enabled_function(self._to_c(name, kind, "input"))
            ]
        return answer

    def _finite(self, symbol: str) -> Any:
        kind = self._step["parameters"][0]["type"]
        answer = self._step_function(self._to_c(symbol, kind, "input"))
        known = self._symbols["output"]
        # A number that stands for no output is an observation, too, and a wrong one.
        return _text(answer) if self._step["returns"] == _TEXT else known.get(int(answer), str(int(answer)))

    def _symbolic(self, given: dict[str, Any]) -> Any:
        if self._silent is not None:  # of a state machine, whose inputs keep their values
            given = self._given = {**self._given, "trigger": None, **given}
        return self._called(self._step_function, self._step, given)

    def _called(self, function: Any, described: dict[str, Any], given: dict[str, Any]) -> Any:
        arguments, written = [], {}
        for parameter in described["parameters"]:
            kind, name = parameter["type"], parameter["name"]
            if parameter["pointer"]:
                written[name] = (_TYPES[kind](), kind)
                arguments.append(ctypes.byref(written[name][0]))
            else:
                arguments.append(self._to_c(given[name], kind, name))
        answer = function(*arguments)
        outputs = {name: self._from_c(cell.value, kind, name) for name, (cell, kind) in written.items()}
        if self._sent_function is not None:
            outputs["send"] = _names(self._sent_function())
        if self._single == "send" and self._silent is not None:
            outputs["send"] = _names(answer)
        elif self._single is not None:
            outputs[self._single] = self._from_c(answer, described["returns"], self._single)
        return outputs

    def _to_c(self, value: Any, kind: str, name: str) -> Any:
        if name == "trigger" and self._silent is not None and value is None:
            return None if kind == _TEXT else _TYPES[kind](self._silent)
        if kind == _TEXT:
            return str(value).encode()
        if isinstance(value, str) and name in self._codes:
            value = self._codes[name][value]
        number = Fraction(value) if isinstance(value, str) else value
        if kind in ("double", "float"):
            return _TYPES[kind](float(number))
        cell = _TYPES[kind](int(number))
        if kind != "bool" and cell.value != int(number):
            raise OverflowError(f"{name} = {number} does not fit into {kind}")
        return cell

    def _from_c(self, value: Any, kind: str, name: str) -> Any:
        if kind == _TEXT:
            return _text(value)
        if kind == "float":
            return _shortest(value)
        if name in self._symbols:
            return self._symbols[name].get(int(value), int(value))
        return value


def _function(loaded: ctypes.CDLL, described: dict[str, Any]) -> Any:
    try:
        function = getattr(loaded, described["name"])
    except AttributeError:
        raise LookupError(f"there is no function {described['name']!r} in it") from None
    function.restype = _TYPES[described["returns"]]
    function.argtypes = [
        ctypes.POINTER(_TYPES[p["type"]]) if p["pointer"] else _TYPES[p["type"]] for p in described["parameters"]
    ]
    return function


def _text(value: bytes | None) -> str | None:
    return None if value is None else value.decode("utf-8", "replace")


def _names(value: bytes | None) -> list[str]:
    """Signals in a text, separated by blanks or commas; no text at all is none."""
    return [] if value is None else (_text(value) or "").replace(",", " ").split()


def _shortest(value: float) -> float:
    """The shortest decimal that is this single-precision number: 0.1f is 0.1, not 0.10000000149."""
    for digits in range(1, 10):
        candidate = float(f"{value:.{digits}g}")
        try:
            if struct.pack("f", candidate) == struct.pack("f", value):
                return candidate
        except OverflowError:
            continue
    return value


def _serve(source: BinaryIO, sink: BinaryIO, described: dict[str, Any]) -> None:
    library: Library | CalledLibrary | None = None
    for line in source:
        message = json.loads(line)
        try:
            if library is None:
                library = CalledLibrary(described, _function) if "functions" in described else Library(described)
            if "input" in message:
                answer = library.step(message["input"])
            elif "advance" in message or "observe" in message:
                assert isinstance(library, Library)  # others are not for models with timers
                answer = library.advance(message.get("advance", 0))
            else:
                answer = library.reset() if "reset" in message else {"ready": True, "resets": library.resets}
        except (OSError, LookupError, OverflowError, ValueError, ctypes.ArgumentError) as error:
            answer = {"error": " ".join(str(error).split())}
        sink.write(json.dumps(answer).encode() + b"\n")
        sink.flush()


def main() -> None:
    """Keep standard output for the protocol, then answer until the input ends."""
    sink = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    _serve(sys.stdin.buffer, sink, json.loads(sys.argv[1]))


if __name__ == "__main__":
    main()
