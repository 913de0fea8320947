"""PlantUML state diagrams."""
