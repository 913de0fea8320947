"""The example of ``fullproof demo``: a garage door, its model, a controller that is right and one that is not."""
