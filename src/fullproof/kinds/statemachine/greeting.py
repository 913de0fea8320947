"""What a machine sends before its first input: no answer has it, so no suite says anything about it."""

from __future__ import annotations

import dataclasses

from fullproof.kinds.suite import GeneratedSuite
from fullproof.model import StateMachine

_SHOWN = 5


def leaving_out_greeting(made: GeneratedSuite, model: StateMachine) -> GeneratedSuite:
    """The suite, whose guarantee names the signals sent before the first input as not covered."""
    if not model.greeting:
        return made
    sent = tuple(dict.fromkeys(model.greeting))
    more = f" and {len(sent) - _SHOWN} more" if len(sent) > _SHOWN else ""
    text = f"what is sent before the first input ({', '.join(sent[:_SHOWN])}{more}), which no answer shows"
    proven = dataclasses.replace(made.header.guarantee, not_covered=(text, *made.header.guarantee.not_covered))
    return dataclasses.replace(made, header=dataclasses.replace(made.header, guarantee=proven))
