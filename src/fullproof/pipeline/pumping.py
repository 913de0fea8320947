"""suite -> suite with repeated loops of the model, which are outside of its guarantee."""

from __future__ import annotations

import dataclasses

from fullproof.artefacts.notes import MeaningNote
from fullproof.core.counted import counted
from fullproof.core.errors import Place, UserError
from fullproof.kinds import kind_of
from fullproof.kinds.suite import GeneratedSuite

MOST = 20_000_000
"""Inputs of all loops together: more would not fit into memory."""


def pumped(suite: GeneratedSuite, times: int, *, at: Place) -> GeneratedSuite:
    """The suite, and tests that repeat each loop of the model so many times."""
    from fullproof.generate.finite.pumping import Loops, WithLoops

    kind = kind_of(suite.model)
    loops = Loops(kind.required(kind.moves, "--pump", at=at)(suite.model, suite.alphabet))
    if (inputs := loops.inputs(times)) > MOST:
        number = counted(len(loops.found), "loop")
        most = max(1, MOST * times // inputs)
        raise UserError(f"--pump {times} repeats {number} by {inputs:,} inputs; --pump {most} is possible", at=at)
    repeated = [*loops.words(times)]
    note = MeaningNote(
        f"{counted(len(repeated), 'further test')} {'repeats a loop' if len(repeated) == 1 else 'repeat loops'} of the "
        f"model {counted(times, 'time')} (--pump): outside of the guarantee, which does not depend on them"
    )
    return dataclasses.replace(suite, words=WithLoops(suite.words, repeated), notes=(*suite.notes, note))
