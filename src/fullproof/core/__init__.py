"""Identifiers, words, places and errors: what every other room may use, and nothing but the standard library."""
