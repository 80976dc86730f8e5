# SPDX-License-Identifier: GPL-3.0-or-later
"""Disk cache, shared by all sessions, of slow results that depend on few numbers.

The files lie in the extension's folder for user data. A damaged, unreadable or unwritable file only costs
the time that it would save.
"""

from __future__ import annotations

import functools
import hashlib
import os
import struct
import zlib
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ....noise_core import base
from ....noise_core.base import atomic_files
from ....noise_core.base.errors import TerraneError
from ....noise_core.base.version import __version__
from ..datablocks.images import Content
from ..interface import user_files

FOLDER = "made_images"
"""Of the extension's folder for user data."""

MOST_BYTES = 64 << 20
"""Of all files: the ground of some ten presets, their clouds, and the shapes of plants."""

_SUFFIX = ".terrane"

_HEAD = struct.Struct("<8sI")
"""Of a file: `_MAGIC`, and the checksum of the bytes that follow."""

_MAGIC = b"Terrane2"

_SHAPE = struct.Struct("<II")
"""Before the PNG of an image: its rows and columns."""


@dataclass(frozen=True)
class DiskCache:
    """Bytes, or 8-bit images of numbers, by texts of all that they depend on besides Terrane itself."""

    folder: Path | None

    @classmethod
    def open(cls) -> DiskCache:
        """Return the user's cache. Only the main thread may call it."""
        try:
            return cls(user_files.user_folder(FOLDER, create=True))
        except OSError:
            return cls(None)

    def find_or_make(
        self, keys: Sequence[str], make: Callable[[], Iterable[bytes]]
    ) -> tuple[bytes, ...]:
        """Return the bytes of some keys; if any is missing, make all. Any thread may call it."""
        stored = [self._read(key) for key in keys]
        complete = tuple(data for data in stored if data is not None)
        if len(complete) == len(keys):
            return complete
        contents = tuple(make())
        if self.folder is not None:
            with suppress(OSError, TerraneError):
                for key, data in zip(keys, contents):
                    head = _HEAD.pack(_MAGIC, zlib.crc32(data))
                    atomic_files.write(self._file(self.folder, key), [head, data])
                _remove_oldest(self.folder)
        return contents

    def find_or_make_images(
        self, keys: Sequence[str], make: Callable[[], Iterable[Content]]
    ) -> tuple[Content, ...]:
        """Return the contents of images as `find_or_make` does bytes."""
        return tuple(map(_unpack, self.find_or_make(keys, lambda: map(_pack, make()))))

    def _read(self, key: str) -> bytes | None:
        if self.folder is None:
            return None
        file = self._file(self.folder, key)
        try:
            whole = file.read_bytes()
            os.utime(file)  # those that were used last are kept longest
        except OSError:
            return None
        data = whole[_HEAD.size :]
        is_whole = whole[: _HEAD.size] == _HEAD.pack(_MAGIC, zlib.crc32(data))
        return data if is_whole else None

    @staticmethod
    def _file(folder: Path, key: str) -> Path:
        name = hashlib.sha256(f"{_version()}\n{key}".encode()).hexdigest()[:32]
        return folder / f"{name}{_SUFFIX}"


def _pack(image: Content) -> bytes:
    return _SHAPE.pack(*image.shape) + image.data


def _unpack(packed: bytes) -> Content:
    data = packed[_SHAPE.size :]
    return Content(
        data,
        float_buffer=False,
        is_color=False,
        shape=_SHAPE.unpack_from(packed),
        checksum=zlib.crc32(data),
    )


@functools.cache
def _version() -> str:
    """Return a text that changes with the core's files: a checkout changes between versions."""
    root = str(Path(base.__file__).parents[1])
    states = [
        (entry.path[len(root) :], entry.stat().st_size, entry.stat().st_mtime_ns)
        for folder, _, _ in os.walk(root)
        for entry in os.scandir(folder)
        if entry.name.endswith((".py", ".json"))
    ]
    return f"{__version__} {np.__version__} {sorted(states)}"


def _remove_oldest(folder: Path) -> None:
    """Remove the least recently used files until the rest fits into `MOST_BYTES`."""
    files = [(file.stat(), file) for file in folder.glob(f"*{_SUFFIX}")]
    room = sum(state.st_size for state, _ in files)
    for state, file in sorted(files, key=lambda entry: entry[0].st_mtime_ns):
        if room <= MOST_BYTES:
            break
        atomic_files.remove(file)
        room -= state.st_size
