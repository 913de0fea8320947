"""What the names of states inside each other mean from where they are used."""

from __future__ import annotations

from collections.abc import Iterable

from fullproof.formats.charts.hierarchy import flat_names

Path = tuple[str, ...]
"""The names of the states from the outermost one to a state."""


class StatePaths:
    """All states of a file by their paths, with the names that they have in the flat machine."""

    def __init__(self, paths: Iterable[Path]) -> None:
        self.names: dict[Path, str] = flat_names(paths)
        self._seen_from: dict[tuple[Path, str], list[Path]] = {}
        for path in self.names:
            for depth in range(len(path)):
                self._seen_from.setdefault((path[:depth], ".".join(path[depth:])), []).append(path)

    def meant(self, text: str, place: Path) -> list[Path]:
        """The state that a name means: one inside ``place``, else the nearest around it, else those anywhere.

        ``outer.inner`` is the state ``inner`` of a state ``outer``.
        """
        for depth in range(len(place), -1, -1):
            found = self._seen_from.get((place[:depth], text), [])
            if found:
                return found[:1]
        return [path for (_, name), paths in self._seen_from.items() if name == text for path in paths]
