"""Certificates and shrinking on ten real machines: which engine, how long, what is saved.

``certify`` is asked about HSI, walks and shrunk suites with each engine alone; ``shrink`` starts from ``auto``. Cost
is inputs plus tests. Arguments: seconds for each shrinking (default 20).
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

from fullproof.artefacts.request import SuiteRequest
from fullproof.certify import Certificate, Complete, Incomplete, ProofEngine, certify
from fullproof.certify.shrink import ShrinkLimits, shrink
from fullproof.model import Fsm
from fullproof.pipeline.suites import generate_for

WIKI = Path(__file__).resolve().parent.parent.parent / "shared" / "models" / "automata-wiki"
MACHINES = (
    ("CoffeeMachine/coffeemachine", 1),
    ("Bankcard/Volksbank_learnresult_MAESTRO_fix", 0),
    ("Bankcard/learnresult_fix", 0),
    ("MQTT/mosquitto__single_client", 0),
    ("MQTT/VerneMQ__two_client_same_id", 1),
    ("TLS/OpenSSL_1.0.2_server_regular", 0),
    ("TLS/OpenSSL_1.0.2_server_regular", 1),
    ("TLS/GnuTLS_3.3.12_client_regular", 1),
    ("TLS/RSA_BSAFE_C_4.0.4_server_regular", 0),
    ("TLS/miTLS_0.1.3_server_regular", 2),
    ("TCP/TCP_Windows8_Client", 0),
)
LARGE = (("MQTT/mosquitto__two_client_will_retain", 1), ("TCP/TCP_Linux_Server", 1))

Words = Sequence[Sequence[str]]


def main() -> None:
    """Print both tables."""
    if not WIKI.is_dir():
        print("skipped: the published machines (../shared/models) are not here")
        return
    numbers = [float(word) for word in sys.argv[1:] if word.replace(".", "").isdigit()]
    seconds = numbers[0] if numbers else 20.0
    engines = "".join(f"{method.value:>20}" for method in ProofEngine)
    print(f"{'model':<34}{'n':>4}{'p':>4}{'a':>3}  {'suite':<8}{'cost':>8}{engines}")
    shrunk: list[str] = []
    for name, extra in (*MACHINES, *LARGE):
        path = WIKI / f"{name}.dot"
        fsm, hsi = suite(path, "hsi", extra)
        print_engines(fsm, "hsi", hsi, extra)
        print_engines(fsm, "walks", suite(path, "walks", extra)[1], extra)
        print_engines(fsm, "hsi / 2", hsi[::2], extra)
        if (name, extra) in MACHINES:
            shrunk.append(shrinking(fsm, suite(path, "auto", extra)[1], extra, seconds))
    print(f"\n{'model':<34}{'n':>4}{'p':>4}{'a':>3}{'auto':>8}{'shrunk':>8}{'saved':>8}{'s':>7}")
    print("\n".join(shrunk))


def suite(path: Path, method: str, extra: int) -> tuple[Fsm, Words]:
    """A model and one of our suites for it."""
    made = generate_for(path, SuiteRequest(method=method, extra_states=extra))
    return made.model, [[str(symbol) for symbol in test.inputs] for test in made.tests()]


def cost(words: Iterable[Sequence[str]]) -> int:
    """Inputs plus tests."""
    return sum(len(word) + 1 for word in words)


def title(fsm: Fsm, extra: int) -> str:
    """The first columns."""
    return f"{fsm.name:<34}{len(fsm.states):>4}{len(fsm.inputs):>4}{extra:>3}"


def print_engines(fsm: Fsm, what: str, words: Words, extra: int) -> None:
    """What each engine says alone, and how long it takes."""
    cells = []
    for method in ProofEngine:
        begin = time.perf_counter()
        answer = certify(fsm, words, extra_states=extra, timeout=30, methods=[method])
        cells.append(f"{said(answer)} {time.perf_counter() - begin:6.2f} s")
    print(f"{title(fsm, extra)}  {what:<8}{cost(words):>8}" + "".join(f"{cell:>20}" for cell in cells), flush=True)


def said(answer: Certificate) -> str:
    """One word."""
    match answer:
        case Complete():
            return "complete"
        case Incomplete():
            return "refuted"
        case _:
            return "unknown"


def shrinking(fsm: Fsm, words: Words, extra: int, seconds: float) -> str:
    """Before and after."""
    begin = time.perf_counter()
    result = shrink(fsm, words, extra_states=extra, limits=ShrinkLimits(seconds=seconds))
    spent = time.perf_counter() - begin
    return (
        f"{title(fsm, extra)}{result.before:>8g}{result.after:>8g}{1 - result.after / result.before:>8.0%}{spent:>7.1f}"
        f"  {'irredundant, ' if result.irredundant else ''}{result.ended.value}"
    )


if __name__ == "__main__":
    main()
