"""The pytest plugin: its entry point is reserved here so that installing fullproof never changes a test run."""
