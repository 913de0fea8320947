"""The merged graph of a SPY or SPYH suite, and the choice of the words in it."""
