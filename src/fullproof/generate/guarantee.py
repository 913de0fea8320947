"""A guarantee is a sentence with hypotheses; every suite carries one."""

from __future__ import annotations

from fullproof.generate.catalogue import FiniteMethod


def equivalence_guarantee(method: FiniteMethod, *, states: int, extra_states: int) -> str:
    """The sentence for equivalence of deterministic complete machines with a bound on states."""
    bound = states + extra_states
    return (
        f"Every system that passes all tests is equivalent to the model, provided that it behaves like a deterministic, "
        f"completely specified machine over the model's inputs with at most {_count(bound, 'state')} "
        f"({states} of the minimal model + {extra_states} extra) and is reset reliably before each test "
        f"({method.title}; {method.paper})."
    )


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"
