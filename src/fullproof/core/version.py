"""The version, where every room can read it without the package's own imports."""

__version__ = "0.1.0"
