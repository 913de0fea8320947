"""The import graph of the package, read from its syntax trees.

Imports inside functions count, those for types alone do not.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TypeAlias

SOURCE = Path(__file__).parents[2] / "src"
PACKAGE = "fullproof"

Graph: TypeAlias = Mapping[str, frozenset[str]]


def module_graph(source: Path = SOURCE, package: str = PACKAGE) -> Graph:
    """Each module with the modules of the package that it imports, anywhere in its text."""
    files = {_module_name(path, source): path for path in sorted((source / package).rglob("*.py"))}
    return {name: frozenset(_imported(path, files)) - {name} for name, path in files.items()}


def room_graph(modules: Graph, package: str = PACKAGE) -> Graph:
    """The same between rooms, the folders and files directly below the package."""
    rooms: dict[str, set[str]] = {}
    for module, imported in modules.items():
        if module != package:
            rooms.setdefault(_room(module), set()).update(_room(other) for other in imported if other != package)
    return {room: frozenset(others) - {room} for room, others in sorted(rooms.items())}


def cycles(graph: Graph) -> list[tuple[str, ...]]:
    """The groups of nodes that reach each other (Tarjan's strongly connected components, without recursion)."""
    found: list[tuple[str, ...]] = []
    number: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    open_nodes: set[str] = set()
    for root in sorted(graph):
        if root in number:
            continue
        number[root] = low[root] = len(number)
        stack.append(root)
        open_nodes.add(root)
        calls = [(root, iter(sorted(graph[root])))]
        while calls:
            node, others = calls[-1]
            other = next(others, None)
            if other is None:
                calls.pop()
                if calls:
                    low[calls[-1][0]] = min(low[calls[-1][0]], low[node])
                if low[node] == number[node]:
                    group = stack[stack.index(node) :]
                    del stack[-len(group) :]
                    open_nodes.difference_update(group)
                    if len(group) > 1:
                        found.append(tuple(sorted(group)))
            elif other not in number:
                number[other] = low[other] = len(number)
                stack.append(other)
                open_nodes.add(other)
                calls.append((other, iter(sorted(graph[other]))))
            elif other in open_nodes:
                low[node] = min(low[node], number[other])
    return sorted(found)


def _module_name(path: Path, source: Path) -> str:
    parts = path.relative_to(source).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _room(module: str) -> str:
    return module.split(".")[1]


def _imported(path: Path, files: Mapping[str, Path]) -> Iterator[str]:
    for node in _at_run_time(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in files)
        elif isinstance(node, ast.ImportFrom) and node.module in files:
            for alias in node.names:
                inside = f"{node.module}.{alias.name}"
                yield inside if inside in files else node.module


def _at_run_time(tree: ast.AST) -> Iterator[ast.AST]:
    """All nodes but those below ``if TYPE_CHECKING``."""
    if isinstance(tree, ast.If) and isinstance(tree.test, ast.Name) and tree.test.id == "TYPE_CHECKING":
        for other in tree.orelse:
            yield from _at_run_time(other)
        return
    yield tree
    for child in ast.iter_child_nodes(tree):
        yield from _at_run_time(child)
