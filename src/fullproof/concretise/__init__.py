"""Stage 4, concretise: abstract test words -> concrete tests."""
