"""Run a command in this process and keep what it printed; start-up is measured in benchmarks/startup.py instead."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from fullproof.cli.entry import run


@dataclass(frozen=True)
class Ended:
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        assert self.out.count("\n") == 1, "one JSON object on one line, and nothing else"
        return json.loads(self.out)


@dataclass(frozen=True)
class Shell:
    capsys: pytest.CaptureFixture[str]

    def __call__(self, *words: object) -> Ended:
        self.capsys.readouterr()
        code = run(_texts(words))
        seen = self.capsys.readouterr()
        return Ended(int(code), seen.out, seen.err)


def _texts(words: Sequence[object]) -> list[str]:
    return [str(word) for word in words]
