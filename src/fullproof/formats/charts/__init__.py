"""State charts, flattened to state machines: what SCXML, SysML, Mermaid and model files have in common."""
