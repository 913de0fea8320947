"""The two formats of fsmlib: columns with name files beside them, and tables."""
