"""One checker per kind of model, imported when it is needed: a finite machine never loads the solver."""

from __future__ import annotations

from dataclasses import replace

from fullproof.artefacts.finding import Profile
from fullproof.model import Fsm, Model, Sfsm, Sts

TIMEOUT = 20.0


def check(model: Model, *, timeout: float = TIMEOUT) -> Profile:
    """Return the profile of a model and the findings on it.

    ``timeout`` is the number of seconds the solver may take for all questions together; what it could not answer is
    a finding of its own (``solver-unknown``), and the field that depends on it is None.
    """
    from fullproof.check.blindness import blind_findings
    from fullproof.check.remarks import arranged

    profile = _checked(model, timeout)
    return replace(profile, findings=arranged((*profile.findings, *blind_findings(model, profile))))


def may_have_errors(model: Model) -> bool:
    """Whether ``check`` may find errors: the only error of a finite machine is that it has no transition."""
    return not isinstance(model, Fsm) or not model.transitions


def _checked(model: Model, timeout: float) -> Profile:
    if isinstance(model, Fsm):
        from fullproof.check.fsm import check_fsm

        return check_fsm(model)
    if isinstance(model, Sfsm):
        from fullproof.check.sfsm import check_sfsm

        return check_sfsm(model, timeout=timeout)
    if isinstance(model, Sts):
        from fullproof.check.sts import check_sts

        return check_sts(model, timeout=timeout)
    from fullproof.check.statemachine import check_statemachine

    return check_statemachine(model, timeout=timeout)
