"""Questions that are answered within a minute: check, draw, classes, methods, generate, compare, certify, convert."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from fullproof import pipeline
from fullproof.artefacts.options import from_options
from fullproof.artefacts.questions import CertifyRequest, ClassesRequest, CompareRequest, MethodsRequest, MutateRequest
from fullproof.artefacts.replies import fields_of
from fullproof.artefacts.request import SuiteRequest
from fullproof.core.counted import counted
from fullproof.core.errors import Place, UserError
from fullproof.serve.work.content import Content
from fullproof.serve.work.lines import lines_of
from fullproof.serve.work.texts import placed, written

if TYPE_CHECKING:
    from fullproof.artefacts.request import Relation
    from fullproof.kinds.kind import AnyKind
    from fullproof.model import Model

_TRIES = 8
"""Mutants of which one that does not conform is taken."""


def check(content: Content) -> dict[str, object]:
    """The reply of ``check``; findings have lines and columns where these are known."""
    profile = pipeline.check_file(placed(content["model"], "model"))
    fields = fields_of(pipeline.check_reply(profile))
    for said, finding in zip(fields["findings"], profile.findings, strict=True):
        said |= {"line": finding.at.line, "column": finding.at.column}
    return fields


def draw(content: Content) -> dict[str, object]:
    """The diagram, and what its parts stand for: states and arrows in the order in which they are drawn."""
    from fullproof.formats import read_model
    from fullproof.report.diagram import drawn_lines, drawn_parts, svg

    model = read_model(placed(content["model"], "model"))
    states, arrows = drawn_parts(model)
    lines = lines_of(states, arrows, drawn_lines(model), content["model"]["text"])
    return {
        "svg": svg(model),
        "states": states,
        "arrows": [[arrow.source, arrow.target] for arrow in arrows],
        **lines._asdict(),
    }


def mutant(content: Content) -> dict[str, object]:
    """A faulty variant, one that does not conform where a few tries find one."""
    folder = Path("mutants")
    request = from_options(MutateRequest, {"output": folder, "sample": _TRIES, "seed": content["number"]})
    made = pipeline.write_mutants(placed(content["model"], "model"), request).mutants
    if not made:
        raise UserError("no mutant of this model was found")
    chosen = next((one for one in made if one.conforms is False), made[0])
    fields = {"operator": chosen.operator, "where": chosen.where, "conforms": chosen.conforms}
    return {"name": "mutant.yaml", "text": Path(chosen.file).read_text(encoding="utf-8"), **fields}


def classes(content: Content) -> dict[str, object]:
    """The fields of ``classes --json``, and which kind of model they are about."""
    path = placed(content["model"], "model")
    read = pipeline.classes_of_file(path, from_options(ClassesRequest, content["options"]))
    return {"kind": read.model.kind, **read.fields()}


def methods(content: Content) -> dict[str, object]:
    """The options of ``cost`` and ``generate`` for this model."""
    from fullproof.formats import read_model
    from fullproof.kinds import kind_of

    model = read_model(placed(content["model"], "model"))
    kind = kind_of(model)
    relations = kind.tested(model)
    relation = from_options(MethodsRequest, content["options"]).relation or relations[0]
    return {
        "kind": model.kind,
        "relations": [one.value for one in relations],
        "relation": relation.value,
        "extra_states": model.description.fault_domain.extra_states or 0,
        "extra_states_given": model.description.fault_domain.extra_states is not None,
        "properties": [stated.name for stated in model.description.properties],
        "methods": [method._asdict() for method in kind.methods(model, relation)],
        "compared": [one.value for one in kind.compared],
        "idle": _idle(kind, model, relation),
    }


def _idle(kind: AnyKind, model: Model, relation: Relation) -> list[str]:
    """Options of the pages that would be refused for this model, whatever is given."""
    bounded = "extra_states" not in kind.idle(model, SuiteRequest(relation=relation, extra_states=1))
    found = {"extra_states": bounded, "faults": kind.named_faults is not None}
    return [name for name, has_effect in found.items() if not has_effect]


def cost(content: Content) -> dict[str, object]:
    """The fields of ``generate --json``."""
    suite = pipeline.generate_for(placed(content["model"], "model"), from_options(SuiteRequest, content["options"]))
    return fields_of(pipeline.suite_reply(pipeline.write_generated(suite, None, to_stdout=False)))


def generate(content: Content) -> dict[str, object]:
    """The same with the suite, as JSON Lines or CSV."""
    target = Path(f"suite.{content['format']}")
    suite = pipeline.generate_for(placed(content["model"], "model"), from_options(SuiteRequest, content["options"]))
    summary = pipeline.write_generated(suite, target, to_stdout=False)
    if target.stat().st_size > content["largest"]:
        raise UserError(
            f"the suite has {counted(summary.tests, 'test')} and {target.stat().st_size:,} bytes, more than the "
            f"workbench hands"
            " out: use fullproof generate"
        )
    return {**fields_of(pipeline.suite_reply(summary)), "suite": target.read_text(encoding="utf-8")}


def compare(content: Content) -> dict[str, object]:
    """The fields of ``compare --json``."""
    model, other = placed(content["model"], "model"), placed(content["other"], "other")
    request = from_options(CompareRequest, content["options"])
    return fields_of(pipeline.compare_files(model, other, request).reply())


def certify(content: Content) -> dict[str, object]:
    """The fields of ``certify --json``; the survivor is a text."""
    path, suite = placed(content["model"], "model"), written(content["suite"], Path("suite.txt"))
    survivor = Path("survivor.yaml")
    request = from_options(CertifyRequest, {**content["options"], "output": survivor})
    [answer] = pipeline.certify_files(path, [suite], request)
    text = survivor.read_text(encoding="utf-8") if answer.survivor is not None else None
    return {**fields_of(pipeline.certify_reply(answer)), "survivor": text}


def convert(content: Content) -> dict[str, object]:
    """The model in another format."""
    source, target = placed(content["model"], "model"), Path(f"converted.{content['format']}")
    try:
        pipeline.convert_file(source, target)
    except UserError as error:
        raise error if error.at.file != str(target) else UserError(error.message, at=Place()) from None
    return {"text": target.read_text(encoding="utf-8")}


QUESTIONS: dict[str, Callable[[Content], dict[str, object]]] = {
    "check": check,
    "draw": draw,
    "classes": classes,
    "methods": methods,
    "cost": cost,
    "generate": generate,
    "compare": compare,
    "certify": certify,
    "convert": convert,
    "mutant": mutant,
}
