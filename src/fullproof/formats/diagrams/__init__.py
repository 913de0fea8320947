"""What Mermaid and PlantUML share: states and arrows with labels, drawn in lines of text."""
