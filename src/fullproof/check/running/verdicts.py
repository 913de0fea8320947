"""Findings on models with variables, from the outcomes of the search for runs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from fullproof.artefacts.finding import Finding, Severity
from fullproof.check.remarks import error, note, some_of, values_text, warning
from fullproof.check.running.outcomes import Outcomes
from fullproof.check.running.program import Goal, ProgramEdge
from fullproof.check.solving.questions import Questions, all_of
from fullproof.core.errors import Place
from fullproof.language.formulas import conjunction, in_bounds, negation
from fullproof.language.printer import type_to_text, value_to_text
from fullproof.language.syntax import Expression, Name
from fullproof.language.types import Value, Variable
from fullproof.smt.answers import Unsat

DOUBT = "; no run is known that gets there"


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Transit:
    """A transition of the model with the edges of the program that stand for it."""

    where: str
    source: str
    guard: Expression
    edges: tuple[ProgramEdge, ...]
    at: Place

    def taken(self, found: Outcomes) -> bool | None:
        """Whether some run takes it."""
        verdicts = [found.takes(edge) for edge in self.edges]
        return True if True in verdicts else None if None in verdicts else False


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Suspicion:
    """A fault that is present if the goal is met, described with the values of a witness.

    Several suspicions of one rule, place and subject are one finding: the first that is confirmed, else the first.
    """

    goal: Goal
    rule: str
    subject: str = ""
    said: Callable[[Mapping[str, Value]], str]
    at: Place
    certain: Severity
    doubtful: Severity = Severity.WARNING


def suspicions(listed: Iterable[Suspicion], found: Outcomes) -> Iterator[Finding]:
    """The suspicions that a run confirms, and those that nothing refutes."""
    groups: dict[tuple[str, str, str], Suspicion] = {}
    for suspicion in listed:
        if found.of(suspicion.goal) is False:
            continue
        key = suspicion.rule, suspicion.goal.about, suspicion.subject
        if key not in groups or (found.of(groups[key].goal) is None and found.of(suspicion.goal)):
            groups[key] = suspicion
    for suspicion in groups.values():
        goal = suspicion.goal
        verdict = found.of(goal)
        values = found.met.get(goal) or found.allowed.get(goal)
        witness = goal.witness(values) if values else None
        yield Finding(
            severity=suspicion.certain if verdict else suspicion.doubtful,
            rule=suspicion.rule,
            where=goal.about,
            message=suspicion.said(witness or {}) + ("" if verdict else DOUBT),
            witness=witness,
            at=suspicion.at,
        )


def absent(listed: Iterable[Suspicion], rule: str, found: Outcomes) -> bool | None:
    """Whether all suspicions of a rule are refuted: False where a run confirms one, None where one is open."""
    verdicts = (found.of(suspicion.goal) for suspicion in listed if suspicion.rule == rule)
    return all_of(None if verdict is None else not verdict for verdict in verdicts)


def leaving_range(variables: Mapping[str, Variable], edge: ProgramEdge, transit: Transit) -> Iterator[Suspicion]:
    """For each assignment to a variable with a range: its value lies outside."""
    for definition in edge.goal.definitions:
        name = definition.variable.name.split(":=")[0]
        bounds = in_bounds(Name(definition.variable.name), variables[name].type)
        if not bounds:
            continue
        goal = Goal(
            location=edge.goal.location,
            formula=conjunction([edge.goal.formula, negation(conjunction(bounds))]),
            parameters=edge.goal.parameters,
            definitions=edge.goal.definitions,
            about=transit.where,
            shown={**edge.goal.shown, f"{name}'": definition.variable.name},
        )
        said = _leaves(variables[name])
        yield Suspicion(goal=goal, rule="range-left", subject=name, said=said, at=transit.at, certain=Severity.ERROR)


def _leaves(variable: Variable) -> Callable[[Mapping[str, Value]], str]:
    def said(values: Mapping[str, Value]) -> str:
        if not values:
            return f"{variable.name} may leave its range, {type_to_text(variable.type)}"
        before = {name: value for name, value in values.items() if not name.endswith("'")}
        given = f" where {values_text(before)}" if before else ""
        new = value_to_text(values[f"{variable.name}'"])
        return f"{variable.name} becomes {new}{given}, outside its range, {type_to_text(variable.type)}"

    return said


def connected(locations: Iterable[str], found: Outcomes) -> bool | None:
    """Whether runs visit all locations."""
    return all_of(found.visits(location) for location in locations)


def reach_findings(
    locations: Sequence[str], transits: Sequence[Transit], found: Outcomes, questions: Questions, *, noun: str
) -> Iterator[Finding]:
    """Locations that no run visits and transitions that no run takes; what is neither shown nor excluded is a note."""
    missing = [location for location in locations if found.visits(location) is False]
    if missing:
        yield warning(
            "unreachable-state",
            f"{noun}{'s' if len(missing) > 1 else ''} {some_of(missing)}",
            "proven: no run leads there",
            witness={"states": missing},
        )
    doubtful = [f"{noun} {location}" for location in locations if found.visits(location) is None]
    for transit in transits:
        match transit.taken(found):
            case False:
                yield from _never(transit, found, questions)
            case None:
                doubtful.append(transit.where)
    if doubtful:
        message = "no run was found that gets there, nor a proof that none does"
        yield note("reachability-unknown", some_of(doubtful), message)


def _never(transit: Transit, found: Outcomes, questions: Questions) -> Iterator[Finding]:
    if isinstance(questions.attempt(transit.guard), Unsat):
        message = "no values within their ranges satisfy the guard: it can never be taken"
        yield error("unsatisfiable-guard", transit.where, message, at=transit.at)
    elif found.visits(transit.source) is not False:
        message = "proven: no run can take it, since its guard is false in all states that runs may reach"
        yield warning("never-taken", transit.where, message, at=transit.at)
