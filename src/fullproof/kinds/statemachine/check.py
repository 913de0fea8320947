"""``check`` of a state machine; of a chart with too many configurations to list, of its projections on regions."""

from __future__ import annotations

from fullproof.analysis.projection import owning_regions, projections
from fullproof.analysis.regions import ChartRegions
from fullproof.artefacts.finding import Finding, Profile, Severity
from fullproof.formats.charts.machine import flat_machine
from fullproof.kinds.shared import checked
from fullproof.model import StateMachine
from fullproof.model.unflattened import UnflattenedMachine


def check_statemachine(model: StateMachine) -> Profile:
    """The profile of a model. Of projections, errors and ambiguity: what one ignores, another may wait for."""
    if not isinstance(model, UnflattenedMachine) or model.chart is None or model.timers:
        return checked(model)
    regions = ChartRegions(model.chart)
    if len(owning_regions(regions)) < 2:
        return checked(model)
    parts = [checked(flat_machine(part.chart)) for part in projections(regions, 1)]
    found: list[Finding] = []
    for finding in (finding for part in parts for finding in part.findings):
        if (finding.severity is Severity.ERROR or finding.rule == "nondeterministic") and finding not in found:
            found.append(finding)
    return Profile(
        kind=model.kind,
        name=model.name,
        states=sum(vertex.name not in regions.tree.inside for vertex in model.chart.vertices),
        transitions=len(model.chart.arrows),
        deterministic=_all([part.deterministic for part in parts]),
        complete=_all([part.complete for part in parts]),
        observable=_all([part.observable for part in parts]),
        minimal=None,
        connected=_all([part.connected for part in parts]),
        findings=tuple(found),
    )


def _all(answers: list[bool | None]) -> bool | None:
    """Whether it holds for all; None where that is open."""
    return False if False in answers else None if None in answers else True
