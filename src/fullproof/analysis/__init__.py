"""Pure questions on finite machines, asked of flat integer tables."""
