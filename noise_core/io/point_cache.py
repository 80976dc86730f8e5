# SPDX-License-Identifier: GPL-3.0-or-later
"""Point caches: the positions of a mesh's vertices, frame after frame, as other programs play them.

Notes
-----
The format is PC2 of 3ds Max's Point Cache modifier, which Blender's Mesh Cache modifier reads. A header of 32 bytes
(``POINTCACHE2`` and a zero, the version 1, the number of points, the first frame and the frames from sample to sample
as float32, the number of samples) is followed by three float32 a point, all little-endian.
"""

from __future__ import annotations

import contextlib
import struct
from pathlib import Path

import numpy as np

from ..base import atomic_files
from ..base.arrays import Field
from ..base.errors import TerraneError

_HEADER = "<12siiffi"


class PointCache:
    """A file that is written frame by frame, and then closed: it gets its name if it is complete, or leaves nothing.

    Parameters
    ----------
    path : Path
    points : int
        Vertices of the mesh.
    start, step : float
        The first frame, and the frames from one sample to the next.
    samples : int
        How many frames `write` is called for.

    Raises
    ------
    TerraneError
        If the file cannot be written; one line says why.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> import numpy as np
    >>> from noise_core.io.point_cache import PointCache

    Two frames of a mesh of three vertices:

    >>> with TemporaryDirectory() as folder:
    ...     cache = PointCache(Path(folder) / "waves.pc2", points=3, start=1.0, step=1.0, samples=2)
    ...     for height in (0.0, 0.5):
    ...         cache.write(np.full((3, 3), height, np.float32))
    ...     cache.close()
    ...     [(path.name, path.stat().st_size) for path in Path(folder).iterdir()]
    [('waves.pc2', 104)]
    """

    def __init__(self, path: Path, points: int, start: float, step: float, samples: int) -> None:
        atomic_files.check_replaceable(path)
        self._path, self._part = path, atomic_files.part_of(path)
        self._points, self._left = points, samples
        try:
            self._file = self._part.open("wb")
        except OSError as error:
            raise self._error_of(error) from error
        with contextlib.ExitStack() as undo:
            undo.callback(self.close)
            self._write(struct.pack(_HEADER, b"POINTCACHE2", 1, points, start, step, samples))
            undo.pop_all()

    def write(self, positions: Field) -> None:
        """Append a frame: an array of shape (points, 3), float32; raises a TerraneError if the disk is full.

        Parameters
        ----------
        positions : ndarray of shape (points, 3), float32
            In meters.
        """
        if positions.shape != (self._points, 3) or not self._left:
            raise ValueError(f"PointCache: {self._points} x 3 positions; got {positions.shape}")
        self._write(np.ascontiguousarray(positions, "<f4").tobytes())
        self._left -= 1

    def close(self) -> None:
        """Give the file its name if all frames are there; remove it otherwise."""
        with contextlib.suppress(OSError):  # again that of `write`, which flushes
            self._file.close()
        try:
            if not self._left:
                atomic_files.put({self._part: self._path})
        finally:
            atomic_files.remove(self._part)

    def _write(self, content: bytes) -> None:
        try:
            self._file.write(content)
            self._file.flush()
        except OSError as error:
            raise self._error_of(error) from error

    def _error_of(self, error: OSError) -> TerraneError:
        return TerraneError("{}: cannot be written: {}", self._path, error.strerror)
