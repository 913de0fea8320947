"""An option of a suite has an effect, or is refused in one line, or a note says why it has none."""

from __future__ import annotations

from pathlib import Path

import pytest

from fullproof.artefacts.options import from_options, options_of
from fullproof.artefacts.progress import unheard
from fullproof.artefacts.questions import CertifyRequest, CompareRequest, ExploreRequest
from fullproof.artefacts.request import RunRequest, SuiteRequest
from fullproof.core.errors import UserError
from fullproof.pipeline.comparison import compare_files
from fullproof.pipeline.runs import run_suite
from fullproof.pipeline.suites import generate_for

MODELS = {
    "fsm": """
machine: fsm
name: small
initial: a
states:
  a: [{when: x, then: 0, to: b}, {when: y, then: 0, to: a}]
  b: [{when: x, then: 1, to: a}, {when: y, then: 0, to: c}]
  c: [{when: x, then: 1, to: c}, {when: y, then: 1, to: a}]
""",
    "sfsm": """
machine: sfsm
name: alarm
inputs: {t: int 0..40}
outputs: {heat: bool}
initial: off
states:
  off: [{when: t < 18, then: heat, to: on}, {when: t >= 18, then: not heat, to: off}]
  on: [{when: t < 22, then: heat, to: on}, {when: t >= 22, then: not heat, to: off}]
""",
    "statemachine": """
machine: statemachine
name: lamp
signals: {in: [a, b], out: []}
outputs: {y: int 0..3 = 0}
initial: idle
states:
  idle: [{trigger: a, do: [y = 1], to: on}]
  on: [{trigger: b, do: [y = 0], to: idle}]
""",
    "timed": """
machine: statemachine
name: bell
signals: {in: [go], out: [ring]}
initial: idle
states:
  idle: [{trigger: go, to: busy}]
  busy: [{after: 5 s, send: [ring], to: idle}]
""",
    "sts": """
machine: sts
name: echo
inputs: {put: {p: int 0..3}}
outputs: {get: {p: int 0..3}}
variables: {x: int = 0}
initial: l0
states:
  l0: [{gate: put, set: {x: p}, to: l1}]
  l1: [{gate: get, when: p == x, to: l0}]
""",
}
GIVEN: dict[str, object] = {
    "faults": "output",
    "margin": "200 ms",
    "tolerance": "2 s",
    "fsm-method": "w",
    "threshold": ["t=1"],
    "mutate-guards": True,
    "mutate-atoms": True,
    "mutate-limit": 3,
    "pairs": "own",
    "regions": "1",
    "degree": 1,
    "paving": ["y=1"],
    "domain": "k-A",
    "distinguish": "rd2",
    "max-length": 1,
    "shrink": True,
    "pump": 3,
    "timeout": 0.0,
    "coverage": "location",
    "depth": 1,
    "extra-states": 1,
}
"""Without ``--seed``, as there may be no random choice, and ``--reset-cost``, which may weigh nothing else."""
KEPT = {
    ("sts", "method=auto"): {"depth", "max-length"},  # bounds on paths and purposes that are shorter
    ("sfsm", "method=auto"): {"pairs"},  # for method local, whose suite auto found larger than another one
    ("statemachine", "method=auto"): {"degree", "paving", "timeout"},  # there are few events, so that no class matters
    ("statemachine", "method=paper"): {"timeout"},
    ("timed", "method=auto"): set(),
}
"""Options that are read there, and change nothing for such a small model."""
SAID = ("--timeout has no effect", "--distinguish", "--fsm-method")
"""How notes begin on options that all commands and kinds share, which are not refused."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in MODELS.items():
        (tmp_path / f"{name}.yaml").write_text(text, encoding="utf-8")
    return tmp_path


def _made(folder: Path, kind: str, options: dict[str, object]) -> str | None:
    """The suite as it is written; None where it is refused."""
    try:
        suite = generate_for(folder / f"{kind}.yaml", from_options(SuiteRequest, options))
    except UserError as error:
        assert "\n" not in error.message
        return None
    said = [note for note in suite.notes if note.startswith(SAID)]
    return "".join([*suite.lines(suite.size()), *said])


@pytest.mark.parametrize(
    ("kind", "asked"),
    [
        *(("fsm", "method=auto"), ("fsm", "method=w"), ("fsm", "relation=reduction"), ("fsm", "faults=transfer")),
        *(("sfsm", "method=auto"), ("sfsm", "faults=transfer")),
        *(("statemachine", "method=auto"), ("statemachine", "method=paper"), ("statemachine", "faults=transfer")),
        *(("timed", "method=auto"), ("sts", "method=auto")),
    ],
)
def test_an_option_has_an_effect_or_is_refused(folder: Path, kind: str, asked: str) -> None:
    base = dict([asked.split("=")])
    usual = _made(folder, kind, base)
    assert usual is not None
    silent = {name for name in GIVEN.keys() - base.keys() if _made(folder, kind, {**base, name: GIVEN[name]}) == usual}
    if asked == "method=w":
        silent -= {"domain"}  # a suite of the W-method is complete for k-A as it is
    if "faults" in base:
        silent -= {"timeout"}  # the search may be over by then
    assert silent <= KEPT.get((kind, asked), set())


def test_named_faults_have_no_finite_method(folder: Path) -> None:
    for options in ({"fsm_method": "w"}, {"distinguish": "rd1"}):
        suite = generate_for(folder / "fsm.yaml", from_options(SuiteRequest, {"faults": "transfer", **options}))
        assert any(note.startswith(("--fsm-method is for", "--distinguish has no effect")) for note in suite.notes)
    with pytest.raises(UserError, match=r"tests of method 'faults' .* up to \d inputs, and --max-length allows 1$"):
        generate_for(folder / "fsm.yaml", from_options(SuiteRequest, {"faults": "transfer", "max_length": 1}))


def _run(folder: Path, **options: object) -> None:
    asked = from_options(RunRequest, {"sut": f"model:{folder / 'fsm.yaml'}", **options})
    run_suite(folder / "fsm.yaml", asked, progress=unheard)


@pytest.mark.parametrize("options", [{"order": "longest"}, {"values": "solver"}, {"retries": 1}, {"steps": 5}])
def test_a_run_of_a_finite_machine_has_no_options_of_an_sts(folder: Path, options: dict[str, object]) -> None:
    with pytest.raises(UserError, match="is for models of kind sts"):
        _run(folder, **options)


def test_a_run_says_that_a_timeout_of_silence_has_no_effect(folder: Path) -> None:
    asked = from_options(RunRequest, {"sut": f"model:{folder / 'fsm.yaml'}", "timeout": 3})
    notes = run_suite(folder / "fsm.yaml", asked, progress=unheard).notes
    assert any(note.startswith("--timeout has no effect") for note in notes)


@pytest.mark.parametrize(
    "options",
    [
        {"allow_changed_system": True},
        {"stop_on_failure": True, "max_failures": 3},
        {"adaptive": True, "relation": "reduction", "method": "counting"},
        {"adaptive": True, "relation": "reduction", "pump": 3},
    ],
)
def test_options_of_a_run_that_need_others_are_refused_without_them(folder: Path, options: dict[str, object]) -> None:
    with pytest.raises(UserError, match=r"^--"):
        _run(folder, **options)


def test_questions_refuse_what_has_no_effect(folder: Path) -> None:
    model = folder / "fsm.yaml"
    with pytest.raises(UserError, match="decided without a bound"):
        compare_files(model, model, CompareRequest(depth=5))
    with pytest.raises(UserError, match="no use for --output"):
        CertifyRequest(given=folder / "proof", target=folder / "survivor.yaml")
    with pytest.raises(UserError, match="--depth goes with --states behaviour"):
        ExploreRequest(depth=4)


def test_the_options_that_are_tried_are_options_of_suites() -> None:
    assert GIVEN.keys() <= options_of(SuiteRequest).keys()
