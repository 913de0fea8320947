"""fullproof inside other tools: pytest, Hypothesis, AALpy."""
