"""A suite from a file: checks that its tests fit the model, and that its guarantee holds for the contents of the
file.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from fullproof.artefacts.guarantee import no_guarantee
from fullproof.artefacts.notes import MeaningNote
from fullproof.artefacts.options import is_given, options_of
from fullproof.artefacts.request import Relation, SuiteRequest
from fullproof.artefacts.suite import SuiteHeader, Test, make_test
from fullproof.core.errors import Place, UserError
from fullproof.core.suggest import did_you_mean
from fullproof.core.version import __version__
from fullproof.kinds.kind import AnyKind, Letters
from fullproof.model import Model
from fullproof.model.interface import Interface

if TYPE_CHECKING:
    from fullproof.formats.suite.check import SuiteCheck

_OF_GIVEN = frozenset({"relation", "observe", "properties", "seed", "extra_states", "method", "coverage", "depth"})
"""Options that mean something for a run of a suite from a file, or have a note of their own."""
_OF_DOMAIN = frozenset(
    ("mutate_guards", "mutate_outputs", "mutate_atoms", "mutate_limit", "thresholds", "pairs", "faults", "since")
)


class SuiteFile:
    """The tests as a stream, and the doubts about them after the last one."""

    def __init__(self, path: Path, model: Model, kind: AnyKind, *, sha256: str) -> None:
        from fullproof.formats.suite import is_plain, read_suite

        self.path = path
        self._plain: Interface | None = None
        if is_plain(path):
            self._plain = self._answering(model)
            self.header, self._raw = _plain_header(model, sha256), self._plain_tests(self._plain)
        else:
            self.header, self._raw = read_suite(path)
        self._sha256 = sha256
        self._tests = self._inputs = 0
        self._ended = False
        self._check: SuiteCheck | None = None
        self._renamed: str | None = None
        if self.header.kind != model.kind:
            message = f"this suite is for a model of kind {self.header.kind}, {model.name} is of kind {model.kind}"
            raise UserError(message, at=self._at)
        self._has_expressions = kind.has_expressions
        self._interface: Letters = kind.interface(model)

    @property
    def relation(self) -> Relation:
        """The relation that the suite was generated for."""
        known = {relation.value: relation for relation in Relation}
        name = self.header.relation
        if name not in known:
            raise UserError(f"the suite's relation {name!r} is unknown{did_you_mean(name, known)}", at=self._at)
        return known[name]

    def judged_for(self, request: SuiteRequest) -> Relation:
        """The relation that a run of the suite is judged for."""
        implied = self.relation is Relation.REDUCTION or not request.properties
        return request.relation or (self.relation if implied else Relation.PROPERTY)

    @property
    def check(self) -> SuiteCheck:
        """Whether the file is unchanged since its generation; a duplicate test is an error."""
        if self._check is None:
            from fullproof.formats.suite.check import check_plain, check_suite

            self._check = check_suite(self.path) if self._plain is None else check_plain(self.path, self._plain)
        return self._check

    def tests(self) -> Iterator[Test]:
        """The tests; one that does not fit the model is an error before it is run."""
        unsure = self._check is not None and self._check.doubt is not None and self.header.tests is not None
        for test in self._raw:
            for symbol in test.inputs:
                if (misfit := self._interface.misfit(symbol)) is not None:
                    raise UserError(f"test {test.id} has {misfit}", at=self._at)
            self._tests += 1
            self._inputs += len(test.inputs)
            if unsure and self._renamed is None and test.id != make_test(test.inputs).id:
                self._renamed = test.id
            yield test
        self._ended = True

    def again(self) -> Iterator[Test]:
        """The tests once more, as they are in the file."""
        from fullproof.formats.suite import read_suite

        return self._plain_tests(self._plain) if self._plain is not None else read_suite(self.path)[1]

    def _plain_tests(self, interface: Interface) -> Iterator[Test]:
        from fullproof.formats.suite import read_plain_suite

        return read_plain_suite(self.path, interface=interface)

    def _answering(self, model: Model) -> Interface:
        interface = model.interface
        if not isinstance(interface, Interface):
            message = f"suites of plain text are for models whose systems answer each input, not for {model.kind}"
            raise UserError(message, at=self._at)
        return interface

    def doubts(self, relation: Relation, properties: Sequence[str] = ()) -> list[str]:
        """Why the header's guarantee does not hold for a run judged for ``relation``; call it after the last test."""
        header, doubts = self.header, []
        if header.model_sha256 != self._sha256:
            doubts.append("the suite was generated from another version of the model (its SHA-256 differs)")
        if self._has_expressions and header.domain is None and self._plain is None:
            doubts.append("the suite does not name the fault domain that it was generated for")
        if header.relation != relation.value:
            doubts.append(f"the suite was generated for {header.relation}, and the run was judged for {relation.value}")
        stated = () if header.domain is None else header.domain.properties
        others = [name for name in properties if name not in stated]
        if others and header.domain is not None:
            names = ", ".join(stated) or "no property"
            doubts.append(f"the suite was generated for {names}, and the run was judged for {', '.join(others)}")
        for number, claimed, what in ((self._tests, header.tests, "tests"), (self._inputs, header.inputs, "inputs")):
            if self._ended and claimed is not None and number != claimed:
                doubts.append(f"the suite was generated with {claimed:,} {what}, and the file holds {number:,}")
        if self._renamed is not None:
            doubts.append(f"test {self._renamed} was changed after it was generated (its id is the hash of its inputs)")
        if self.check.doubt is not None:
            doubts.append(self.check.doubt)
        return doubts

    def honest_header(self, relation: Relation, properties: Sequence[str] = ()) -> SuiteHeader:
        """The header for a run judged for ``relation``, without a guarantee where there are doubts."""
        doubts = self.doubts(relation, properties)
        return dataclasses.replace(without_guarantee(self.header, doubts), relation=relation.value)

    def notes(self, request: SuiteRequest, relation: Relation) -> tuple[str, ...]:
        """Notes: doubts, and options that have no effect on an existing suite."""
        doubts = self.doubts(relation, request.properties)
        notes = [f"{self.path}: {doubt}: its guarantee does not apply" for doubt in doubts]
        extra = request.extra_states
        if extra is not None and extra != self.header.extra_states:
            notes.append(
                f"--extra-states {extra} has no effect: the suite was generated for {self.header.extra_states}"
            )
        if request.method not in ("auto", self.header.method):
            notes.append(f"--method {request.method} has no effect: the suite was generated by {self.header.method}")
        if self.header.domain is not None and self.header.domain.undecided:
            notes.append("the suite's guarantee rests on what a solver left open: a run that passes is inconclusive")
        for one in options_of(SuiteRequest).values():
            if one.field not in _OF_GIVEN and is_given(request, one.field):
                said = "which fault domain it was generated for" if one.field in _OF_DOMAIN else "how it was generated"
                notes.append(f"--{one.name} has no effect: the suite's header says {said}")
        return tuple(map(MeaningNote, notes))

    @property
    def _at(self) -> Place:
        return Place(file=str(self.path))


def _plain_header(model: Model, sha256: str) -> SuiteHeader:
    """The header of a suite of plain text, which claims nothing."""
    return SuiteHeader(
        model=model.name,
        model_sha256=sha256,
        kind=model.kind,
        relation=Relation.EQUIVALENCE.value,
        method="plain text",
        extra_states=0,
        tool=__version__,
        guarantee=no_guarantee("the suite is plain text and claims nothing"),
    )


def without_guarantee(header: SuiteHeader, doubts: Sequence[str]) -> SuiteHeader:
    """The header where its guarantee is doubtful for these reasons; itself where there are none."""
    return dataclasses.replace(header, guarantee=header.guarantee.refused(doubts)) if doubts else header
