"""The tree satisfies the conditions of Tables 5.1 and 2.4, whatever identifiers were chosen."""

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles.table_conditions import violations

from fullproof.generate.symbolic.letters import LetterMachine, letter_machine
from fullproof.generate.symbolic.separator import Separator
from fullproof.generate.symbolic.tree import _plan, suite_tree


@st.composite
def letter_machines(draw: st.DrawFn, *, letters: int = 4) -> LetterMachine:
    """Any acceptor, nondeterministic ones too, with inputs that share letters."""
    states = draw(st.integers(1, 3))
    targets = st.lists(st.integers(0, states - 1), max_size=2, unique=True)
    after = [[draw(targets) for _ in range(letters)] for _ in range(states)]
    offered = draw(st.lists(st.frozensets(st.integers(0, letters - 1), min_size=1), min_size=1, max_size=3))
    rest = frozenset(range(letters)) - frozenset().union(*offered)
    return letter_machine(0, after, [*offered, *([rest] if rest else [])])


def cover_of(machine: LetterMachine) -> list[tuple[int, ...]]:
    edges = _plan(machine, extra_states=0, kinds=range(machine.states)).cover

    def trace(state: int) -> tuple[int, ...]:
        edge = edges[state]
        return (*trace(edge[0]), edge[2]) if edge is not None else ()

    return [trace(state) for state in range(machine.states)]


@settings(max_examples=60, deadline=None)
@given(letter_machines(), st.integers(0, 1), st.data())
def test_conditions(machine: LetterMachine, extra: int, data: st.DataObject) -> None:
    if machine.states > 4:
        return
    merged = data.draw(st.booleans())
    kinds = [s // 2 for s in range(machine.states)] if merged else list(range(machine.states))
    words = [tuple(w.tolist()) for w in suite_tree(machine, extra_states=extra, kinds=kinds).tests()]
    assert not list(violations(machine, cover_of(machine), words, extra=extra, kinds=kinds))


@settings(max_examples=60, deadline=None)
@given(letter_machines(letters=5))
def test_conditions_need_the_identifiers(machine: LetterMachine) -> None:
    """Words that are too short are found out: the oracle can say no."""
    words = [tuple(w.tolist()) for w in suite_tree(machine, extra_states=0, kinds=range(machine.states)).tests()]
    kinds = list(range(machine.states))
    assert list(violations(machine, cover_of(machine), [w[:-1] for w in words], extra=0, kinds=kinds))


@settings(max_examples=80, deadline=None)
@given(letter_machines())
def test_separating_words(machine: LetterMachine) -> None:
    separator = Separator(machine)

    def traces(state: int, word: tuple[int, ...]) -> set[tuple[int, ...]]:
        found = {((), state)}
        everything = {()}
        for symbol in word:
            found = {
                ((*trace, letter), machine.after[s][letter])
                for trace, s in found
                for letter in machine.answers(s, symbol)
            }
            everything |= {trace for trace, _ in found}
        return everything

    for one in range(machine.states):
        rivals = [s for s in range(machine.states) if s != one]
        for words in separator.identifiers(one, rivals):
            for other in rivals:
                assert any(traces(one, word) != traces(other, word) for word in words)
                parts = [part for word in words if (part := separator.prefix(one, other, word)) is not None]
                assert all(traces(one, part) != traces(other, part) for part in parts)
                assert all(traces(one, part[:-1]) == traces(other, part[:-1]) for part in parts)
