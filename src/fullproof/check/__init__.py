"""Stage 1, check: model -> findings."""
