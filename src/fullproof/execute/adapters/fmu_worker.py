"""The child process behind ``fmu:``: drives a co-simulation FMU by FMPy and speaks JSON Lines.

An event is a pulse: the Boolean input of the signal's name is true during one communication step. A signal is sent
where the Boolean output of its name rises, or as often as the integer output of its name grows. What the FMU prints
goes to standard error: standard output belongs to the protocol.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, BinaryIO

_INTEGERS = ("Integer", "Enumeration")
_READS = {"Real": "Real", "Integer": "Integer", "Enumeration": "Integer", "Boolean": "Boolean", "String": "String"}


class Unit:
    """One instance of an FMU; ``described`` says which variable stands for what."""

    def __init__(self, described: Mapping[str, Any]) -> None:
        from fmpy import read_model_description
        from fmpy.fmi2 import FMU2Slave

        folder = described["folder"]
        model = read_model_description(folder, validate=False)
        if model.fmiVersion != "2.0" or model.coSimulation is None:
            kinds = f"FMI {model.fmiVersion}, {'co-simulation' if model.coSimulation else 'no co-simulation'}"
            raise LookupError(f"expected an FMU for co-simulation by FMI 2.0, this one is {kinds}")
        self._known = {variable.name: variable for variable in model.modelVariables}
        self._names: Mapping[str, str] = described["names"]
        self._values: Mapping[str, Sequence[str] | None] = described["inputs"] | described["outputs"]
        self._outputs: Sequence[str] = tuple(described["outputs"])
        self._triggers: Sequence[str] = described["triggers"]
        self._signals: Sequence[str] = described["signals"]
        self._step = Fraction(described["step"])
        self._check(described["inputs"])
        self._slave = FMU2Slave(
            guid=model.guid,
            unzipDirectory=folder,
            modelIdentifier=model.coSimulation.modelIdentifier,
            instanceName="tested",
        )
        self._slave.instantiate()
        self._started = False
        self._now = self._planned = Fraction(0)
        self._given: dict[str, Any] = {}
        self._sent: dict[str, int] = {}

    def _check(self, inputs: Mapping[str, object]) -> None:
        for names, causalities, what in (
            ((*inputs, *self._triggers), ("input", "parameter"), "input"),
            ((*self._outputs, *self._signals), ("output", "local"), "output"),
        ):
            for name in names:
                variable = self._known.get(self._of(name))
                if variable is None or variable.causality not in causalities:
                    have = ", ".join(one.name for one in self._known.values() if one.causality in causalities)
                    raise LookupError(f"there is no {what} {self._of(name)!r} in the FMU; it has {have or 'none'}")
        for signals, types, what in (
            (self._triggers, ("Boolean",), "a Boolean"),
            (self._signals, ("Boolean", *_INTEGERS), "a Boolean or an integer"),
        ):
            for name in signals:
                if self._variable(name).type not in types:
                    raise LookupError(f"{self._of(name)!r} stands for a signal, and must be {what}")

    def reset(self) -> dict[str, Any]:
        """Bring the FMU back to the beginning, by its own function."""
        if self._started:
            self._slave.terminate()
            self._slave.reset()
        self._started = True
        self._slave.setupExperiment(startTime=0.0)
        self._slave.enterInitializationMode()
        self._slave.exitInitializationMode()
        self._now = self._planned = Fraction(0)
        self._given = {}
        self._sent = {name: int(self._get(name)) for name in self._signals}
        return {"ready": True}

    def input(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Set the inputs, and do one communication step."""
        trigger = given.get("trigger")
        self._given |= {name: value for name, value in given.items() if name != "trigger"}
        for name, value in self._given.items():
            self._set(name, self._to_fmu(name, value))
        for name in self._triggers:
            self._set(name, name == trigger)
        sent = self._done(self._step)
        for name in self._triggers:
            self._set(name, False)
        return self._answer(sent)

    def advance(self, seconds: object) -> dict[str, Any]:
        """Do steps until so much time has passed since the end of the last delay: events have taken some of it."""
        self._planned += Fraction(str(seconds))
        sent: list[str] = []
        while self._now < self._planned:
            sent += self._done(min(self._step, self._planned - self._now))
        return self._answer(sent)

    def _done(self, step: Fraction) -> list[str]:
        self._slave.doStep(currentCommunicationPoint=float(self._now), communicationStepSize=float(step))
        self._now += step
        sent: list[str] = []
        for name in self._signals:
            before, now = self._sent[name], int(self._get(name))
            self._sent[name] = now
            sent += [name] * max(0, now - before)
        return sent

    def _answer(self, sent: list[str]) -> dict[str, Any]:
        output = {name: self._from_fmu(name, self._get(name)) for name in self._outputs}
        return {"output": output | ({"send": sent} if self._signals else {})}

    def _of(self, name: str) -> str:
        return self._names.get(name, name)

    def _variable(self, name: str) -> Any:
        return self._known[self._of(name)]

    def _get(self, name: str) -> Any:
        variable = self._variable(name)
        return getattr(self._slave, f"get{_READS[variable.type]}")([variable.valueReference])[0]

    def _set(self, name: str, value: Any) -> None:
        variable = self._variable(name)
        getattr(self._slave, f"set{_READS[variable.type]}")([variable.valueReference], [value])

    def _to_fmu(self, name: str, value: Any) -> Any:
        variable = self._variable(name)
        if variable.type == "String":
            return str(value)
        if isinstance(value, str) and (enum := self._values.get(name)) is not None:
            return self._numbers(variable, enum)[value]
        if variable.type == "Real":
            return float(Fraction(str(value))) if isinstance(value, str) else float(value)
        return bool(value) if variable.type == "Boolean" else int(value)

    def _from_fmu(self, name: str, value: Any) -> Any:
        variable, enum = self._variable(name), self._values.get(name)
        if variable.type == "Boolean":
            return bool(value)
        if isinstance(value, bytes):
            return value.decode("utf-8", "replace")
        if enum is None or variable.type not in _INTEGERS:
            return value
        return {number: text for text, number in self._numbers(variable, enum).items()}.get(value, value)

    @staticmethod
    def _numbers(variable: Any, enum: Sequence[str]) -> dict[str, int]:
        """Of an enumeration by the names of its items; else the values are numbered as the model lists them."""
        declared = getattr(variable, "declaredType", None)
        items = {item.name: int(item.value) for item in getattr(declared, "items", None) or ()}
        return items if set(enum) <= set(items) else {text: number for number, text in enumerate(enum)}


def _serve(source: BinaryIO, sink: BinaryIO, described: Mapping[str, Any]) -> None:
    unit: Unit | None = None
    for line in source:
        message = json.loads(line)
        try:
            if unit is None:
                unit = Unit(described)
            if "input" in message:
                answer = unit.input(message["input"])
            elif "advance" in message:
                answer = unit.advance(message["advance"])
            else:
                answer = unit.reset() if "reset" in message else {"ready": True}
        except Exception as error:  # noqa: BLE001  # FMPy raises plain exceptions where the FMU reports an error
            answer = {"error": " ".join(str(error).split()) or type(error).__name__}
        sink.write(json.dumps(answer).encode() + b"\n")
        sink.flush()


def main() -> None:
    """Keep standard output for the protocol, then answer until the input ends."""
    sink = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    _serve(sys.stdin.buffer, sink, json.loads(sys.argv[1]))


if __name__ == "__main__":
    main()
