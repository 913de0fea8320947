"""Scoring mutants on a cluster: their files go to the workers, which need no folder of ours."""

from __future__ import annotations

import dataclasses
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from fullproof.cluster.work import Work
from fullproof.core.errors import Place, UserError

if TYPE_CHECKING:
    from fullproof.cluster.pool import Pool
    from fullproof.pipeline.mutation import Score, Scoring

_NAME_FILES = (".in", ".out", ".state")
"""What belongs to a ``.fsm`` file."""


@dataclass(frozen=True, slots=True)
class _Packed:
    """A machine as it lies in our folder: its path, and the names and bytes of its files, its own first."""

    file: str
    contents: tuple[tuple[str, bytes], ...]


def spread_scores(pool: Pool, question: Scoring, files: Sequence[Path]) -> tuple[Score, ...]:
    """The scores of ``mutation.scorer_of``, in the same order."""
    work = Work(begin=_scoring, common=question, lost=_lost)
    return tuple(pool.map(work, map(_packed, files)))


def _packed(file: Path) -> _Packed:
    try:
        contents = [(file.name, file.read_bytes())]
        if file.suffix.lower() == ".fsm":
            beside = [path for path in map(file.with_suffix, _NAME_FILES) if path.is_file()]
            contents += [(path.name, path.read_bytes()) for path in beside]
    except OSError as error:
        raise UserError(f"cannot be read: {error.strerror}", at=Place(file=str(file))) from None
    return _Packed(str(file), tuple(contents))


@contextmanager
def _scoring(question: Scoring) -> Iterator[Callable[[Sequence[_Packed]], Iterable[Score]]]:
    from fullproof.pipeline.mutation import scorer_of

    score = scorer_of(question)
    with tempfile.TemporaryDirectory(prefix="fullproof-") as folder:
        yield lambda batch: (_scored(score, packed, Path(folder)) for packed in batch)


def _scored(score: Callable[[Sequence[Path]], tuple[Score, ...]], packed: _Packed, folder: Path) -> Score:
    paths = [folder / name for name, _ in packed.contents]
    for path, (_, content) in zip(paths, packed.contents, strict=True):
        path.write_bytes(content)
    try:
        (found,) = score(paths[:1])
    except UserError as error:
        # The user knows the file by its own path.
        own = error.at.file == str(paths[0])
        raise UserError(
            error.message, at=dataclasses.replace(error.at, file=packed.file) if own else error.at
        ) from None
    finally:
        for path in paths:
            path.unlink()
    return dataclasses.replace(found, file=packed.file)


def _lost(packed: _Packed, reason: str) -> Score:
    raise UserError(f"the process that scored it {reason}", at=Place(file=packed.file))
