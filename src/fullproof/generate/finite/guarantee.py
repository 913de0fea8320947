"""What suites for finite machines prove, by relation and method."""

from __future__ import annotations

from fullproof.artefacts.guarantee import (
    ALL_ANSWERS_SHOWN,
    ENABLED_SHOWN,
    RESET,
    About,
    Guarantee,
    Hypothesis,
    Strength,
    Theorem,
    Voucher,
)
from fullproof.artefacts.request import GREY_BOX, Distinguish, Relation
from fullproof.core.counted import counted
from fullproof.generate.finite.method import FiniteMethod

_COUNTING = "state counting"
_CITED = "Sachtleben and Peleska 2022"
_PARTIAL = "for partial machines docs/proofs/partial.md"


def equivalence_guarantee(method: FiniteMethod, *, states: int, extra_states: int) -> Guarantee:
    """For equivalence of deterministic complete machines with a bound on states."""
    machine = "a deterministic, completely specified machine over the model's inputs"
    return Guarantee(
        strength=Strength.PROVED,
        says="is equivalent to the model",
        hypotheses=(
            _model(method.needs),
            _like(machine, states, extra_states),
            RESET,
        ),
        theorem=method.theorem,
    )


def quasi_equivalence_guarantee(method: FiniteMethod | None, *, states: int, extra_states: int) -> Guarantee:
    """For equivalence to a deterministic partial machine, by a method for separable states or by state counting."""
    theorem = Theorem(_COUNTING, (f"{_CITED}, rd3",)) if method is None else method.theorem.citing(_PARTIAL)
    return _quasi_equivalence(method, theorem, states=states, extra_states=extra_states)


def grown_guarantee(*, states: int, extra_states: int) -> Guarantee:
    """For equivalence to a deterministic partial machine, by the exact engine."""
    theorem = Theorem("no machine survives: decided exactly", (_PARTIAL,))
    return _quasi_equivalence(None, theorem, states=states, extra_states=extra_states)


def _quasi_equivalence(method: FiniteMethod | None, theorem: Theorem, *, states: int, extra_states: int) -> Guarantee:
    model = [_model("gives at most one answer to an input after a trace")]
    if method is not None:
        model.append(_model("has pairwise separable states"))
    return Guarantee(
        strength=Strength.PROVED,
        says="is quasi-equivalent to the model (it answers as the model wherever the model defines an input; what the "
        "model leaves undefined may do anything)",
        hypotheses=(
            *model,
            _like("a deterministic machine", states, extra_states),
            RESET,
        ),
        theorem=theorem,
    )


def generalised_wp_guarantee(*, states: int, extra_states: int) -> Guarantee:
    """For equivalence to a nondeterministic complete machine."""
    return Guarantee(
        strength=Strength.PROVED,
        says="is language-equivalent to the model",
        hypotheses=(
            _model("is completely specified"),
            ALL_ANSWERS_SHOWN,
            _like("an observable, completely specified machine", states, extra_states),
            RESET,
        ),
        theorem=Theorem("generalised Wp-method", ("Luo, von Bochmann and Petrenko 1994",)),
    )


def counting_equivalence_guarantee(
    relation: Relation, variant: Distinguish, *, states: int, extra_states: int
) -> Guarantee:
    """For equivalence to a nondeterministic partial machine."""
    visible: tuple[Hypothesis, ...] = ()
    if relation is Relation.LANGUAGE_EQUIVALENCE:
        what = "has the same language as the model, and enables the same inputs after every trace"
        visible = (ENABLED_SHOWN,)
    else:
        what = (
            "is quasi-equivalent to the model (wherever the model defines an input, it gives the model's answers, all "
            "of them and no others; what the model leaves undefined may do anything)"
        )
    return Guarantee(
        strength=Strength.PROVED,
        says=what,
        hypotheses=(ALL_ANSWERS_SHOWN, _like("an observable machine", states, extra_states), *visible, RESET),
        theorem=Theorem(_COUNTING, (f"{_CITED}, section 5.9, {variant.value}",)),
    )


def counting_guarantee(relation: Relation, variant: Distinguish, *, states: int, extra_states: int) -> Guarantee:
    """For the reductions of partial, nondeterministic machines."""
    visible = (ENABLED_SHOWN,) if relation is Relation.STRONG_REDUCTION else ()
    return Guarantee(
        strength=Strength.PROVED,
        says=f"is a {_name(relation)} of the model",
        hypotheses=(
            *_completeness(relation),
            ALL_ANSWERS_SHOWN,
            _like(_observable(relation), states, extra_states),
            *visible,
            RESET,
        ),
        theorem=Theorem(_COUNTING, (f"{_CITED}, {variant.value}",)),
    )


def adaptive_guarantee(relation: Relation, *, states: int, extra_states: int, repeat: int) -> Guarantee:
    """For a run whose inputs were chosen by the answers of the system."""
    times = "at once" if repeat == 1 else f"within {repeat} tries"
    answers = f"shows all its answers to an input after a trace {times} (complete testing assumption: --repeat K)"
    return Guarantee(
        strength=Strength.PROVED,
        passes="this run",
        says=f"is a {_name(relation)} of the model",
        hypotheses=(
            *_completeness(relation),
            _like(_observable(relation), states, extra_states),
            *((ENABLED_SHOWN,) if relation in GREY_BOX else ()),
            Hypothesis(text=answers, by=Voucher.RUN),
            RESET,
        ),
        theorem=Theorem("adaptive state counting", ("Hierons 2004, Petrenko and Yevtushenko 2014",)),
    )


def _name(relation: Relation) -> str:
    return relation.value.replace("-", " ")


def _observable(relation: Relation) -> str:
    return f"an observable{', completely specified' if relation is Relation.REDUCTION else ''} machine"


def _completeness(relation: Relation) -> tuple[Hypothesis, ...]:
    return (_model("is completely specified"),) if relation is Relation.REDUCTION else ()


def _model(text: str) -> Hypothesis:
    """What the model has to be, and was found to be."""
    return Hypothesis(about=About.MODEL, subject="the model", text=text, by=Voucher.TOOL)


def _like(machine: str, states: int, extra_states: int) -> Hypothesis:
    total = states + extra_states
    bound = f"{counted(total, 'state')} ({states:,} of the minimal model + {extra_states:,} extra)"
    return Hypothesis(text=f"behaves like {machine} with at most {bound}", by=Voucher.USER)
