"""Suites from partitions against all transfer faults and forgotten assignments of small machines."""

from dataclasses import replace

from hypothesis import HealthCheck, given, settings
from tests.oracles.small_statemachines import difference, fails
from tests.strategies.small_statemachines import machines, read_text

from fullproof.abstract.partition.computing import partition_of
from fullproof.abstract.partition.justifying import justified
from fullproof.analysis.run_to_completion import RunGoesWrong
from fullproof.generate.statemachine.suite import EventQuestion, exhaustive_events


def faulty(model):
    """Each triggered transition with another target, or without its last action."""
    for k, t in enumerate(model.transitions):
        if t.trigger is not None:
            wrong = [replace(t, target=state) for state in model.states if state != t.target]
            wrong += [replace(t, actions=t.actions[:-1])] if t.actions else []
            for other in wrong:
                yield replace(model, transitions=(*model.transitions[:k], other, *model.transitions[k + 1 :]))


@settings(max_examples=6, deadline=None, suppress_health_check=list(HealthCheck))
@given(machines())
def test_no_system_that_conforms_fails(text):
    """The other way round is not claimed: the words that tell states apart are searched, not proven to suffice."""
    model = read_text(text)
    partition = partition_of(model)
    found = justified(model, partition)
    question = EventQuestion(
        model=model, partition=partition, justification=found, domain=model.description.fault_domain
    )
    suite = exhaustive_events(question, extra_states=0)
    assert not fails(model, model, suite.words)
    for other in faulty(model):
        try:
            differs = difference(model, other) is not None
        except RunGoesWrong:
            continue
        assert differs or not fails(model, other, suite.words)
