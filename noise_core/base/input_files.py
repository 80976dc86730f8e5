# SPDX-License-Identifier: GPL-3.0-or-later
"""Opening of files to read: regular files alone, since a pipe or a device may never come to an end."""

from __future__ import annotations

import errno
import os
import stat
from typing import BinaryIO

from .errors import ParameterError, format_value

LARGEST = 1 << 32
"""Bytes of a file that is read as a whole."""


def path_of(path: object, who: str) -> str:
    """Return a path as text.

    Raises
    ------
    ParameterError
        If it is no text and no path; `who` starts the message.
    """
    if isinstance(path, (str, os.PathLike)):
        text = os.fspath(path)
        if isinstance(text, str):
            return text
    raise ParameterError("{} must be the path of a file", who, got=format_value(path))


def open_file(path: str | os.PathLike[str]) -> BinaryIO:
    """Open a regular file for reading.

    Raises
    ------
    OSError
        If it cannot be read, or is a folder, a pipe, a socket or a device: these are not opened. Its
        `strerror` is the reason in words.
    """
    try:
        mode = os.stat(path).st_mode
    except ValueError as error:  # a name with a zero in it
        raise OSError(errno.EINVAL, str(error), str(path)) from error
    if not stat.S_ISREG(mode):
        raise OSError(errno.EINVAL, "it is no file", str(path))
    return open(path, "rb")


def read_file(path: str | os.PathLike[str], largest: int = LARGEST) -> bytes:
    """Return all bytes of a regular file.

    Raises
    ------
    OSError
        See `open_file`; also if there are more than `largest`.
    """
    with open_file(path) as file:
        if os.fstat(file.fileno()).st_size > largest:
            raise OSError(errno.EFBIG, f"it must be a file of at most {largest} bytes", str(path))
        return file.read(largest + 1)
