"""fullproof: test suites that prove conformance to a model within a stated fault domain."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fullproof.core.version import __version__

if TYPE_CHECKING:
    from fullproof.testing.state_machine import as_state_machine
    from fullproof.testing.suites import suite

__all__ = ["__version__", "as_state_machine", "suite"]


def __getattr__(name: str) -> Any:
    """Import what other tools use when they use it: the command line starts without it."""
    if name == "suite":
        from fullproof.testing.suites import suite

        return suite
    if name == "as_state_machine":
        from fullproof.testing.state_machine import as_state_machine

        return as_state_machine
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
