"""Grey-box verdicts and relations by the definitions of paper 002, and every small observable machine there is."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import product

from fullproof.analysis.responses import Responses
from fullproof.artefacts.request import ALL_ANSWERS, GREY_BOX, Relation


def all_machines(states: int, inputs: int, outputs: int) -> Iterator[Responses]:
    """Every observable machine: each state, input and output leads to a state or nowhere."""
    cells = [(s, x, y) for s in range(states) for x in range(inputs) for y in range(outputs)]
    for choice in product(range(-1, states), repeat=len(cells)):
        after: list[dict[int, dict[int, int]]] = [{} for _ in range(states)]
        for (s, x, y), target in zip(cells, choice, strict=True):
            if target >= 0:
                after[s].setdefault(x, {})[y] = target
        yield Responses(inputs=inputs, after=tuple(after))


def complete(machine: Responses) -> bool:
    return all(len(machine.after[s]) == machine.inputs for s in range(machine.states))


def local_ok(model: Responses, s: int, other: Responses, t: int, x: int, relation: Relation) -> bool:
    """Whether input x is treated alright in one pair of states."""
    demanded, given = model.after[s].get(x), other.after[t].get(x)
    if demanded is None:
        return given is None or relation in (Relation.QUASI_REDUCTION, Relation.EQUIVALENCE)
    if given is None:
        return relation is Relation.REDUCTION
    return given.keys() <= demanded.keys() and (relation not in ALL_ANSWERS or given.keys() == demanded.keys())


def conforms(model: Responses, other: Responses, relation: Relation) -> bool:
    """Collect every pair of states that a common trace reaches, then look at each one."""
    pairs = {(0, 0)}
    while True:
        more = {
            (model.after[s][x][y], target)
            for s, t in pairs
            for x, answers in other.after[t].items()
            for y, target in answers.items()
            if y in model.after[s].get(x, {})
        }
        if more <= pairs:
            break
        pairs |= more
    return all(local_ok(model, s, other, t, x, relation) for s, t in pairs for x in range(model.inputs))


def passes(model: Responses, other: Responses, words: Iterable[Sequence[int]], relation: Relation) -> bool:
    """Whether all behaviours of the other machine along the words are accepted by the oracle of section 5.4.

    A grey-box oracle compares the enabled inputs before every input and at the end; the others look only at
    the input that is applied next.
    """
    return all(_passes(model, other, 0, 0, list(word), relation) for word in words)


def _passes(model: Responses, other: Responses, s: int, t: int, word: list[int], relation: Relation) -> bool:
    if relation in GREY_BOX and model.after[s].keys() != other.after[t].keys():
        return False
    if not word or word[0] not in model.after[s]:
        return True
    if not local_ok(model, s, other, t, word[0], relation):
        return False
    answers = other.after[t].get(word[0], {})
    return all(
        _passes(model, other, model.after[s][word[0]][y], target, word[1:], relation) for y, target in answers.items()
    )
