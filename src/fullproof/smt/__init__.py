"""The solver port and its answers; only smt/backends imports a solver."""
