# SPDX-License-Identifier: GPL-3.0-or-later
"""Archives that come out the same, byte for byte, whenever and wherever they are made.

What differs between two machines is when files were written, in which order a folder lists them, and who may read them.
An archive here has its files in the order of their names, with one time and the same permissions.
"""

from __future__ import annotations

import hashlib
import time
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path

EARLIEST = 315_619_200
"""Seconds from 1970 to the second of January 1980: an archive knows no earlier time."""


def write_zip(contents: Mapping[str, bytes], file: Path, seconds: int) -> None:
    """Write files into a zip.

    Parameters
    ----------
    contents : mapping
        Bytes by name.
    file : Path
        An existing one is replaced.
    seconds : int
        Since 1970: the time that all files get.
    """
    moment = time.gmtime(max(seconds, EARLIEST))[:6]
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as package:
        for name, data in sorted(contents.items()):
            entry = zipfile.ZipInfo(name, moment)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            package.writestr(entry, data)


def zip_folder(folder: Path, file: Path, seconds: int) -> None:
    """Write a folder into a zip; see `write_zip`."""
    paths = (path for path in folder.rglob("*") if path.is_file())
    contents = {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}
    write_zip(contents, file, seconds)


def rewrite_zip(file: Path, seconds: int) -> None:
    """Write a zip that another program has made anew; see `write_zip`."""
    with zipfile.ZipFile(file) as package:
        names = (name for name in package.namelist() if not name.endswith("/"))
        contents = {name: package.read(name) for name in names}
    write_zip(contents, file, seconds)


def checksums(files: Iterable[Path]) -> str:
    """Return the SHA-256 of files, in the order of names and the form that ``sha256sum --check`` reads."""
    ordered = sorted(files, key=lambda path: path.name)
    return "".join(
        f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in ordered
    )
