"""The six protocols: sound models, mutants that are distinguished from them, and two implementations."""

import io
import json

import pytest
from tests.cli.harness import Shell
from tests.shared import REFERENCE, ROOT

from fullproof.execute.simulate import simulate
from fullproof.formats import read_model
from fullproof.kinds import play
from fullproof.model import Sts

PROTOCOLS = sorted(path for path in (ROOT / "examples" / "protocols").iterdir() if path.is_dir())
NAMES = [path.name for path in PROTOCOLS]
MUTANTS = [path / f"mutant{number}.yaml" for path in PROTOCOLS for number in range(1, 5)]


def test_there_are_six_with_four_mutants_each() -> None:
    assert len(PROTOCOLS) == 6
    assert all(path.is_file() for path in MUTANTS)
    assert all((path / "README.md").is_file() for path in PROTOCOLS)


@pytest.mark.parametrize(
    "path", [*(p / "model.yaml" for p in PROTOCOLS), *MUTANTS], ids=lambda p: f"{p.parent.name}-{p.stem}"
)
def test_models_and_mutants_have_no_errors(fullproof: Shell, path) -> None:
    assert fullproof("check", path, "--quiet").code == 0


@pytest.mark.parametrize("path", PROTOCOLS, ids=NAMES)
def test_every_switch_realises_a_requirement_and_every_requirement_has_one(path) -> None:
    model = read_model(path / "model.yaml")
    assert isinstance(model, Sts)
    assert all(switch.requirements for switch in model.transitions)
    realised = {name for switch in model.transitions for name in switch.requirements}
    assert realised == {requirement.name for requirement in model.description.requirements}


@pytest.mark.parametrize("path", PROTOCOLS, ids=NAMES)
def test_each_conforms_to_itself_for_good(fullproof: Shell, path) -> None:
    ended = fullproof("compare", path / "model.yaml", path / "model.yaml", "--depth", 40, "--json")
    assert ended.code == 0
    assert ended.json == {"relation": "ioco", "conforms": True, "counterexample": None, "depth": None}


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda p: f"{p.parent.name}-{p.stem}")
def test_each_mutant_is_told_from_its_model(fullproof: Shell, mutant) -> None:
    ended = fullproof("compare", mutant.parent / "model.yaml", mutant, "--json")
    assert ended.code == 1
    found = ended.json["counterexample"]
    assert ended.json["conforms"] is False
    assert ended.json["depth"] == len(found["trace"]) + 1
    assert found["observed"].keys() <= {"emit", "silence"}
    assert found["allowed"]


FIRST = {
    "alternating-bit": (["send", [7]], [["frame", [0, 7]]]),
    "login": (["register", [5, 1234]], [["registered", [5]]]),
    "invite": (["invite", [9]], [["trying", [9]], ["ringing", [9]]]),
    "token-bucket": (["packet", [9]], [["drop", [9, 1]]]),
    "vending-machine": (["coin", [5]], [["display", [5]]]),
    "bounded-queue": (["put", [42]], [["stored", [1]]]),
}


@pytest.mark.parametrize("path", PROTOCOLS, ids=NAMES)
def test_each_can_be_played(path) -> None:
    given, expected = FIRST[path.name]
    out = io.StringIO()
    messages = [{"reset": True}, {"send": given}]
    simulate(
        read_model(path / "model.yaml"), io.StringIO("".join(json.dumps(m) + "\n" for m in messages)), out, play=play
    )
    answers = [json.loads(line) for line in out.getvalue().splitlines()]
    assert answers[0] == {"ready": True}
    emitted = [answer["emit"] for answer in answers[1:]]
    assert emitted
    assert emitted == expected[-len(emitted) :]


@pytest.mark.parametrize(
    ("folder", "system", "verdict"),
    [
        ("bounded-queue", "fifo.py:Queue", "inconclusive"),
        ("bounded-queue", "fifo.py:Stack", "fail"),
        ("login", "server.py:Server", "inconclusive"),
        ("login", "server.py:Forgetful", "fail"),
    ],
)
def test_implementations(fullproof: Shell, folder: str, system: str, verdict: str) -> None:
    """What a deterministic system never does cannot be driven through it: inconclusive, and nothing fails."""
    path = ROOT / "examples" / "protocols" / folder
    ended = fullproof("run", path / "model.yaml", "--sut", f"python:{path / system}", "--json")
    assert ended.json["verdict"] == verdict
    assert (ended.json["failed"] > 0) == (verdict == "fail")


BRP = REFERENCE / "brp"


def test_answers_for_people(fullproof: Shell) -> None:
    ended = fullproof("compare", BRP / "brp.yaml", BRP / "mutant3.yaml")
    assert ended.code == 1
    lines = ended.out.splitlines()
    assert lines[0] == (
        "mutant3.yaml does not conform to brp.yaml (ioco): an output that the model does not allow after 3 events"
    )
    assert lines[3:4] == ["  -> ITIMEOUT"]
    assert lines[-1].startswith("allowed:  OFRAME(1, 0, 0, ")
    assert fullproof("compare", BRP / "brp.yaml", BRP / "mutant5.yaml", "--depth", 5).out == (
        "no difference between mutant5.yaml and brp.yaml (ioco) up to depth 5\n"
    )


def test_open_answers_end_with_six(fullproof: Shell) -> None:
    ended = fullproof("compare", BRP / "brp.yaml", BRP / "brp.yaml", "--timeout", 0, "--json")
    assert ended.code == 6
    assert ended.json["conforms"] is None
    assert ended.json["undecided"] == ["the 0 s for this comparison are over"]
    assert (
        "stays open: nothing was decided"
        in fullproof("compare", BRP / "brp.yaml", BRP / "brp.yaml", "--timeout", 0).out
    )


def test_what_cannot_be_asked_is_said(fullproof: Shell) -> None:
    ended = fullproof("compare", BRP / "brp.yaml", BRP / "brp.yaml", "--relation", "reduction")
    assert (ended.code, ended.err) == (
        4,
        "fullproof: symbolic transition systems are compared for ioco, not for reduction\n",
    )
    assert fullproof("compare", BRP / "brp.yaml", REFERENCE / "brake/brake.yaml").code == 4
