"""The child process behind ``lib:`` where inputs are calls of functions: keeps handles and calls what it is given.

Only the standard library is imported, as in ``lib_worker``.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

HANDLE = "void *"
TEXT = "const char *"


class CalledLibrary:
    """The functions of a library, and the handles and values that calls have returned."""

    def __init__(self, described: dict[str, Any], bind: Callable[[ctypes.CDLL, dict[str, Any]], Any]) -> None:
        loaded = ctypes.CDLL(described["library"])
        self._functions = {f["name"]: (bind(loaded, f), f) for f in described["functions"]}
        self._setup: list[dict[str, Any]] = described["setup"]
        self._teardown: list[dict[str, Any]] = described["teardown"]
        self._inputs: dict[str, list[dict[str, Any]]] = described["inputs"]
        self._step: list[dict[str, Any]] = described["step"]
        self._symbols = {code: symbol for symbol, code in described["outputs"].items()}
        self._kept: dict[str, Any] = {}
        self._ready = False
        self.resets: bool = described["resets"]

    def reset(self) -> dict[str, Any]:
        """End what the last test has begun, and begin anew."""
        if self._ready:
            self._run(self._teardown, {})
        self._kept = {}
        self._run(self._setup, {})
        self._ready = True
        return {"ready": True}

    def step(self, given: Any) -> dict[str, Any]:
        """The calls of an input; what the last one returns is the output."""
        by_name = given if isinstance(given, dict) else {}
        calls = self._step if by_name else self._inputs.get(given, self._step)
        value, kind = self._run(calls, {"input": given, **by_name})
        if by_name:
            return {"output": value}
        if kind == HANDLE:
            return {"output": "null" if value is None else "handle"}
        if isinstance(value, bytes):
            return {"output": value.decode("utf-8", "replace")}
        # A number that stands for no output is an observation, too, and a wrong one.
        return {"output": "null" if value is None else self._symbols.get(int(value), str(int(value)))}

    def _run(self, calls: list[dict[str, Any]], given: dict[str, Any]) -> tuple[Any, str]:
        value, kind = None, "void"
        for call in calls:
            function, described = self._functions[call["function"]]
            arguments = [
                self._argument(part, parameter["type"], given)
                for part, parameter in zip(call["arguments"], described["parameters"], strict=True)
            ]
            value, kind = function(*arguments), described["returns"]
            if call["keeps"]:
                self._kept[call["keeps"]] = value
        return value, kind

    def _argument(self, part: list[Any], kind: str, given: dict[str, Any]) -> Any:
        what, value = part
        if what == "name":
            value = given[value] if value in given else self._kept.get(value)
        if kind == HANDLE or value is None:
            return value
        if kind == TEXT:
            return value if isinstance(value, bytes) else str(value).encode()
        return float(value) if kind in ("double", "float") else int(value)
