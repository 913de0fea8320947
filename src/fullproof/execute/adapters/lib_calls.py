"""``lib:`` by calls: inputs are calls of functions, with handles that functions have made.

A mapping file with declarations::

    library: expat                                   # a name that the loader knows, or a path
    functions:
      - void *XML_ParserCreate(const char *encoding) # void *: a handle
      - int XML_ResumeParser(void *parser)
    setup: parser = XML_ParserCreate(null)           # before each test; NAME = keeps what a call returns
    teardown: XML_ParserFree(parser)                 # after it
    reset: reload                                    # a new process for each test, where a library has no way back
    inputs: {resume: XML_ResumeParser(parser)}       # what the last call returns is the output
    step: set(parser, x)                             # every other input; of an sfsm with its values
    outputs: {ok: 1, error: 0}                       # the numbers of symbols
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import asdict
from typing import Any

from fullproof.core.errors import Place, UserError
from fullproof.core.suggest import did_you_mean
from fullproof.execute.adapters.lib_signature import Signature, parse_signature
from fullproof.execute.adapters.mapping import MappingFile
from fullproof.model.interface import Interface, argument_names

CALL_KEYS = ("library", "functions", "setup", "teardown", "reset", "inputs", "step", "outputs")
_CALL = re.compile(
    r"(?:(?P<keeps>[A-Za-z_]\w*)\s*=\s*)?(?P<function>[A-Za-z_]\w*)\s*\((?P<arguments>.*)\)\s*;?", re.DOTALL
)
_ARGUMENT = re.compile(
    r"""\s*(?:"(?P<text>(?:[^"\\]|\\.)*)"|(?P<number>-?\d+(?:\.\d+)?|0x[0-9A-Fa-f]+)|(?P<name>[A-Za-z_]\w*))\s*(?:,|$)"""
)
_CONSTANTS: dict[str, Any] = {"null": None, "NULL": None, "true": 1, "false": 0}


def described_calls(mapping: MappingFile, library: str, interface: Interface) -> dict[str, Any]:
    """What the child process needs to know; a UserError with its place where the file is wrong."""
    functions = [parse_signature(text, at=at, handles=True) for text, at in mapping.texts("functions")]
    reading = _Calls({function.name: function for function in functions}, argument_names(interface))
    setup = reading.calls(mapping, "setup")
    inputs = _inputs(mapping, interface, reading)
    return {
        "library": library,
        "functions": [asdict(function) for function in functions],
        "setup": setup,
        "teardown": reading.calls(mapping, "teardown"),
        "inputs": inputs,
        "step": reading.calls(mapping, "step", answers=True),
        "outputs": _outputs(mapping),
    }


def _inputs(mapping: MappingFile, interface: Interface, reading: _Calls) -> dict[str, list[dict[str, Any]]]:
    part = mapping.part("inputs")
    if part is not None and interface.named is None:
        raise UserError("'inputs' are the symbols of an fsm; use 'step' for values", at=mapping.place("inputs"))
    for name in part or ():
        if name not in (interface.named or ()):
            assert part is not None
            reason = f"{name!r} is not an input of the model{did_you_mean(name, interface.named or ())}"
            raise UserError(reason, at=part.place(name))
    missing = [name for name in interface.named or ("values",) if part is None or name not in part]
    if missing and "step" not in mapping:
        raise UserError(f"does not say what to call for the input {missing[0]!r}", at=mapping.place("inputs"))
    return {} if part is None else {name: reading.calls(part, name, answers=True) for name in part}


def _outputs(mapping: MappingFile) -> Mapping[str, int]:
    part = mapping.part("outputs")
    return {} if part is None else {name: part.whole(name, least=-(1 << 63), most=1 << 62) or 0 for name in part}


class _Calls:
    """Reads calls; names that a call keeps are known to those that come after it in the file."""

    def __init__(self, functions: Mapping[str, Signature], values: Collection[str]) -> None:
        self._functions = functions
        self._known = {*values, "input"}

    def calls(self, mapping: MappingFile, key: str, *, answers: bool = False) -> list[dict[str, Any]]:
        found = [self._call(text, at) for text, at in mapping.texts(key)]
        if found and answers and self._functions[found[-1]["function"]].returns == "void":
            reason = f"{found[-1]['function']} returns nothing, and the last call of an input gives the output"
            raise UserError(reason, at=mapping.place(key))
        return found

    def _call(self, text: str, at: Place) -> dict[str, Any]:
        found = _CALL.fullmatch(text.strip())
        if found is None:
            raise UserError(f"{text!r} is not a call, expected one such as 'p = create(null)' or 'close(p)'", at=at)
        function = self._functions.get(found["function"])
        if function is None:
            hint = did_you_mean(found["function"], self._functions) or f"; expected {', '.join(self._functions)}"
            raise UserError(f"{found['function']!r} is not declared in 'functions'{hint}", at=at)
        arguments = self._arguments(found["arguments"], at)
        if len(arguments) != len(function.parameters):
            reason = f"{function} takes {len(function.parameters)} arguments, found {len(arguments)}"
            raise UserError(reason, at=at)
        for parameter in function.parameters:
            if parameter.pointer:
                raise UserError(f"{function}: only handles, void *, and const char * may be pointers here", at=at)
        if found["keeps"]:
            self._known.add(found["keeps"])
        return {"function": function.name, "arguments": arguments, "keeps": found["keeps"] or ""}

    def _arguments(self, text: str, at: Place) -> list[list[Any]]:
        found: list[list[Any]] = []
        position = 0
        while position < len(text.rstrip()):
            argument = _ARGUMENT.match(text, position)
            if argument is None:
                wanted = 'a number, a text in "", null, or a name'
                raise UserError(f"{text[position:]!r} is not an argument, expected {wanted}", at=at)
            position = argument.end()
            found.append(self._argument(argument, at))
        return found

    def _argument(self, argument: re.Match[str], at: Place) -> list[Any]:
        if argument["text"] is not None:
            return ["constant", re.sub(r"\\(.)", r"\1", argument["text"])]
        if argument["number"] is not None:
            number = argument["number"]
            return ["constant", float(number) if "." in number else int(number, 0)]
        name = argument["name"]
        if name in _CONSTANTS:
            return ["constant", _CONSTANTS[name]]
        if name not in self._known:
            hint = did_you_mean(name, self._known) or "; 'setup' keeps one by NAME = function(...)"
            raise UserError(f"there is no handle or value {name!r}{hint}", at=at)
        return ["name", name]
