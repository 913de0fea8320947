"""journal -> verdict: an old run judged again from scratch, without the system."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from fullproof.artefacts.progress import Progress
from fullproof.artefacts.questions import JudgeRequest
from fullproof.artefacts.request import Relation, RunRequest, SuiteRequest
from fullproof.artefacts.verdict import BAD
from fullproof.core.errors import Place, UserError
from fullproof.kinds import any_oracle_for, kind_of
from fullproof.pipeline.baseline import compared, read_baseline
from fullproof.pipeline.claimed import settled, with_domain
from fullproof.pipeline.completeness import RowCount, capped, honest_about
from fullproof.pipeline.evidence import context_of, prepare_report, record_of, repeatable, write_report
from fullproof.pipeline.evidence_chain import evidence_chain
from fullproof.pipeline.explanation import Failures, explained, faults_for
from fullproof.pipeline.journal import told_by
from fullproof.pipeline.observed_models import observed, observed_by
from fullproof.pipeline.reproduction import scripts_for
from fullproof.pipeline.rows import Listing
from fullproof.pipeline.runs import RunOutcome, run_fields

if TYPE_CHECKING:
    from fullproof.formats.journal import OldJournal


def judge_journal(path: Path, request: JudgeRequest, *, progress: Progress) -> RunOutcome:
    """Judge what a journal holds by the model that it holds; the result is that of the run, as far as it is
    recorded. With a certificate: check that it proves complete what was executed.
    """
    from fullproof.formats import read_model_text
    from fullproof.formats.journal import read_journal
    from fullproof.judge import Summary

    old, at, report, certificate = read_journal(path), Place(file=str(path)), request.report, request.certificate
    earlier = read_baseline(request.baseline)
    model = read_model_text(old.header.model, Path(f"{path}.json"))
    suite, notes = told_by(old)
    try:
        relation = Relation(old.header.relation)
    except ValueError as error:
        raise UserError(f"unknown relation {old.header.relation!r}", at=at) from error
    model = with_domain(observed(model, observed_by(suite.observe, at=at), at=at), suite, at=at)
    stated = tuple(p for p in model.description.properties if p.name in old.header.properties)
    oracle = any_oracle_for(model, relation, properties=stated)
    coverage = kind_of(model).coverage(oracle, old.header, at)
    shown = prepare_report(model, report).of_classes(model)
    summary, listing = Summary(oracle, repeat=old.header.repeat), Listing(oracle, model)
    count = RowCount(old.header, at, retries=oracle.retries)
    for number, execution in enumerate(old.executions(), 1):
        count.add(execution)
        with _sensible(old, execution.number):
            judgement = oracle.judge(execution)
            summary.add(execution, judgement)
            listing.add(execution, judgement)
            coverage.saw(execution, judgement)
        if earlier is not None:
            earlier.saw(execution)
        progress(number, old.rows)
    result = settled(coverage.settled(summary.result(seconds=old.seconds)), suite)
    complete = old.told is not None and not count.doubts()
    if result.verdict not in BAD:
        doubts = [*_unfinished(old, count.doubts()), *count.misnamed()]
        (suite, notes), result = honest_about((suite, notes), doubts, None), capped(result, complete=complete)
    chain = None if certificate is None else evidence_chain(model, old, suite, certificate)
    context = context_of(old.header, suite, model, started=old.header.started)
    context = repeatable(context, "judge", str(path), request, old.parts)
    if chain is not None:
        context = replace(context, certificate=(chain.certificate.sha256, chain.answer))
    asked = SuiteRequest(properties=old.header.properties, seed=old.header.seed)
    again = RunRequest(sut=old.header.sut, suite=asked, repeat=old.header.repeat, shrink_failures=0.0)
    faults = faults_for(suite)
    failures = Failures(
        model=model, oracle=oracle, listing=listing, result=result, faults=faults, everything=old.executions
    )
    explanation = explained(failures, None)
    scripts = [*scripts_for(context, suite, again, explanation.groups)]
    record = compared(record_of(context, result, listing, explanation, scripts), earlier, path)
    page = write_report(record, report, shown, listing, fields=run_fields(record))
    notes = (*notes, *coverage.notes(result.verdict))
    return RunOutcome(record=record, notes=notes, page=page, complete=complete, chain=chain)


@contextmanager
def _sensible(old: OldJournal, number: int) -> Iterator[None]:
    """Values that no system of this model can give are damage, even where their hash fits."""
    try:
        yield
    except (TypeError, ValueError, KeyError, AttributeError, AssertionError) as error:
        message = f"is damaged: row {number} has values that the model does not know"
        raise UserError(message, at=Place(file=str(old.path))) from error


def _unfinished(old: OldJournal, missing: Sequence[str]) -> list[str]:
    if old.told is not None:
        return list(missing)
    return [*missing] or ["the run was interrupted before its end"]
