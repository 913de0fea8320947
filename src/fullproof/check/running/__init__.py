"""Models with variables: what their runs can do, and what they cannot."""
