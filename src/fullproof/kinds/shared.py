"""Parts that several kinds have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fullproof.artefacts.finding import Profile
    from fullproof.model import Model


def checked(model: Model) -> Profile:
    """What a model is, and what is wrong with it."""
    from fullproof.check import check

    return check(model)
