"""XState and Stately: machines as JSON."""
