"""Preconditions are established, or refused with a witness."""

import pytest

from fullproof.core.errors import Place, UserError
from fullproof.generate.finite.preparation import prepare
from fullproof.model.fsm import Fsm, FsmTransition


def machine(*rows: str, lines: tuple[int, ...] = ()) -> Fsm:
    """Build a machine from rows ``source input output target``; the first source is the initial state."""
    transitions = tuple(FsmTransition(*row.split()) for row in rows)
    names = dict.fromkeys(name for t in transitions for name in (t.source, t.target))
    return Fsm(
        name="m",
        initial=transitions[0].source,
        states=tuple(reversed(names)),
        inputs=tuple(dict.fromkeys(t.input for t in transitions)),
        outputs=tuple(dict.fromkeys(t.output for t in transitions)),
        transitions=transitions,
        lines=lines,
    )


def test_unreachable_and_equivalent_states_go_and_it_says_so() -> None:
    made = prepare(machine("s a 0 t", "t a 1 u", "u a 0 t", "lost a 0 lost"))
    assert made.table.states == 2
    assert made.names == ("s", "t")
    assert made.table.target.tolist() == [1, 0]
    assert made.table.output.tolist() == [0, 1]
    assert made.notes == (
        "dropped 1 unreachable state: lost",
        "merged equivalent states, 3 -> 2: s = u",
    )


def test_a_machine_that_is_fine_gets_no_notes() -> None:
    assert prepare(machine("s a 0 t", "t a 1 s")).notes == ()


def test_nondeterminism_is_refused_with_state_input_and_answers() -> None:
    fsm = machine("s a 0 s", "s b 0 t", "s b 1 s", "t a 0 s", "t b 0 s", lines=(4, 5, 6, 7, 8))
    with pytest.raises(
        UserError, match=r"state 's' is nondeterministic: input 'b' may give 0 -> t or 1 -> s"
    ) as caught:
        prepare(fsm, at=Place(file="m.yaml"))
    assert caught.value.at == Place(file="m.yaml", line=6)


def test_an_undefined_input_is_refused_with_a_word_that_leads_there() -> None:
    fsm = machine("s a 0 t", "t a 0 u", "u a 0 s", "s b 0 s", "t b 1 s")
    with pytest.raises(UserError, match=r"state 'u' \(reached by a a\) has no transition for input 'b'"):
        prepare(fsm)


def test_what_is_wrong_with_unreachable_states_does_not_matter() -> None:
    fsm = machine("s a 0 s", "s b 1 s", "lost a 0 s", "lost a 1 s")
    assert prepare(fsm).table.states == 1


def test_no_inputs_nothing_to_test() -> None:
    with pytest.raises(UserError, match="no inputs"):
        prepare(Fsm(name="m", initial="s", states=("s",), inputs=(), outputs=(), transitions=()))
