"""``fmu:``: a functional mock-up unit for co-simulation (FMI 2.0), driven by FMPy in a child process.

``fmu:FILE.fmu`` has inputs and outputs by the names of the model; ``fmu:MAPPING.yaml`` names the file, the step and
other names::

    fmu: controller.fmu
    step: 10 ms                      # of communication; an event takes one, which the next delay has less
    names: {button: u_button, lamp: y_lamp}

``doStep`` is the clock. A signal is a Boolean input that is true for one step; one that is sent is a Boolean output
that becomes true, or an integer output that grows.
"""

from __future__ import annotations

import tempfile
import zipfile
from importlib.util import find_spec
from pathlib import Path

from fullproof.core.errors import NOWHERE, Place, UserError
from fullproof.core.suggest import did_you_mean
from fullproof.execute.adapters.child_library import loaded, worker_command
from fullproof.execute.adapters.exec_sut import Process
from fullproof.execute.adapters.json_lines import JsonLinesSut
from fullproof.execute.adapters.mapping import MappingFile, read_mapping
from fullproof.language.durations import duration_of
from fullproof.language.types import EnumType, Variable
from fullproof.model import Model
from fullproof.model.interface import Interface, answering

KEYS = ("fmu", "step", "names")
_STEP = "10 ms"


class FmuSut(JsonLinesSut):
    """The child process, and the folder in which the unit is unpacked."""

    folder: tempfile.TemporaryDirectory[str]

    def close(self) -> None:
        """End the process, then remove the folder."""
        super().close()
        self.folder.cleanup()


def open_fmu(target: str, model: Model, *, step_timeout: float | None) -> FmuSut:
    """Unpack and load the unit, or say in one line why not."""
    interface = answering(model)
    if interface.outputs is None:
        raise UserError("fmu: is for models with inputs and outputs by name (sfsm, statemachine)")
    if find_spec("fmpy") is None:
        raise UserError("systems by fmu: need the package FMPy: pip install 'fullproof[fmu]'")
    file, mapping = _file(target)
    folder = _unpacked(file)
    try:
        described = {
            "folder": folder.name,
            "names": _names(mapping, interface),
            "step": str(_step(mapping)),
            "inputs": {v.name: _enum(v) for v in interface.inputs},
            "outputs": {v.name: _enum(v) for v in interface.outputs},
            "triggers": list(interface.named or ()),
            "signals": list(interface.signals_out),
        }
        command = worker_command("fmu_worker", described)
        first, _ = loaded(command, str(file))
    except BaseException:
        folder.cleanup()
        raise
    system = FmuSut(lambda: Process(command), first, model, step_timeout=step_timeout)
    system.folder = folder
    return system


def _file(target: str) -> tuple[Path, MappingFile | None]:
    path = Path(target)
    if path.suffix not in (".yaml", ".yml"):
        if not path.is_file():
            raise UserError("no such file", at=Place(file=target))
        return path, None
    mapping = read_mapping(path, keys=KEYS)
    name = mapping.text("fmu")
    if name is None:
        raise UserError("expected a key 'fmu' with the path of the unit", at=Place(file=target))
    file = path.parent / name
    if not file.is_file():
        raise UserError(f"there is no file {name!r}", at=mapping.place("fmu"))
    return file, mapping


def _unpacked(file: Path) -> tempfile.TemporaryDirectory[str]:
    folder = tempfile.TemporaryDirectory(prefix="fullproof-fmu-")
    try:
        with zipfile.ZipFile(file) as unit:
            unit.extractall(folder.name)
            if "modelDescription.xml" not in unit.namelist():
                raise UserError("is no FMU: it has no modelDescription.xml", at=Place(file=str(file)))
    except (zipfile.BadZipFile, OSError) as error:
        folder.cleanup()
        raise UserError(f"is no FMU: {error}", at=Place(file=str(file))) from error
    except UserError:
        folder.cleanup()
        raise
    return folder


def _names(mapping: MappingFile | None, interface: Interface) -> dict[str, str]:
    part = None if mapping is None else mapping.part("names")
    if part is None:
        return {}
    outputs = [v.name for v in interface.outputs or ()]
    known = [*(v.name for v in interface.inputs), *outputs, *(interface.named or ()), *interface.signals_out]
    for name in part:
        if name not in known:
            reason = f"{name!r} is no input, output or signal of the model{did_you_mean(name, known)}"
            raise UserError(reason, at=part.place(name))
    return {name: part.text(name) or name for name in part}


def _step(mapping: MappingFile | None) -> object:
    text = _STEP if mapping is None else mapping.text("step") or _STEP
    at = NOWHERE if mapping is None else mapping.place("step")
    try:
        found = duration_of(text, {})
    except UserError as error:
        raise UserError(f"step: {error.message}", at=at) from None
    if found <= 0:
        raise UserError("the step must be above 0 s", at=at)
    return found


def _enum(variable: Variable) -> list[str] | None:
    return list(variable.type.values) if isinstance(variable.type, EnumType) else None
