"""The options of the functions of the package, with their types: what editors complete and type checkers refuse.

They are those of the requests (``artefacts/request.py``, ``artefacts/questions.py``), which read, check and describe
them; a test compares both.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal, TypeAlias, TypedDict

File: TypeAlias = str | Path
Texts: TypeAlias = str | list[str] | tuple[str, ...]
RelationName: TypeAlias = Literal[
    "equivalence", "language-equivalence", "reduction", "quasi-reduction", "strong-reduction", "ioco", "property"
]


class SuiteKeywords(TypedDict, total=False):
    """Which suite is made."""

    relation: RelationName | None
    observe: Literal["state"] | None
    extra_states: int | None
    faults: str | None
    since: File | None
    margin: str | None
    tolerance: str | None
    method: str | None
    fsm_method: str | None
    property: Texts | None
    mutate_guards: bool | None
    mutate_outputs: bool | None
    mutate_atoms: bool | None
    mutate_limit: int | None
    threshold: Texts | None
    pairs: Literal["all", "own"] | None
    regions: str | None
    degree: int | None
    paving: Texts | None
    domain: Literal["states", "k-A"] | None
    distinguish: Literal["rd1", "rd2", "rd3"] | None
    reset_cost: float | None
    max_length: int | None
    pump: int | None
    timeout: float | None
    coverage: Literal["switch", "location", "switch-pair", "boundary"] | None
    depth: int | None
    seed: int | None


class GenerateKeywords(SuiteKeywords, total=False):
    """Options of ``fullproof.generate``."""

    output: File | None
    shrink: bool | None
    certificate: File | None
    cluster: str | None


class RunKeywords(SuiteKeywords, total=False):
    """Options of ``fullproof.run`` and ``fullproof.suite``."""

    suite: File | None
    repeat: int | None
    adaptive: bool | None
    share_prefixes: bool | None
    until_seen: bool | None
    stop_on_failure: bool | None
    max_failures: int | None
    confirm: int | None
    clock: Literal["virtual", "real"] | None
    step_timeout: float | None
    test_timeout: float | None
    shrink_failures: float | None
    report: File | None
    meta: Texts | None
    baseline: File | None
    journal: File | None
    resume: bool | None
    allow_changed_system: bool | None
    jobs: int | None
    isolate: bool | None
    cluster: str | None
    order: Literal["longest", "shortest", "auto"] | None
    values: Literal["solver", "random", "boundary"] | None
    retries: int | None
    steps: int | None


class CheckKeywords(TypedDict, total=False):
    """Options of ``fullproof.check``."""

    observe: Literal["state"] | None


class CompareKeywords(TypedDict, total=False):
    """Options of ``fullproof.compare``."""

    relation: RelationName | None
    property: Texts | None
    depth: int | None
    timeout: float | None


class ExploreKeywords(TypedDict, total=False):
    """Options of ``fullproof.explore``."""

    inputs: Texts | None
    states: Literal["value", "behaviour"] | None
    max_states: int | None
    depth: int | None
    name: str | None
    output: File | None


class LearnKeywords(TypedDict, total=False):
    """Options of ``fullproof.learn``."""

    extra_states: int | None
    method: str | None
    name: str | None
    output: File | None
    journal: File | None
    resume: bool | None
    repeats: int | None
    step_timeout: float | None
