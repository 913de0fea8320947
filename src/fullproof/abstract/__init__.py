"""Stage 2, abstract: symbolic model -> finite model."""
