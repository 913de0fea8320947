"""Models with variables: what their runs can reach and what they cannot."""
