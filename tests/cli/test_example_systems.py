"""Examples that are no Python objects: a page in a browser, a library in C, a server. Only the right ones pass."""

import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.browser import needs_browser
from tests.cli.harness import Shell
from tests.shared import ROOT

EXAMPLES = ROOT / "examples"
CARD_READER = EXAMPLES / "card-reader"
COMPILER = shutil.which("cc") or shutil.which("gcc")
EACH = 20
"""Of the 473 tests of the card reader, every twentieth is run here: a page takes a while to load."""


def test_the_card_reader_has_the_model_of_the_paper() -> None:
    reference = ROOT / "tests/data/reference/card-reader/card-reader.yaml"
    assert (CARD_READER / "model.yaml").read_bytes() == reference.read_bytes()


def test_the_mappings_of_the_card_reader_differ_in_the_page_only() -> None:
    def rest(name: str) -> list[str]:
        lines = (CARD_READER / name).read_text().splitlines()
        return [line for line in lines if not line.startswith(("#", "page:"))]

    for name in ("early-button.yaml", "fourth-try.yaml", "kept-card.yaml"):
        assert rest(name) == rest("mapping.yaml")


@needs_browser
def test_the_card_reader_passes_a_sample_of_its_suite(fullproof: Shell, tmp_path: Path) -> None:
    suite, sample = tmp_path / "suite.jsonl", tmp_path / "sample.jsonl"
    generated = fullproof(
        "generate", CARD_READER / "model.yaml", "--relation", "strong-reduction", "-o", suite, "--json"
    )
    assert generated.json["tests"] == 473
    header, *tests = suite.read_text().splitlines(keepends=True)
    kept = tests[::EACH]
    header = header.replace('"tests":473', f'"tests":{len(kept)}')
    header = header.replace(f'"inputs":{generated.json["inputs"]}', f'"inputs":{sum(map(_length, kept))}')
    sample.write_text(header + "".join(kept))
    sut = f"browser:{CARD_READER / 'mapping.yaml'}"
    ended = fullproof("run", CARD_READER / "model.yaml", "--suite", sample, "--sut", sut, "--json").json
    assert (ended["verdict"], ended["tests"], ended["passed"]) == ("pass", len(kept), len(kept))


def _length(line: str) -> int:
    import json

    return len(json.loads(line)["inputs"])


@needs_browser
@pytest.mark.parametrize(
    ("mapping", "seen"), [("early-button", None), ("fourth-try", "ts.out.ip"), ("kept-card", "ts.out.clr")]
)
def test_the_faulty_card_readers_fail(fullproof: Shell, mapping: str, seen: str | None) -> None:
    sut = f"browser:{CARD_READER / mapping}.yaml"
    options = ("--relation", "strong-reduction", "--stop-on-failure", "--json")
    ended = fullproof("run", CARD_READER / "model.yaml", "--sut", sut, *options)
    assert (ended.code, ended.json["verdict"], ended.json["errors"]) == (1, "fail", 0)
    if seen is not None:
        assert ended.json["failures"][0]["observed"] == seen


@pytest.mark.skipif(COMPILER is None, reason="there is no C compiler")
def test_the_brake_in_c(fullproof: Shell, tmp_path: Path) -> None:
    folder = EXAMPLES / "brake"
    suite = tmp_path / "suite.jsonl"
    options = ("--relation", "reduction", "--extra-states", "0")
    assert fullproof("generate", folder / "brake.yaml", *options, "-o", suite).code == 0
    verdicts = []
    for fault, library, mapping in ((0, "brake", "mapping"), (1, "brake1", "fault1"), (2, "brake2", "fault2")):
        made = tmp_path / f"{library}.so"
        command = [str(COMPILER), "-shared", "-fPIC", "-Wall", "-Werror", f"-DFAULT={fault}", "-o", str(made)]
        subprocess.run([*command, str(folder / "brake.c")], check=True)
        shutil.copy(folder / f"{mapping}.yaml", tmp_path)
        sut = f"lib:{tmp_path / mapping}.yaml"
        verdicts.append(
            fullproof("run", folder / "brake.yaml", "--suite", suite, "--sut", sut, "--json").json["verdict"]
        )
    assert verdicts == ["pass", "fail", "fail"]


@contextmanager
def broker(kind: str) -> Iterator[str]:
    command = [sys.executable, str(EXAMPLES / "mqtt-like/broker.py"), "--port", "0", "--broker", kind]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().removeprefix("listening on ").strip()
        finally:
            process.kill()


@pytest.mark.parametrize(
    ("kind", "verdict", "observed"),
    [
        ("Broker", "pass", None),
        ("WillsAlways", "fail", "closed a, message b gone"),
        ("ForgetsRetained", "fail", "suback b"),
    ],
)
def test_the_broker(fullproof: Shell, kind: str, verdict: str, observed: str | None) -> None:
    with broker(kind) as address:
        model = EXAMPLES / "mqtt-like/model.yaml"
        ended = fullproof("run", model, "--sut", f"tcp:{address}", "--extra-states", "1", "--json").json
    assert ended["verdict"] == verdict
    assert ended["errors"] == 0
    if observed is not None:
        assert observed in {failure["observed"] for failure in ended["failures"]}
