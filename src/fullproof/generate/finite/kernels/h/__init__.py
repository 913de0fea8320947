"""The tree of an H suite and the words in it."""
