"""One execution judged by itself."""

from fullproof.artefacts.execution import Execution
from fullproof.artefacts.request import Relation
from fullproof.artefacts.verdict import Judgement
from fullproof.kinds import oracle_for
from fullproof.model import Model


def judge(model: Model, trace: Execution, relation: Relation = Relation.EQUIVALENCE) -> Judgement:
    """Is every observed step one that the model allows?"""
    return oracle_for(model, relation).judge(trace)
