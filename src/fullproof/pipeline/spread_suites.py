"""Writing a suite on a cluster: each worker lays out the tests below some prefixes, in text.

That is possible where a test does not depend on those before it: for the methods of the catalogue that stream, on
complete deterministic machines. Their choices are made here, before, so the bytes are those of one process.
"""

from __future__ import annotations

import dataclasses
import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fullproof.analysis.requirements import requirements_along
from fullproof.artefacts.suite import SuiteHeader, TestInput, json_input
from fullproof.cluster.work import Work
from fullproof.core.counted import counted
from fullproof.core.errors import UserError
from fullproof.model import Model

if TYPE_CHECKING:
    from fullproof.artefacts.request import SuiteRequest
    from fullproof.cluster.pool import ClusterPool
    from fullproof.generate.finite.composition import Composition
    from fullproof.pipeline.suites import GeneratedSuite

_LEAVES = 2_000
_LARGEST = 500
"""Parts in a batch: their text is kept in memory."""

_Prefix = tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Suite:
    words: Composition
    model: Model
    alphabet: tuple[TestInput, ...]


def refuse_unspread(request: SuiteRequest) -> None:
    """Refuse a request that cannot be distributed, before anything is started."""
    from fullproof.generate.finite.methods import EQUIVALENCE_METHODS

    method = EQUIVALENCE_METHODS.get(request.method)
    if method is not None and not method.streams:
        raise UserError(
            f"method {request.method!r} makes a suite as a whole, which cannot be spread over a cluster; those of "
            f"{_streaming()} can"
        )


def spread_lines(pool: ClusterPool, suite: GeneratedSuite) -> tuple[GeneratedSuite, tuple[int, int], Iterator[str]]:
    """The lines of the suite's file, laid out on the cluster where that can be; else the suite gets a note.

    Returns the suite, its tests and inputs, and the lines.
    """
    from fullproof.generate.finite.composition import Composition

    if not isinstance(suite.words, Composition):
        size = suite.size()
        return _not_spread(suite), size, suite.lines(size)
    counted = suite.words.size()
    size = counted.tests, counted.inputs
    return (
        suite,
        size,
        _lines(pool, suite.header, _Suite(words=suite.words, model=suite.model, alphabet=suite.alphabet), size),
    )


def _not_spread(suite: GeneratedSuite) -> GeneratedSuite:
    note = (
        f"the suite of method {suite.header.method} for this model is made as a whole, by one process; those of "
        f"{_streaming()} for a complete deterministic fsm are spread over a cluster"
    )
    return dataclasses.replace(suite, notes=(*suite.notes, note))


def _lines(pool: ClusterPool, header: SuiteHeader, suite: _Suite, size: tuple[int, int]) -> Iterator[str]:
    from fullproof.formats.suite import header_line

    yield header_line(dataclasses.replace(header, tests=size[0], inputs=size[1]))
    work = Work(begin=_laying_out, common=suite, lost=_lost)
    with closing(pool.map(work, suite.words.parts(leaves=_LEAVES), largest=_LARGEST)) as texts:
        for text in texts:
            yield from io.StringIO(text, newline="\n")


@contextmanager
def _laying_out(suite: _Suite) -> Iterator[Callable[[Sequence[_Prefix]], Iterable[str]]]:
    from fullproof.formats.suite import json_text, symbol_line

    names, covered = suite.alphabet, requirements_along(suite.model)
    texts = [json_text(json_input(name)) for name in names]

    def lines(prefix: _Prefix) -> Iterator[str]:
        for piece in suite.words.below(prefix).chunks():
            for word in piece:
                numbers = word.tolist()
                yield symbol_line([texts[k] for k in numbers], covered([names[k] for k in numbers]))

    yield lambda batch: ("".join(lines(prefix)) for prefix in batch)


def _lost(prefix: _Prefix, reason: str) -> str:
    raise UserError(f"the process that lays out the tests below a prefix of {counted(len(prefix), 'input')} {reason}")


def _streaming() -> str:
    from fullproof.generate.finite.methods import EQUIVALENCE_METHODS

    return ", ".join(name for name, method in EQUIVALENCE_METHODS.items() if method.streams)
