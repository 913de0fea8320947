"""sts -> test purposes."""

from __future__ import annotations

import time

from fullproof.artefacts.guarantee import Guarantee, Strength, Theorem
from fullproof.artefacts.purposes import PurposeSet, letter_name, switch_names
from fullproof.artefacts.request import Relation, SuiteRequest
from fullproof.artefacts.words import word_list
from fullproof.core.errors import NothingToDo, Place, UserError
from fullproof.core.suggest import did_you_mean
from fullproof.kinds.suite import GeneratedSuite, header_for
from fullproof.model import Sts

METHODS = ("auto", "switch", "tour")


def suite_for(model: Sts, request: SuiteRequest, sha256: str, at: Place) -> GeneratedSuite:
    """Generate for a model in memory."""
    if request.method == "random":
        raise UserError("--method random makes its tests while they run: it has no suite", at=at)
    begin = time.perf_counter()
    found = find_purposes(model, request, at=at)
    names = switch_names(model)
    letters = list(dict.fromkeys(letter for purpose in found.purposes for letter in purpose.letters))
    number = {letter: k for k, letter in enumerate(letters)}
    return GeneratedSuite(
        header=header_for(
            model, request, sha256=sha256, method=found.method, guarantee=guarantee(found), default=Relation.IOCO
        ),
        model=model,
        alphabet=tuple(letter_name(letter, names) for letter in letters),
        words=word_list([[number[letter] for letter in purpose.letters] for purpose in found.purposes]),
        states=len(model.states),
        notes=notes(found),
        seconds=time.perf_counter() - begin,
        details={"purposes": len(found.purposes), "coverage": coverage_fields(found)},
    )


def find_purposes(model: Sts, request: SuiteRequest, *, at: Place) -> PurposeSet:
    """Search with the options of the request."""
    from fullproof.generate.sts.purposes import DEPTH, Search, purposes_for

    if request.method not in METHODS:
        hint = did_you_mean(request.method, (*METHODS, "random"))
        raise UserError(f"unknown method {request.method!r} for an sts{hint}: switch, tour, random or auto", at=at)
    if request.relation is not None and request.relation is not Relation.IOCO:
        raise UserError(f"purposes of an sts are for ioco, not for {request.relation.value}", at=at)
    if not model.transitions:
        raise NothingToDo("the system has no switches, so there is nothing to test", at=at)
    search = Search(
        criterion=request.coverage,
        method="switch" if request.method == "switch" else "tour",
        depth=request.depth or DEPTH,
        reset_cost=request.reset_cost,
        max_length=request.max_length,
    )
    found = purposes_for(model, search)
    if not found.purposes:
        raise NothingToDo(f"no {request.coverage.value} can be reached, so there is nothing to test", at=at)
    return found


def guarantee(found: PurposeSet, *, walks: int | None = None) -> Guarantee:
    """The guarantee of a run of these purposes; ``walks`` is the budget of a run that continues with walks."""
    what = {"switch-pair": "pairs of switches", "boundary": "edges of guards"}.get(
        found.criterion.value, f"{found.criterion.value}es" if found.criterion.value == "switch" else "locations"
    )
    more = (
        "" if walks is None else f", and walks to what was tried least, {walks:,} inputs and outputs in all, found none"
    )
    return Guarantee(
        strength=Strength.COVERAGE,
        says=f"{len(found.covered)} of {found.total} {what} were driven through it without a fault{more}",
        refutes="the system does not conform",
        theorem=Theorem("ioco", ("van den Bos and Tretmans 2019, theorem 19, with quiescence",)),
        not_covered=("other values and paths",),
    )


RANDOM_WALK = Guarantee(
    strength=Strength.NONE,
    reasons=("a random walk",),
    refutes="the system does not conform",
    theorem=Theorem("ioco"),
)


def coverage_fields(found: PurposeSet) -> dict[str, object]:
    """The ``coverage`` of ``generate --json``: a priori."""
    return {
        "criterion": found.criterion.value,
        "covered": len(found.covered),
        "of": found.total,
        "unreachable": list(found.unreachable),
        "beyond": list(found.beyond),
    }


def notes(found: PurposeSet) -> tuple[str, ...]:
    """Notes on goals that are not covered."""
    said = []
    doubtful = [goal for purpose in found.purposes if purpose.doubtful for goal in purpose.goals]
    if doubtful:
        said.append(f"the solver could not decide whether these can be reached: {', '.join(doubtful)}")
    if found.unreachable:
        said.append(f"proven unreachable: {', '.join(found.unreachable)}")
    if found.beyond:
        said.append(f"not found within the bounds: {', '.join(found.beyond)}")
    return (*said, *found.notes)
