"""Adapters of other packages: entry points of the group ``fullproof.adapters``, for models of every kind.

``name = "package.module:open_it"`` makes ``--sut name:REST`` call ``open_it(REST, model, seed=..., step_timeout=...)``,
which returns a ``Sut``, or a ``ReactiveSut`` where the kind of the model is reactive, or raises a ``UserError``. Names
of our own adapters cannot be taken.
"""

from __future__ import annotations

from importlib.metadata import EntryPoint, entry_points
from typing import TYPE_CHECKING, Any

from fullproof.core.errors import UserError
from fullproof.core.suggest import did_you_mean
from fullproof.execute.blame import describe, is_interruption
from fullproof.model import Model

if TYPE_CHECKING:
    from fullproof.execute.adapters import Contract, Opening

GROUP = "fullproof.adapters"


def open_registered(spec: str, model: Model, contract: Contract, opening: Opening) -> Any:
    """Open a system by the adapter of its name; a UserError where there is none."""
    point = adapter_for(spec, model, contract)
    name, _, rest = spec.partition(":")
    try:
        system = point.load()(rest, model, seed=opening.seed, step_timeout=opening.step_timeout)
        missing = [part for part in contract.members if not hasattr(system, part)]
    except UserError:
        raise
    except BaseException as error:  # code of another package
        if is_interruption(error):
            raise
        raise UserError(f"the adapter {name!r} of {_owner(point)} raised {describe(error)}") from error
    if missing:
        raise UserError(
            f"the adapter {name!r} of {_owner(point)} gave a system without {missing[0]}, "
            f"which systems for models of kind {model.kind} have"
        )
    return system


def adapter_for(spec: str, model: Model, contract: Contract) -> EntryPoint:
    """The adapter that a spec names, which is not ours."""
    name = spec.partition(":")[0]
    found = sorted(entry_points(group=GROUP, name=name), key=lambda point: point.value)
    if not found:
        others = sorted({point.name for point in entry_points(group=GROUP)})
        hint = did_you_mean(name, (*contract.schemes, *others))
        ours = f"a model of kind {model.kind} takes {', '.join(contract.schemes)}"
        raise UserError(f"--sut {spec}: unknown kind of system {name!r}{hint}; {ours}")
    if len({point.value for point in found}) > 1:
        listed = " and ".join(_owner(point) for point in found)
        raise UserError(f"--sut {name}: is an adapter of {listed}; remove one of them")
    return found[0]


def _owner(point: EntryPoint) -> str:
    return point.dist.name if point.dist is not None else point.value
