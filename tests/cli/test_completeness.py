"""certify, --shrink, mutate and score: what a suite claims is checked by others."""

import hashlib
import json
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.harness import Shell
from tests.fpcheck import FPCHECK, refused
from tests.shared import ROOT, SHARED, needs_shared_models

from fullproof.generate.finite.methods import EQUIVALENCE_METHODS

DOOR = ROOT / "src/fullproof/cli/demo_data/model.yaml"
TURNSTILE = ROOT / "examples/turnstile/turnstile.yaml"
METHODS = [*EQUIVALENCE_METHODS, "auto"]


@pytest.mark.parametrize("extra", [0, 1])
@pytest.mark.parametrize("method", METHODS)
def test_every_method_is_certified(fullproof: Shell, method: str, extra: int, tmp_path: Path) -> None:
    suite = tmp_path / "suite.jsonl"
    made = fullproof("generate", DOOR, "--method", method, "--extra-states", extra, "-o", suite, "--json")
    assert made.code == 0
    ended = fullproof("certify", DOOR, suite, "--json")
    assert (ended.code, ended.json["complete"], ended.json["tests"]) == (0, True, made.json["tests"])


@pytest.mark.parametrize("method", METHODS)
def test_every_method_kills_every_mutant(fullproof: Shell, method: str, tmp_path: Path) -> None:
    suite, folder = tmp_path / "suite.jsonl", tmp_path / "mutants"
    fullproof("generate", TURNSTILE, "--method", method, "--extra-states", 1, "-o", suite)
    made = fullproof("mutate", TURNSTILE, "-o", folder, "--extra-states", 1, "--json").json["mutants"]
    assert len(made) == len(list(folder.iterdir())) > 20
    assert {"output", "transfer", "merge", "split"} <= {mutant["operator"] for mutant in made}
    ended = fullproof("score", TURNSTILE, "--suite", suite, "--mutants", folder, "--json")
    assert ended.code == 0
    assert ended.json["survivors"] == []
    assert ended.json["killed"] + ended.json["conforming"] == ended.json["mutants"] == len(made)


def test_a_suite_for_fewer_states_lets_a_split_state_through(fullproof: Shell, tmp_path: Path) -> None:
    suite, folder = tmp_path / "suite.jsonl", tmp_path / "mutants"
    fullproof("generate", TURNSTILE, "--method", "hsi", "--extra-states", 0, "-o", suite)
    fullproof("mutate", TURNSTILE, "-o", folder, "--extra-states", 1)
    ended = fullproof("score", TURNSTILE, "--suite", suite, "--mutants", folder, "--json")
    assert ended.code == 1
    assert ended.json["survivors"]
    assert not any(survivor["in_fault_domain"] for survivor in ended.json["survivors"])


def test_mutants_of_order_two_and_samples(fullproof: Shell, tmp_path: Path) -> None:
    words = ("mutate", DOOR, "--order", 2, "--sample", 40, "--seed", 3, "--json")
    one = fullproof(*words, "-o", tmp_path / "a").json["mutants"]
    two = fullproof(*words, "-o", tmp_path / "b").json["mutants"]
    assert len(one) == 40
    assert [m["where"] for m in one] == [m["where"] for m in two]
    assert all(" + " in m["operator"] for m in one)


@pytest.mark.requirement("CERTIFY-2")
def test_half_a_suite_has_a_survivor_that_passes_and_differs(fullproof: Shell, tmp_path: Path) -> None:
    suite = tmp_path / "suite.jsonl"
    fullproof("generate", DOOR, "--method", "hsi", "--extra-states", 1, "-o", suite)
    lines = suite.read_text().splitlines()
    thin = tmp_path / "thin.jsonl"
    thin.write_text("\n".join(lines[: len(lines) // 2]) + "\n")
    ended = fullproof("certify", DOOR, thin, "-o", tmp_path / "survivor.yaml", "--json")
    assert (ended.code, ended.json["complete"]) == (1, False)
    survivor = ended.json["survivor"]
    assert fullproof("compare", DOOR, survivor).code == 1
    assert fullproof("run", DOOR, "--sut", f"model:{survivor}", "--suite", thin).code == 0


def test_plain_text_suites_are_certified_too(fullproof: Shell, tmp_path: Path) -> None:
    suite = tmp_path / "suite.jsonl"
    fullproof("generate", TURNSTILE, "--extra-states", 1, "-o", suite)
    words = [json.loads(line)["inputs"] for line in suite.read_text().splitlines()[1:]]
    plain = tmp_path / "plain.txt"
    plain.write_text("# by hand\n" + "\n".join(", ".join(word) for word in words) + "\n")
    assert fullproof("certify", TURNSTILE, plain, "--extra-states", 1).code == 0
    plain.write_text("coin push\ncoin pusch\n")
    ended = fullproof("certify", TURNSTILE, plain)
    assert ended.code == 4
    assert "line 2" in ended.err
    assert "did you mean 'push'" in ended.err


@pytest.mark.requirement("CERTIFY-3")
def test_no_time_is_unknown_never_complete(fullproof: Shell, tmp_path: Path) -> None:
    suite = tmp_path / "suite.jsonl"
    fullproof("generate", DOOR, "--method", "walks", "--extra-states", 1, "-o", suite)
    ended = fullproof("certify", DOOR, suite, "--timeout", 0, "--json")
    assert ended.json["complete"] in (None, True)
    assert ended.code == (6 if ended.json["complete"] is None else 0)


LOOSE = """machine: fsm
name: gate
initial: closed
states:
  closed:
    - {when: push, then: ok, to: open}
    - {when: push, then: jam, to: closed}
    - {when: lock, then: click, to: locked}
  open:
    - {when: push, then: ok, to: closed}
  locked:
    - {when: unlock, then: click, to: closed}
"""


@pytest.mark.requirement("CERTIFY-1", "CERTIFY-2")
@pytest.mark.parametrize("relation", ["equivalence", "quasi-reduction", "strong-reduction", "language-equivalence"])
def test_other_relations_are_decided_with_a_survivor_that_runs(fullproof: Shell, relation: str, tmp_path: Path) -> None:
    model, plain, fewer = tmp_path / "gate.yaml", tmp_path / "plain.txt", tmp_path / "fewer.jsonl"
    model.write_text(LOOSE)
    whole = tmp_path / "suite.jsonl"
    asked = ("--relation", relation, "--extra-states", 1)
    fullproof("generate", model, *asked, "-o", whole)
    head, *tests = whole.read_text().splitlines()
    plain.write_text("".join(" ".join(json.loads(test)["inputs"]) + "\n" for test in tests))
    fewer.write_text("\n".join([head, *sorted(tests, key=len)[:-1]]) + "\n")
    assert fullproof("certify", model, whole, plain, *asked, "--json").json["complete"] is True
    ended = fullproof("certify", model, fewer, *asked, "-o", tmp_path / "survivor.yaml", "--json")
    assert (ended.code, ended.json["complete"]) == (1, False)
    survivor = f"model:{ended.json['survivor']}"
    ran = fullproof("run", model, "--sut", survivor, "--suite", fewer, "--relation", relation, "--repeat", 60, "--json")
    assert ran.json["verdict"] in ("pass", "inconclusive")
    assert fullproof("compare", model, ended.json["survivor"], "--relation", relation).code == 1


@pytest.mark.requirement("CERTIFY-1", "CERTIFY-2")
@pytest.mark.parametrize("words", [("--method", "separable"), ("--method", "general", "--property", "R1")])
def test_suites_of_symbolic_machines_are_decided(fullproof: Shell, words: tuple[str, ...], tmp_path: Path) -> None:
    model, suite, fewer = ROOT / "examples/airbag/model.yaml", tmp_path / "suite.jsonl", tmp_path / "fewer.jsonl"
    assert fullproof("generate", model, *words, "-o", suite).code == 0
    assert fullproof("certify", model, suite, "--json").json["complete"] is True
    fewer.write_text("".join(suite.read_text().splitlines(keepends=True)[:2]))
    ended = fullproof("certify", model, fewer, "-o", tmp_path / "survivor.yaml", "--json")
    assert (ended.code, ended.json["complete"]) == (1, False)
    ran = fullproof("run", model, "--sut", f"model:{ended.json['survivor']}", "--suite", fewer, "--json")
    assert ran.json["verdict"] == "pass"
    asked = ("--property", "R1") if "--property" in words else ()
    assert fullproof("compare", model, ended.json["survivor"], *asked).code == 1
    refused = fullproof("certify", model, suite, "--certificate", tmp_path / "proof.txt")
    assert (refused.code, "complete deterministic" in refused.err) == (4, True)


def test_certificates_are_for_equivalence_of_complete_deterministic_machines(fullproof: Shell, tmp_path: Path) -> None:
    model, suite = tmp_path / "gate.yaml", tmp_path / "suite.jsonl"
    model.write_text(LOOSE)
    for relation, reason in (("quasi-reduction", "not for quasi-reduction"), ("equivalence", "nondeterministic")):
        fullproof("generate", model, "--relation", relation, "-o", suite)
        ended = fullproof("certify", model, suite, "--certificate", tmp_path / "proof.txt")
        assert ended.code == 4
        assert reason in ended.err
        assert not (tmp_path / "proof.txt").exists()
    # Before the suite is written, not after it.
    made = fullproof("generate", model, "-o", tmp_path / "other.jsonl", "--certificate", tmp_path / "proof.txt")
    assert (made.code, "gate.yaml: certificates are for complete deterministic models" in made.err) == (4, True)
    assert not (tmp_path / "other.jsonl").exists()


def test_a_shrunk_suite_is_smaller_and_complete(fullproof: Shell, tmp_path: Path) -> None:
    suite = tmp_path / "suite.jsonl"
    plain = fullproof("generate", TURNSTILE, "--method", "w", "--extra-states", 1, "--json").json
    words = ("generate", TURNSTILE, "--method", "w", "--extra-states", 1, "--shrink", "--timeout", 10, "-o", suite)
    small = fullproof(*words, "--json").json
    assert small["tests"] + small["inputs"] < plain["tests"] + plain["inputs"]
    assert any("shrunk from cost" in note for note in small["notes"])
    assert fullproof("certify", TURNSTILE, suite).code == 0


def test_what_cannot_be_shrunk_says_why(fullproof: Shell) -> None:
    card = ROOT / "tests/data/reference/card-reader/card-reader.yaml"
    for words in (("--relation", "strong-reduction"), ()):
        ended = fullproof("generate", card, *words, "--shrink")
        assert ended.code == 4
    assert "k-A" in fullproof("generate", DOOR, "--shrink", "--domain", "k-A").err


def test_the_larger_domain_needs_a_method_for_it(fullproof: Shell, tmp_path: Path) -> None:
    assert fullproof("generate", DOOR, "--domain", "k-A", "--method", "walks").code == 4
    made = fullproof("generate", DOOR, "--domain", "k-A", "--json", "-o", tmp_path / "s.jsonl").json
    assert made["method"] in {"w", "wp", "hsi", "hads"}
    assert fullproof("certify", DOOR, tmp_path / "s.jsonl", "--json").json["method"] == "k-A"


@needs_shared_models
def test_the_openssl_server_shrinks_below_what_any_method_reaches(fullproof: Shell, tmp_path: Path) -> None:
    model = SHARED / "models/automata-wiki/TLS/OpenSSL_1.0.2_server_regular.dot"
    made = fullproof("generate", model, "--shrink", "--timeout", 20, "-o", tmp_path / "s.jsonl", "--json").json
    assert made["tests"] + made["inputs"] <= 195
    assert fullproof("certify", model, tmp_path / "s.jsonl").code == 0


@pytest.mark.parametrize("relation", ["strong-reduction", "quasi-reduction"])
def test_mutants_of_a_partial_nondeterministic_machine(fullproof: Shell, relation: str, tmp_path: Path) -> None:
    model, suite, folder = ROOT / "tests/data/reference/m-ex/m-ex.yaml", tmp_path / "s.jsonl", tmp_path / "mutants"
    fullproof("generate", model, "--relation", relation, "-o", suite)
    made = fullproof("mutate", model, "--relation", relation, "-o", folder, "--json").json["mutants"]
    assert {"add", "remove"} <= {mutant["operator"] for mutant in made}
    assert any(mutant["conforms"] for mutant in made)
    ended = fullproof("score", model, "--suite", suite, "--mutants", folder, "--json")
    assert (ended.code, ended.err) == (0, "")
    assert ended.json["killed"] + ended.json["conforming"] == ended.json["mutants"]


def test_a_suite_is_generated_with_its_certificate(fullproof: Shell, tmp_path: Path) -> None:
    suite, proof, model = tmp_path / "suite.jsonl", tmp_path / "suite.cert", tmp_path / "door.json"
    made = fullproof("generate", DOOR, "--extra-states", 1, "-o", suite, "--certificate", proof, "--json")
    assert made.code == 0
    assert made.json["certificate_sha256"] == hashlib.sha256(proof.read_bytes()).hexdigest()
    ended = fullproof("certify", DOOR, suite, "--with", proof, "--json")
    assert (ended.code, ended.json["accepted"], ended.json["complete"]) == (0, True, True)
    fullproof("convert", DOOR, model)
    texts = [path.read_text(encoding="utf-8") for path in (model, suite, proof)]
    assert refused(*texts) is None
    asked = fullproof("certify", DOOR, suite, "--with", proof, "--extra-states", 2)
    assert asked.code == 1
    assert asked.out.startswith("REFUSED")
    assert "2 are asked for" in asked.out


@pytest.mark.requirement("CERTIFY-7")
@pytest.mark.parametrize("method", ["w", "spyh"])
def test_a_certificate_of_a_given_suite(fullproof: Shell, method: str, tmp_path: Path) -> None:
    suite, shorter, proof = tmp_path / "suite.jsonl", tmp_path / "shorter.jsonl", tmp_path / "suite.cert"
    fullproof("generate", TURNSTILE, "--method", method, "--extra-states", 1, "-o", suite)
    made = fullproof("certify", TURNSTILE, suite, "--certificate", proof, "--json")
    assert (made.code, made.json["certificate"]) == (0, str(proof))
    assert fullproof("certify", TURNSTILE, suite, "--with", proof, "-q").code == 0
    shorter.write_text("".join(suite.read_text().splitlines(keepends=True)[:-1]), encoding="utf-8")
    assert fullproof("certify", TURNSTILE, shorter, "--with", proof, "-q").code == 1
    assert fullproof("certify", DOOR, suite, "--with", proof).code == 4
    nothing = tmp_path / "nothing.cert"
    refused_suite = fullproof("certify", TURNSTILE, shorter, "--certificate", nothing)
    assert refused_suite.code == 1
    assert not nothing.exists()


@pytest.mark.requirement("CERTIFY-12")
def test_options_of_certificates_that_do_not_go_together(fullproof: Shell, tmp_path: Path) -> None:
    suite, proof = tmp_path / "suite.jsonl", tmp_path / "suite.cert"
    fullproof("generate", TURNSTILE, "-o", suite)
    for words in (
        ("certify", TURNSTILE, suite, suite, "--certificate", proof),
        ("certify", TURNSTILE, suite, "--with", proof),
        ("certify", TURNSTILE, suite, "--with", suite, "--certificate", proof),
        ("certify", TURNSTILE, suite, "--certificate", tmp_path / "no" / "folder"),
        ("generate", TURNSTILE, "--relation", "reduction", "--certificate", proof),
        ("generate", ROOT / "examples/brake/brake.yaml", "--certificate", proof),
    ):
        ended = fullproof(*words)
        assert ended.code == 4, words
        assert len(ended.err.splitlines()) == 1
        assert not proof.exists()


def test_the_page_quotes_what_the_small_checker_says(fullproof: Shell, tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("model.json", "suite.jsonl", "suite.cert")]
    fullproof("convert", TURNSTILE, files[0])
    fullproof("generate", TURNSTILE, "--extra-states", 1, "-o", files[1], "--certificate", files[2])
    done = subprocess.run([sys.executable, FPCHECK, *files], capture_output=True, text=True, check=True)
    page = (ROOT / "docs/certificates.md").read_text(encoding="utf-8")
    assert f"suite.cert\n{done.stdout}{done.stderr}```" in page
