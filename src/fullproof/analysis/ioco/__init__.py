"""Decides whether one symbolic transition system is an ioco-correct implementation of another, up to a depth or
exactly.
"""

from fullproof.analysis.ioco.answers import Differs, IocoConforms, IocoUndecided, Verdict
from fullproof.analysis.ioco.search import ioco

__all__ = ["Differs", "IocoConforms", "IocoUndecided", "Verdict", "ioco"]
