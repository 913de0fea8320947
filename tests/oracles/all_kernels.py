"""Exercise every kernel and print what came of it: run as a program, compiled or (argument ``source``) uncompiled."""

from __future__ import annotations

import importlib
import importlib.machinery
import importlib.util
import json
import random
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

import fullproof

ROOT = Path(str(fullproof.__file__)).parent
KERNELS = sorted(
    ".".join(("fullproof", *path.relative_to(ROOT).with_suffix("").parts))
    for path in ROOT.glob("**/kernels/**/*.py")
    if path.stem != "__init__"
)


class FromSource:
    """Find kernels where their sources are, whatever was compiled."""

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if name not in KERNELS:
            return None
        source = ROOT.parent / f"{name.replace('.', '/')}.py"
        loader = importlib.machinery.SourceFileLoader(name, str(source))
        return importlib.util.spec_from_loader(name, loader)


def results() -> dict[str, object]:
    """Suites of every method, certificates of every engine, and what a pool of faulty machines does."""
    from tests.strategies.specifications import specification
    from tests.strategies.suites import fsm_of, machine_of

    from fullproof.artefacts.request import SuiteRequest
    from fullproof.certify import Complete, ProofEngine, certify
    from fullproof.certify.certificate import certificate
    from fullproof.certify.certificate_check import check_certificate
    from fullproof.certify.faults import simple_faults
    from fullproof.certify.pool import MachinePool
    from fullproof.generate.finite import walks
    from fullproof.generate.finite.methods import EQUIVALENCE_METHODS
    from fullproof.generate.finite.preparation import prepare

    walks._MOST_RUNS = 2  # many tunings would take long, uncompiled
    found: dict[str, object] = {}
    for kind in range(7):
        draw = random.Random(kind)
        fsm = fsm_of(machine_of(specification(draw, kind, states=5, inputs=2, outputs=2)))
        table = prepare(fsm).table
        for extra in (0, 1):
            for name, method in EQUIVALENCE_METHODS.items():
                source = method.source(table, SuiteRequest(method=name), extra_states=extra)
                words = [word.tolist() for piece in source.chunks() for word in piece]
                named = [[fsm.inputs[k] for k in word] for word in words]
                engines = [certify(fsm, named, extra_states=extra, methods=[m]) for m in ProofEngine]
                found[f"{kind} {extra} {name}"] = (words, [type(answer).__name__ for answer in engines])
            proved = [(answer, named) for answer in engines if isinstance(answer, Complete)]
            texts = [certificate(fsm, words, answer, extra_states=extra, timeout=600) for answer, words in proved]
            checked = [str(check_certificate(fsm, named, str(text).encode())) for text in texts]
            found[f"{kind} {extra} certificates"] = (texts, checked)
        model = machine_of(table)
        pool = MachinePool(model, table.states + 1)
        for machine in simple_faults(model, extra=1, dice=draw, most=40):
            pool.add(machine)
        runs = [pool.run(word) for word in ((0, 1, 1, 0), (1, 1, 1), (0,))]
        ways = [pool.shortest(k, 0, 0, bias=k) for k in range(len(pool))]
        found[f"{kind} pool"] = ([(r.fails.tolist(), r.ends.tolist(), r.label) for r in runs], ways)
    return found


def main() -> None:
    """Print the results, and which kernels ran from their sources."""
    if "source" in sys.argv[1:]:
        sys.meta_path.insert(0, FromSource())
    found = results()
    uncompiled = [name for name in KERNELS if str(importlib.import_module(name).__file__).endswith(".py")]
    sys.stdout.write(json.dumps({"results": found, "uncompiled": uncompiled, "kernels": KERNELS}))


if __name__ == "__main__":
    main()
