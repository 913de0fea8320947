"""KISS2, the state tables of logic synthesis."""
