"""Adapters of other packages: entry points of the group ``fullproof.adapters``, for models of every kind.

``name = "package.module:open_it"`` makes ``--sut name:REST`` call ``open_it(REST, model, seed=..., step_timeout=...)``,
which returns a ``Sut``, for a model of kind sts a ``ReactiveSut``, or raises a ``UserError``. Names of our own adapters
cannot be taken.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from fullproof.core.errors import UserError
from fullproof.core.suggest import did_you_mean
from fullproof.execute.blame import describe, is_interruption
from fullproof.model import Model

GROUP = "fullproof.adapters"
ANSWERING = ("in_process", "grey_box", "reset", "step", "enabled", "finish", "discard", "close")
REACTIVE = ("in_process", "synchronous", "reset", "send", "receive", "discard", "close")
"""What a system has that answers each input, and one that answers when it likes."""


def open_registered(
    spec: str, model: Model, *, needs: Sequence[str], known: Sequence[str], seed: int, step_timeout: float | None
) -> Any:
    """Open a system by the adapter of its name; a UserError where there is none. ``known`` are our own adapters."""
    name, _, rest = spec.partition(":")
    found = sorted(entry_points(group=GROUP, name=name), key=lambda point: point.value)
    if not found:
        others = sorted({point.name for point in entry_points(group=GROUP)})
        hint = did_you_mean(name, (*known, *others))
        ours = f"a model of kind {model.kind} takes {', '.join(known)}"
        raise UserError(f"--sut {spec}: unknown kind of system {name!r}{hint}; {ours}")
    if len({point.value for point in found}) > 1:
        listed = " and ".join(_owner(point) for point in found)
        raise UserError(f"--sut {name}: is an adapter of {listed}; remove one of them")
    try:
        system = found[0].load()(rest, model, seed=seed, step_timeout=step_timeout)
        missing = [part for part in needs if not hasattr(system, part)]
    except UserError:
        raise
    except BaseException as error:  # code of another package
        if is_interruption(error):
            raise
        raise UserError(f"the adapter {name!r} of {_owner(found[0])} raised {describe(error)}") from error
    if missing:
        raise UserError(
            f"the adapter {name!r} of {_owner(found[0])} gave a system without {missing[0]}, "
            f"which systems for models of kind {model.kind} have"
        )
    return system


def _owner(point: EntryPoint) -> str:
    return point.dist.name if point.dist is not None else point.value
