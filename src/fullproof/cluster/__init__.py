"""Work on other processes and machines: a pool that runs batches and repeats those of workers that fail."""
