"""Model files: trees with places, the keys of each kind of model, and the way back."""
