"""model -> mutants."""

from __future__ import annotations

from pathlib import Path

from fullproof.artefacts.questions import CompareRequest, MutateRequest
from fullproof.artefacts.replies import MutantReply, MutateReply
from fullproof.core.errors import Place, UserError
from fullproof.kinds import kind_of
from fullproof.kinds.options import refuse_symbolic_options
from fullproof.pipeline.comparison import conformance_to

_SECONDS = 10.0
"""Seconds for a query to the solver about one mutant, or for one comparison."""


def write_mutants(path: Path, request: MutateRequest) -> MutateReply:
    """Write the mutants of a machine, each marked as conforming or not by exact comparison."""
    from fullproof.formats import read_model, write_model
    from fullproof.mutate import mutants_of

    model, asked = read_model(path), request.faults
    kind = kind_of(model)
    faults_of = kind.required(kind.faults, "mutate", at=Place(file=str(path)))
    refuse_symbolic_options(kind, asked)
    conformance = conformance_to(
        model, CompareRequest(relation=asked.relation, properties=asked.properties, timeout=_SECONDS)
    )
    made = mutants_of(model, faults_of(model, asked), order=request.order, sample=request.sample, seed=asked.seed)
    files = _files(request.folder, len(made.mutants))
    written = []
    for file, mutant in zip(files, made.mutants, strict=True):
        write_model(mutant.model, file)
        conforms = conformance.conforms(mutant.model)
        written.append(MutantReply(file=str(file), operator=mutant.operator, where=mutant.where, conforms=conforms))
    return MutateReply(mutants=tuple(written), left_out=made.left_out or None)


def _files(folder: Path, count: int) -> list[Path]:
    """Where the mutants go; a folder with other mutants in it is a UserError."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(f"cannot make the folder: {error.strerror}", at=Place(file=str(folder))) from error
    width = max(4, len(str(count)))
    files = [folder / f"mutant-{number:0{width}}.yaml" for number in range(1, count + 1)]
    if stale := sorted(set(folder.glob("mutant-*.yaml")) - set(files)):
        message = f"holds mutants of an earlier run, such as {stale[0].name}; remove them or use another folder"
        raise UserError(message, at=Place(file=str(folder)))
    return files
