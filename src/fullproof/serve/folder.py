"""The folder that the command line names: models in it can be opened and saved, and nothing outside of it."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from fullproof.core.errors import UserError
from fullproof.core.files import replacing_bytes
from fullproof.formats.table import readable_endings

_LISTED = 1000
_HIDDEN = "."


class ChangedSince(UserError):
    """The file is not what the page has read."""


@dataclass(frozen=True, slots=True)
class ModelFile:
    """A file of the folder: its text, and the digest by which a page says what it has read."""

    name: str
    text: str
    digest: str


class ModelFolder:
    """Reads and writes models below one folder, by relative names; symbolic links, which lead out, are refused."""

    def __init__(self, root: Path) -> None:
        self._root = root.resolve()

    @property
    def name(self) -> str:
        """The name of the folder itself."""
        return self._root.name or str(self._root)

    def names(self) -> list[str]:
        """The models in it and in the folders below it, hidden ones left out."""
        found: list[str] = []
        for here, folders, files in os.walk(self._root, followlinks=False):
            folders[:] = sorted(name for name in folders if not name.startswith(_HIDDEN))
            kept = (Path(here, name) for name in sorted(files) if not name.startswith(_HIDDEN))
            found += [path.relative_to(self._root).as_posix() for path in kept if _is_model(path)]
            if len(found) >= _LISTED:
                return found[:_LISTED]
        return found

    def read(self, name: str, most: int) -> ModelFile:
        """The text of a file of at most so many bytes."""
        path = self._place(name)
        if not path.is_file():
            raise UserError(f"there is no file {name!r} in the folder {self.name}")
        if path.stat().st_size > most:
            raise UserError(f"{name} has more than {most:,} bytes: it is for the command line")
        content = path.read_bytes()
        try:
            return ModelFile(name, content.decode(), _digest(content))
        except UnicodeDecodeError:
            raise UserError(f"{name} is not a text in UTF-8") from None

    def write(self, name: str, text: str, digest: str | None) -> ModelFile:
        """Replace a file that still is what the page has read (``digest``), or write a new one (None)."""
        path = self._place(name)
        if path.exists():
            if not path.is_file():
                raise UserError(f"{name} is not a file")
            if _digest(path.read_bytes()) != digest:
                raise ChangedSince(f"{name} was changed by something else since it was opened")
        elif not path.parent.is_dir():
            raise UserError(f"there is no folder {PurePosixPath(name).parent} in {self.name}")
        content = text.encode("utf-8", "replace")
        with replacing_bytes(path) as out:
            out.write(content)
        return ModelFile(name, text, _digest(content))

    def _place(self, name: str) -> Path:
        """Where a name lies; one that leads out of the folder is refused, by whatever way."""
        parts = PurePosixPath(name).parts
        odd = not parts or name.startswith("/") or "\\" in name or "\0" in name
        if odd or any(part.startswith(_HIDDEN) for part in parts):
            raise UserError(f"{name[:200]!r} is not the name of a file in the folder {self.name}")
        path = self._root.joinpath(*parts)
        if path.suffix.lower() not in readable_endings():
            raise UserError(f"the name of a model ends with one of {', '.join(readable_endings())}")
        linked = any(folder.is_symlink() for folder in (path, *path.parents) if folder.is_relative_to(self._root))
        if linked or not path.resolve().is_relative_to(self._root):
            raise UserError(f"{name[:200]!r} leads out of the folder {self.name}")
        return path


def _is_model(path: Path) -> bool:
    return path.suffix.lower() in readable_endings() and path.is_file() and not path.is_symlink()


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
