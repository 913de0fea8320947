"""Components in parallel, composed to one symbolic transition system."""
