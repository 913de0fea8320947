"""Unobservable aspects of a model, named in the guarantee of its suites and in notes."""

from __future__ import annotations

from dataclasses import dataclass, replace

from fullproof.artefacts.guarantee import Guarantee, alike_text
from fullproof.artefacts.notes import WarningNote
from fullproof.artefacts.request import GREY_BOX, Relation
from fullproof.kinds import kind_of
from fullproof.model import Model


@dataclass(frozen=True, slots=True)
class Blindness:
    """The additions to a guarantee about unobservable aspects; ``notes`` are warnings."""

    unobservable: str = ""
    alike: tuple[tuple[str, ...], ...] = ()
    state_is_output: bool = False
    notes: tuple[WarningNote, ...] = ()

    def framed(self, guarantee: Guarantee) -> Guarantee:
        """The guarantee with what it does not cover."""
        return replace(
            guarantee, unobservable=self.unobservable, alike=self.alike, state_is_output=self.state_is_output
        )


def blindness(model: Model, relation: Relation) -> Blindness:
    """The unobservable aspects of a model, which no guarantee covers."""
    from fullproof.analysis.blind_spots import blind_spots

    spots, kind = blind_spots(model), kind_of(model)
    unobservable, notes = "", list[str]()
    if spots.nothing and not (relation in GREY_BOX and spots.shown_by_inputs):
        remedy = "; --observe state tests systems that show their state" if kind.shows_state else ""
        notes.append(f"nothing is observable: {spots.nothing}; a system in a wrong state passes{remedy}")
        unobservable = spots.nothing
    if spots.groups and not kind.names_merged_states:
        notes.append(f"no test distinguishes these states: {alike_text(spots.groups)}")
    return Blindness(
        unobservable=unobservable,
        alike=tuple(tuple(group) for group in spots.groups),
        state_is_output=model.description.unobserved is not None,
        notes=tuple(map(WarningNote, notes)),
    )
