"""The small checker, loaded as a stranger would run it: one file that belongs to no package."""

import importlib.util
import json
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

from tests.shared import ROOT

from fullproof.formats.json.writer import json_lines
from fullproof.model.fsm import Fsm

FPCHECK = ROOT / "checker" / "fpcheck.py"


def _load(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


fpcheck: Any = _load(FPCHECK)


def model_text(fsm: Fsm) -> str:
    """The model as ``convert`` writes it."""
    return "".join(json_lines(fsm))


def suite_text(words: Iterable[Sequence[str]]) -> str:
    """A suite file with what a checker reads of it."""
    return "".join(json.dumps(line) + "\n" for line in ({"fullproof": "suite/1"}, *({"inputs": [*w]} for w in words)))


def refusal(fsm: Fsm, words: Iterable[Sequence[str]], certificate: str) -> str | None:
    """Why the small checker refuses a certificate, or None where it accepts."""
    return refused(model_text(fsm), suite_text(words), certificate)


def refused(model: str, suite: str, certificate: str) -> str | None:
    """The same for the texts of the files."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, 20_000))  # as its own process does
    try:
        fpcheck.check(model, suite, certificate)
    except (fpcheck.Refused, ValueError, RecursionError) as why:
        return str(why) or type(why).__name__
    finally:
        sys.setrecursionlimit(limit)
    return None
