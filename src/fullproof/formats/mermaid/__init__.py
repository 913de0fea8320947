"""Mermaid state diagrams."""
