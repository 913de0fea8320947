"""What workers do: each question is a function from JSON to JSON, in a folder of its own."""

from __future__ import annotations

import os
from pathlib import Path

from fullproof.serve.work.content import Content, Told


def answer(question: str, content: Content, folder: Path, told: Told) -> object:
    """Answer; mistakes of the user are UserErrors."""
    if question == "run":
        from fullproof.serve.work.run import run

        return run(content, folder, told)
    if question == "learn":
        from fullproof.serve.work.learn import learn

        return learn(content, folder, told)
    # Names of files are as short in messages as they are here.
    os.chdir(folder)
    if question == "simulate":
        from fullproof.serve.work.steps import simulate

        return simulate(content)
    from fullproof.serve.work.questions import QUESTIONS

    return QUESTIONS[question](content)
