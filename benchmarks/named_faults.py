"""Suites for faults by name beside those for all machines with as many states: cost in inputs and resets.

Run: python -m benchmarks.named_faults
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from fullproof.artefacts.request import SuiteRequest
from fullproof.core.errors import NOWHERE, NothingToDo
from fullproof.formats import read_model
from fullproof.kinds.fsm.suite import suite_for
from fullproof.model import Fsm

ROOT = Path(__file__).parent.parent
SHARED = ROOT.parent / "shared"
WIKI = SHARED / "models/automata-wiki"
MODELS = [
    ROOT / "examples/turnstile/turnstile.yaml",
    WIKI / "MQTT/mosquitto__two_client.dot",
    WIKI / "MQTT/mosquitto__single_client.dot",
    WIKI / "MQTT/emqtt__simple.dot",
    WIKI / "TLS/OpenSSL_1.0.2_server_regular.dot",
    WIKI / "TLS/GnuTLS_3.3.12_server_regular.dot",
    WIKI / "TLS/NSS_3.17.4_client_regular.dot",
    WIKI / "TLS/miTLS_0.1.3_server_regular.dot",
    WIKI / "Bankcard/4_learnresult_MAESTRO_fix.dot",
    WIKI / "Bankcard/learnresult_fix.dot",
    WIKI / "CoffeeMachine/coffeemachine.dot",
]
DOMAINS = ("stuck", "stuck,missing", "swapped", "transfer", "transfer,output")
VERSIONS = [
    ("OpenSSL_1.0.1g_server_regular", "OpenSSL_1.0.1j_server_regular"),
    ("OpenSSL_1.0.1j_server_regular", "OpenSSL_1.0.1l_server_regular"),
    ("OpenSSL_1.0.1l_server_regular", "OpenSSL_1.0.2_server_regular"),
    ("GnuTLS_3.3.8_server_regular", "GnuTLS_3.3.12_server_regular"),
]


def cost(model: Fsm, **options: object) -> str:
    """Inputs plus resets, and the seconds it took."""
    begin = time.perf_counter()
    try:
        suite = suite_for(model, SuiteRequest(**options), "", NOWHERE)  # type: ignore[arg-type]
    except NothingToDo:
        return "0"
    tests, inputs = suite.size()
    mark = "" if suite.header.guarantee.exists else " (not complete)"
    return f"{tests + inputs:,}{mark} [{time.perf_counter() - begin:.0f} s]"


def main() -> None:
    """Print both tables."""
    print("| model | states | inputs | all machines | " + " | ".join(DOMAINS) + " |")
    print("|---|---|---|---|" + "---|" * len(DOMAINS))
    for path in MODELS:
        if not path.exists():
            print(f"skipped: {path.name} is not there", file=sys.stderr)
            continue
        model = read_model(path)
        assert isinstance(model, Fsm)
        cells = [cost(model), *(cost(model, faults=domain) for domain in DOMAINS)]
        print(f"| {path.stem} | {len(model.states)} | {len(model.inputs)} | " + " | ".join(cells) + " |", flush=True)
    print("\n| new version | since | all machines | --since |\n|---|---|---|---|")
    for old, new in VERSIONS:
        before, after = (WIKI / "TLS" / f"{name}.dot" for name in (old, new))
        if before.exists() and after.exists():
            model = read_model(after)
            assert isinstance(model, Fsm)
            print(f"| {new} | {old} | {cost(model)} | {cost(model, since=before)} |", flush=True)


if __name__ == "__main__":
    main()
