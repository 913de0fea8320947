"""The goals of a set of purposes, for each criterion."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from fullproof.analysis.sts_boundaries import edges_of
from fullproof.artefacts.purposes import Criterion, SwitchLetter, letter_name, switch_names
from fullproof.model.sts import Sts


@dataclass(frozen=True, slots=True, kw_only=True)
class Goals:
    """The goals by name, the letters worth trying for each switch, and the goal that a step reaches.

    A step is a letter and the switch before it (None at the beginning); a path covers the goals of its steps.
    """

    criterion: Criterion
    names: tuple[str, ...]
    letters: tuple[tuple[SwitchLetter, ...], ...]
    reached: Callable[[int | None, SwitchLetter], str | None]

    @property
    def remembers(self) -> bool:
        """Whether a goal depends on the switch before."""
        return self.criterion is Criterion.SWITCH_PAIR


def goals_for(model: Sts, criterion: Criterion) -> Goals:
    """The goals of a criterion. The initial location is covered by any purpose, even an empty one."""
    names = switch_names(model)
    plain = tuple((SwitchLetter(number),) for number in range(len(names)))
    switches = model.transitions
    match criterion:
        case Criterion.SWITCH:
            return Goals(criterion=criterion, names=names, letters=plain, reached=lambda _, step: names[step.switch])
        case Criterion.LOCATION:
            others = tuple(location for location in model.states if location != model.initial)
            wanted = frozenset(others)

            def location(_: int | None, step: SwitchLetter) -> str | None:
                target = switches[step.switch].target
                return target if target in wanted else None

            return Goals(criterion=criterion, names=others, letters=plain, reached=location)
        case Criterion.SWITCH_PAIR:
            # A switch without a predecessor is covered by itself.
            followed = {b for a in switches for b, s in enumerate(switches) if s.source == a.target}
            pairs = [f"{names[a]} {names[b]}" for a, s in enumerate(switches) for b in _leaving(model, s.target)]
            first = [names[b] for b in _leaving(model, model.initial) if b not in followed]

            def pair(before: int | None, step: SwitchLetter) -> str | None:
                if before is None:
                    return None if step.switch in followed else names[step.switch]
                return f"{names[before]} {names[step.switch]}"

            return Goals(criterion=criterion, names=(*first, *pairs), letters=plain, reached=pair)
        case Criterion.BOUNDARY:
            letters = tuple(
                (SwitchLetter(number), *(SwitchLetter(number, edge) for edge in edges_of(model, number)))
                for number in range(len(names))
            )
            wanted_names = tuple(letter_name(letter, names) for here in letters for letter in here[1:] or here)
            known = frozenset(wanted_names)

            def boundary(_: int | None, step: SwitchLetter) -> str | None:
                name = letter_name(step, names)
                return name if name in known else None

            return Goals(criterion=criterion, names=wanted_names, letters=letters, reached=boundary)


def ends_of(model: Sts, goals: Goals) -> dict[str, int]:
    """For each goal, the first switch in the model that can be its last step."""
    found: dict[str, int] = {}
    for before in (None, *range(len(model.transitions))):
        for letter in (letter for letters in goals.letters for letter in letters):
            goal = goals.reached(before, letter)
            follows = before is None or model.transitions[before].target == model.transitions[letter.switch].source
            if goal is not None and follows:
                found.setdefault(goal, letter.switch)
    return found


def _leaving(model: Sts, location: str) -> list[int]:
    return [number for number, switch in enumerate(model.transitions) if switch.source == location]
