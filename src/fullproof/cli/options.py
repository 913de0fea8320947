"""Arguments and options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from fullproof.artefacts.request import Criterion, Distinguish, Observe, PurposeOrder, Relation, StateDomain, Values
from fullproof.formats.table import readable_endings
from fullproof.generate.finite.methods import EQUIVALENCE_METHODS
from fullproof.model.common import Pairs

ModelArgument: TypeAlias = Annotated[
    Path,
    typer.Argument(metavar="MODEL", help=f"A model file: {' '.join(readable_endings())}", show_default=False),
]
JsonOption: TypeAlias = Annotated[
    bool, typer.Option("--json", help="Print one JSON object on standard output and nothing else.")
]
QuietOption: TypeAlias = Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing but errors.")]
SeedOption: TypeAlias = Annotated[int, typer.Option("--seed", help="Seed of every random choice.")]
RelationOption: TypeAlias = Annotated[
    Relation | None,
    typer.Option("--relation", help="How the system must relate to the model. Default: equivalence."),
]
ObserveOption: TypeAlias = Annotated[
    Observe | None,
    typer.Option(
        "--observe",
        help="What is observed beside the outputs: state, the active state, of a system that shows it (not of an sts).",
        show_default=False,
    ),
]
ExtraStatesOption: TypeAlias = Annotated[
    int | None,
    typer.Option(
        "--extra-states",
        min=0,
        help="How many states the system may have more than the minimal model. Default: the model's, else 0.",
    ),
]
_FINITE = ", ".join(EQUIVALENCE_METHODS)
MethodOption: TypeAlias = Annotated[
    str,
    typer.Option(
        "--method",
        help=f"The generation method; auto picks the smallest suite it can afford. For finite machines: {_FINITE}, "
        "counting.",
    ),
]
SutOption: TypeAlias = Annotated[
    str,
    typer.Option(
        "--sut",
        metavar="SUT",
        help="The system under test: python:FILE.py:Name, python:package.module:Name, exec:COMMAND LINE, "
        "tcp:HOST:PORT, http://HOST:PORT, http:MAPPING.yaml, lib:FILE.so or model:FILE",
        show_default=False,
    ),
]
DomainOption: TypeAlias = Annotated[
    StateDomain,
    typer.Option(
        "--domain",
        help="What an equivalence suite covers: all machines up to the bound on states, with the smallest suites; or "
        "k-A, a far larger set of faulty machines, with the larger suites of w, wp, hsi, hads.",
    ),
]
DistinguishOption: TypeAlias = Annotated[
    Distinguish | None,
    typer.Option(
        "--distinguish",
        help="How strong reduction tells states apart: rd1 by the enabled inputs, rd2 by one input, rd3 by "
        "outputs only. Default: rd1.",
        show_default=False,
    ),
]
ResetCostOption: TypeAlias = Annotated[
    float, typer.Option("--reset-cost", min=0, help="What a reset costs, in inputs: auto and walks weigh it.")
]
MaxLengthOption: TypeAlias = Annotated[
    int | None,
    typer.Option(
        "--max-length",
        min=1,
        help="The longest test allowed. walks keeps to it; other methods are refused where their tests are longer.",
        show_default=False,
    ),
]
FsmMethodOption: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--fsm-method", help=f"The finite method below separable or partition: {_FINITE}.", show_default=False
    ),
]
PropertyOption: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--property", metavar="NAME", help="A property of the model to test for; may be repeated.", show_default=False
    ),
]
MutateGuardsOption: TypeAlias = Annotated[
    bool, typer.Option("--mutate-guards", help="Add typical faults of the model's guards to the fault domain.")
]
MutateOutputsOption: TypeAlias = Annotated[
    bool, typer.Option("--mutate-outputs", help="Add typical faults of the model's outputs to the fault domain.")
]
MutateAtomsOption: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--mutate-atoms",
        help="Add typical faults of the comparisons in guards, which a system may combine in any way: far fewer "
        "expressions than --mutate-guards.",
    ),
]
MutateLimitOption: TypeAlias = Annotated[
    int | None,
    typer.Option(
        "--mutate-limit",
        min=0,
        metavar="N",
        help="How many typical faults of guards, comparisons and outputs each are added, the most typical first; 0: "
        "all. Default: 20.",
        show_default=False,
    ),
]
ThresholdOption: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--threshold",
        metavar="NAME=DISTANCE",
        help="For an sfsm: thresholds of this input may move, by this distance or more, e.g. x=0.5; may be repeated. "
        "Needs method local.",
        show_default=False,
    ),
]
PairsOption: TypeAlias = Annotated[
    Pairs | None,
    typer.Option(
        "--pairs",
        help="For an sfsm and method local: a guard, whatever became of it, occurs with all outputs, or with those of "
        "its own transitions. Default: the model's, else all.",
        show_default=False,
    ),
]
DegreeOption: TypeAlias = Annotated[
    int | None,
    typer.Option(
        "--degree",
        min=0,
        help="For a statemachine (FH3) and an sfsm (method local): the system computes polynomials of at most this "
        "degree. Default: the model's.",
        show_default=False,
    ),
]
PavingOption: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--paving",
        metavar="NAME=WIDTH",
        help="For a statemachine, FH4: no fault is narrower, e.g. x=5 or 'x=5 in -20..20'; may be repeated.",
        show_default=False,
    ),
]
CoverageOption: TypeAlias = Annotated[
    Criterion, typer.Option("--coverage", help="For an sts: what its test purposes have to cover.")
]
DepthOption: TypeAlias = Annotated[
    int | None,
    typer.Option(
        "--depth",
        min=1,
        help="For an sts: the longest path to a goal that is looked for. Default: 60.",
        show_default=False,
    ),
]
OrderOption: TypeAlias = Annotated[
    PurposeOrder,
    typer.Option(
        "--order",
        help="For an sts: which purposes come first; longest and shortest take the purposes of method switch.",
    ),
]
ValuesOption: TypeAlias = Annotated[
    Values, typer.Option("--values", help="For an sts: which values inputs get, of all that the purpose allows.")
]
ClusterOption: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--cluster",
        metavar="WHERE",
        help="Work on the Dask workers of dask://HOST:PORT, or on N processes of this machine: local:N.",
        show_default=False,
    ),
]
