"""Which methods and relations there are for a model, so that they can be put side by side."""

from __future__ import annotations

from fullproof.model import Fsm, Model, Sfsm, StateMachine, Sts

_COUNTING = ("counting", "state counting", "Hierons 2004, Sachtleben and Peleska 2022")
_GENERALISED = ("auto", "generalised Wp-method", "Luo, von Bochmann and Petrenko 1994")
_SYMBOLIC = (
    ("general", "language partition testing", "Huang, Krafczyk and Peleska 2022, tables 2.4 and 5.1"),
    ("separable", "separable alphabets", "Huang, Krafczyk and Peleska 2022, algorithms 1 and 2"),
    ("abstraction", "finite abstraction", "Huang, Krafczyk and Peleska 2021"),
    ("local", "transition witnesses", "a method of this project, see docs/proofs/transition-witnesses.md"),
)
_STS = (
    ("tour", "tours over all goals", "a method of this project, see docs/sts.md"),
    ("switch", "a shortest path to each goal", "van den Bos and Tretmans 2019"),
)
_STATEMACHINE = (
    (
        "identify",
        "complete on chosen events, classes identified",
        "a method of this project, see docs/statemachines.md",
    ),
    ("partition", "complete on chosen events", "a method of this project, see docs/statemachines.md"),
    ("paper", "equivalence class partition", "Huang and Peleska, section 7"),
    ("relaxed", "relaxed strategy", "Huang and Peleska, section 8"),
)
_FINITE_RELATIONS = ("equivalence", "reduction", "quasi-reduction", "strong-reduction")


def relations_for(model: Model) -> tuple[str, ...]:
    """How a system may relate to a model of this kind; the default first."""
    match model:
        case Fsm():
            return _FINITE_RELATIONS
        case Sfsm():
            return ("equivalence", "reduction", *(["property"] if model.description.properties else []))
        case Sts():
            return ("ioco",)
        case StateMachine():
            return ("equivalence",)


def methods_for(model: Model, relation: str) -> list[dict[str, str]]:
    """The methods by name, with a title and where they come from."""
    match model:
        case Fsm():
            known = _catalogue() if relation == "equivalence" and _is_plain(model) else [_for_others(model, relation)]
        case Sfsm():
            known = list(_SYMBOLIC)
        case Sts():
            known = list(_STS)
        case StateMachine():
            known = list(_STATEMACHINE)
    return [{"name": name, "title": title, "paper": paper} for name, title, paper in known]


def _catalogue() -> list[tuple[str, str, str]]:
    from fullproof.generate.catalogue import EQUIVALENCE_METHODS

    return [(method.name, method.title, method.paper) for method in EQUIVALENCE_METHODS.values()]


def _for_others(model: Fsm, relation: str) -> tuple[str, str, str]:
    """What ``auto`` takes where there is nothing to choose."""
    choices = len(model.transitions) > len({(t.source, t.input) for t in model.transitions})
    return _GENERALISED if relation == "equivalence" and choices else _COUNTING


def _is_plain(model: Fsm) -> bool:
    """Deterministic and complete: others have one method, which ``auto`` takes."""
    cells = {(t.source, t.input) for t in model.transitions}
    return len(cells) == len(model.transitions) == len(model.states) * len(model.inputs)
