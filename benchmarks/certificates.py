"""Certificates of published machines: sizes, times, both checkers, and thousands of damaged ones.

Every machine of ``benchmarks.walks`` with at most 50 states gets a certificate for its suite by ``auto``, with as many
extra states as were measured there; small ones get a refutation, too. Then certificates of small random machines are
damaged: both checkers have to refuse, or the claim has to be true all the same, by the exact engine.

Arguments: how many damaged certificates (default 10,000), ``--only-damage`` or ``--only-sizes``, and lines of the first
table to print, such as ``rnd_n50_p10_q10_s1/2`` (default: all).
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from tests.fpcheck import model_text, refused, suite_text
from tests.strategies.certificate_damage import WAYS, damage
from tests.strategies.specifications import specification
from tests.strategies.suites import fsm_of, hsi_suite, machine_of

from benchmarks.walks import SHARED, measured
from fullproof.artefacts.request import SuiteRequest
from fullproof.certify import Complete, ProofEngine, certify
from fullproof.certify.answers import Proved
from fullproof.certify.canonical import canonical
from fullproof.certify.certificate import certificate
from fullproof.certify.certificate_check import Accepted, check_certificate
from fullproof.certify.exact import search
from fullproof.certify.tree import plant
from fullproof.core.deadline import Deadline
from fullproof.model import Fsm
from fullproof.pipeline.suites import generate_for

MOST_STATES = 50
REFUTED = 4_000
"""Suites of at most so many inputs get a refutation beside their witness."""
SECONDS = 600.0
EXTRACTED = Path(__file__).resolve().parent.parent / "proofs" / "coq" / "build" / "fpcheck"
"""Where ``make proofs`` puts the checker that it extracts."""
Words = list[tuple[str, ...]]


def main() -> None:
    """Print both tables."""
    numbers = [int(word) for word in sys.argv[1:] if word.isdigit()]
    if "--only-damage" not in sys.argv:
        sizes()
    if "--only-sizes" not in sys.argv:
        attack(numbers[0] if numbers else 10_000)


def sizes() -> None:
    """A line for each machine, number of extra states and engine."""
    if not SHARED.is_dir():
        print("skipped: the published machines and measurements (../shared) are not here")
        return
    print(
        f"{'model':<34}{'n':>4}{'p':>4}{'a':>3}{'inputs':>9}  {'evidence':<12}{'bytes':>12}{'lemmas':>8}"
        f"{'find s':>8}{'write s':>9}{'own s':>8}{'fpcheck s':>11}"
    )
    files = {path.stem: path for path in sorted((SHARED / "models").rglob("*.*")) if path.suffix in (".dot", ".fsm")}
    wanted = {word for word in sys.argv[1:] if "/" in word}
    for name, extra in measured():
        if wanted and f"{name}/{extra}" not in wanted:
            continue
        made = generate_for(files[name], SuiteRequest(extra_states=extra)) if small(files[name]) else None
        if made is None:
            continue
        words = [tuple(str(symbol) for symbol in test.inputs) for test in made.tests()]
        inputs = sum(map(len, words))
        witnesses = (ProofEngine.K_A, ProofEngine.WINDOWS)
        for engines in [witnesses, (ProofEngine.EXACT,)] if inputs <= REFUTED else [witnesses]:
            print(line(made.model, words, extra, engines), flush=True)


def small(path: Path) -> bool:
    """Whether the minimal form of a model has few enough states."""
    from fullproof.formats import read_model

    model = read_model(path)
    assert isinstance(model, Fsm)
    return canonical(model).minimal.states <= MOST_STATES


def line(fsm: Fsm, words: Words, extra: int, engines: tuple[ProofEngine, ...]) -> str:
    """Prove, write down, check twice."""
    minimal = canonical(fsm).minimal
    head = f"{fsm.name:<34}{minimal.states:>4}{minimal.inputs:>4}{extra:>3}{sum(map(len, words)):>9}  "
    began = time.perf_counter()
    answer = certify(fsm, words, extra_states=extra, timeout=SECONDS, methods=engines)
    found = time.perf_counter()
    if not isinstance(answer, Complete):
        return f"{head}none: {answer.reason}"
    text = certificate(fsm, words, answer, extra_states=extra, timeout=SECONDS)
    written = time.perf_counter()
    if not isinstance(text, str):
        return f"{head}none: {text.reason}"
    own = check_certificate(fsm, words, text.encode())
    assert isinstance(own, Accepted), own
    checked = time.perf_counter()
    assert refused(model_text(fsm), suite_text(words), text) is None
    ended = time.perf_counter()
    if EXTRACTED.exists():
        assert accepted_by_extracted(model_text(fsm), suite_text(words), text)
    return (
        f"{head}{own.evidence:<12}{len(text):>12,}{text.count(chr(10) + 'lemma '):>8,}{found - began:>8.2f}"
        f"{written - found:>9.2f}{checked - written:>8.2f}{ended - checked:>11.2f}"
    )


def attack(most: int) -> None:
    """Damage certificates of small machines in every way: ``most`` as they are, and as many with hashes made to fit."""
    dice, plain, forgeries, lucky = Random(20), Counter[str](), Counter[str](), Counter[str]()
    accepted = 0
    for fsm, words, text in certificates(dice):
        assert agreed(fsm, words, text)
        accepted += 1
        for way, forge in product(WAYS, (False, True)):
            bad = damage(dice, fsm, words, text, way=way, forge=forge)
            if (bad.model, bad.words, bad.certificate) == (fsm, words, text):
                continue
            (plain if bad.certain else forgeries)[way] += 1
            if agreed(bad.model, bad.words, bad.certificate):
                assert not bad.certain, way
                assert complete(bad.model, bad.words, bad.certificate), (way, bad)
                lucky[way] += 1
        if plain.total() >= most:
            break
    print(
        f"\n{'damaged':<10}{'refused':>9}  {'hashes made to fit':>18}{'refused':>9}{'accepted, the claim is true':>29}"
    )
    for way in WAYS:
        refusals = forgeries[way] - lucky[way]
        print(f"{way:<10}{plain[way]:>9,}  {forgeries[way]:>18,}{refusals:>9,}{lucky[way]:>29,}")
    total = forgeries.total()
    print(f"{'all':<10}{plain.total():>9,}  {total:>18,}{total - lucky.total():>9,}{lucky.total():>29,}")
    extracted = "with" if EXTRACTED.exists() else "without (make proofs)"
    print(f"{accepted:,} undamaged ones accepted; the checkers never disagreed, {extracted} the extracted one")


def certificates(dice: Random) -> Iterator[tuple[Fsm, Words, str]]:
    """One for each engine that proves a suite complete."""
    for fsm, words, extra in instances(dice):
        for engine in ProofEngine:
            answer = certify(fsm, words, extra_states=extra, methods=[engine])
            if isinstance(answer, Complete):
                text = certificate(fsm, words, answer, extra_states=extra, timeout=SECONDS)
                assert isinstance(text, str)
                yield fsm, words, text


def instances(dice: Random) -> Iterator[tuple[Fsm, Words, int]]:
    """Small machines of seven kinds with complete suites."""
    for number in range(10**9):
        states, inputs, outputs = dice.randint(1, 5), dice.randint(1, 3), dice.choice((2, 2, 3))
        table = specification(dice, number, states=states, inputs=inputs, outputs=outputs)
        extra = dice.choice((0, 0, 1, 1, 2)) if table.states * table.inputs <= 6 else dice.choice((0, 1))
        fsm = fsm_of(machine_of(table))
        yield fsm, [tuple(fsm.inputs[i] for i in word) for word in hsi_suite(table, extra) if word], extra


def agreed(fsm: Fsm, words: Words, text: str) -> bool:
    """What the checkers say: the small one, that of ``certify --with``, and the extracted one where it was built."""
    model, suite = model_text(fsm), suite_text(words)
    small = refused(model, suite, text) is None
    assert small == isinstance(check_certificate(fsm, words, text.encode()), Accepted)
    if EXTRACTED.exists():
        assert small == accepted_by_extracted(model, suite, text)
    return small


def accepted_by_extracted(model: str, suite: str, certificate: str) -> bool:
    """What the checker says that was extracted from the proof."""
    with TemporaryDirectory() as folder:
        files = [Path(folder) / name for name in ("model.json", "suite.jsonl", "certificate")]
        for file, text in zip(files, (model, suite, certificate), strict=True):
            file.write_text(text, encoding="utf-8", newline="")
        return subprocess.run([EXTRACTED, *files], capture_output=True, check=False).returncode == 0


def complete(fsm: Fsm, words: Words, text: str) -> bool:
    """Whether what a certificate claims is true, by the exact engine."""
    model = canonical(fsm)
    place = {symbol: k for k, symbol in enumerate(model.names)}
    extra = int(next(one for one in text.splitlines() if one.startswith("extra ")).split()[1])
    tree = plant(model.minimal, [tuple(place[symbol] for symbol in word) for word in words])
    return isinstance(search(model.minimal, tree, extra=extra, deadline=Deadline(SECONDS)), Proved)


if __name__ == "__main__":
    main()
