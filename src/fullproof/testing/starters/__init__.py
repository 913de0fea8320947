"""Starting points of projects: a small model, a system to replace, and a file of pytest that runs both at once."""

from fullproof.testing.starters.project import KINDS, WAYS, project_files, ways_for

__all__ = ["KINDS", "WAYS", "project_files", "ways_for"]
