"""A guarantee is a sentence with hypotheses; every suite carries one, and all of them begin with ``Every``."""

from __future__ import annotations

from fullproof.artefacts.request import GREY_BOX, Distinguish, Relation
from fullproof.generate.catalogue import FiniteMethod


def equivalence_guarantee(method: FiniteMethod, *, states: int, extra_states: int) -> str:
    """For equivalence of deterministic complete machines with a bound on states."""
    return (
        "Every system that passes all tests is equivalent to the model, provided that it behaves like a deterministic, "
        f"completely specified machine over the model's inputs with at most {_bound(states, extra_states)} "
        f"and is reset reliably before each test ({method.title}; {method.paper})."
    )


def quasi_equivalence_guarantee(*, states: int, extra_states: int) -> str:
    """For equivalence to a deterministic partial machine."""
    return (
        "Every system that passes all tests is quasi-equivalent to the model (it answers as the model wherever the "
        "model defines an input; what the model leaves undefined may do anything), provided that it behaves like a "
        f"deterministic machine with at most {_bound(states, extra_states)} and is reset reliably before each test "
        "(state counting; Sachtleben and Peleska 2022, rd3)."
    )


def generalised_wp_guarantee(*, states: int, extra_states: int) -> str:
    """For equivalence to a nondeterministic complete machine."""
    return (
        "Every system that passes all tests, having shown all its answers to each of them (complete testing "
        "assumption: --repeat K), is language-equivalent to the model, provided that it behaves like an observable, "
        f"completely specified machine with at most {_bound(states, extra_states)} and is reset reliably before each "
        "test (generalised Wp-method; Luo, von Bochmann and Petrenko 1994)."
    )


def counting_equivalence_guarantee(relation: Relation, variant: Distinguish, *, states: int, extra_states: int) -> str:
    """For equivalence to a nondeterministic partial machine."""
    if relation is Relation.LANGUAGE_EQUIVALENCE:
        what = "has the same language as the model, and enables the same inputs after every trace"
        grey = " and the inputs that it enables are visible"
    else:
        what = (
            "is quasi-equivalent to the model (wherever the model defines an input, it gives the model's answers, all "
            "of them and no others; what the model leaves undefined may do anything)"
        )
        grey = ""
    return (
        "Every system that passes all tests, having shown all its answers to each of them (complete testing "
        f"assumption: --repeat K), {what}, provided that it behaves like an observable machine with at most "
        f"{_bound(states, extra_states)}{grey} and is reset reliably before each test "
        f"(state counting; Sachtleben and Peleska 2022, section 5.9, {variant.value})."
    )


def counting_guarantee(relation: Relation, variant: Distinguish, *, states: int, extra_states: int) -> str:
    """For the reductions of partial, nondeterministic machines."""
    box = ", completely specified" if relation is Relation.REDUCTION else ""
    grey = " and the inputs that it enables are visible" if relation is Relation.STRONG_REDUCTION else ""
    return (
        "Every system that passes all tests, having shown all its answers to each of them (complete testing "
        f"assumption: --repeat K), is a {relation.value.replace('-', ' ')} of the model, provided that it behaves like "
        f"an observable{box} machine with at most {_bound(states, extra_states)}{grey} and is reset reliably before "
        f"each test (state counting; Sachtleben and Peleska 2022, {variant.value})."
    )


def adaptive_guarantee(relation: Relation, *, states: int, extra_states: int, repeat: int) -> str:
    """For a run whose inputs were chosen by the answers of the system."""
    box = ", completely specified" if relation is Relation.REDUCTION else ""
    grey = " and the inputs that it enables are visible" if relation in GREY_BOX else ""
    times = "at once" if repeat == 1 else f"within {repeat} tries"
    return (
        f"Every system that passes this run is a {relation.value.replace('-', ' ')} of the model, provided that it "
        f"behaves like an observable{box} machine with at most {_bound(states, extra_states)}{grey}, shows all its "
        f"answers to an input after a trace {times} (complete testing assumption: --repeat K), and is reset reliably "
        "before each test (adaptive state counting; Hierons 2004, Petrenko and Yevtushenko 2014)."
    )


def _bound(states: int, extra_states: int) -> str:
    total = states + extra_states
    return f"{total:,} state{'' if total == 1 else 's'} ({states:,} of the minimal model + {extra_states:,} extra)"
