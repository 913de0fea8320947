"""``judge --certificate``: the chain from the model to the verdict, and what breaks it."""

import hashlib
from pathlib import Path

import pytest
from tests.cli.harness import Shell
from tests.shared import ROOT

from fullproof import __version__

TURNSTILE = ROOT / "examples/turnstile/turnstile.yaml"
SUT = f"model:{TURNSTILE}"


@pytest.fixture
def folder(fullproof: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    made = fullproof(
        "generate", TURNSTILE, "--extra-states", "1", "-o", "s.jsonl", "--certificate", "s.cert", "--quiet"
    )
    ran = fullproof("run", TURNSTILE, "--suite", "s.jsonl", "--sut", SUT, "--journal", "j", "--repeat", "2")
    assert (made.code, ran.code) == (0, 0)
    return tmp_path


@pytest.mark.requirement("JUDGE-9")
def test_every_link_is_named(fullproof: Shell, folder: Path):
    ended = fullproof("judge", "j", "--certificate", "s.cert", "--json", "--report", "out")
    chain = ended.json["chain"]
    assert ended.code == 0
    assert (chain["verdict"], chain["tests"], chain["certificate"]["accepted"]) == ("pass", 3, True)
    text = (folder / "s.cert").read_text()
    assert f"suite {chain['suite']}" in text
    assert f"model {chain['machine']}" in text
    assert chain["model"] == hashlib.sha256(TURNSTILE.read_bytes()).hexdigest()
    assert chain["certificate"]["checker"] == f"fullproof {__version__}"
    assert chain["certificate"]["certificate_sha256"] in (folder / "out" / "report.html").read_text()
    lines = fullproof("judge", "j", "--certificate", "s.cert").out.splitlines()
    assert [line.split()[0] for line in lines[-5:]] == ["model", "suite", "certificate", "journal", "verdict"]
    assert chain["machine"] in lines[-5]
    assert f"accepted by fullproof {__version__}: complete for 2 + 1 states" in lines[-3]


@pytest.mark.requirement("JUDGE-9")
def test_a_certificate_of_another_suite_breaks_the_chain(fullproof: Shell, folder: Path):
    made = fullproof("generate", TURNSTILE, "--method", "w", "-o", "w.jsonl", "--certificate", "w.cert", "--quiet")
    ended = fullproof("judge", "j", "--certificate", "w.cert")
    assert (made.code, ended.code) == (0, 1)
    assert "refused: the certificate is for another suite" in ended.out


@pytest.mark.requirement("JUDGE-9")
def test_a_certificate_for_fewer_states_breaks_the_chain(fullproof: Shell, folder: Path):
    made = fullproof("certify", TURNSTILE, "s.jsonl", "--extra-states", 0, "--certificate", "less.cert")
    ended = fullproof("judge", "j", "--certificate", "less.cert", "--json")
    chain = ended.json["chain"]
    assert (made.code, ended.code, chain["certificate"]["accepted"]) == (0, 1, False)
    assert "0 extra states" in chain["certificate"]["refused"]


def test_other_relations_have_no_certificate(fullproof: Shell, folder: Path):
    ran = fullproof("run", TURNSTILE, "--relation", "reduction", "--sut", SUT, "--journal", "r", "--quiet")
    ended = fullproof("judge", "r", "--certificate", "s.cert")
    assert (ran.code, ended.code) == (0, 4)
    assert ended.err == "fullproof: s.cert: --certificate is for equivalence by outputs alone, not for reduction\n"


def test_suites_for_faults_by_name_have_no_certificate(fullproof: Shell, folder: Path):
    """What proves them complete is about other machines than those within a bound on states."""
    for faults in ("stuck", "transfer,output"):
        fullproof("generate", TURNSTILE, "--faults", faults, "-o", "f.jsonl", "--quiet")
        fullproof("run", TURNSTILE, "--suite", "f.jsonl", "--sut", SUT, "--journal", faults, "--quiet")
        for words in (
            ("certify", TURNSTILE, "f.jsonl", "--certificate", "f.cert"),
            ("certify", TURNSTILE, "f.jsonl", "--with", "s.cert"),
            ("judge", faults, "--certificate", "s.cert"),
        ):
            ended = fullproof(*words)
            assert (ended.code, ended.out) == (4, ""), words
            assert ended.err.endswith(": certificates are for a bound on states, not for faults by name\n")
        assert not Path("f.cert").exists()
