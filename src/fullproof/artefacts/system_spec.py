"""What ``--sut`` says at first sight, for all that read it."""

from __future__ import annotations

from pathlib import Path


def is_mapping_file(target: str) -> bool:
    """Whether what follows ``tcp:``, ``exec:`` or ``http:`` names a mapping file rather than a system."""
    if Path(target).suffix not in (".yaml", ".yml") or "://" in target or target.startswith("//"):
        return False
    return len(target.split()) == 1 or Path(target).is_file()  # a command line may end in such a name


def is_protocol(spec: str) -> bool:
    """Whether a mapping file describes the protocol that the system speaks."""
    scheme, _, rest = spec.partition(":")
    return scheme == "serial" or (scheme in ("tcp", "exec") and is_mapping_file(rest))


def is_simulated(spec: str) -> bool:
    """Whether a model plays the system."""
    return spec.startswith("model:")


def is_nameable(spec: str) -> bool:
    """Whether another command can open the system: not an object or a fixture of a test file."""
    return bool(spec) and not spec.startswith(("object:", "fixture:"))
