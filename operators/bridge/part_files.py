# SPDX-License-Identifier: GPL-3.0-or-later
"""Files that are written under another name first: nothing has its own name before all is there."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from pathlib import Path

from ...noise_core.errors import TerraneError

_PART = ".part"
"""Ends the names of files that are not complete yet."""

_OLD = ".old.part"
"""Ends the names of files that are being replaced."""


def part_of(file: Path) -> Path:
    """Return the name that a file has until it is complete."""
    return file.with_name(file.name + _PART)


def is_there(file: Path) -> bool:
    """Return whether there is such a file or folder.

    Raises
    ------
    TerraneError
        If there can be none: the name is too long, or nobody may look.
    """
    try:
        file.stat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError as error:
        raise TerraneError(f"{file}: cannot be written: {error.strerror}") from error
    return True


def check_replaceable(file: Path) -> None:
    """Make sure that no folder has the name of a file.

    Raises
    ------
    TerraneError
        If one has, or there can be no such file.
    """
    if is_there(file) and file.is_dir():
        raise TerraneError(f"{file}: cannot be written: a folder has that name")


def write(file: Path, content: bytes) -> None:
    """Write one file, over another if there is one.

    Raises
    ------
    TerraneError
        If it cannot be written; nothing is left behind then.
    """
    check_replaceable(file)
    part = part_of(file)
    try:
        part.write_bytes(content)
        part.replace(file)
    except OSError as error:
        raise TerraneError(f"{file}: cannot be written: {error.strerror}") from error
    finally:
        remove(part)


def put(parts: Mapping[Path, Path]) -> None:
    """Give complete files their own names, over others if there are any: all of them or none.

    Parameters
    ----------
    parts : mapping of Path to Path
        What each is to be called, by the name it has.

    Raises
    ------
    OSError
        If one cannot be called so; all are as they were then.
    TerraneError
        If a folder is called so.
    """
    for path in parts.values():
        check_replaceable(path)
    begun: list[tuple[Path, Path | None]] = []
    try:
        for part, path in parts.items():
            old = path.with_name(path.name + _OLD) if is_there(path) else None
            if old is not None:
                path.replace(old)
            begun.append((path, old))
            part.replace(path)
    except (OSError, TerraneError):
        for path, old in begun:
            _take_back(path, old)
        raise
    for _, old in begun:
        if old is not None:
            remove(old)


def _take_back(path: Path, old: Path | None) -> None:
    """Put the old file in the place of the new one, if there was any."""
    if old is None:
        remove(path)
        return
    with contextlib.suppress(OSError):  # there is nothing more to be done for it
        old.replace(path)


def remove(path: Path) -> None:
    """Remove a file if it is there and can be removed."""
    try:
        path.unlink(missing_ok=True)
    except OSError:
        return  # as where nothing could be written in the first place
