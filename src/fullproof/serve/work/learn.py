"""The model of a system that the command line names, learnt."""

from __future__ import annotations

from pathlib import Path

from fullproof.artefacts.options import from_options
from fullproof.artefacts.questions import LearnOrder
from fullproof.artefacts.replies import fields_of
from fullproof.serve.work.content import Content, Told, now_and_then


def learn(content: Content, folder: Path, told: Told) -> dict[str, object]:
    """The fields of ``learn --json``, and the text of the model. Systems are found from where the workbench started."""
    from fullproof.execute.shield import Shield, stay
    from fullproof.testing.learning import learn_system

    target = folder / "learnt.yaml"
    asked = {name: content[name] for name in ("extra_states", "method")}
    order = from_options(LearnOrder, {"sut": content["spec"], "inputs": content["inputs"], "output": target, **asked})
    stay()
    with Shield():
        found = learn_system(order.sut, content["inputs"], order.learning, progress=now_and_then(told))
    return {**fields_of(found.reply(target.name)), "text": target.read_text(encoding="utf-8")}
