"""Adapters of other packages: entry points of the group ``fullproof.adapters``.

``name = "package.module:open_it"`` makes ``--sut name:REST`` call ``open_it(REST, model, seed=..., step_timeout=...)``,
which returns a ``Sut`` or raises a ``UserError``. Names of our own adapters cannot be taken.
"""

from __future__ import annotations

from importlib.metadata import EntryPoint, entry_points

from fullproof.core.errors import UserError
from fullproof.execute.blame import describe, is_interruption
from fullproof.execute.sut import Sut
from fullproof.model import Model

GROUP = "fullproof.adapters"
_METHODS = ("reset", "step", "enabled", "finish", "discard", "close")


def registered_names() -> list[str]:
    """The kinds of systems that other packages bring."""
    return sorted({point.name for point in entry_points(group=GROUP)})


def open_registered(name: str, rest: str, model: Model, *, seed: int, step_timeout: float | None) -> Sut | None:
    """Open a system by the adapter of that name, or None where no package has one."""
    found = sorted(entry_points(group=GROUP, name=name), key=lambda point: point.value)
    if not found:
        return None
    if len({point.value for point in found}) > 1:
        listed = " and ".join(_owner(point) for point in found)
        raise UserError(f"--sut {name}: is an adapter of {listed}; remove one of them")
    try:
        system = found[0].load()(rest, model, seed=seed, step_timeout=step_timeout)
    except UserError:
        raise
    except BaseException as error:  # code of another package
        if is_interruption(error):
            raise
        raise UserError(f"the adapter {name!r} of {_owner(found[0])} raised {describe(error)}") from error
    if missing := [method for method in _METHODS if not callable(getattr(system, method, None))]:
        raise UserError(f"the adapter {name!r} of {_owner(found[0])} gave a system without {missing[0]}()")
    return system  # type: ignore[no-any-return]  # as far as can be seen


def _owner(point: EntryPoint) -> str:
    return point.dist.name if point.dist is not None else point.value
