"""The questions about a partition, written out and answered by a second solver."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from fullproof.certify.answers import Open
from fullproof.certify.symbolic_classes import PartitionQuestion
from fullproof.core.counted import counted
from fullproof.core.files import write_text
from fullproof.smt.second_answers import SecondAnswer
from fullproof.smt.smt_lib import second_answer, smt_lib

_SECONDS = 10.0
"""For one question."""


def ask_second_solver(questions: Sequence[PartitionQuestion], folder: Path) -> str | Open:
    """Write each question to a file of a folder and have it answered; what was found, or why it does not agree."""
    folder.mkdir(parents=True, exist_ok=True)
    open_ones = []
    for question in questions:
        expected = SecondAnswer.SOLVABLE if question.solvable else SecondAnswer.UNSOLVABLE
        text = smt_lib(question.scope, question.formula)
        path = folder / f"{question.name}.smt2"
        write_text(path, f"; expected: {expected.value}\n{text}")
        answer = second_answer(text, seconds=_SECONDS)
        if answer is SecondAnswer.UNKNOWN:
            open_ones.append(question.name)
        elif answer is not expected:
            return Open(f"cvc5 says {answer.value} to {path}, and {expected.value} was expected")
    if open_ones:
        return Open(f"cvc5 could not answer {counted(len(open_ones), 'question')} in {folder}, such as {open_ones[0]}")
    return f"cvc5 gave the same answers to {counted(len(questions), 'question')} about the partition"
