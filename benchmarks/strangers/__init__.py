"""Protocols with faults that no choice of the defaults was made by; a fault is a change of the model's text."""
