"""Files <-> models, suites and runs; one module per format."""
