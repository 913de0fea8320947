"""Systems that answer of their own accord: Python objects, and processes or servers that speak lines."""
