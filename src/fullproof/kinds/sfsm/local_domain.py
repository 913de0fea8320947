"""The fault domain of method ``local``: which transitions a system may have, one by one."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeAlias

from fullproof.artefacts.request import SuiteRequest
from fullproof.core.errors import Place, UserError
from fullproof.formats.document.fault_domain import THRESHOLDS
from fullproof.generate.symbolic.rows import Rows
from fullproof.generate.symbolic.witnesses import Forms, GuardFamily
from fullproof.kinds.sfsm.derived import Derived
from fullproof.language.printer import to_text, value_to_text
from fullproof.language.syntax import Expression
from fullproof.language.types import IntType, RealType
from fullproof.model import Sfsm
from fullproof.model.common import FaultDomain, Pairs
from fullproof.smt import Sat, open_solver


def domain_of(model: Sfsm, request: SuiteRequest, *, at: Place) -> FaultDomain:
    """The fault domain of the model, overridden by the options."""
    domain = model.description.fault_domain
    if request.thresholds:
        domain = replace(domain, thresholds=THRESHOLDS.of_options(request.thresholds, model.inputs, at=at))
    return replace(
        domain,
        degree=domain.degree if request.degree is None else request.degree,
        pairs=domain.pairs if request.pairs is None else request.pairs,
    )


def needs_local(domain: FaultDomain) -> str:
    """The part of a domain that only method local covers, or the empty string."""
    if domain.thresholds:
        return "moved thresholds"
    return "" if domain.degree is None else "polynomials of a degree"


def require_not_excluded(model: Sfsm, *, at: Place) -> None:
    """Refuse a model that has a pair which its fault domain excludes: the model is a member of the domain."""
    domain = model.description.fault_domain
    if not domain.excluded:
        return
    solver = open_solver(model.input_scope)
    for pair in domain.excluded:
        for t in model.transitions:
            if t.output == pair.output and isinstance(solver.check_assuming(t.guard, pair.guard), Sat):
                place = t.at if t.at.line is not None else at
                raise UserError(
                    f"the transition with {to_text(t.guard)} and {to_text(t.output)} is among the pairs that the fault "
                    f"domain excludes ({to_text(pair.guard)} with {to_text(pair.output)})",
                    at=Place(file=at.file, line=place.line, column=place.column),
                )


_Roots: TypeAlias = frozenset[Expression] | None
"""The expressions of the model that a guard or an output stands for; None: any."""


def local_forms(rows: Rows, domain: FaultDomain, derived: Derived, further: tuple[Expression, ...] = ()) -> Forms:
    """Every guard with every output that it may have; ``further`` outputs go with all guards."""
    from fullproof.mutate.thresholds import moved_thresholds, thresholds_of

    model = rows.model
    guards: dict[Expression, _Roots] = {t.guard: frozenset({t.guard}) for t in model.transitions}
    guards |= {g: None for g in domain.guards if g not in guards}
    for guard in derived.guards:
        _also(guards, guard, _root(derived, guard))
    outputs: dict[Expression, _Roots] = {t.output: frozenset({t.output}) for t in model.transitions}
    outputs |= {o: None for o in domain.outputs if o not in outputs}
    for output in derived.outputs:
        _also(outputs, output, _root(derived, output))
    families: list[tuple[Expression, GuardFamily]] = []
    if domain.thresholds:
        scope = model.input_scope
        distance = {t.variable: t.distance for t in domain.thresholds}
        marks = {v.name: thresholds_of(v, (*guards, *outputs), scope) for v in model.inputs if v.name in distance}
        for guard, origin in list(guards.items()):
            moved = moved_thresholds(guard, marks, distance, scope)
            for other in moved.guards:
                _also(guards, other, origin)
            for family in moved.families:
                _also(guards, family.least, origin)
                own = GuardFamily(
                    least=family.least, most=family.most, variable=family.variable, upwards=family.upwards
                )
                families.append((family.least, own))
    outputs |= {o: None for o in further if o not in outputs}
    numbers = {guard: k for k, guard in enumerate(guards)}
    pairs = frozenset(
        (k, j)
        for k, (guard, roots) in enumerate(guards.items())
        for j, (output, stems) in enumerate(outputs.items())
        if (domain.pairs is Pairs.ALL or _fit(model, roots, stems)) and not _excluded(rows, domain, guard, output)
    )
    return Forms(
        guards=tuple(guards),
        outputs=tuple(outputs),
        pairs=pairs,
        families=tuple((numbers[least], family) for least, family in families),
        open=domain.degree is not None,
    )


def _fit(model: Sfsm, guards: _Roots, outputs: _Roots) -> bool:
    """Whether a guard and an output may come from the same transition."""
    return any(
        (guards is None or t.guard in guards) and (outputs is None or t.output in outputs) for t in model.transitions
    )


def _excluded(rows: Rows, domain: FaultDomain, guard: Expression, output: Expression) -> bool:
    """Whether a pair would answer inputs that the domain excludes for this output; False where that is undecided."""
    return any(
        pair.output == output and isinstance(rows.solver.check_assuming(guard, pair.guard), Sat)
        for pair in domain.excluded
    )


def further_hypotheses(model: Sfsm, domain: FaultDomain) -> str:
    """The hypotheses on the domain besides its guards and outputs, as text."""
    parts = ["these guards as they are or joined by or"]
    parts += [
        f"or such a guard with one threshold of {one.variable} made strict or not, or moved: to another of these "
        f"thresholds, to a bound of {one.variable}, or at least {value_to_text(one.distance)} away from all of them"
        for one in domain.thresholds
    ]
    if domain.degree is not None:
        numbers = [v.name for v in model.inputs if isinstance(v.type, IntType | RealType)]
        parts.append(
            f"or any polynomial of degree at most {domain.degree} in {', '.join(numbers) or 'no input'} for each "
            "output that is a number and any constant for each other"
        )
    if domain.pairs is Pairs.OWN:
        parts.append("each guard only with outputs of its own transitions or of the fault domain")
    return ", " + ", ".join(parts) + (excluded_hypothesis(domain) or ",")


def families_of(domain: FaultDomain) -> tuple[str, ...]:
    """What systems may use besides listed guards and outputs, in the form of a suite's header."""
    found = [f"{one.variable}: {value_to_text(one.distance)}" for one in domain.thresholds]
    return (*found, *(() if domain.degree is None else (f"degree: {domain.degree}",)))


def never_of(domain: FaultDomain) -> tuple[str, ...]:
    """What no system has, in the form of a suite's header."""
    return tuple(f"when {to_text(pair.guard)} then {to_text(pair.output)}" for pair in domain.excluded)


def excluded_hypothesis(domain: FaultDomain) -> str:
    """The pairs that no system has, as the guarantee names them."""
    listed = [f"{to_text(p.output)} where {to_text(p.guard)}" for p in domain.excluded]
    return f", never answering by {' nor by '.join(listed)}," if listed else ""


def _root(derived: Derived, expression: Expression) -> _Roots:
    origin = derived.origins.get(expression)
    return None if origin is None else frozenset({origin})


def _also(
    found: dict[Expression, _Roots],
    expression: Expression,
    origin: _Roots,
) -> None:
    known = found.get(expression, frozenset())
    found[expression] = None if known is None or origin is None else known | origin
