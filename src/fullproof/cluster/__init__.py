"""Work on other processes and machines: a pool that runs batches, repeats those of workers that die, loses none."""
