"""Is one symbolic transition system an ioco-correct implementation of another? Up to a depth, and exactly."""

from fullproof.analysis.ioco.answers import Differs, IocoConforms, IocoUndecided, Verdict
from fullproof.analysis.ioco.search import ioco

__all__ = ["Differs", "IocoConforms", "IocoUndecided", "Verdict", "ioco"]
