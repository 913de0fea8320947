"""What a suite cannot say because no test can see it, said in its guarantee and beside it."""

from __future__ import annotations

from dataclasses import dataclass

from fullproof.artefacts.request import GREY_BOX, Relation
from fullproof.model import Fsm, Model, Sts

_SHOWN = 4
"""How many states of a group, and how many groups, are named."""


@dataclass(frozen=True, slots=True)
class Blindness:
    """``before`` and ``after`` frame the sentence of the guarantee; ``notes`` warn beside it."""

    before: str = ""
    after: str = ""
    notes: tuple[str, ...] = ()

    def framed(self, guarantee: str) -> str:
        """The guarantee with what it does not cover."""
        return f"{self.before}{guarantee}{self.after}"


def blindness(model: Model, relation: Relation) -> Blindness:
    """What a guarantee for this model does not say anything about."""
    from fullproof.analysis.blind_spots import blind_spots

    spots = blind_spots(model)
    before, after, notes = "", "", list[str]()
    if spots.nothing and not (relation in GREY_BOX and spots.shown_by_inputs):
        remedy = "" if isinstance(model, Sts) else "; --observe state tests systems that show their state"
        notes.append(f"warning: nothing is observable: {spots.nothing}; a system in a wrong state passes{remedy}")
        before = f"Nothing is observable ({spots.nothing}), so a system in a wrong state passes. "
    if spots.groups:
        groups = "; ".join(_listed(group, " = ") for group in spots.groups[:_SHOWN])
        more = "" if len(spots.groups) <= _SHOWN else "; ..."
        after = f" States that no test tells apart count as one: {groups}{more}."
        if not isinstance(model, Fsm):  # of an fsm it is said which states were merged
            notes.append(f"warning: no test tells these states apart: {groups}{more}")
    if model.description.unobserved is not None:
        after += " The active state, which the system shows, counts as an output."
    return Blindness(before, after, tuple(notes))


def _listed(names: tuple[str, ...], separator: str) -> str:
    return separator.join(names[:_SHOWN]) + (f"{separator}..." if len(names) > _SHOWN else "")
