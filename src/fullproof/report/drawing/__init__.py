"""State diagrams, step by step: picture (what is said), layout (where), svg, png and dot (how)."""
