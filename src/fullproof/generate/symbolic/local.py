"""Method local: a finite machine over inputs that expose every wrong transition.

Guarantee: docs/proofs/transition-witnesses.md. A suite that is complete for the finite machine over the chosen inputs
is complete for all systems with one transition for each state and input whose transitions are among the forms.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from fullproof.generate.symbolic.letters import LetterMachine, letter_machine
from fullproof.generate.symbolic.polynomials import Polynomials
from fullproof.generate.symbolic.rows import Inputs, Rows
from fullproof.generate.symbolic.witnesses import Forms, GuardFamily, NotCovered, WitnessPool, witnesses
from fullproof.language.types import Value


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LocalAbstraction:
    """The machine over ``inputs``; its letters are an input with an answer."""

    machine: LetterMachine
    inputs: tuple[Inputs, ...]


def local_abstraction(
    rows: Rows, forms: Forms, *, degree: int | None, candidates: Iterable[Inputs]
) -> LocalAbstraction | NotCovered:
    """Choose inputs, and restrict the machine to them."""
    found = witnesses(rows, forms, candidates)
    if isinstance(found, NotCovered):
        return found
    pool, chosen, block = found
    if degree is not None:
        polynomials = Polynomials(pool, chosen, block, degree)
        families: dict[int, list[GuardFamily]] = {}
        for guard, family in forms.families:
            families.setdefault(guard, []).append(family)
        for guard in range(len(forms.guards)):
            own = families.get(guard, [])
            if not pool.guards[guard]:  # unsatisfiable: all inputs that satisfy it are in the pool
                if any(rows.find(family.most) is not None for family in own):
                    return NotCovered(
                        f"some guards with a moved threshold of {own[0].variable!r} have no input in common, at which "
                        "polynomials could be distinguished"
                    )
                continue
            failed = polynomials.extend(guard, own)
            if failed is not None:
                return failed
        chosen = sorted(set(polynomials.chosen))
    return LocalAbstraction(machine=_machine(pool, chosen), inputs=tuple(pool.points[k] for k in chosen))


def _machine(pool: WitnessPool, chosen: Sequence[int]) -> LetterMachine:
    letters: dict[tuple[int, tuple[Value, ...]], int] = {}
    for symbol, k in enumerate(chosen):
        for state in range(pool.rows.states):
            letters.setdefault((symbol, pool.answers[state][k]), len(letters))
    after: list[list[list[int]]] = []
    for state in range(pool.rows.states):
        row: list[list[int]] = [[] for _ in letters]
        for symbol, k in enumerate(chosen):
            row[letters[symbol, pool.answers[state][k]]] = [pool.targets[state][k]]
        after.append(row)
    offered = [frozenset(n for (s, _), n in letters.items() if s == symbol) for symbol in range(len(chosen))]
    return letter_machine(0, after, offered)
