"""How many slips are looked at is bounded, whatever the number of states; each state has its turn."""

from pathlib import Path

import pytest

from fullproof.analysis.run_to_completion import CompiledTransition, RunToCompletion
from fullproof.formats import read_model_text
from fullproof.generate.statemachine import identification
from fullproof.generate.statemachine.all_events import explored
from fullproof.generate.statemachine.alternatives import Alternatives
from fullproof.generate.statemachine.identification import Identifying
from fullproof.model import StateMachine

STATES = 30
_RING = "machine: statemachine\nname: ring\nsignals: {in: [next, back], out: [zero]}\ninitial: s0\nstates:\n" + "".join(
    f"  s{k}: [{{trigger: next, {'send: [zero], ' if k == 0 else ''}to: s{(k + 1) % STATES}}}, "
    f"{{trigger: back, to: s{k - 1 if k else STATES - 1}}}]\n"
    for k in range(STATES)
)


def ring() -> StateMachine:
    """States in a circle, which one output distinguishes."""
    model = read_model_text(_RING, Path("ring.yaml"))
    assert isinstance(model, StateMachine)
    return model


def test_each_state_has_its_turn_in_a_share() -> None:
    found = explored(ring(), most_inputs=1, most_cells=1_000)
    assert found is not None
    alternatives = Alternatives(found[0])
    alternatives.most = 4
    items = list(range(10))
    taken = [alternatives.share(items) for _ in range(5)]
    assert [len(one) for one in taken] == [4] * 5
    assert {item for one in taken for item in one} == set(items)
    assert alternatives.left_out == 5 * 6
    assert alternatives.share(items[:4]) == items[:4]


@pytest.mark.parametrize(("slips", "each"), [(0, identification.LEAST), (10**6, STATES - 1)])
def test_the_slips_of_a_suite_are_bounded(slips: int, each: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(identification, "SLIPS", slips)
    found = explored(ring(), most_inputs=1, most_cells=1_000)
    assert found is not None
    places, machine = found
    reach = [((), 0)]
    words = {0: ()}
    for word, p in reach:
        for k, event in enumerate(machine.events):
            if machine.after[p][k] not in words:
                words[machine.after[p][k]] = (*word, event)
                reach.append(((*word, event), machine.after[p][k]))
    steps = [((p, event), (*word, event)) for p, word in words.items() for event in machine.events]
    identifying = Identifying(places, machine.events, lambda *_: ())
    made = identifying.identify(steps, (), edges=False)
    states = [one for known in identifying._cached.values() for one in known if one.slip[0] == "state"]
    assert len(states) <= len(identifying._cached) * each
    assert (made.left_out == 0) == (each == STATES - 1)


def test_a_changed_machine_shares_all_other_states() -> None:
    machine = RunToCompletion(ring())
    asked: list[int] = []

    def lost(step: CompiledTransition) -> None:
        asked.append(step.number)

    changed = machine.changed("s3", lost)
    assert asked == [6, 7]
    before = machine.start
    for _ in range(3):
        (run,) = changed.runs(before, "next", {})
        before = run.end
    assert changed.runs(before, "next", {})[0].end.state == "s3"
    assert machine.runs(before, "next", {})[0].end.state == "s4"
