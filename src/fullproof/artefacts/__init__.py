"""What flows along the arrows of the pipeline: findings, suites, traces, verdicts."""
