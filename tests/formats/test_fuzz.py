"""Whatever the bytes, a reader returns a model or raises a UserError of one line."""

from pathlib import Path

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from tests.shared import REFERENCE, ROOT

from fullproof.core.errors import UserError
from fullproof.formats import read_model
from fullproof.formats.dot.writer import dot_lines
from fullproof.formats.fsmlib.columns import columns_lines
from fullproof.formats.fsmlib.csv import csv_lines
from fullproof.formats.json.writer import json_lines
from fullproof.formats.kiss2.writer import kiss2_lines
from fullproof.formats.suite import read_plain_suite, read_suite
from fullproof.formats.table import model_text_for, readable_endings
from fullproof.model import Fsm, Model

with_files = settings(suppress_health_check=list(HealthCheck), max_examples=250)


def settle(path: Path) -> Model | None:
    try:
        return read_model(path)
    except UserError as error:
        assert len(str(error).splitlines()) == 1, error
        assert error.at.file.startswith(str(path.with_suffix("")))
        return None


CHARTS = (".scxml", ".puml", ".mmd", ".uml", ".xstate.json")


def seeds() -> list[tuple[str, str]]:
    """Valid files of every format, with their endings."""
    found = [(path.suffix, path.read_text()) for path in sorted(REFERENCE.glob("*/*.yaml"))]
    found += [(".json", "".join(json_lines(read_model(path)))) for path in sorted(REFERENCE.glob("*/*.yaml"))[::4]]
    machine = read_model(REFERENCE / "m-ex" / "m-ex.yaml")
    assert isinstance(machine, Fsm)
    for ending, lines in ((".dot", dot_lines), (".kiss2", kiss2_lines), (".fsm", columns_lines)):
        found += [(ending, "".join(lines(machine)))] * 3
    table = read_model(ROOT / "tests" / "data" / "formats" / "garage.csv")
    assert isinstance(table, Fsm)
    chart = read_model(ROOT / "examples" / "charts" / "media-player.yaml")
    found += [(ending, model_text_for(chart, Path(f"m{ending}"))) for ending in CHARTS for _ in range(2)]
    return found + [(".csv", "".join(csv_lines(table)))] * 3


SEEDS = seeds()
FRAGMENTS = st.sampled_from(
    [
        *"{}[]()<>:,;#&*!|>'\"%@`~?-=/\\.$+^\0\t\n\r\ufeff\u2028",
        *(
            "- ",
            ": ",
            ", ",
            " #",
            "---\n",
            "...\n",
            "<<: ",
            "&a ",
            "*a",
            "!!str ",
            "!x ",
            "\n  ",
            "''",
            '""',
            "null",
            "~",
        ),
        *(
            "0",
            "-1",
            "1e9",
            "1e999999",
            "0x1F",
            "1/0",
            "{}",
            "[]",
            "[[",
            "}}",
            "true",
            "not ",
            " and ",
            "**",
            "G(",
            "if ",
        ),
        *(
            "-> ",
            "--",
            "__start0",
            "label=",
            "<b>",
            "/*",
            "//",
            '"',
            "\\",
            ".i ",
            ".e\n",
            ".r ",
            "#: ",
            " / ",
            "x" * 2000,
        ),
        *("(" * 300, "[" * 60, "9" * 1500, "é", "😀", "\ud7ff", "machine: fsm\n", "states:\n", "0-", "*"),
    ]
)


@st.composite
def mutants(draw: st.DrawFn) -> tuple[str, str]:
    """Draw a valid file with a few pieces cut, doubled, moved, inserted."""
    ending, text = draw(st.sampled_from(SEEDS))
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(text)))
        length = draw(st.integers(0, 12) | st.integers(0, len(text)))
        piece = text[start : start + length]
        match draw(st.sampled_from(["cut", "double", "insert", "insert", "replace", "move", "end"])):
            case "cut":
                text = text[:start] + text[start + length :]
            case "double":
                text = text[:start] + piece[:400] + text[start:]
            case "insert":
                text = text[:start] + draw(FRAGMENTS) + text[start:]
            case "replace":
                text = text[:start] + draw(FRAGMENTS) + text[start + min(length, 12) :]
            case "move":
                other = draw(st.integers(0, len(text)))
                text = text[:other] + piece[:200] + text[other:]
            case _:
                text = text[:start]
    return ending, text


@given(mutants())
@with_files
def test_mutated_files(tmp_path: Path, mutant: tuple[str, str]) -> None:
    ending, text = mutant
    path = tmp_path / f"m{ending}"
    path.write_bytes(text.encode())
    settle(path)


@given(st.sampled_from(readable_endings()), st.binary(max_size=200))
@example(".yaml", b"\xef\xbb\xbf")
@example(".yaml", b"\x85")
@example(".csv", b";\x00")
@with_files
def test_random_bytes(tmp_path: Path, ending: str, data: bytes) -> None:
    path = tmp_path / f"m{ending}"
    path.write_bytes(data)
    settle(path)


syntax = st.sampled_from(" \n\t{}[]:,-#&*!|>'\"%@`~?abs01/.;=<")


@given(st.sampled_from(readable_endings()), st.text(syntax | st.characters(exclude_categories=["Cs"]), max_size=60))
@with_files
def test_random_texts(tmp_path: Path, ending: str, text: str) -> None:
    path = tmp_path / f"m{ending}"
    path.write_bytes(text.encode())
    settle(path)


HEADER = (
    b'{"fullproof":"suite/1","model":"m","model_sha256":"","kind":"fsm","relation":"equivalence","method":"w",'
    b'"extra_states":0,"tool":"1","guarantee":"g"}\n'
)
TEST = b'{"id":"t-1","inputs":["a",{"x":0.5,"y":"20/3"}],"covers":["R1"]}\n'


@given(st.binary(max_size=60), st.integers(0, len(HEADER + TEST)), st.integers(0, 20))
@with_files
def test_random_suites(tmp_path: Path, data: bytes, at: int, cut: int) -> None:
    path = tmp_path / "suite.jsonl"
    whole = HEADER + TEST
    for text in (data, whole[:at] + data + whole[at + cut :]):
        path.write_bytes(text)
        for read in (lambda: list(read_suite(path)[1]), lambda: list(read_plain_suite(path))):
            try:
                read()
            except UserError as error:
                assert len(str(error).splitlines()) == 1
