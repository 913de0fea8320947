"""A separate process for Graphviz, whose layouts react neither to Ctrl-C nor to a time limit while they run.

Run as a script. Standard input: JSON with ``engine``, ``format``, ``seconds`` and ``sources`` (DOT texts). Standard
output: JSON, a list of the drawings in base64, in the same order. Ends with NO_FONT where a painting was asked for and
there is no font to paint letters with.
"""

from __future__ import annotations

import base64
import json
import signal
import sys

NO_FONT = 9
_UNASSIGNED = "\u0378"  # no font has this character: it renders like a missing glyph


def main() -> None:
    """Draw what standard input asks for."""
    request = json.load(sys.stdin)
    # End at once and silently on a signal, also when the parent process no longer exists to end this one.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    if hasattr(signal, "alarm"):
        signal.alarm(int(request["seconds"]) + 1)
    import pygraphviz

    if request["format"] == "png" and _width("WWWW") == _width(_UNASSIGNED * 4):
        sys.exit(NO_FONT)
    drawings = []
    for source in request["sources"]:
        graph = pygraphviz.AGraph(string=source)
        drawn = graph.draw(format=request["format"], prog=request["engine"])
        drawings.append(base64.b64encode(drawn).decode("ascii"))
        graph.close()
    json.dump(drawings, sys.stdout)


def _width(text: str) -> str:
    import pygraphviz

    graph = pygraphviz.AGraph(string=f'digraph {{ a [shape=box margin=0 width=0 label="{text}"] }}')
    return str(json.loads(graph.draw(format="json0", prog="dot"))["objects"][0]["width"])


if __name__ == "__main__":
    main()
