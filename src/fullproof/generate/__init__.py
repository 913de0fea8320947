"""Stage 3, generate: finite model -> abstract test words; one file per method."""
