"""Suites for faults by name beside those for all machines with as many states: cost in inputs and resets.

As many states as the model has as it is written; seconds are those of the processor.

Run: python -m benchmarks.named_faults [NAME ...], with parts of the names of models.
"""

from __future__ import annotations

import dataclasses
import sys
import time
from pathlib import Path

from fullproof.artefacts.request import SuiteRequest
from fullproof.core.errors import NOWHERE, NothingToDo
from fullproof.formats import read_model
from fullproof.model import Fsm, Model, Sfsm
from fullproof.model.fsm import FsmTransition
from fullproof.pipeline.suites import generate_suite

ROOT = Path(__file__).parent.parent
SHARED = ROOT.parent / "shared"
WIKI = SHARED / "models/automata-wiki"
MODELS = [
    ROOT / "examples/turnstile/turnstile.yaml",
    SHARED / "reference/alarm/alarm8.yaml",
    SHARED / "reference/card-reader/card-reader.yaml",
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
DOMAINS = ("stuck", "stuck,missing", "swapped", "transfer")
VERSIONS = [
    ("OpenSSL_1.0.1g_client_regular", "OpenSSL_1.0.1j_client_regular"),
    ("OpenSSL_1.0.1j_client_regular", "OpenSSL_1.0.1l_client_regular"),
    ("OpenSSL_1.0.1l_client_regular", "OpenSSL_1.0.2_client_regular"),
    ("GnuTLS_3.3.8_client_regular", "GnuTLS_3.3.12_client_regular"),
    ("OpenSSL_1.0.1g_server_regular", "OpenSSL_1.0.1j_server_regular"),
    ("OpenSSL_1.0.1j_server_regular", "OpenSSL_1.0.1l_server_regular"),
    ("OpenSSL_1.0.1l_server_regular", "OpenSSL_1.0.2_server_regular"),
    ("GnuTLS_3.3.8_server_regular", "GnuTLS_3.3.12_server_regular"),
]


def read(path: Path) -> Model:
    """A model; the card reader is made complete and deterministic, since faults by name are for such machines."""
    model = read_model(path)
    if not isinstance(model, Fsm):
        return model
    first: dict[tuple[str, str], FsmTransition] = {}
    for t in model.transitions:
        symbol = f"{t.input}.again" if (t.source, t.input) in first else t.input
        first[t.source, symbol] = t._replace(input=symbol)
    inputs = tuple(dict.fromkeys((*model.inputs, *(symbol for _, symbol in first))))
    ignored = {(s, i): FsmTransition(s, i, "null", s) for s in model.states for i in inputs if (s, i) not in first}
    outputs = tuple(dict.fromkeys((*model.outputs, *(["null"] if ignored else []))))
    rows = (*first.values(), *ignored.values())
    return dataclasses.replace(model, inputs=inputs, outputs=outputs, transitions=rows, lines=())


def cost(model: Model, **options: object) -> str:
    """Inputs plus resets, and the seconds it took."""
    begin = time.process_time()
    try:
        suite = generate_suite(model, SuiteRequest(**options), sha256="", at=NOWHERE)  # type: ignore[arg-type]
    except NothingToDo:
        return "0"
    tests, inputs = suite.size()
    mark = "" if suite.header.guarantee.exists else " (not complete)"
    return f"{tests + inputs:,}{mark} [{time.process_time() - begin:.0f} s]"


def main(names: list[str]) -> None:
    """Print both tables."""
    print("| model | states | inputs | all machines | " + " | ".join(DOMAINS) + " |")
    print("|---|---|---|---|" + "---|" * len(DOMAINS))
    for path in MODELS:
        if names and not any(name in path.stem for name in names):
            continue
        if not path.exists():
            print(f"skipped: {path.name} is not there", file=sys.stderr)
            continue
        model = read(path)
        assert isinstance(model, Fsm | Sfsm)
        cells = [cost(model), *(cost(model, faults=domain) for domain in DOMAINS)]
        print(f"| {path.stem} | {len(model.states)} | {len(model.inputs)} | " + " | ".join(cells) + " |", flush=True)
    print("\n| new version | since | all machines | --since |\n|---|---|---|---|")
    for old, new in VERSIONS:
        if names and not any(name in new for name in names):
            continue
        before, after = (WIKI / "TLS" / f"{name}.dot" for name in (old, new))
        if before.exists() and after.exists():
            model = read_model(after)
            print(f"| {new} | {old} | {cost(model)} | {cost(model, since=before)} |", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
