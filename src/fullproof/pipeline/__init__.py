"""The contents page: model -> check -> abstract -> generate -> concretise -> execute -> judge -> report.

Each function takes files and options and calls the stages in order; the stages themselves never meet elsewhere.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fullproof.pipeline.certification import Certified, certified_fields, certify_files
    from fullproof.pipeline.classes import classes_of_file
    from fullproof.pipeline.comparison import compare_files
    from fullproof.pipeline.judging import judge_journal
    from fullproof.pipeline.models import ModelErrors, check_fields, check_file, convert_file, draw_file, finding_fields
    from fullproof.pipeline.mutation import WrittenMutant, write_mutants
    from fullproof.pipeline.runs import RunOutcome, run_fields, run_suite
    from fullproof.pipeline.score import Scores, score_files
    from fullproof.pipeline.simulation import simulate_streams, simulate_tcp
    from fullproof.pipeline.suites import (
        GeneratedSuite,
        SuiteSummary,
        generate_for,
        summary_fields,
        write_generated,
    )

__all__ = [
    "Certified",
    "GeneratedSuite",
    "ModelErrors",
    "RunOutcome",
    "Scores",
    "SuiteSummary",
    "WrittenMutant",
    "certified_fields",
    "certify_files",
    "check_fields",
    "check_file",
    "classes_of_file",
    "compare_files",
    "convert_file",
    "draw_file",
    "finding_fields",
    "generate_for",
    "judge_journal",
    "run_fields",
    "run_suite",
    "score_files",
    "simulate_streams",
    "simulate_tcp",
    "summary_fields",
    "write_generated",
    "write_mutants",
]

_MODULES = {
    "certification": ("Certified", "certified_fields", "certify_files"),
    "classes": ("classes_of_file",),
    "comparison": ("compare_files",),
    "judging": ("judge_journal",),
    "models": ("ModelErrors", "check_fields", "check_file", "convert_file", "draw_file", "finding_fields"),
    "mutation": ("WrittenMutant", "write_mutants"),
    "runs": ("RunOutcome", "run_fields", "run_suite"),
    "score": ("Scores", "score_files"),
    "simulation": ("simulate_streams", "simulate_tcp"),
    "suites": ("GeneratedSuite", "SuiteSummary", "generate_for", "summary_fields", "write_generated"),
}
_WHERE = {name: module for module, names in _MODULES.items() for name in names}


def __getattr__(name: str) -> Any:
    """Import a part of the pipeline when it is used: ``check`` need not wait for what ``run`` needs."""
    if name not in _WHERE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_WHERE[name]}"), name)
