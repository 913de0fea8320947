"""Questions to the solver, and the formulas they are made of."""
