"""suite -> file of another tool: the outputs that a deterministic model gives stand beside the inputs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

from fullproof.core.errors import Place, UserError
from fullproof.execute.play import EmittingPlayer
from fullproof.execute.sut import SutError
from fullproof.formats.suite.exports import EXPORTS, ExpectedStep, ExpectedTest, Exported
from fullproof.kinds import kind_of
from fullproof.kinds.suite import GeneratedSuite
from fullproof.model.interface import Interface


def is_export(target: Path | None) -> bool:
    """Whether the ending of a file asks for another tool's format."""
    return target is not None and target.suffix in EXPORTS


def exported_lines(suite: GeneratedSuite, target: Path) -> Iterator[str]:
    """The text of the file; a model that leaves a choice is a UserError, since an expected output must be the only
    one.
    """
    kind, at = kind_of(suite.model), Place(file=str(target))
    if kind.reactive:
        raise UserError(f"suites of {kind.plural} have no fixed inputs, and are written as .jsonl alone", at=at)
    if kind.check(suite.model).deterministic is not True:
        message = "an exported test needs one right output for each input, and the model leaves a choice; use .jsonl"
        raise UserError(message, at=at)
    interface = kind.interface(suite.model)
    outputs = interface.outputs if isinstance(interface, Interface) else None
    tolerances = {v.name: v.tolerance for v in outputs or () if v.tolerance is not None}
    yield from EXPORTS[target.suffix](Exported(suite.model.name, _expected(suite, at), tolerances))


def _expected(suite: GeneratedSuite, at: Place) -> Iterator[ExpectedTest]:
    player = kind_of(suite.model).player(suite.model, Random(0))
    assert not isinstance(player, EmittingPlayer)
    for test in suite.tests():
        player.reset()
        try:
            steps = [ExpectedStep(symbol, player.step(symbol)) for symbol in test.inputs]
        except SutError as error:
            raise UserError(f"test {test.id} has no expected output: {error}", at=at) from None
        yield ExpectedTest(test.id, steps)
