"""Unobservable aspects of a model, about which a guarantee makes no claim."""

from __future__ import annotations

from collections.abc import Iterator

from fullproof.analysis.blind_spots import BlindSpots, blind_spots
from fullproof.artefacts.finding import Finding, Profile
from fullproof.check.remarks import first_few, some_of, warning
from fullproof.model import Fsm, Model, Sfsm, Sts


def blind_findings(model: Model, profile: Profile) -> Iterator[Finding]:
    """Findings where nothing is observable or states are indistinguishable (the checkers of fsm and sfsm name these
    themselves).

    For a nondeterministic machine nothing is claimed that only the syntax of its transitions suggests.
    """
    spots = blind_spots(model)
    remedy = "" if isinstance(model, Sts) else "; --observe state tests systems that show their state"
    yield from _nothing(spots, remedy)
    if isinstance(model, Fsm | Sfsm) or profile.deterministic is False:
        return

    # The control states are alike: different attribute values in them can still be observed.
    has_values = bool(model.variables or getattr(model, "outputs", ()))
    equal = " where attributes have the same values" if has_values else ""

    def finding(group: tuple[str, ...]) -> Finding:
        message = f"no test distinguishes them{equal}, so no guarantee says which of them a system is in{remedy}"
        noun = "locations" if isinstance(model, Sts) else "states"
        where = f"{noun} {some_of(group)}"
        return warning("equivalent-states", where, message, witness={"states": list(group)})

    yield from first_few(list(spots.groups), finding)


def _nothing(spots: BlindSpots, remedy: str) -> Iterator[Finding]:
    if spots.nothing:
        passes = "a system in a wrong state passes every test"
        if spots.shown_by_inputs:
            passes = "only strong reduction, which sees the enabled inputs, finds a wrong state"
        message = f"nothing is observable: {spots.nothing}; {passes}{remedy}"
        yield warning("nothing-observable", "machine", message)
