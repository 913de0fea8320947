"""SCXML, the state charts of the W3C."""
