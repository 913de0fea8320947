"""The proof behind certificates: nothing in it is assumed, and Coq accepts it."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

PROOFS = Path(__file__).parents[2] / "proofs" / "coq"
THEOREMS = 6


def test_nothing_is_admitted():
    for path in PROOFS.glob("*.v"):
        text = re.sub(r"\(\*.*?\*\)", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
        found = re.findall(r"\b(Admitted|admit|Axioms?|Parameters?|Conjecture|Declare|Unset Guard\w*)\b", text)
        assert found == [], path.name


def test_files_stay_small():
    assert [path.name for path in PROOFS.iterdir() if path.is_file() and len(path.read_text().splitlines()) > 400] == []


@pytest.mark.slow
@pytest.mark.skipif(
    shutil.which("coqc") is None or shutil.which("ocamlopt") is None, reason="needs Coq and OCaml: coq, ocaml-nox"
)
def test_coq_accepts_the_proof_without_axioms(tmp_path: Path):
    built = subprocess.run(
        ["make", "-C", PROOFS, f"OUT={tmp_path / 'build'}"], capture_output=True, text=True, check=True
    )
    assert built.stdout.count("Closed under the global context") == THEOREMS
    assert "Axioms:" not in built.stdout
    assert (tmp_path / "build" / "fpcheck").exists()
