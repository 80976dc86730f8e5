# SPDX-License-Identifier: GPL-3.0-or-later
"""File names that every operating system accepts; Windows is the strictest.

References
----------
Microsoft (2024). Naming files, paths, and namespaces. Maximum path length limitation.
"""

from __future__ import annotations

import re
from pathlib import PurePath, PureWindowsPath

from .errors import ParameterError

FORBIDDEN = '\\/:*?"<>|'
"""Signs that no file on Windows has in its name; control characters neither."""

DEVICES = frozenset(
    {"con", "prn", "aux", "nul", "conin$", "conout$"}
    | {f"{port}{number}" for port in ("com", "lpt") for number in "123456789¹²³"}
)
"""Names that Windows reserves for devices, with any extension and in any case."""

MAX_PATH_LENGTH = 245
"""Characters of a path on Windows: 260 with the zero at its end, less what a file is called while it
is written and replaced."""

PICTURES = (".webp", ".png", ".jpg")
"""Ends of pictures that stand beside a preset or a surface and that every Blender shows in its panels."""

_KEY = re.compile(r"[a-z][a-z0-9_]*")


def check_file_name(name: str, who: str = "name") -> None:
    """Raise a ParameterError unless a name, or beginning of a name, is valid on every system.

    Parameters
    ----------
    name : str
        Without a folder.
    who : str
        Whose value it is, for the message.

    Raises
    ------
    ParameterError
        If some system has no such files.
    """
    if not name or name[0] == "." or "/" in name:
        raise ParameterError(
            "{} must be the name of a file, without a folder or a dot before it",
            who,
            got=repr(name),
        )
    if any(sign in FORBIDDEN or sign < " " for sign in name):
        raise ParameterError(
            "{} must be a name without {}, which Windows does not allow",
            who,
            " ".join(FORBIDDEN),
            got=repr(name),
        )
    if name[-1] in ". ":
        raise ParameterError("{} must not end with a dot or a space", who, got=repr(name))
    if _is_device(name):
        raise ParameterError("{} must not be a name of a device on Windows", who, got=repr(name))


def check_file_path(path: PurePath) -> None:
    """Raise a ParameterError unless a file's name is valid on every system, and its path on this one.

    Raises
    ------
    ParameterError
        If it cannot.
    """
    check_file_name(path.name, "filepath")
    length = len(str(path))
    if isinstance(path, PureWindowsPath) and length > MAX_PATH_LENGTH:
        raise ParameterError(
            "{} must have at most {} characters on Windows; got {}: {}",
            "filepath",
            MAX_PATH_LENGTH,
            length,
            path,
        )


def is_key(name: str) -> bool:
    """Return whether a file in a library may have this name: lower case letters, digits, underscores.

    Where case does not count, two of them are never one file.

    Examples
    --------
    >>> from noise_core.base.file_names import is_key
    >>> is_key("rolling_hills"), is_key("Rolling Hills")
    (True, False)
    """
    return _KEY.fullmatch(name) is not None and not _is_device(name)


def avoid_device_name(name: str) -> str:
    """Return a name for a file, with an underscore at its end if a device has it."""
    return f"{name}_" if _is_device(name) else name


def _is_device(name: str) -> bool:
    return name.partition(".")[0].rstrip().casefold() in DEVICES
