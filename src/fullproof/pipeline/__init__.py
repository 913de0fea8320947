"""The order of the stages: model -> check -> abstract -> generate -> concretise -> execute -> judge -> report.

Each function takes files and options and calls the stages in order; stages are combined only here.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fullproof.pipeline.certification import Certified, certify_files, certify_reply
    from fullproof.pipeline.classes import classes_of_file
    from fullproof.pipeline.comparison import compare_files
    from fullproof.pipeline.judgement import judge_journal
    from fullproof.pipeline.logs import judge_log
    from fullproof.pipeline.models import ModelErrors, check_file, check_reply, convert_file, draw_file
    from fullproof.pipeline.mutation import write_mutants
    from fullproof.pipeline.runs import RunOutcome, run_fields, run_suite
    from fullproof.pipeline.score import Scores, score_files
    from fullproof.pipeline.simulation import simulate_streams, simulate_tcp, simulate_terminal
    from fullproof.pipeline.suites import (
        GeneratedSuite,
        SuiteSummary,
        generate_for,
        suite_reply,
        write_generated,
    )

__all__ = [
    "Certified",
    "GeneratedSuite",
    "ModelErrors",
    "RunOutcome",
    "Scores",
    "SuiteSummary",
    "certify_files",
    "certify_reply",
    "check_file",
    "check_reply",
    "classes_of_file",
    "compare_files",
    "convert_file",
    "draw_file",
    "generate_for",
    "judge_journal",
    "judge_log",
    "run_fields",
    "run_suite",
    "score_files",
    "simulate_streams",
    "simulate_tcp",
    "simulate_terminal",
    "suite_reply",
    "write_generated",
    "write_mutants",
]

_MODULES = {
    "certification": ("Certified", "certify_reply", "certify_files"),
    "classes": ("classes_of_file",),
    "comparison": ("compare_files",),
    "judgement": ("judge_journal",),
    "logs": ("judge_log",),
    "models": ("ModelErrors", "check_reply", "check_file", "convert_file", "draw_file"),
    "mutation": ("write_mutants",),
    "runs": ("RunOutcome", "run_fields", "run_suite"),
    "score": ("Scores", "score_files"),
    "simulation": ("simulate_streams", "simulate_tcp", "simulate_terminal"),
    "suites": ("GeneratedSuite", "SuiteSummary", "generate_for", "suite_reply", "write_generated"),
}
_WHERE = {name: module for module, names in _MODULES.items() for name in names}


def __getattr__(name: str) -> Any:
    """Import a part of the pipeline when it is used: ``check`` does not load what only ``run`` needs."""
    if name not in _WHERE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_WHERE[name]}"), name)
