"""``fullproof run``: execute a suite against a system and judge what was seen."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fullproof.artefacts.guarantee_json import guarantee_fields
from fullproof.artefacts.request import Criterion, PurposeOrder, StateDomain, Values
from fullproof.artefacts.verdict import Verdict
from fullproof.cli.check import tell_findings
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
    OrderOption,
    PairsOption,
    PavingOption,
    PropertyOption,
    QuietOption,
    RelationOption,
    ResetCostOption,
    SeedOption,
    SutOption,
    ThresholdOption,
    ValuesOption,
)
from fullproof.cli.output import Output
from fullproof.cli.process import is_ours
from fullproof.cli.run_text import rehearse, run_lines

if TYPE_CHECKING:
    from fullproof.pipeline import RunOutcome

_EXIT = {
    Verdict.PASS: ExitCode.DONE,
    Verdict.FAIL: ExitCode.NO,
    Verdict.ERROR: ExitCode.NO,
    Verdict.INCONCLUSIVE: ExitCode.INCONCLUSIVE,
}


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(
        "run",
        help="Execute a suite against a system under test and judge it; exit code 1 where a test fails, 4 where the "
        "model has errors: then they are listed as by fullproof check.",
        epilog="Example: fullproof run gate.yaml --sut python:gate.py:Gate --extra-states 1 --report out",
    )(_run)


def _run(
    model: ModelArgument,
    sut: SutOption,
    suite: Annotated[
        Path | None,
        typer.Option("--suite", help="A suite file of fullproof generate. Default: generate one.", show_default=False),
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
    domain: DomainOption = StateDomain.STATES,
    distinguish: DistinguishOption = None,
    reset_cost: ResetCostOption = 1.0,
    max_length: MaxLengthOption = None,
    degree: DegreeOption = None,
    paving: PavingOption = None,
    repeat: Annotated[int, typer.Option("--repeat", min=1, help="How often a nondeterministic test is run.")] = 1,
    adaptive: Annotated[
        bool,
        typer.Option(
            "--adaptive",
            help="Choose each input by what the system has answered, instead of a suite (reductions of an fsm).",
        ),
    ] = False,
    share_prefixes: Annotated[
        bool,
        typer.Option(
            "--share-prefixes", help="Run common beginnings of tests once, on a system with snapshot and restore."
        ),
    ] = False,
    until_seen: Annotated[
        bool,
        typer.Option("--until-seen", help="Stop repeating a test once all answers that the model allows were seen."),
    ] = False,
    stop_on_failure: Annotated[bool, typer.Option("--stop-on-failure", help="Stop at the first failing test.")] = False,
    step_timeout: Annotated[
        float, typer.Option("--step-timeout", min=0.001, help="Seconds a system may take for one answer.")
    ] = 10.0,
    test_timeout: Annotated[
        float | None, typer.Option("--test-timeout", min=0.001, help="Seconds one test may take.", show_default=False)
    ] = None,
    report: Annotated[
        Path | None,
        typer.Option("--report", metavar="DIR", help="Write report.html, junit.xml, report.json, tests.csv there."),
    ] = None,
    journal: Annotated[
        Path | None,
        typer.Option(
            "--journal",
            metavar="FILE",
            help="Keep every execution in this SQLite file. Default: run.sqlite in the report folder.",
            show_default=False,
        ),
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the journal of a run that was interrupted.")
    ] = False,
    allow_changed_system: Annotated[
        bool,
        typer.Option(
            "--allow-changed-system",
            help="With --resume: go on although files of the system have changed since. Then there is no guarantee.",
        ),
    ] = False,
    jobs: Annotated[
        int, typer.Option("--jobs", "-j", min=1, help="How many instances of the system run at the same time.")
    ] = 1,
    isolate: Annotated[
        bool | None,
        typer.Option(
            "--isolate/--no-isolate",
            help="Whether a python: system has a process of its own, so that it can neither hang nor end the run."
            " Default: it has.",
            show_default=False,
        ),
    ] = None,
    cluster: ClusterOption = None,
    coverage: CoverageOption = Criterion.SWITCH,
    depth: DepthOption = None,
    order: OrderOption = PurposeOrder.AUTO,
    values: ValuesOption = Values.RANDOM,
    timeout: Annotated[
        float, typer.Option("--timeout", min=0.001, help="For an sts: seconds without an output that count as silence.")
    ] = 1.0,
    retries: Annotated[
        int, typer.Option("--retries", min=0, help="For an sts: how often to try again what was inconclusive.")
    ] = 4,
    steps: Annotated[
        int | None,
        typer.Option(
            "--steps",
            metavar="N",
            min=1,
            help="For an sts: inputs and outputs of the whole run. By default purposes, then walks, 2,000 in all; with "
            "--method switch, tour or random: again and again until they are used up.",
            show_default=False,
        ),
    ] = None,
    seed: SeedOption = 0,
    json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    from fullproof import pipeline
    from fullproof.artefacts.request import RunRequest, SuiteRequest
    from fullproof.execute.shield import Shield, outside, stay

    request = RunRequest(
        suite=SuiteRequest(
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
            domain=domain,
            distinguish=distinguish,
            reset_cost=reset_cost,
            max_length=max_length,
            degree=degree,
            paving=tuple(paving or ()),
            coverage=coverage,
            depth=depth,
            seed=seed,
        ),
        suite_file=suite,
        sut=sut,
        repeat=repeat,
        adaptive=adaptive,
        share_prefixes=share_prefixes,
        until_seen=until_seen,
        stop_on_failure=stop_on_failure,
        step_timeout=step_timeout,
        test_timeout=test_timeout,
        report=report,
        journal=journal,
        resume=resume,
        allow_changed_system=allow_changed_system,
        jobs=jobs,
        isolate=isolate,
        cluster=cluster,
        order=order,
        values=values,
        silence=timeout,
        retries=retries,
        steps=steps,
        examined=True,
    )
    rehearse()
    # A system may leave threads behind that print: the shield is up until the answer is out, and after it.
    if is_ours():
        stay()
    with Shield(), outside() as stdout:
        output = Output(as_json=json, quiet=quiet, stream=stdout)
        try:
            with output.progress("running") as progress:
                outcome = pipeline.run_suite(model, request, progress=progress)
        except pipeline.ModelErrors as wrong:
            tell_findings(output, wrong.profile, str(model), ExitCode.USAGE)
        tell(output, outcome)
    leave(output, outcome)


def tell(output: Output, outcome: RunOutcome) -> None:
    """Answer with what came of a run."""
    from fullproof import pipeline

    told: dict[str, object] = {**guarantee_fields(outcome.record.context.guarantee), "notes": list(outcome.notes)}
    if outcome.record.result.repetitions:
        told["repetitions"] = outcome.record.result.repetitions
    output.answer(pipeline.run_fields(outcome.record) | told, *run_lines(outcome.record, page=outcome.page))


def leave(output: Output, outcome: RunOutcome) -> None:
    """Say what else there is to say, and end with the code of the verdict."""
    output.notes(outcome.notes)
    code = _EXIT[outcome.record.result.verdict] if outcome.record.result.tests else ExitCode.NOTHING_TO_DO
    if not outcome.complete and code is not ExitCode.NO:
        code = ExitCode.INCONCLUSIVE
    if code:
        raise typer.Exit(code)
