"""Small finite machines of every kind: partial, nondeterministic, not even observable."""

from hypothesis import strategies as st

from fullproof.model import Fsm
from fullproof.model.fsm import FsmTransition

STATES, INPUTS, OUTPUTS = ("s0", "s1", "s2"), ("a", "b"), ("0", "1")


def _machine(transitions) -> Fsm:
    return Fsm(
        name="small",
        initial="s0",
        states=STATES,
        inputs=INPUTS,
        outputs=OUTPUTS,
        transitions=tuple(sorted(transitions)),
    )


def any_fsms() -> st.SearchStrategy[Fsm]:
    """Any set of transitions."""
    parts = st.tuples(*map(st.sampled_from, (STATES, INPUTS, OUTPUTS, STATES)))
    transition = parts.map(lambda part: FsmTransition(*part))
    return st.builds(_machine, st.frozensets(transition, max_size=14))


def deterministic_fsms() -> st.SearchStrategy[Fsm]:
    """Complete and deterministic."""
    cells = [(s, i) for s in STATES for i in INPUTS]
    answers = st.tuples(st.sampled_from(OUTPUTS), st.sampled_from(STATES))
    rows = st.lists(answers, min_size=len(cells), max_size=len(cells))
    return rows.map(lambda row: _machine(FsmTransition(s, i, o, t) for (s, i), (o, t) in zip(cells, row, strict=True)))


def words(max_size: int = 6) -> st.SearchStrategy[list[str]]:
    return st.lists(st.sampled_from(INPUTS), max_size=max_size)
