"""Is a suite complete? Answered for any suite, whoever made it, without a line of the generators' code."""
