"""Where are the folders and texts that travel with the package but are not Python?

In an installed wheel they are inside the package, under `_data`; in a checkout
they are the package's neighbours.
"""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def _data_folder(name: str) -> Path:
    installed = _PACKAGE / "_data" / name
    return installed if installed.is_dir() else _PACKAGE.parent / name


def boards_folder() -> Path:
    """The folder of `NAME.toml`, one a board."""
    return _data_folder("boards")


def renode_folder() -> Path:
    """The folder of the platform files for Renode, `NAME.repl`; it travels inside boards/."""
    return boards_folder() / "renode"


def firmware_folder() -> Path:
    """The folder of the C sources: include/, kernels/, runtime/, port/."""
    return _data_folder("firmware")


def license_file() -> Path:
    """The text of the licence that mcucomp and its kernels are under."""
    installed = _PACKAGE / "_data" / "LICENSE"
    return installed if installed.is_file() else _PACKAGE.parent / "LICENSE"
