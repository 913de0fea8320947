"""A process of its own for Graphviz: its layouts hear neither Ctrl-C nor a clock while they run.

Run as a script. Standard input: JSON with ``engine``, ``format``, ``seconds`` and ``sources`` (DOT texts). Standard
output: JSON, a list of the drawings in base64, in the same order.
"""

from __future__ import annotations

import base64
import json
import signal
import sys


def main() -> None:
    """Draw what standard input asks for."""
    request = json.load(sys.stdin)
    # Die at once and without a word, also when the process that asked is no longer there to end this one.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    if hasattr(signal, "alarm"):
        signal.alarm(int(request["seconds"]) + 1)
    import pygraphviz

    drawings = []
    for source in request["sources"]:
        graph = pygraphviz.AGraph(string=source)
        drawn = graph.draw(format=request["format"], prog=request["engine"])
        drawings.append(base64.b64encode(drawn).decode("ascii"))
        graph.close()
    json.dump(drawings, sys.stdout)


if __name__ == "__main__":
    main()
