"""The methods of a kind of models, so that they can be put side by side."""

from __future__ import annotations

from typing import NamedTuple


class Method(NamedTuple):
    """A method by the name that ``--method`` takes, with a title and where it comes from."""

    name: str
    title: str
    paper: str
