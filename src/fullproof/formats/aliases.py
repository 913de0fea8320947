"""Names that a format cannot write as they are."""

from __future__ import annotations

from collections.abc import Callable, Iterable


def aliases(
    names: Iterable[str], usable: Callable[[str], bool], letter: str, taken: Iterable[str] = ()
) -> dict[str, str]:
    """Each name with itself, or with a word that a format can use for it."""
    listed = list(names)
    used = {*listed, *taken}
    found: dict[str, str] = {}
    for number, name in enumerate(listed):
        if usable(name):
            found[name] = name
            continue
        word = f"{letter}{number}"
        while word in used:
            word += "_"
        used.add(word)
        found[name] = word
    return found
