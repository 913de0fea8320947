"""State counting for reductions of observable, partial, nondeterministic machines (paper 002, Figure 7)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from fullproof.analysis.d_reachability import deterministic_cover, trace_cover
from fullproof.analysis.r_distinguishability import Answers, maximal_sets
from fullproof.analysis.responses import Responses
from fullproof.artefacts.prefix_tree import PrefixTree
from fullproof.artefacts.request import Distinguish
from fullproof.artefacts.words import WordList
from fullproof.core.budget import require_room
from fullproof.core.errors import UserError
from fullproof.generate.finite.visit_separation import Visit, VisitSeparation

TRACES_LIMIT = 500_000
"""Where few states are reliably distinguishable, the traces to explore grow exponentially (section 5.8.3)."""

WORK_LIMIT = 100_000_000
"""Visits of sets that may be counted on the way: traces that are long, or that many sets could end, take time before
they are many.
"""


def counting(
    machine: Responses,
    *,
    extra_states: int,
    distinguish: Distinguish,
    answers: Answers = Answers.SOME,
    instead: Sequence[Distinguish] = (),
) -> WordList:
    """Sachtleben and Peleska 2022, GENERATETESTSUITE: traversal by state counting, then r-distinguishing sets.

    Guarantee: with rd1 or rd2, every observable system of at most ``machine.states + extra_states`` states that passes
    under the grey-box oracle is a strong reduction. With rd3, every such system that passes under the oracle of
    quasi-reduction (of reduction, where both machines are complete) is a quasi-reduction (a reduction).
    With ``answers`` ALL, for oracles that demand every answer of the model (section 5.9): rd1 or rd2 and the grey box
    give language equivalence, rd3 gives equivalence up to inputs that the model leaves undefined.
    Needs: observable, every state reachable; rd3 where the enabled inputs are not seen.

    Where all answers are demanded, a passing system has every trace of the model that a test tries. So a state is
    reached by any trace, whatever else the same inputs may lead to, and two states are distinguished by one answer that
    only one of them has: suites are smaller than with the words of section 5.9, and Lemma 3 holds as it stands.

    ``instead`` are the variants that the caller could ask for as well: a refusal names those that would do.

    Differs from the paper's formula for Tr(s, m) in one point: a trace that ends where the model has no input left is
    kept too, although nothing terminates it. Without it a machine with such a state would go untested there.
    """
    counter = _Counting(machine, machine.states + extra_states, distinguish, answers)
    if not counter.traverse():
        raise UserError(_refusal(machine, extra_states, distinguish, answers, instead))
    counter.distinguish()
    return counter.tree.tests()


def _refusal(
    machine: Responses, extra_states: int, variant: Distinguish, answers: Answers, instead: Sequence[Distinguish]
) -> str:
    """Suggest a request that works: it is tried before it is recommended."""
    message = (
        f"state counting needs more than {TRACES_LIMIT:,} traces, or {WORK_LIMIT:,} visits of sets of states on them: "
        f"too few states of this model can be distinguished reliably ({variant.value})"
    )
    helping = []
    for other in instead:
        if _Counting(machine, machine.states + extra_states, other, answers).traverse():
            helping.append(f"--distinguish {other.value} would do")
            break
    fits, fails = -1, extra_states  # fewer states, fewer traces: halve the range
    while fails - fits > 1:
        middle = (fits + fails) // 2
        if _Counting(machine, machine.states + middle, variant, answers).traverse():
            fits = middle
        else:
            fails = middle
    if fits >= 0:
        helping.append(f"--extra-states {fits} would do")
    return "; ".join([message, *helping])


@dataclass(frozen=True, slots=True)
class _Terminated:
    """A trace of the traversal: what it visits after its access word, and the sets that terminate it."""

    visits: tuple[Visit, ...]
    sets: tuple[int, ...]


class _Counting:
    def __init__(self, machine: Responses, bound: int, variant: Distinguish, answers: Answers) -> None:
        self.machine = machine
        self.variant = variant
        self.answers = answers
        self.tree = PrefixTree()
        self.apart = VisitSeparation(machine, self.tree, variant, answers)
        self.sets = maximal_sets(machine.states, self.apart.level)
        self.cover = trace_cover(machine) if answers is Answers.ALL else deterministic_cover(machine)
        self.visits_allowed = [bound - len(s & self.cover.keys()) + 1 for s in self.sets]
        self.sets_of = [[k for k, s in enumerate(self.sets) if state in s] for state in range(machine.states)]
        self.access = [(self.tree.insert(word), state) for state, word in self.cover.items()]
        self.terminated: list[_Terminated] = []
        self.open_base: dict[int, list[tuple[Visit, Visit]]] = {}
        """For each set in use: the pairs of access words that the suite has not been seen to distinguish."""
        self.traces = 0
        """How many traces were listed, those that end where no input is defined included."""
        self.work = 0

    def traverse(self) -> bool:
        """Extend every access word until some set of r-distinguishable states is visited once too often.

        False where that takes more traces or more visits than the limits, at once where it is known without listing
        them.
        """
        if self._fewest() > TRACES_LIMIT:
            return False
        seen: set[tuple[Visit, ...]] = set()
        stored = 0
        for node, state in self.access:
            for trace in self.extensions(node, state):
                if trace.visits not in seen:
                    seen.add(trace.visits)
                    self.terminated.append(trace)
                    stored += len(trace.visits)
                    require_room(stored, each=0.5)
            if self._is_too_much():
                return False
        return True

    def _is_too_much(self) -> bool:
        return self.traces > TRACES_LIMIT or self.work > WORK_LIMIT

    def _fewest(self) -> int:
        """How many traces there are at least: no set is visited too often before so many steps as it is allowed.

        So a trace of that length goes on to one that is listed, each to another one, and so does a shorter one that
        ends where no input is defined.
        """
        rows = [[t for answers in row.values() for t in set(answers.values())] for row in self.machine.after]
        counts = [1] * self.machine.states
        for _ in range(min(self.visits_allowed)):
            after = [sum(counts[target] for target in row) or 1 for row in rows]
            if after == counts:
                break
            counts = after
            if max(counts[state] for state in self.cover) > TRACES_LIMIT:
                break
        return max(counts[state] for state in self.cover)

    def extensions(self, node: int, state: int) -> Iterator[_Terminated]:
        """The terminated traces after an access word, depth first, until a limit is met; the nodes on the way are made.

        Traces that end where no input is defined are no answers, but count.
        """
        counts = [0] * len(self.sets)
        path: list[Visit] = []
        stack = [self._steps(node, state)]
        while stack and not self._is_too_much():
            for child, target in stack[-1]:
                path.append((child, target))
                self.work += 1 + len(self.sets_of[target])
                for k in self.sets_of[target]:
                    counts[k] += 1
                over = tuple(k for k in self.sets_of[target] if counts[k] == self.visits_allowed[k])
                if not over:
                    self.traces += not self.machine.after[target]
                    stack.append(self._steps(child, target))
                    break
                self.traces += 1
                yield _Terminated(tuple(path), over)
                self._leave(path, counts)
            else:
                stack.pop()
                if path:
                    self._leave(path, counts)

    def _leave(self, path: list[Visit], counts: list[int]) -> None:
        for k in self.sets_of[path.pop()[1]]:
            counts[k] -= 1

    def _steps(self, node: int, state: int) -> Iterator[Visit]:
        for symbol, answers in sorted(self.machine.after[state].items()):
            child = self.tree.child(node, symbol)
            for target in sorted(set(answers.values())):
                yield child, target

    def distinguish(self) -> None:
        """Make the suite distinguish all visits of a terminating set; choose the set and the inputs that cost least."""
        for trace in self.terminated:
            wanted = {k: self._wanted(trace, k) for k in trace.sets}
            if not all(wanted.values()):
                continue
            cheapest = min(trace.sets, key=lambda k: (sum(self.apart.price(*pair) for pair in wanted[k]), k))
            for one, other in wanted[cheapest]:
                if not self.apart.separated(one, other):
                    self.apart.apply(one, other)

    def _wanted(self, trace: _Terminated, number: int) -> list[tuple[Visit, Visit]]:
        """The pairs of visits to distinguish; those with the fewest inputs to choose from come first, since what they
        add often serves the others (card reader, rd2: 961 tests instead of 1,264).
        """
        chosen, separated = self.sets[number], self.apart.separated
        base = [visit for visit in self.access if visit[1] in chosen]
        path = [visit for visit in trace.visits if visit[1] in chosen]
        known = self.open_base.get(number, combinations(base, 2))
        self.open_base[number] = [pair for pair in known if not separated(*pair)]
        later = [(one, other) for other in path for one in base if one[1] != other[1]]
        later += [(one, other) for one, other in combinations(path, 2) if one[1] != other[1]]
        pairs = [*self.open_base[number], *(pair for pair in later if not separated(*pair))]
        return sorted(pairs, key=lambda pair: self.apart.choices(pair[0][1], pair[1][1]))
