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
    limit = sys.getrecursionlimit()  # the checker sets that of its own process
    try:
        fpcheck.check(model.encode(), suite.encode(), certificate.encode())
    except fpcheck.RefusedError as why:
        return str(why)
    finally:
        sys.setrecursionlimit(limit)
    return None


def small_tree(target: Sequence[Sequence[int]], output: Sequence[Sequence[Any]], words: Any) -> Any:
    """The tree of a suite for a minimal machine, as the small checker builds it."""
    return fpcheck.Tree(target, output, len(target[0]), words)


def small_clauses(tree: Any, pins: Sequence[int], extra: int) -> list[set[int]]:
    """The clauses of a refutation, as the small checker builds them; pins are nodes, sorted by their labels."""
    access: list[list[int]] = [[] for _ in range(tree.n)]
    for pin in pins:
        node = pin
        while node:
            access[tree.label[pin]].insert(0, tree.entry[node])
            node = tree.parent[node]
    encoding = fpcheck.Encoding(tree, access, extra, [tree.label[pin] for pin in pins])
    return list(encoding.clauses(range(sys.maxsize))[1].values())
