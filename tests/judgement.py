"""One execution judged by itself, and events as tests have them."""

from fullproof.artefacts.execution import Execution
from fullproof.artefacts.request import Relation
from fullproof.artefacts.verdict import Judgement
from fullproof.kinds import oracle_for
from fullproof.model import Model
from fullproof.model.inputs import TestInput, read_input


def judge(model: Model, trace: Execution, relation: Relation = Relation.EQUIVALENCE) -> Judgement:
    """Is every observed step one that the model allows?"""
    return oracle_for(model, relation).judge(trace)


def event(raw: dict[str, object] | str) -> TestInput:
    """An event from its object, with values as they are."""
    return read_input(raw, lambda _name, value: value, has_events=True)
