"""A run against a system that the command line names, with its report."""

from __future__ import annotations

from pathlib import Path

from fullproof import pipeline
from fullproof.artefacts.guarantee_json import guarantee_fields
from fullproof.artefacts.notes import note_texts
from fullproof.artefacts.options import from_options
from fullproof.artefacts.request import RunRequest
from fullproof.serve.work.content import Content, Told, now_and_then
from fullproof.serve.work.texts import placed, written

REPORT = "report"
_TEXTS = (".html", ".xml", ".json", ".csv", ".py", ".sh")


def run(content: Content, folder: Path, told: Told) -> dict[str, object]:
    """The fields of ``run --json``; the report is in ``folder``. Systems are found from where the workbench started."""
    from fullproof.execute.shield import Shield, stay

    model = placed(content["model"], "model", folder=folder)
    suite = written(content["suite"], folder / "suite.jsonl") if content["suite"] else None
    system = content["spec"] or f"model:{placed(content['other'], 'other', folder=folder)}"
    place = {"sut": system, "suite": suite, "report": folder / REPORT}
    request = from_options(RunRequest, {**content["options"], **place})
    stay()
    with Shield():
        outcome = pipeline.run_suite(model, request, progress=now_and_then(told))
    _forget_folder(folder)
    fields = pipeline.run_fields(outcome.record)
    for name, most in (("failures", 100), ("groups", 20)):
        fields[name] = fields[name][:most]  # type: ignore[index]  # a list: the report has them all
    return {**fields, **guarantee_fields(outcome.record.context.guarantee), "notes": note_texts(outcome.notes)}


def _forget_folder(folder: Path) -> None:
    """Remove the path of the workbench's temporary folder, which is private and short-lived."""
    for file in (folder / REPORT).iterdir():
        if file.suffix in _TEXTS:
            text = file.read_text(encoding="utf-8")
            if str(folder) in text:
                file.write_text(text.replace(f"{folder}/", ""), encoding="utf-8")
