"""``fullproof generate``: a suite with a guarantee."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fullproof.artefacts.request import Criterion, StateDomain
from fullproof.cli.exit_codes import ExitCode
from fullproof.cli.options import (
    ClusterOption,
    CoverageOption,
    DegreeOption,
    DepthOption,
    DistinguishOption,
    DomainOption,
    ExtraStatesOption,
    FsmMethodOption,
    JsonOption,
    MaxLengthOption,
    MethodOption,
    ModelArgument,
    MutateAtomsOption,
    MutateGuardsOption,
    MutateLimitOption,
    MutateOutputsOption,
    ObserveOption,
    PairsOption,
    PavingOption,
    PropertyOption,
    QuietOption,
    RelationOption,
    ResetCostOption,
    SeedOption,
    ThresholdOption,
)
from fullproof.cli.output import Output, note_line
from fullproof.cli.process import make_stdout_utf8

if TYPE_CHECKING:
    from fullproof.pipeline import SuiteSummary


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(
        "generate",
        help="Write a test suite that proves conformance within the fault domain. Exit code 6 where its guarantee "
        "rests on what the solver left open.",
        epilog="Example: fullproof generate coffee.dot --method w --extra-states 1 -o coffee.jsonl",
    )(_generate)


def _generate(
    model: ModelArgument,
    target: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="SUITE",
            help="The suite file: JSON Lines, or CSV by its ending. Default: standard output.",
        ),
    ] = None,
    relation: RelationOption = None,
    observe: ObserveOption = None,
    extra_states: ExtraStatesOption = None,
    method: MethodOption = "auto",
    fsm_method: FsmMethodOption = None,
    properties: PropertyOption = None,
    mutate_guards: MutateGuardsOption = False,
    mutate_outputs: MutateOutputsOption = False,
    mutate_atoms: MutateAtomsOption = False,
    mutate_limit: MutateLimitOption = None,
    thresholds: ThresholdOption = None,
    pairs: PairsOption = None,
    degree: DegreeOption = None,
    paving: PavingOption = None,
    domain: DomainOption = StateDomain.STATES,
    distinguish: DistinguishOption = None,
    reset_cost: ResetCostOption = 1.0,
    max_length: MaxLengthOption = None,
    shrink: Annotated[
        bool, typer.Option("--shrink", help="Trim the suite with the exact checker as long as it stays complete.")
    ] = False,
    timeout: Annotated[
        float | None,
        typer.Option(
            "--timeout",
            min=0,
            help="Seconds after which --shrink, and the search for the classes of an sfsm, are cut short. Default: "
            "they end by steps, so that the same model gives the same suite.",
            show_default=False,
        ),
    ] = None,
    coverage: CoverageOption = Criterion.SWITCH,
    depth: DepthOption = None,
    cluster: ClusterOption = None,
    seed: SeedOption = 0,
    json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    from fullproof import pipeline
    from fullproof.artefacts.request import SuiteRequest
    from fullproof.pipeline.clusters import cluster_of
    from fullproof.pipeline.spread_suites import refuse_unspread

    output = Output(as_json=json, quiet=quiet)
    request = SuiteRequest(
        relation=relation,
        observe=observe,
        extra_states=extra_states,
        method=method,
        fsm_method=fsm_method,
        properties=tuple(properties or ()),
        mutate_guards=mutate_guards,
        mutate_outputs=mutate_outputs,
        mutate_atoms=mutate_atoms,
        mutate_limit=mutate_limit,
        thresholds=tuple(thresholds or ()),
        pairs=pairs,
        degree=degree,
        paving=tuple(paving or ()),
        domain=domain,
        distinguish=distinguish,
        reset_cost=reset_cost,
        max_length=max_length,
        shrink=shrink,
        timeout=timeout,
        coverage=coverage,
        depth=depth,
        seed=seed,
    )
    if cluster is not None:
        refuse_unspread(request)
    with cluster_of(cluster) as pool:
        with output.working("generating"):
            suite = pipeline.generate_for(model, request, target=target)
            summary = pipeline.write_generated(suite, target, to_stdout=False, pool=pool) if target else None
        if summary is None:
            to_stdout = not json and not quiet
            if to_stdout:
                make_stdout_utf8()
            summary = pipeline.write_generated(suite, None, to_stdout=to_stdout, pool=pool)
            sys.stdout.flush()
    if target is None and not json:
        # The suite itself went to standard output: what a person wants to know goes beside it.
        if not quiet:
            sys.stderr.write("\n".join(_lines(summary, None)) + "\n")
    else:
        output.answer(pipeline.summary_fields(summary), *_lines(summary, target))
    if summary.undecided:
        raise typer.Exit(ExitCode.INCONCLUSIVE)


def _lines(summary: SuiteSummary, target: Path | None) -> list[str]:
    lines = [note_line(note) for note in summary.notes]
    lines.append(
        f"{summary.tests:,} tests, {summary.inputs:,} inputs by {summary.method} in {summary.seconds:.2f} s"
        + (f", written to {target}" if target else "")
    )
    lines.append(summary.guarantee.sentence)
    return lines
