"""Whether runs of a program meet goals: shown by a run, excluded by a proof, or open."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from fullproof.artefacts.finding import Finding
from fullproof.check.running.exploration import PlaceExploration, Values
from fullproof.check.running.lookahead import BRIEFLY, LONGER, LookAhead
from fullproof.check.running.predicate_abstraction import Abstraction
from fullproof.check.running.program import Goal, Program, ProgramEdge
from fullproof.check.solving.questions import Questions, open_question
from fullproof.core.deadline import Deadline
from fullproof.language.syntax import TRUE
from fullproof.smt.answers import Sat, Unknown


@dataclass(slots=True)
class Outcomes:
    """``met`` goals come with the values of a run that meets them; ``impossible`` ones are proven so.

    ``allowed`` are those that some values within their ranges meet, whether or not a run gets there.
    """

    met: dict[Goal, Values] = field(default_factory=dict)
    allowed: dict[Goal, Values] = field(default_factory=dict)
    impossible: set[Goal] = field(default_factory=set)
    taken: set[ProgramEdge] = field(default_factory=set)
    never: set[ProgramEdge] = field(default_factory=set)
    visited: set[str] = field(default_factory=set)
    unvisited: set[str] = field(default_factory=set)

    def of(self, goal: Goal) -> bool | None:
        """Whether some run meets the goal; None where that is open."""
        return True if goal in self.met else False if goal in self.impossible else None

    def takes(self, edge: ProgramEdge) -> bool | None:
        """Whether some run takes the edge."""
        return True if edge in self.taken else False if edge in self.never else None

    def visits(self, location: str) -> bool | None:
        """Whether some run visits the location."""
        return True if location in self.visited else False if location in self.unvisited else None


def outcomes(
    program: Program, locations: Sequence[str], goals: Sequence[Goal], questions: Questions, deadline: Deadline
) -> Outcomes:
    """Decide what can be decided: values in their ranges first, then runs, then a proof for what no run has shown.

    Guarantee: what is met, taken or visited is so in a run of the model; what is impossible, never taken or unvisited
    is so in no run, as long as variables stay in their ranges.
    """
    result = Outcomes()
    unknown = _exclude_by_values(program, goals, questions, result)
    _exclude_cut_off(program, locations, goals, result)
    live = Program(
        variables=program.variables,
        constants=program.constants,
        start=program.start,
        edges=tuple(edge for edge in program.edges if edge not in result.never),
    )
    open_goals = [goal for goal in goals if goal not in result.impossible]
    exploration = PlaceExploration(live, open_goals, questions)
    exploration.run()
    if not exploration.finished:
        ahead = LookAhead(live, open_goals, exploration, deadline)
        if any(map(exploration.is_open, live.edges)):  # open goals alone are mostly faults the model does not have
            ahead.run(BRIEFLY)
        _note(exploration, result)
        if not exploration.finished:
            _exclude_by_proof(live, locations, open_goals, questions, result)
            exploration.dismiss(result.impossible, result.never)
            ahead.run(LONGER)
    _note(exploration, result)
    undecided = [goal for goal in goals if result.of(goal) is None]
    undecided += [edge.goal for edge in program.edges if result.takes(edge) is None]
    questions.unknown += [unknown[goal] for goal in undecided if goal in unknown]
    return result


def _note(exploration: PlaceExploration, result: Outcomes) -> None:
    result.met = dict(exploration.met)
    result.taken = set(exploration.taken)
    result.visited = {*exploration.places, *(edge.target for edge in exploration.taken)}


def _exclude_by_values(
    program: Program, goals: Sequence[Goal], questions: Questions, result: Outcomes
) -> dict[Goal, Finding]:
    """Exclude goals that no values within their ranges allow; returns the queries that the solver could not answer."""
    unknown: dict[Goal, Finding] = {}
    edges = {edge.goal: edge for edge in program.edges}
    for goal in [*edges, *goals]:
        answer = questions.attempt(*goal.formulas)
        if isinstance(answer, Unknown):
            unknown[goal] = open_question(goal.about, goal.formulas, answer.reason)
        elif isinstance(answer, Sat):
            result.allowed[goal] = answer.model
        elif goal in edges:
            result.never.add(edges[goal])
        else:
            result.impossible.add(goal)
    return unknown


def _exclude_cut_off(program: Program, locations: Sequence[str], goals: Sequence[Goal], result: Outcomes) -> None:
    """Exclude goals that are reachable only by edges that are never taken."""
    found, waiting = {program.start.target}, [program.start.target]
    while waiting:
        here = waiting.pop()
        for edge in program.edges:
            if edge.goal.location == here and edge not in result.never and edge.target not in found:
                found.add(edge.target)
                waiting.append(edge.target)
    result.unvisited = {location for location in locations if location not in found}
    result.never |= {edge for edge in program.edges if edge.goal.location not in found}
    result.impossible |= {goal for goal in goals if goal.location not in found}


def _exclude_by_proof(
    program: Program, locations: Sequence[str], goals: Sequence[Goal], questions: Questions, result: Outcomes
) -> None:
    open_goals = [goal for goal in goals if result.of(goal) is None]
    open_edges = [edge for edge in program.edges if result.takes(edge) is None]
    open_locations = [location for location in locations if result.visits(location) is None]
    if not open_goals and not open_edges and not open_locations:
        return
    abstraction = Abstraction(program, open_goals, questions)
    result.impossible |= {goal for goal in open_goals if abstraction.excludes(goal)}
    result.never |= {edge for edge in open_edges if abstraction.excludes(edge.goal)}
    result.unvisited |= {
        location for location in open_locations if abstraction.excludes(Goal(location=location, formula=TRUE))
    }
