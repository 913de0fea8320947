"""Questions to the solver."""
