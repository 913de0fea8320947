"""journal -> verdict: an old run judged again from scratch, without the system."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from fullproof.artefacts.progress import Progress
from fullproof.artefacts.request import Relation
from fullproof.artefacts.run import RunResult
from fullproof.artefacts.verdict import BAD, Verdict
from fullproof.core.errors import Place, UserError
from fullproof.kinds import any_oracle_for, kind_of
from fullproof.pipeline.claimed import settled, with_domain
from fullproof.pipeline.completeness import RowCount, honest_about
from fullproof.pipeline.evidence import context_of, prepare_report, record_of, write_report
from fullproof.pipeline.evidence_chain import evidence_chain
from fullproof.pipeline.journal import told_by
from fullproof.pipeline.observed_models import observed, observed_by
from fullproof.pipeline.rows import Listing
from fullproof.pipeline.runs import RunOutcome, run_fields

if TYPE_CHECKING:
    from fullproof.formats.journal import OldJournal


def judge_journal(
    path: Path, *, report: Path | None, progress: Progress, certificate: Path | None = None
) -> RunOutcome:
    """Judge what a journal holds by the model that it holds; the result is that of the run, as far as it is
    recorded. With a certificate: check that it proves complete what was executed.
    """
    from fullproof.formats import read_model_text
    from fullproof.formats.journal import read_journal
    from fullproof.judge import Summary

    old, at = read_journal(path), Place(file=str(path))
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
        progress(number, old.rows)
    result = settled(coverage.settled(summary.result(seconds=old.seconds)), suite)
    complete = old.told is not None and not count.doubts()
    if result.verdict not in BAD:
        doubts = [*_unfinished(old, count.doubts()), *count.misnamed()]
        (suite, notes), result = honest_about((suite, notes), doubts, None), _capped(result, complete=complete)
    chain = None if certificate is None else evidence_chain(model, old, suite, certificate)
    context = context_of(old.header, suite, model, started=old.header.started)
    if chain is not None:
        context = replace(context, certificate=(chain.certificate.sha256, chain.answer))
    record = record_of(model, context, result, listing, old.executions)
    page = write_report(record, report, shown, fields=run_fields(record))
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


def _capped(result: RunResult, *, complete: bool) -> RunResult:
    """An incomplete run cannot pass."""
    passed = result.verdict is Verdict.PASS
    return replace(result, verdict=Verdict.INCONCLUSIVE) if passed and not complete else result
