"""``lib:``: a C shared library with ``reset`` and ``step``, loaded by a child process, so that a crash does not affect
this one.

``lib:PATH.so`` looks for a mapping file ``PATH.so.yaml`` beside it; ``lib:MAPPING.yaml`` names the library itself.
Without a mapping file, ``void reset(void)`` and ``step`` with the types of the model are expected. Of a state machine
``step`` takes the signal as a parameter ``trigger``, a number or a name; ``step`` or a function of its own, ``sent``,
returns the names of the signals sent. Where the model has timers, ``advance`` lets time pass: it takes the seconds,
or whole milliseconds or microseconds, as ``seconds``, ``ms`` or ``us``, and answers as ``step`` does.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from fullproof.core.errors import NOWHERE, Place, UserError
from fullproof.core.suggest import did_you_mean
from fullproof.execute.adapters.child_library import loaded, worker_command
from fullproof.execute.adapters.exec_sut import Process
from fullproof.execute.adapters.json_lines import JsonLinesSut
from fullproof.execute.adapters.lib_calls import CALL_KEYS, described_calls
from fullproof.execute.adapters.lib_signature import (
    FLOATS,
    INTEGERS,
    TEXT,
    Parameter,
    Signature,
    default_step,
    natural,
    parse_signature,
)
from fullproof.execute.adapters.mapping import MappingFile, read_mapping
from fullproof.language.types import BoolType, EnumType, IntType, RealType, Type, Variable
from fullproof.model import Model
from fullproof.model.inputs import SENDS, TRIGGER
from fullproof.model.interface import Interface, answering

_KEYS = ("library", "reset", "step", "advance", "observe", "enabled", "inputs", "outputs", "sent", "state", "states")
_UNITS = ("seconds", "ms", "us")
"""The names of a parameter for a delay."""
_NONE = "none"
"""The key for the number that stands for no signal."""


@dataclass(frozen=True, slots=True)
class _Described:
    """The description of the library for the child process."""

    library: str
    reset: Signature | None
    """None: each test has a process of its own."""
    step: Signature
    enabled: Signature | None
    codes: Mapping[str, Mapping[str, int]]
    """The numbers of symbols: of an fsm under ``input`` and ``output``, of enums under the variable's name."""
    single: str | None
    """The output that ``step`` returns, where it has a name; ``send`` where it returns the signals sent."""
    sent: Signature | None = None
    """The function that returns the signals sent in the last step."""
    silent: int | None = None
    """Of a state machine the number that stands for no signal."""
    state: Signature | None = None
    """The function that returns the active state."""
    states: Mapping[str, int] = field(default_factory=dict)
    """The numbers of the states, where that function returns numbers."""
    named: bool = False
    """Whether the mapping file names the function that resets; else one called ``reset`` need not be there."""
    advance: Signature | None = None
    """The function that lets time pass, or that shows what is seen after a delay in real time."""


def open_lib(target: str, model: Model, *, step_timeout: float | None, waits: bool = False) -> JsonLinesSut:
    """Load the library in a child process, or say in one line why not."""
    interface = answering(model)
    mapping, library = _library(target)
    if mapping is not None and "functions" in mapping:
        if interface.has_time:
            raise UserError("calls of any functions cannot let time pass", at=mapping.place("functions"))
        resets = mapping.choice("reset", ("reload",), "") != "reload"
        described = {**described_calls(mapping, library, interface), "resets": resets}
    else:
        found = _describe(mapping, library, interface, model.states)
        if interface.has_time:
            found = replace(found, advance=_delays(mapping, interface, found, waits=waits))
        described = {**asdict(found), "names": interface.symbols}
    command = worker_command("lib_worker", described)
    first, answer = loaded(command, library)
    reloads = not answer["resets"]
    return JsonLinesSut(lambda: Process(command), first, model, step_timeout=step_timeout, reload=reloads)


def _library(target: str) -> tuple[MappingFile | None, str]:
    """The mapping file, if there is one, and the library: a path, or what the loader knows by a name."""
    path = Path(target)
    if path.suffix not in (".yaml", ".yml"):
        found = library_file(target, Path(), at=NOWHERE)
        beside = path.with_name(path.name + ".yaml")
        return (read_mapping(beside, keys=_KEYS) if beside.exists() else None), found
    mapping = read_mapping(path, keys=(*_KEYS, *CALL_KEYS))
    mapping = read_mapping(path, keys=CALL_KEYS if "functions" in mapping else _KEYS)
    library = mapping.text("library")
    if library is None:
        raise UserError("expected a key 'library' with the path of the shared library", at=Place(file=str(path)))
    return mapping, library_file(library, path.parent, at=mapping.place("library"))


def library_file(name: str, folder: Path, *, at: Place) -> str:
    """A path that is there, relative to a folder, or what the loader finds for a bare name such as ``expat``."""
    path = folder / name
    if path.is_file():
        return str(path.resolve())
    if "/" not in name and not Path(name).suffix:
        from ctypes.util import find_library

        if (found := find_library(name)) is not None:
            return found
        raise UserError(f"there is no file {name!r}, and the loader finds no library of this name", at=at)
    raise UserError("no such shared library", at=Place(file=str(path)))


def _describe(mapping: MappingFile | None, library: str, interface: Interface, states: tuple[str, ...]) -> _Described:
    reloads = mapping is not None and mapping.text("reset") == "reload"
    reset = None if reloads else _signature(mapping, "reset") or Signature("reset", "void", ())
    if reset is not None and reset.parameters:
        raise UserError(f"reset takes nothing, found {reset}", at=_place(mapping, "reset"))
    named = mapping is not None and "reset" in mapping
    state, numbers = _state(mapping, states)
    if interface.has_events:
        return replace(_events(mapping, interface, library, reset), state=state, states=numbers, named=named)
    step, codes, single = (_finite if interface.outputs is None else _symbolic)(mapping, interface)
    enabled = _signature(mapping, "enabled")
    if enabled is not None and (len(enabled.parameters) != 1 or enabled.returns not in INTEGERS):
        wanted = f"expected one such as 'int {enabled.name}(int input)'"
        raise UserError(f"{enabled}: {wanted}", at=_place(mapping, "enabled"))
    return _Described(library, reset, step, enabled, codes, single, state=state, states=numbers, named=named)


def _signature(mapping: MappingFile | None, key: str) -> Signature | None:
    text = mapping.text(key) if mapping is not None else None
    return None if text is None else parse_signature(text, at=_place(mapping, key))


def _state(mapping: MappingFile | None, states: tuple[str, ...]) -> tuple[Signature | None, Mapping[str, int]]:
    """The function that says which state is active, and the numbers of states: in the order of the model by default."""
    state = _signature(mapping, "state")
    if state is not None and (state.parameters or state.returns not in (*INTEGERS, TEXT)):
        wanted = f"expected one such as 'const char *{state.name}(void)' or 'int {state.name}(void)'"
        raise UserError(f"{state}: {wanted}", at=_place(mapping, "state"))
    if mapping is not None and "states" in mapping and (state is None or state.returns == TEXT):
        raise UserError("numbers of states need a function 'state' that returns one", at=_place(mapping, "states"))
    if state is None:
        return None, {}
    given = mapping.part("states") if mapping is not None else None
    for name in given or ():
        if name not in states:
            assert given is not None
            reason = f"{name!r} is not a state of the model{did_you_mean(name, states)}"
            raise UserError(reason, at=given.place(name))
    return state, _codes(mapping, "states", states)


def _finite(
    mapping: MappingFile | None, interface: Interface
) -> tuple[Signature, Mapping[str, Mapping[str, int]], str | None]:
    step = _signature(mapping, "step") or Signature("step", TEXT, (Parameter(TEXT, "input"),))
    symbols = (*INTEGERS, TEXT)
    if len(step.parameters) != 1 or step.parameters[0].type not in symbols or step.returns not in symbols:
        raise UserError(f"{step}: expected one such as 'int step(int input)'", at=_place(mapping, "step"))
    inputs, outputs = _codes(mapping, "inputs", interface.symbols), _codes(mapping, "outputs", interface.answers)
    return step, {"input": inputs, "output": outputs}, None


def _codes(mapping: MappingFile | None, key: str, symbols: tuple[str, ...]) -> dict[str, int]:
    numbers = {symbol: number for number, symbol in enumerate(symbols)}
    given = mapping.part(key) if mapping is not None else None
    if given is None:
        return numbers
    if missing := [symbol for symbol in symbols if symbol not in given]:
        raise UserError(f"no number for {missing[0]!r}", at=_place(mapping, key))
    codes: dict[str, int] = {}
    for symbol in given:
        number = given.plain(symbol)
        if not isinstance(number, int) or isinstance(number, bool):
            raise UserError(f"expected a whole number for {symbol!r}", at=given.place(symbol))
        if number in codes.values():
            raise UserError(f"the number {number} is given twice", at=given.place(symbol))
        codes[symbol] = number
    return codes


def _events(mapping: MappingFile | None, interface: Interface, library: str, reset: Signature | None) -> _Described:
    """A state machine is an sfsm with one more input, the signal, and one more output, the signals sent."""
    sent = _signature(mapping, "sent")
    if sent is not None and (sent.parameters or sent.returns != TEXT):
        raise UserError(f"{sent}: expected one such as 'const char *sent(void)'", at=_place(mapping, "sent"))
    if sent is not None and not interface.signals_out:
        raise UserError("the model sends no signals", at=_place(mapping, "sent"))
    step = _signature(mapping, "step") or default_step(interface)
    at = _place(mapping, "step")
    triggers = [p for p in step.parameters if p.name == TRIGGER and not p.pointer]
    if len(triggers) != 1 or triggers[0].type not in (*INTEGERS, TEXT):
        raise UserError(f"{step} does not take the signal, expected a parameter such as 'int trigger'", at=at)
    returned = bool(interface.signals_out) and sent is None
    if returned and step.returns != TEXT:
        wanted = f"expected it to return the signals sent, as '{TEXT}', or a function 'sent' that does"
        raise UserError(f"{step}: {wanted}", at=at)
    data = Signature(
        step.name, "void" if returned else step.returns, tuple(p for p in step.parameters if p not in triggers)
    )
    codes, single = _by_name(data, interface, at)
    numbers, silent = _trigger_codes(mapping, interface.named or ())
    return _Described(
        library, reset, step, None, {**codes, TRIGGER: numbers}, SENDS if returned else single, sent, silent
    )


def _delays(mapping: MappingFile | None, interface: Interface, known: _Described, *, waits: bool) -> Signature:
    """The function for delays: it answers as ``step`` does, and takes nothing else but the time, or nothing."""
    key = "observe" if waits else "advance"
    at = _place(mapping, key)
    time = () if waits else (Parameter("double", "seconds"),)
    written = tuple(p for p in known.step.parameters if p.pointer)
    found = _signature(mapping, key) or Signature(key, known.step.returns, (*time, *written))
    taken = [p for p in found.parameters if not p.pointer]
    if [p.name in _UNITS and p.type in (FLOATS if p.name == "seconds" else INTEGERS) for p in taken] != [True] * len(
        time
    ):
        wanted = (
            "nothing" if waits else "the time, as 'double seconds', 'unsigned ms' or 'unsigned us', and nothing else"
        )
        raise UserError(f"{found}: expected a function that takes {wanted}", at=at)
    if found.returns != known.step.returns:
        raise UserError(f"{found} must return what {known.step.name} returns, {known.step.returns}", at=at)
    returned = bool(interface.signals_out) and known.sent is None
    rest = tuple(p for p in found.parameters if p.pointer)
    data = Signature(found.name, "void" if returned else found.returns, rest)
    _by_name(data, replace(interface, inputs=()), at)
    return found


def _trigger_codes(mapping: MappingFile | None, signals: tuple[str, ...]) -> tuple[dict[str, int], int]:
    """The numbers of the signals, in their order unless the mapping file says otherwise, and of none, -1."""
    given = mapping.part("inputs") if mapping is not None else None
    if given is None:
        return {signal: number for number, signal in enumerate(signals)}, -1
    named = _NONE in given and _NONE not in signals
    codes = _codes(mapping, "inputs", (*signals, *([_NONE] if named else [])))
    return codes, codes.pop(_NONE) if named else -1


def _symbolic(
    mapping: MappingFile | None, interface: Interface
) -> tuple[Signature, Mapping[str, Mapping[str, int]], str | None]:
    step = _signature(mapping, "step") or default_step(interface)
    return step, *_by_name(step, interface, _place(mapping, "step"))


def _by_name(step: Signature, interface: Interface, at: Place) -> tuple[Mapping[str, Mapping[str, int]], str | None]:
    """The numbers of enum values, and the output that ``step`` returns."""
    inputs, outputs = {v.name: v for v in interface.inputs}, {v.name: v for v in interface.outputs or ()}
    taken = [p.name for p in step.parameters if not p.pointer]
    written = [p.name for p in step.parameters if p.pointer]
    for parameter in step.parameters:
        known = outputs if parameter.pointer else inputs
        if parameter.name not in known:
            what = "output" if parameter.pointer else "input"
            raise UserError(f"{parameter.name!r} in {step} is not an {what} of the model ({', '.join(known)})", at=at)
        _fits(parameter.type, known[parameter.name], at)
    if missing := [name for name in inputs if name not in taken]:
        raise UserError(f"{step} does not take the input {missing[0]!r}", at=at)
    left = [name for name in outputs if name not in written]
    if len(left) != (0 if step.returns == "void" else 1):
        names = ", ".join(left) or "none"
        raise UserError(f"{step} returns {step.returns}, and the outputs left for that are: {names}", at=at)
    if left:
        _fits(step.returns, outputs[left[0]], at)
    codes = {
        v.name: {value: number for number, value in enumerate(v.type.values)}
        for v in (*inputs.values(), *outputs.values())
        if isinstance(v.type, EnumType)
    }
    return codes, left[0] if left else None


def _fits(c_type: str, variable: Variable, at: Place) -> None:
    fitting = {RealType: FLOATS, IntType: INTEGERS, BoolType: INTEGERS, EnumType: (*INTEGERS, TEXT)}
    kind: type[Type] = type(variable.type)
    if c_type not in fitting[kind]:
        wanted = natural(variable.type)
        raise UserError(f"{variable.name} cannot be a {c_type}, expected one such as {wanted}", at=at)


def _place(mapping: MappingFile | None, key: str) -> Place:
    return NOWHERE if mapping is None else mapping.place(key)
