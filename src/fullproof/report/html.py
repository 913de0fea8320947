"""A run as one HTML page: no network, opens from disk, light and dark, every value escaped."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import TYPE_CHECKING

from fullproof.artefacts.run import RunRecord
from fullproof.artefacts.verdict import Verdict
from fullproof.report.diagram import Drawing, Highlight

if TYPE_CHECKING:
    from jinja2 import Template

FAILURES_SHOWN = 50
"""A faulty system often fails hundreds of tests for one reason; the page stays readable, report.json has them all."""
PICTURES_SHOWN = 5
SECTIONS = (
    "figures",
    "conclusion",
    "hypotheses",
    "not_covered",
    "failures",
    "model",
    "classes",
    "requirements",
    "tests",
    "repetition",
)
"""The sections of the page in their order, each a template in ``templates/sections/``."""

_MEANING = {
    Verdict.PASS: "The system passed every test, so the guarantee below holds for it, under the hypotheses it names.",
    Verdict.FAIL: "The system does not conform to the model: at least one test saw an output that the model forbids.",
    Verdict.INCONCLUSIVE: "No test failed, but some could not be decided, so the guarantee below does not apply.",
    Verdict.ERROR: "The system itself misbehaved (crash, silence or nonsense), so the guarantee below does not apply.",
}


@cache
def load_template() -> Template:
    """The page template; loaded before the run, since a system under test may hide modules that it needs."""
    from jinja2 import DictLoader, Environment, StrictUndefined

    texts = {name: (_folder() / "sections" / f"{name}.html.jinja").read_text(encoding="utf-8") for name in SECTIONS}
    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, loader=DictLoader(texts)
    )
    for name in SECTIONS:
        environment.get_template(name)  # compiled now, too
    return environment.from_string((_folder() / "run.html.jinja").read_text(encoding="utf-8"))


def _folder() -> Traversable:
    return files("fullproof.report") / "templates"


@cache
def style_sheet() -> str:
    """The style sheet of the report and of every page in the same style."""
    return (_folder() / "style.css").read_text(encoding="utf-8").strip()


@cache
def script_hash() -> str:
    """The hash of the report's one script, as content security policies name it."""
    return base64.b64encode(hashlib.sha256(_script().encode()).digest()).decode()


def _script() -> str:
    return (_folder() / "filter.js").read_text(encoding="utf-8").strip()


def html_page(record: RunRecord, *, drawing: Drawing | None = None, classes: Sequence[tuple[str, str]] = ()) -> str:
    """Render the page. Without a drawing it has no pictures."""
    failing = [test for test in record.tests if test.verdict is not Verdict.PASS][:FAILURES_SHOWN]
    pictures = {}
    if drawing is not None:
        marked = [test for test in failing if test.path][:PICTURES_SHOWN]
        pictures = {test.id: drawing.svg(Highlight(transitions=frozenset(test.path))) for test in marked}
    page = load_template().render(
        sections=SECTIONS,
        record=record,
        context=record.context,
        result=record.result,
        meaning=_MEANING[record.result.verdict],
        failing=failing,
        pictures=pictures,
        hidden_failures=max(0, len(record.result.failures) - FAILURES_SHOWN),
        tests=record.tests,
        listed=record.listed,
        diagram="" if drawing is None else drawing.svg(Highlight(transitions=record.exercised)),
        matrix=record.matrix,
        classes=classes,
        diagnosis=record.diagnosis,
        style=style_sheet(),
        script=_script(),
        script_hash=script_hash(),
    )
    return page + "\n"
