"""Stage 7, explain: failing execution and live system -> a shortest failing sequence, and what may be wrong.

Nothing here opens a system or knows a kind of models: how to run a sequence and what the model says of an execution are
arguments.
"""
