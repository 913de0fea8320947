"""model -> mutants -> kill matrix."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Self

from fullproof.artefacts.request import Relation, SuiteRequest
from fullproof.artefacts.suite import SuiteHeader, Test
from fullproof.core.errors import Place, UserError
from fullproof.model import Fsm, Sfsm, StateMachine
from fullproof.pipeline.clusters import cluster_of
from fullproof.pipeline.comparison import conformance_to, require_same_kind
from fullproof.pipeline.observing import refuse_observing
from fullproof.pipeline.spread_scores import spread_scores

if TYPE_CHECKING:
    from fullproof.analysis.responses import Responses


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenMutant:
    """A mutant on disk; ``conforms`` marks those that are no fault at all, None where a solver could not tell."""

    file: str
    operator: str
    where: str
    conforms: bool | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """One mutant against a suite: the test that kills it first, if any."""

    file: str
    killed_by: str | None
    conforms: bool | None
    """None where a solver could not tell."""
    inside: bool
    """Whether the mutant lies in the fault domain that the suite claims to cover; of interest for survivors only."""
    undecided: str = ""
    """What a solver could not tell, where that leaves open whether the mutant conforms or a test kills it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreOptions:
    """How to score: ``timeout`` is for each question to a solver, ``cluster`` says where, if not here."""

    properties: tuple[str, ...] = ()
    timeout: float = 10.0
    cluster: str | None = None


_SCORING = ScoreOptions()


@dataclass(frozen=True, slots=True, kw_only=True)
class Scoring:
    """What is asked of every mutant. ``claim`` is the header where its guarantee can be held against survivors."""

    model: Fsm | Sfsm | StateMachine
    header: SuiteHeader
    claim: SuiteHeader | None
    relation: Relation
    tests: tuple[Test, ...]
    options: ScoreOptions


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
        return tuple(s for s in self.scores if s.conforms is False and s.killed_by is None and not s.undecided)

    @property
    def contradictions(self) -> tuple[Score, ...]:
        """Survivors inside the fault domain, and conforming mutants that fail: either is a bug of ours.

        Property suites may fail systems that satisfy the properties: those are not equivalent to the model.
        """
        wrongly_killed = (s for s in self.scores if s.conforms and s.killed_by is not None)
        inside = tuple(s for s in self.survivors if s.inside)
        return inside if self.relation is Relation.PROPERTY else (*inside, *wrongly_killed)

    @property
    def undecided(self) -> tuple[Score, ...]:
        """Mutants of which a solver could not tell enough."""
        return tuple(s for s in self.scores if s.undecided)


@dataclass(frozen=True, slots=True, kw_only=True)
class MadeMutant:
    """A mutant in memory; whether it conforms is decided when it is asked."""

    model: Fsm | Sfsm | StateMachine
    operator: str
    where: str
    conforms: Callable[[], bool | None]


class WrittenMutants(tuple[WrittenMutant, ...]):
    """The mutants of one run; ``left_out`` counts faults that no mutant has, since it would not be deterministic."""

    left_out: int

    def __new__(cls, mutants: Iterable[WrittenMutant], left_out: int = 0) -> Self:
        """So many mutants, and so many left out."""
        made = super().__new__(cls, tuple(mutants))
        made.left_out = left_out
        return made


def write_mutants(path: Path, folder: Path, request: SuiteRequest, *, order: int, sample: int | None) -> WrittenMutants:
    """Write the mutants of a machine, each marked as conforming or not by exact comparison."""
    from fullproof.formats import write_model
    from fullproof.pipeline.statemachine_mutation import made_statemachines
    from fullproof.pipeline.symbolic_mutation import made_symbolic

    model, left_out = _read(path, what="mutated"), 0
    if isinstance(model, Fsm):
        made = _made(model, request, order=order, sample=sample)
    elif isinstance(model, Sfsm):
        made = made_symbolic(model, request, order=order, sample=sample)
    else:
        made, left_out = made_statemachines(model, request, order=order, sample=sample)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(f"cannot make the folder: {error.strerror}", at=Place(file=str(folder))) from error
    width = max(4, len(str(len(made))))
    files = [folder / f"mutant-{number:0{width}}.yaml" for number in range(1, len(made) + 1)]
    if stale := sorted(set(folder.glob("mutant-*.yaml")) - set(files)):
        message = f"holds mutants of an earlier run, such as {stale[0].name}; remove them or use another folder"
        raise UserError(message, at=Place(file=str(folder)))
    written = []
    for file, mutant in zip(files, made, strict=True):
        write_model(mutant.model, file)
        conforms = mutant.conforms()
        written.append(WrittenMutant(file=str(file), operator=mutant.operator, where=mutant.where, conforms=conforms))
    return WrittenMutants(written, left_out)


def _made(model: Fsm, request: SuiteRequest, *, order: int, sample: int | None) -> list[MadeMutant]:
    from fullproof.mutate import mutants

    extra = request.extra_states if request.extra_states is not None else model.description.fault_domain.extra_states
    if request.properties or request.mutate_guards or request.mutate_outputs:
        raise UserError("--property, --mutate-guards and --mutate-outputs are for models of kind sfsm")
    relation = request.relation or Relation.EQUIVALENCE
    made = mutants(model, extra_states=extra, order=order, sample=sample, seed=request.seed)
    conformance = conformance_to(model, relation)
    return [
        MadeMutant(
            model=mutant.fsm,
            operator=mutant.operator,
            where=mutant.where,
            conforms=lambda fsm=mutant.fsm: conformance.conforms(fsm),  # type: ignore[misc]
        )
        for mutant in made
    ]


def score_files(
    path: Path,
    suite: Path,
    folder: Path,
    relation: Relation | None,
    *,
    scoring: ScoreOptions = _SCORING,
) -> Scores:
    """Judge every machine of a folder by a suite, over all its behaviours."""
    from fullproof.formats.suite import model_sha256
    from fullproof.pipeline.suite_file import SuiteFile

    properties = scoring.properties
    model = _read(path, what="scored")
    sha256 = model_sha256(path)
    given = SuiteFile(suite, model, sha256=sha256)
    refuse_observing(given.header.observe, "scored", at=Place(file=str(suite)))
    if given.header.model_sha256 != sha256:
        raise UserError(f"this suite was generated from another version of {path.name}", at=Place(file=str(suite)))
    files = _machines(folder)
    asked = relation or (Relation.PROPERTY if properties else given.relation)
    if asked is Relation.IOCO or (asked is Relation.PROPERTY and not isinstance(model, Sfsm)):
        raise UserError(f"machines of kind {model.kind} are not scored for {asked.value}")
    listed = list(given.tests())
    notes = given.notes(SuiteRequest(), asked)
    # A suite that is no longer what was generated makes no claim that a survivor could contradict.
    claim = None if notes else given.header
    question = Scoring(
        model=model, header=given.header, claim=claim, relation=asked, tests=tuple(listed), options=scoring
    )
    with cluster_of(scoring.cluster) as pool:
        scores = scorer_of(question)(files) if pool is None else spread_scores(pool, question, files)
    return Scores(relation=asked, method=given.header.method, scores=scores, notes=notes)


def scorer_of(question: Scoring) -> Callable[[Sequence[Path]], tuple[Score, ...]]:
    """A function that judges machines in files; what all of them have in common is worked out once."""
    model, claim, tests, relation = question.model, question.claim, question.tests, question.relation
    if isinstance(model, Fsm):
        return lambda files: tuple(_score(model, claim, tests, file, relation) for file in files)
    if isinstance(model, StateMachine):
        from fullproof.pipeline.statemachine_mutation import score_statemachines

        return lambda files: score_statemachines(model, relation, tests, files, timeout=question.options.timeout)
    from fullproof.pipeline.symbolic_mutation import conformance_for, score_symbolic

    options = question.options
    conformance = conformance_for(model, question.header, relation, options.properties, timeout=options.timeout)
    return lambda files: score_symbolic(conformance, claim, tests, files)


def _read(path: Path, *, what: str) -> Fsm | Sfsm | StateMachine:
    from fullproof.formats import read_model

    model = read_model(path)
    if not isinstance(model, Fsm | Sfsm | StateMachine):
        raise UserError(
            f"machines of kind fsm, sfsm and statemachine are {what}; this is a model of kind {model.kind}",
            at=Place(file=str(path)),
        )
    return model


def _machines(folder: Path) -> list[Path]:
    from fullproof.formats.endings import READABLE

    at = Place(file=str(folder))
    if not folder.is_dir():
        raise UserError("is a file, expected a folder" if folder.exists() else "no such folder", at=at)
    found = sorted(p for p in folder.iterdir() if p.suffix.lower() in READABLE and p.is_file())
    if not found:
        raise UserError("there are no mutants here", at=at)
    return found


def _score(model: Fsm, claim: SuiteHeader | None, tests: Iterable[Test], file: Path, relation: Relation) -> Score:
    from fullproof.analysis.alignment import align
    from fullproof.analysis.conformance import counterexample
    from fullproof.analysis.passing import fails_at
    from fullproof.formats import read_model

    mutant = read_model(file)
    require_same_kind(model, mutant, "scored", at=Place(file=str(file)))
    assert isinstance(mutant, Fsm)
    aligned = align(model, mutant)
    number = {name: k for k, name in enumerate(aligned.inputs)}
    killer = None
    for test in tests:
        word = [number[symbol] for symbol in test.inputs if isinstance(symbol, str)]
        if fails_at(aligned.model, aligned.other, word, relation) is not None:
            killer = test.id
            break
    return Score(
        file=str(file),
        killed_by=killer,
        conforms=counterexample(aligned.model, aligned.other, relation) is None,
        inside=claim is not None and _is_inside(model, mutant, claim, relation),
    )


def _is_inside(model: Fsm, mutant: Fsm, header: SuiteHeader, relation: Relation) -> bool:
    """Whether the suite's guarantee speaks of the mutant: its relation, alphabet, number of states, and shape."""
    from fullproof.analysis.alignment import observed

    if header.relation != relation.value or set(mutant.inputs) != set(model.inputs):
        return False
    own = observed(model, inputs=model.inputs, outputs=model.outputs)
    other = observed(mutant, inputs=mutant.inputs, outputs=mutant.outputs)
    if other.states > own.states + header.extra_states:
        return False
    if relation is Relation.EQUIVALENCE and _is_deterministic(own) and not _is_deterministic(other):
        return False
    must_be_complete = relation is Relation.REDUCTION or (relation is Relation.EQUIVALENCE and _is_complete(own))
    return _is_complete(other) or not must_be_complete


def _is_deterministic(machine: Responses) -> bool:
    return all(len(answers) == 1 for row in machine.after for answers in row.values())


def _is_complete(machine: Responses) -> bool:
    return all(len(row) == machine.inputs for row in machine.after)
