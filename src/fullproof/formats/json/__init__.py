"""Model files in JSON."""
