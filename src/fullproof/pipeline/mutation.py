"""model -> mutants."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from fullproof.artefacts.progress import Progress, unheard
from fullproof.artefacts.questions import CompareRequest, MutateRequest
from fullproof.artefacts.replies import MutantReply, MutateReply
from fullproof.core.counted import counted
from fullproof.core.errors import Place, UserError
from fullproof.core.files import write_text
from fullproof.core.interrupts import telling
from fullproof.kinds import kind_of
from fullproof.kinds.idle import refuse_idle
from fullproof.kinds.options import refuse_symbolic_options
from fullproof.pipeline.comparison import conformance_to

if TYPE_CHECKING:
    from fullproof.kinds.kind import AnyKind
    from fullproof.model import Model

COMMENT = "# mutated: "
"""How the file of a mutant begins: then its fault follows."""
_LONGEST = 1_000
"""Characters of that line that are read."""
_SECONDS = 10.0
"""Seconds for a query to the solver about one mutant, or for one comparison."""


def write_mutants(path: Path, request: MutateRequest, *, progress: Progress = unheard) -> MutateReply:
    """Write the mutants of a machine, each marked as conforming or not by exact comparison."""
    from fullproof.formats import read_model
    from fullproof.formats.table import model_text
    from fullproof.mutate import mutants_of

    model, asked = read_model(path), request.faults
    kind = kind_of(model)
    refuse_symbolic_options(kind, asked)
    refuse_idle(kind, model, asked, at=Place(file=str(path)))
    conformance = conformance_to(
        model, CompareRequest(relation=asked.relation, properties=asked.properties, timeout=_SECONDS)
    )
    _refuse_order(kind, model, request, Place(file=str(path)))
    made = mutants_of(model, kind.faults(model, asked), order=request.order, sample=request.sample, seed=asked.seed)
    files = _files(request.folder, len(made.mutants))
    written: list[MutantReply] = []
    total = len(made.mutants)
    with telling(
        lambda: f"{len(written):,} of {counted(total, 'mutant')} written to {request.folder}",
        "to go on, give the command again, which writes them anew; --sample N writes fewer",
    ):
        for file, mutant in zip(files, made.mutants, strict=True):
            write_text(
                file, f"{COMMENT}{mutant.operator}: {' '.join(mutant.where.split())}\n{model_text(mutant.model)}"
            )
            conforms = conformance.conforms(mutant.model)
            written.append(MutantReply(file=str(file), operator=mutant.operator, where=mutant.where, conforms=conforms))
            progress(len(written), total)
    return MutateReply(mutants=tuple(written), left_out=made.left_out or None)


def _refuse_order(kind: AnyKind, model: Model, request: MutateRequest, at: Place) -> None:
    """A UserError where mutants would have more faults than machines of the fault domain."""
    from fullproof.formats.document.named_faults import named_faults_of_text

    if request.order == 1 or kind.named_faults is None:
        return
    text = kind.named_faults(model, request.faults, at)
    most = None if text is None else named_faults_of_text(text, "the fault domain").at_most
    if most is not None and request.order > most:
        message = f"the fault domain has at most {counted(most, 'wrong transition')} at once"
        raise UserError(f"{message}, and mutants of --order {request.order} have more", at=at)


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


def mutation_of(file: Path) -> str:
    """What was mutated according to the first line of a file; empty where it does not say."""
    try:
        with file.open(encoding="utf-8", errors="replace") as lines:
            first = lines.readline(_LONGEST)
    except OSError:
        return ""
    return first.removeprefix(COMMENT).strip() if first.startswith(COMMENT) else ""
