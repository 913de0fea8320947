"""Protocols that a mapping file describes: what is sent for an input, and how messages are read from a stream."""
