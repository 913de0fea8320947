"""The purposes of a model for a criterion, with the goals that are proven unreachable or beyond the bounds."""

from __future__ import annotations

from dataclasses import dataclass

from fullproof.artefacts.notes import MeaningNote
from fullproof.artefacts.purposes import Criterion, PurposeSet
from fullproof.core.counted import counted
from fullproof.generate.sts.exploration import Explorer, SwitchExploration
from fullproof.generate.sts.goals import goals_for
from fullproof.generate.sts.graph import SymbolicGraph
from fullproof.generate.sts.reacher import Reacher
from fullproof.generate.sts.tours import Tours, shortest_purposes
from fullproof.model.sts import Sts

DEPTH = 60
MOST_NODES = 3000
STEPS = 300
STEPS_PER_GOAL = 20
"""Steps of the symbolic execution graph that are computed to find shortest paths; more for each goal that no run with
values was found to; and as many again to join paths.
"""
METHODS = ("switch", "tour")


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """The criterion, the method, and the bounds of the search."""

    criterion: Criterion = Criterion.SWITCH
    method: str = "tour"
    depth: int = DEPTH
    most_nodes: int = MOST_NODES
    steps: int | None = None
    reset_cost: float = 1.0
    max_length: int | None = None


_DEFAULT = Search()


def purposes_for(model: Sts, search: Search = _DEFAULT) -> PurposeSet:
    """Purposes that cover every goal that a path within the bounds reaches: full a-priori coverage of those.

    ``switch`` is the paper's way, ``tour`` needs fewer purposes. A goal counts as unreachable only where the search
    was exhausted, no bound hit and no answer of the solver missing.
    """
    graph = SymbolicGraph(model)
    explorer = Explorer(graph, goals_for(model, search.criterion))
    runs = Reacher(model, explorer.goals).reach()
    steps = search.steps or STEPS + STEPS_PER_GOAL * (len(explorer.goals.names) - len(runs))
    explorer.allowance = steps
    found = explorer.explore(depth=search.depth, most_nodes=search.most_nodes)
    explorer.allowance, explorer.cut = steps, False
    proven = found.is_exhaustive and not graph.unknowns
    found.paths = runs | found.paths
    explorer.certain.update(runs.values())
    if search.method == "switch":
        purposes = shortest_purposes(explorer, found)
    else:
        tours = Tours(explorer=explorer, found=found, reset_cost=search.reset_cost, max_length=search.max_length)
        purposes = tours.purposes()
    left = tuple(goal for goal in explorer.goals.names if goal not in found.paths)
    return PurposeSet(
        criterion=search.criterion,
        method=search.method,
        purposes=tuple(purposes),
        covered=tuple(goal for goal in explorer.goals.names if goal in found.paths),
        unreachable=left if proven else (),
        beyond=() if proven else left,
        nodes=len(graph.states),
        notes=tuple(_notes(search, found, explorer, steps=steps)),
    )


def _notes(search: Search, found: SwitchExploration, explorer: Explorer, *, steps: int) -> list[str]:
    graph, missing = explorer.graph, len(found.paths) < len(explorer.goals.names)
    notes: list[str] = []
    if missing and found.depth_hit:
        notes.append(MeaningNote(f"the search ended at depth {search.depth} (--depth): what lies beyond is not known"))
    if missing and found.nodes_hit:
        notes.append(
            MeaningNote(f"the search ended at {search.most_nodes:,} symbolic states: what lies beyond is not known")
        )
    if missing and found.steps_hit:
        notes.append(MeaningNote(f"the search ended after {steps:,} symbolic steps: what lies beyond is not known"))
    if explorer.cut:
        notes.append(f"purposes were joined within {steps:,} symbolic steps: fewer and shorter ones may exist")
    if graph.unknowns:
        left = counted(len(graph.unknowns), "query", "queries")
        notes.append(MeaningNote(f"the solver left {left} undecided, e.g. {graph.unknowns[0]}"))
    return notes
