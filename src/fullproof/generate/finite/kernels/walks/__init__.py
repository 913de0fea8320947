"""Window walks, with and without extra states."""
