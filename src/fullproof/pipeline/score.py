"""model, suite, mutants -> kill matrix, locally or on a cluster, whose workers need no local files."""

from __future__ import annotations

import dataclasses
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from fullproof.artefacts.progress import Progress, unheard
from fullproof.artefacts.questions import ScoreRequest
from fullproof.artefacts.replies import ScoreReply
from fullproof.artefacts.request import Relation, SuiteRequest
from fullproof.artefacts.suite import Test
from fullproof.cluster.work import Work
from fullproof.core.counted import counted
from fullproof.core.errors import Place, UserError
from fullproof.core.interrupts import telling
from fullproof.kinds import kind_of
from fullproof.kinds.idle import idle_notes, refuse_idle
from fullproof.kinds.score import MutantScorer, ScoringBasis
from fullproof.pipeline.clusters import cluster_of
from fullproof.pipeline.comparison import require_same_kind
from fullproof.pipeline.mutation import mutation_of
from fullproof.pipeline.observed_models import refuse_observing

if TYPE_CHECKING:
    from fullproof.cluster.pool import ClusterPool
    from fullproof.model import Model


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """One mutant against a suite: the test that kills it first, if any."""

    file: str
    killed_by: str | None
    conforms: bool | None
    """None where a solver could not decide."""
    inside: bool
    """Whether a survivor lies in the fault domain that the suite claims to cover."""
    undecided: str = ""
    """The undecided query, where that leaves open whether the mutant conforms or a test kills it."""
    mutated: str = ""
    """What is wrong in a survivor, where its file says that."""

    @property
    def survives(self) -> bool:
        """Whether it does not conform and passes every test."""
        return self.conforms is False and self.killed_by is None and not self.undecided


@dataclass(frozen=True, slots=True, kw_only=True)
class Scores:
    """The kill matrix of a suite that claims ``relation``."""

    relation: Relation
    method: str
    scores: tuple[Score, ...]
    notes: tuple[str, ...] = ()

    @property
    def survivors(self) -> tuple[Score, ...]:
        """Nonconforming mutants that pass every test."""
        return tuple(s for s in self.scores if s.survives)

    @property
    def contradictions(self) -> tuple[Score, ...]:
        """Survivors inside the fault domain, and conforming mutants that fail: either is a bug of fullproof.

        Property suites may fail systems that satisfy the properties: those are not equivalent to the model.
        """
        wrongly_killed = (s for s in self.scores if s.conforms and s.killed_by is not None)
        inside = tuple(s for s in self.survivors if s.inside)
        return inside if self.relation is Relation.PROPERTY else (*inside, *wrongly_killed)

    @property
    def undecided(self) -> tuple[Score, ...]:
        """Mutants with undecided queries."""
        return tuple(s for s in self.scores if s.undecided)

    def reply(self) -> ScoreReply:
        """The answer of ``score``."""
        return ScoreReply(
            mutants=len(self.scores),
            killed=sum(score.killed_by is not None for score in self.scores),
            conforming=sum(score.conforms is True for score in self.scores),
            survivors=[
                {"file": s.file, "in_fault_domain": s.inside, **({"mutated": s.mutated} if s.mutated else {})}
                for s in self.survivors
            ],
            kills={score.file: score.killed_by for score in self.scores},
            undecided=[{"file": s.file, "question": s.undecided} for s in self.undecided] or None,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Question:
    """The parameters of the score of every mutant."""

    model: Model
    basis: ScoringBasis
    tests: tuple[Test, ...]


def score_files(path: Path, suite: Path, request: ScoreRequest, *, progress: Progress = unheard) -> Scores:
    """Judge every machine of a folder by a suite, over all its behaviours. ``timeout`` is for each solver question."""
    from fullproof.formats import model_sha256, read_model
    from fullproof.kinds.suite_file import SuiteFile

    model, properties = read_model(path), request.properties
    kind = kind_of(model)
    kind.required(kind.scorer, "score", at=Place(file=str(path)))
    refuse_idle(kind, model, request, at=Place(file=str(path)))
    sha256 = model_sha256(path)
    given = SuiteFile(suite, model, kind_of(model), sha256=sha256)
    refuse_observing(given.header.observe, "scored", at=Place(file=str(suite)))
    if given.header.model_sha256 != sha256:
        raise UserError(f"this suite was generated from another version of {path.name}", at=Place(file=str(suite)))
    files = _machines(request.mutants)
    asked = kind.relation_for(request.relation or (None if properties else given.relation), properties, "scored")
    kind.monitored(model, asked, properties, Place(file=str(path)))  # refuses names that the model does not have
    listed = tuple(given.tests())
    held = given.honest_header(asked, properties)
    basis = ScoringBasis(
        relation=asked,
        properties=properties,
        timeout=request.timeout,
        header=given.header,
        # A suite that is no longer what was generated makes no claim that a survivor could contradict.
        claim=held if held.guarantee.exists and not held.guarantee.undecided else None,
    )
    question = _Question(model=model, basis=basis, tests=listed)
    scores: list[Score] = []
    with (
        telling(
            lambda: _so_far(scores, len(files)), "to go on, put the mutants that are left into a folder of their own"
        ),
        cluster_of(request.cluster) as pool,
    ):
        for score in map(_scorer(question), files) if pool is None else _spread(pool, question, files):
            scores.append(
                dataclasses.replace(score, mutated=mutation_of(Path(score.file))) if score.survives else score
            )
            progress(len(scores), len(files))
    notes = (*idle_notes(kind, model, request), *given.notes(SuiteRequest(properties=properties), asked))
    return Scores(relation=asked, method=given.header.method, scores=tuple(scores), notes=notes)


def _so_far(scores: Sequence[Score], total: int) -> str:
    """What is known of the mutants that were scored before an interruption."""
    killed = sum(score.killed_by is not None for score in scores)
    known = f"{len(scores):,} of {counted(total, 'mutant')} scored, the first by name: {killed:,} killed"
    survivors = [score.file for score in scores if score.survives]
    return f"{known}, {counted(len(survivors), 'survivor')}: {', '.join(survivors)}" if survivors else known


def _machines(folder: Path) -> list[Path]:
    """The files of a folder that may hold a model; names of symbols beside a ``.fsm`` file do not."""
    from fullproof.formats.table import readable_endings

    at = Place(file=str(folder))
    if not folder.is_dir():
        raise UserError("is a file, expected a folder" if folder.exists() else "no such folder", at=at)
    known = readable_endings()
    found = sorted(p for p in folder.iterdir() if p.suffix.lower() in known and p.is_file())
    if not found:
        raise UserError("there are no mutants here", at=at)
    return found


def _scorer(question: _Question) -> Callable[[Path], Score]:
    """A function that judges the machine in a file; common data is computed once."""
    kind = kind_of(question.model)
    scorer = kind.required(kind.scorer, "score")(question.model, question.basis)
    return lambda file: _score(question, scorer, file)


def _score(question: _Question, scorer: MutantScorer[Model], file: Path) -> Score:
    from fullproof.formats import read_model

    mutant, at = read_model(file), Place(file=str(file))
    require_same_kind(question.model, mutant, "scored", at=at)
    scored = scorer(mutant, at)
    killer, doubt = None, ""
    for test in question.tests:
        answer = scored.fails(test)
        if answer is True:
            killer = test
            break
        doubt = doubt or answer or ""
    conforms, question_left = scored.conforms(killer)
    undecided = "" if killer is not None else question_left or doubt
    survives = killer is None and conforms is False and not undecided
    return Score(
        file=str(file),
        killed_by=None if killer is None else killer.id,
        conforms=conforms,
        inside=survives and scored.is_inside(),
        undecided=undecided,
    )


@dataclass(frozen=True, slots=True)
class _Packed:
    """The files of a machine for transport: its path, and its files by relative name, its own first."""

    file: str
    contents: tuple[tuple[str, bytes], ...]


def _spread(pool: ClusterPool, question: _Question, files: Sequence[Path]) -> Iterator[Score]:
    """The same scores in the same order."""
    work = Work(begin=_scoring, common=question, lost=_lost)
    yield from pool.map(work, map(_packed, files))


def _packed(file: Path) -> _Packed:
    from fullproof.formats.table import model_files

    try:
        contents = [(path.relative_to(file.parent).as_posix(), path.read_bytes()) for path in model_files(file)]
    except OSError as error:
        raise UserError(f"cannot be read: {error.strerror}", at=Place(file=str(file))) from None
    return _Packed(str(file), tuple(contents))


@contextmanager
def _scoring(question: _Question) -> Iterator[Callable[[Sequence[_Packed]], Iterable[Score]]]:
    score = _scorer(question)
    yield lambda batch: (_scored(score, packed) for packed in batch)


def _scored(score: Callable[[Path], Score], packed: _Packed) -> Score:
    with tempfile.TemporaryDirectory(prefix="fullproof-") as folder:
        paths = [Path(folder) / name for name, _ in packed.contents]
        for path, (_, content) in zip(paths, packed.contents, strict=True):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        try:
            found = score(paths[0])
        except UserError as error:
            # Messages name the files by the user's paths.
            own = {str(path): str(Path(packed.file).parent / path.relative_to(folder)) for path in paths}
            at = dataclasses.replace(error.at, file=own.get(error.at.file, error.at.file))
            raise UserError(error.message, at=at) from None
    return dataclasses.replace(found, file=packed.file)


def _lost(packed: _Packed, reason: str) -> Score:
    raise UserError(f"the process that scored it {reason}", at=Place(file=packed.file))
