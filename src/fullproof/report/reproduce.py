"""A failure as a script: it runs one test against the system, and its exit code says whether the fault is there."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from fullproof.artefacts.execution import BEFORE_TESTS
from fullproof.artefacts.suite import id_of

_OWN_ID = re.compile("t-[0-9a-f]{1,64}")
"""The ids that fullproof makes. Any other id is untrusted data: it may contain ``../``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reproduction:
    """The data of a script."""

    test: str
    model: str
    reason: str
    command: Sequence[str]
    """The words of the command line after ``fullproof``, but for the suite; the last one names the system."""
    suite: Sequence[str]
    """The lines of a suite with the one test."""
    hidden: bool = False
    """Whether the name of the system is not the whole one: secrets are left out, and a Python object has none."""
    doubt: str = ""
    """Why a pass does not show that the fault is gone."""
    any_answer: bool = False
    """Whether the fault is gone where no execution fails, although an answer of the model was not seen."""


_SCRIPT = '''#!/usr/bin/env python3
"""{title}

Runs the sequence that shows this failure, and nothing else. Exit code: 1 while the fault is there, 0 when it is gone,
6 where neither can be said. With --bisect it is 125 instead of any other code than 0 and 1: git bisect run skips such a
revision. Run it where the test was run: paths are as they were given there. Needs Python and fullproof; FULLPROOF_SUT
in the environment replaces the system.
"""

import contextlib
import importlib.util
import os
import pathlib
import sqlite3
import subprocess
import sys
import tempfile

SUITE = {suite}
COMMAND = {command}
SUT = {sut}
SUT_IS_HIDDEN = {hidden}
DOUBT = {doubt}
ANY_ANSWER = {any_answer}
STARTS = {starts}


def starts(journal):
    """Whether the system was ready for an input in any execution: else it shows neither this fault nor that it is gone.
    """
    try:
        with contextlib.closing(sqlite3.connect(journal)) as database:
            errors = [error for (error,) in database.execute("select error from execution")]
    except sqlite3.Error:
        return True
    return not errors or not all(error is not None and error.startswith({before!r}) for error in errors)


def reproduce():
    sut = os.environ.get("FULLPROOF_SUT") or SUT
    if SUT_IS_HIDDEN and sut == SUT:
        print("it cannot be reproduced alone: the name of the system is not stored; set FULLPROOF_SUT to it")
        return 6
    tool = [sys.executable, "-m", "fullproof"] if importlib.util.find_spec("fullproof") else ["fullproof"]
    with tempfile.TemporaryDirectory() as folder:
        suite = pathlib.Path(folder, "failure.jsonl")
        suite.write_text("".join(SUITE), encoding="utf-8")
        journal = str(pathlib.Path(folder, "run.sqlite"))
        words = [*tool, *COMMAND, sut, "--suite", str(suite), "--journal", journal]
        try:
            code = subprocess.run(words, check=False).returncode
        except FileNotFoundError:
            print("fullproof is not installed for this Python, and there is no such command")
            return 6
        if code == 1 and STARTS and not starts(journal):
            print("the system was not ready for the first input, so that nothing is known of the fault")
            return 6
    if code == 0 and DOUBT:
        print(DOUBT)
        return 6
    if code == 6 and ANY_ANSWER:
        print("no execution fails, as the one did that this script was made for")
        return 0
    return code


code = reproduce()
sys.exit(125 if "--bisect" in sys.argv and code not in (0, 1) else code)
'''


def script_name(test: str) -> str:
    """The file in the report folder: the id of the test where it is one of ours, else a hash of it."""
    return f"reproduce-{test if _OWN_ID.fullmatch(test) else f'other{id_of(test)[1:]}'}.py"


def script(failure: Reproduction) -> str:
    """The script, which calls fullproof: only the judge of the run decides for every kind and relation."""
    *command, sut = failure.command
    return _SCRIPT.format(
        title=_title(failure),
        suite=_lines(failure.suite),
        command=_lines(command),
        sut=_literal(sut),
        hidden=failure.hidden,
        doubt=_literal(failure.doubt),
        any_answer=failure.any_answer,
        starts=not failure.reason.startswith(BEFORE_TESTS),
        before=BEFORE_TESTS,
    )


def _title(failure: Reproduction) -> str:
    text = f"Test {failure.test} of {failure.model}: {failure.reason}"
    return " ".join(text.split()).replace("\\", "/").replace('"""', "'''")


def _literal(value: str) -> str:
    return ascii(value)


def _lines(texts: Sequence[str]) -> str:
    return "[\n" + "".join(f"    {_literal(text)},\n" for text in texts) + "]"
