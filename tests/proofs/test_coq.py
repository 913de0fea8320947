"""The proof behind certificates: nothing in it is assumed, and Coq accepts it."""

import re
import shutil
import subprocess
from collections import Counter
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from tests.certify.test_certificates import WORDS, certificates, named, proved, turnstile
from tests.fpcheck import model_text, refusal, suite_text
from tests.strategies.certificate_damage import WAYS, damage, with_superfluous_hints
from tests.strategies.suites import cases

from fullproof.certify import ProofEngine

PROOFS = Path(__file__).parents[2] / "proofs" / "coq"
THEOREMS = 8


@pytest.mark.requirement("CERTIFY-11")
def test_nothing_is_admitted():
    for path in PROOFS.glob("*.v"):
        text = re.sub(r"\(\*.*?\*\)", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
        found = re.findall(r"\b(Admitted|admit|Axioms?|Parameters?|Conjecture|Declare|Unset Guard\w*)\b", text)
        assert found == [], path.name


def test_files_stay_small():
    assert [path.name for path in PROOFS.iterdir() if path.is_file() and len(path.read_text().splitlines()) > 400] == []


@pytest.mark.requirement("CERTIFY-11")
@pytest.mark.slow
@pytest.mark.skipif(
    shutil.which("coqc") is None or shutil.which("ocamlopt") is None, reason="needs Coq and OCaml: coq, ocaml-nox"
)
def test_coq_accepts_the_proof_and_its_checker_answers_as_the_small_one(tmp_path: Path):
    """One test, since what it needs takes long to build."""
    built = subprocess.run(
        ["make", "-C", PROOFS, f"OUT={tmp_path / 'build'}"], capture_output=True, text=True, check=True
    )
    assert built.stdout.count("Closed under the global context") == THEOREMS
    assert "Axioms:" not in built.stdout
    program, seen, dice = tmp_path / "build" / "fpcheck", Counter(), Random(0)

    def answer(fsm, words, certificate):
        files = [tmp_path / name for name in ("model.json", "suite.jsonl", "certificate")]
        for file, text in zip(files, (model_text(fsm), suite_text(words), certificate), strict=True):
            file.write_text(text, encoding="utf-8", newline="")
        ended = subprocess.run([program, *files], capture_output=True, text=True, check=False)
        assert (ended.returncode, ended.stdout.partition(":")[0].strip()) in {(0, "accepted"), (1, "refused")}, ended
        return ended.returncode == 0

    @settings(max_examples=100, database=None, derandomize=True)
    @given(case=cases(max_states=5, max_inputs=3, max_extra=2, max_bound=6))
    def agree(case):
        fsm, words = named(case)
        for engine, made in certificates(fsm, words, case.extra):
            assert answer(fsm, words, made)
            seen[engine] += 1
            for way in WAYS:
                bad = damage(dice, fsm, words, made, way=way, forge=bool(dice.randrange(2)))
                accepted = answer(bad.model, bad.words, bad.certificate)
                assert accepted == (refusal(bad.model, bad.words, bad.certificate) is None), (way, bad)
                seen["accepted" if accepted else "refused"] += 1

    # What the format calls superfluous is superfluous for the proven core, too.
    assert answer(turnstile(), WORDS, with_superfluous_hints(turnstile(), WORDS, proved(ProofEngine.EXACT)))
    agree()
    assert all(seen[engine] > 5 for engine in ProofEngine), seen
    assert seen["refused"] > 100, seen
