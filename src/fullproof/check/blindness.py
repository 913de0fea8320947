"""What no test can see of a model: a guarantee says nothing about it."""

from __future__ import annotations

from collections.abc import Iterator

from fullproof.analysis.blind_spots import BlindSpots, blind_spots
from fullproof.artefacts.finding import Finding, Profile
from fullproof.check.remarks import first_few, some_of, warning
from fullproof.model import Fsm, Model, Sfsm, Sts


def blind_findings(model: Model, profile: Profile) -> Iterator[Finding]:
    """Nothing can be observed; or states are the same to every test (of an fsm and an sfsm their checkers say which).

    Of a machine that is nondeterministic nothing is claimed that the look of its transitions would show.
    """
    spots = blind_spots(model)
    remedy = "" if isinstance(model, Sts) else "; --observe state tests systems that show their state"
    yield from _nothing(spots, remedy)
    if isinstance(model, Fsm | Sfsm) or profile.deterministic is False:
        return

    # Alike are states as such: where each of them comes with values of its own, those can be seen.
    has_values = bool(model.variables or getattr(model, "outputs", ()))
    equal = " where attributes have the same values" if has_values else ""

    def finding(group: tuple[str, ...]) -> Finding:
        message = f"no test tells them apart{equal}, so no guarantee says which of them a system is in{remedy}"
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
