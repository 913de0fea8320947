"""A run as one HTML page: no network, opens from disk, light and dark, every value escaped."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import TYPE_CHECKING

from fullproof.artefacts.diagnosis import Diagnosis
from fullproof.artefacts.run import FailureGroup, RunRecord, TestRow
from fullproof.artefacts.verdict import Verdict
from fullproof.core.errors import UserError
from fullproof.report.diagram import Drawing, Highlight
from fullproof.report.drawing.marks import look_of
from fullproof.report.drawing.picture import Mark
from fullproof.report.test_data import tests_json
from fullproof.report.time_axis import time_axis

if TYPE_CHECKING:
    from jinja2 import Template
    from markupsafe import Markup

FAILURES_SHOWN = 50
"""A faulty system often fails in many ways; the page stays readable, report.json has them all."""
PICTURES_SHOWN = 5
SECTIONS = (
    "verdict",
    "proof",
    "failures",
    "baseline",
    "not_covered",
    "model",
    "classes",
    "requirements",
    "evidence",
    "tests",
)
"""The sections of the page in their order, each a template in ``templates/sections/``."""

_MEANING = {
    Verdict.PASS: "The system passed every test, so what follows is proved for it, under the hypotheses listed.",
    Verdict.FAIL: "The system does not conform to the model. That is proved: the model forbids what the tests saw.",
    Verdict.NONDETERMINISTIC: "The system does not conform to the model, and answers equal inputs in two ways.",
    Verdict.INCONCLUSIVE: "No test failed, but some could not be decided, so nothing is proved.",
    Verdict.ERROR: "The system itself misbehaved (crash, silence or nonsense), so nothing is proved but that.",
}
_SIGNED = "steps"
"""The template of what several sections use."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CauseEntry:
    """A group of failures as the page shows it."""

    group: FailureGroup
    cause: Diagnosis | None
    proof: TestRow | None
    """The test of the suite, where its steps are known."""
    picture: str
    difference: str
    axis: str
    """The sequence with its times, where it has delays."""

    @property
    def standing(self) -> str:
        """How far the cause can be relied upon."""
        if self.cause is None or not self.cause.explanations:
            return "none"
        return "confirmed" if self.cause.is_confirmed else "consistent"


@cache
def load_template() -> tuple[Template, Mapping[str, Template]]:
    """The page and its sections; loaded before the run, since a system under test may hide modules that they need."""
    from jinja2 import DictLoader, Environment, StrictUndefined

    texts = {name: (_folder() / "sections" / f"{name}.html.jinja").read_text(encoding="utf-8") for name in SECTIONS}
    texts[_SIGNED] = (_folder() / f"{_SIGNED}.html.jinja").read_text(encoding="utf-8")
    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, loader=DictLoader(texts)
    )
    environment.filters["ticked"] = _ticked
    environment.globals["dashes"] = {mark.value: look_of(mark).dash for mark in Mark}
    environment.get_template(_SIGNED)
    sections = {name: environment.get_template(name) for name in SECTIONS}  # compiled now, too
    return environment.from_string((_folder() / "run.html.jinja").read_text(encoding="utf-8")), sections


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
    return (_folder() / "tests.js").read_text(encoding="utf-8").strip()


def html_page(
    record: RunRecord, *, drawing: Drawing | None = None, classes: Sequence[tuple[str, str]] = (), journal: str = ""
) -> str:
    """Render the page. Without a drawing it has no pictures; ``journal`` is the address of the journal."""
    page, sections = load_template()
    seen = _what_is_seen(record, drawing)
    values = {
        "record": record,
        "context": record.context,
        "result": record.result,
        "meaning": _MEANING[record.result.verdict],
        "proves": record.result.verdict is Verdict.PASS,
        "checklist": [
            (known["standing"], hypothesis)
            for known, hypothesis in zip(record.context.hypotheses, record.context.guarantee.hypotheses, strict=True)
        ],
        "tests": record.tests,
        "listed": record.listed,
        "baseline": record.baseline,
        "diagram": "" if drawing is None else _svg(drawing, Highlight(covered=record.exercised)),
        "matrix": record.matrix,
        "classes": classes,
        "journal": journal,
        **seen,
    }
    bodies, contents = [], []
    for name, section in sections.items():
        body = section.render(values)
        if (heading := re.search("<h2>(.*?)</h2>", body)) is not None:
            contents.append((f"section-{name}", _marked_up(heading[1])))
            body = body.replace("<h2>", f'<h2 id="section-{name}">', 1)
        bodies.append(_marked_up(body))
    text = page.render(
        values,
        bodies=bodies,
        contents=contents,
        data=tests_json(record),
        style=style_sheet(),
        script=_script(),
        script_hash=script_hash(),
    )
    return text + "\n"


def _what_is_seen(record: RunRecord, drawing: Drawing | None) -> dict[str, object]:
    """The groups of failures, and the tests that were not decided."""
    rows = {test.id: test for test in record.tests}
    grouped = {test for group in record.groups for test in group.tests}
    undecided = [t for t in record.tests if t.verdict is not Verdict.PASS and t.id not in grouped]
    # What explains nothing is said once; it is no cause of one of several groups.
    together = record.diagnosis if len(record.groups) > 1 else None
    is_own = together is None or bool(together.explanations)
    entries: list[CauseEntry] = []
    for group in record.groups[:FAILURES_SHOWN]:
        drawn = drawing if len(entries) < PICTURES_SHOWN else None
        cause, proof = group.cause if is_own else None, rows.get(group.proves)
        entries.append(
            CauseEntry(
                group=group,
                cause=cause,
                proof=proof if proof is not None and proof.steps else None,
                picture=_svg(drawn, Highlight(transitions=frozenset(group.path))) if drawn and group.path else "",
                difference=_difference(drawn, cause),
                axis=_marked_up(time_axis(group.steps)),
            )
        )
    return {
        "groups": entries,
        "diagnosis": None if is_own else together,
        "hidden_groups": max(0, len(record.groups) - FAILURES_SHOWN),
        "undecided": undecided[:FAILURES_SHOWN],
        "hidden_undecided": max(0, len(undecided) - FAILURES_SHOWN),
    }


def _svg(drawing: Drawing, highlight: Highlight) -> str:
    """The picture; none where marks do not fit into the one that there is, and another one cannot be made in time."""
    try:
        return drawing.svg(highlight)
    except UserError:
        return ""


def _difference(drawing: Drawing | None, cause: Diagnosis | None) -> str:
    if drawing is None or cause is None or not cause.changes:
        return ""
    try:
        return drawing.difference(cause.changes)
    except UserError:
        return ""


def _ticked(text: str) -> Markup:
    """A title, in which names stand between backticks."""
    from markupsafe import Markup

    parts = text.split("`")
    if len(parts) % 2 == 0:  # a name has a backtick itself
        return Markup("{}").format(text)
    return Markup("").join(Markup("<code>{}</code>").format(part) if n % 2 else part for n, part in enumerate(parts))


def _marked_up(text: str) -> Markup:
    """What a template has rendered, which has escaped every value."""
    from markupsafe import Markup

    return Markup(text)
