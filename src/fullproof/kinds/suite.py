"""A generated suite, with the contents of its file."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from fullproof.artefacts.guarantee import Guarantee
from fullproof.artefacts.request import Observe, Relation, SuiteRequest
from fullproof.artefacts.suite import SuiteHeader, Test, TestInput, json_input
from fullproof.core.version import __version__
from fullproof.kinds.options import extra_states_of
from fullproof.model import Model

if TYPE_CHECKING:
    from fullproof.artefacts.words import WordSource


_HASHED = 1_000_000
"""Inputs of a suite up to which its file is made in memory for a hash: it takes about a second then."""


def _nothing(_word: Sequence[TestInput]) -> tuple[str, ...]:
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class GeneratedSuite:
    """A suite as numbers, with the contents of its file."""

    header: SuiteHeader
    model: Model
    alphabet: tuple[TestInput, ...]
    """The inputs that the numbers of the words stand for."""
    words: WordSource
    states: int
    notes: tuple[str, ...]
    seconds: float
    covered: Callable[[Sequence[TestInput]], tuple[str, ...]] = _nothing
    """Which requirements a word exercises."""
    undecided: tuple[str, ...] = ()
    """What could not be decided, and the guarantee would depend on."""
    details: Mapping[str, object] = field(default_factory=dict)
    """Further fields of ``generate --json`` for this kind of model."""

    def tests(self) -> Iterator[Test]:
        """The tests by name, in the order of the words."""
        alphabet, covered = self.alphabet, self.covered
        for piece in self.words.chunks():
            for word in piece:
                inputs = tuple([alphabet[k] for k in word.tolist()])
                yield Test(inputs=inputs, covers=covered(inputs))

    def lines(self, size: tuple[int, int]) -> Iterator[str]:
        """The lines of the suite's file, whose first says how many tests and inputs follow."""
        from fullproof.formats.suite import header_line, json_text, symbol_line

        names = self.alphabet
        texts = [json_text(json_input(name)) for name in names]
        tests, inputs = size
        yield header_line(dataclasses.replace(self.header, tests=tests, inputs=inputs))
        for piece in self.words.chunks():
            for word in piece:
                numbers = word.tolist()
                yield symbol_line([texts[k] for k in numbers], self.covered([names[k] for k in numbers]))

    def sha256(self, size: tuple[int, int]) -> str:
        """The SHA-256 of the file of the suite as JSON Lines; nothing where laying it out for that alone is costly."""
        from fullproof.formats.suite import lines_sha256

        return lines_sha256(self.lines(size)) if size[1] <= _HASHED else ""

    def size(self) -> tuple[int, int]:
        """Tests and inputs."""
        pieces = [(len(piece), piece.total) for piece in self.words.chunks()]
        return sum(tests for tests, _ in pieces), sum(inputs for _, inputs in pieces)


def header_for(
    model: Model,
    request: SuiteRequest,
    *,
    sha256: str,
    method: str,
    guarantee: Guarantee,
    default: Relation = Relation.EQUIVALENCE,
) -> SuiteHeader:
    """The first line of a suite file; ``default`` is the relation where the request names none."""
    return SuiteHeader(
        model=model.name,
        model_sha256=sha256,
        kind=model.kind,
        relation=(request.relation or (Relation.PROPERTY if request.properties else default)).value,
        method=method,
        extra_states=extra_states_of(model, request),
        tool=__version__,
        guarantee=guarantee,
        observe=None if model.description.unobserved is None else Observe.STATE.value,
    )
