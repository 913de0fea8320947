"""``fullproof learn``: the model of a system that has none."""

from __future__ import annotations

import dataclasses
from pathlib import Path

from fullproof.artefacts.questions import LearnOrder
from fullproof.cli.command import Command
from fullproof.cli.output import Output
from fullproof.core.counted import counted


def _learn(request: LearnOrder, output: Output) -> None:
    from fullproof.execute.shield import Shield, outside
    from fullproof.testing.learning import learn_system

    asked = request.learning
    target = asked.output or Path(f"{asked.name}.yaml")
    journal = asked.journal or target.with_name(f"{target.name}.journal")
    asked = dataclasses.replace(asked, output=target, journal=journal)
    with Shield(), outside() as stdout:
        output = dataclasses.replace(output, stream=stdout)
        with output.working("learning"):
            found = learn_system(request.sut, request.symbols, asked)
        before = f"; {counted(found.resumed, 'test')} from the journal" if found.resumed else ""
        said = f"{counted(found.states, 'state')} learnt with {found.cost}{before}, written to {target}"
        output.answer(found.reply(str(target)), said, found.guarantee)
    output.notes(found.notes)


COMMAND = Command(
    name="learn",
    help="Learn the model of a system that has none: it equals the system, if that has no more than --extra-states "
    "states more. Every question is kept in a journal, MODEL.journal, with which --resume goes on.",
    example="fullproof learn --sut python:gate.py:Gate --inputs coin,push --extra-states 1 -o gate.yaml",
    function=_learn,
    has_notes=True,
)
