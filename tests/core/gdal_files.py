# SPDX-License-Identifier: GPL-3.0-or-later
"""Elevation files that GDAL has written, and their contents in rasterio.

Both lie in ``tests/golden/gdal_files.zip``, so that readers are compared where there is no rasterio:
with every NumPy, and inside Blender. ``python tools/update_golden.py --gdal-files`` writes it anew by
``tests/clients/gdal_writing.py``, and ``tests/clients`` compares it with the rasterio of today.

Nothing here imports the core: inside Blender it is the extension's own that reads.
"""

from __future__ import annotations

import dataclasses
import functools
import io
import json
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

from tests.degrees import meters_per_degree

FILE = Path(__file__).parents[1] / "golden" / "gdal_files.zip"

READ_CODECS = ("none", "deflate", "lzw", "packbits")
"""Compression that Terrane reads; it refuses all other in one line."""

_READINGS = "readings.json"
_FACTS = ("sample_type", "codec", "bounds", "epsg", "is_geographic", "is_point")


@dataclasses.dataclass(frozen=True)
class Reading:
    """Contents of a file in rasterio.

    Attributes
    ----------
    heights : ndarray of shape (rows, columns)
        Of the file's own type, row 0 in the north.
    holes : ndarray of that shape, bool
    sample_type : str
    codec : str
        "none" if the file is not compressed.
    bounds : tuple of four floats, optional
        West, south, east and north ends of the areas around the samples; None without a place.
    epsg : int
        0 if it is not known.
    is_geographic, is_point : bool
    """

    heights: np.ndarray
    holes: np.ndarray
    sample_type: str
    codec: str
    bounds: tuple[float, ...] | None
    epsg: int
    is_geographic: bool
    is_point: bool

    @property
    def step(self) -> tuple[float, float]:
        """From sample to sample along x and y, in units of the coordinate system."""
        west, south, east, north = self.bounds
        rows, columns = self.heights.shape
        return (east - west) / columns, (north - south) / rows

    @property
    def spacing(self) -> tuple[float, float]:
        """Meters per sample along x and y."""
        x, y = self.step
        if not self.is_geographic:
            return x, y
        across, along = meters_per_degree((self.bounds[1] + self.bounds[3]) / 2.0)
        return x * across, y * along

    def facts(self) -> Mapping[str, object]:
        """Return all but the samples, as JSON holds it."""
        return {name: getattr(self, name) for name in _FACTS}

    def difference(self, other: Reading) -> str:
        """Return the differences of another reading, or None."""
        changed = [name for name in _FACTS if getattr(self, name) != getattr(other, name)]
        for name in ("heights", "holes"):
            mine, theirs = getattr(self, name), getattr(other, name)
            if (mine.dtype, mine.shape) != (theirs.dtype, theirs.shape) or (
                mine.tobytes() != theirs.tobytes()
            ):
                changed.append(name)
        return ", ".join(changed)


GdalFile = tuple[bytes, Reading]
"""A file and what is read from it."""


def assert_equal(found, reading: Reading) -> None:
    """Compare an `Elevation` with a reading: heights to the bits of float32, holes, and the place."""
    theirs, holes = reading.heights[::-1].astype(np.float32), reading.holes[::-1]
    assert found.heights.dtype == np.float32 and np.isfinite(found.heights).all()
    assert (found.info.rows, found.info.columns) == found.heights.shape == theirs.shape
    np.testing.assert_array_equal(np.zeros(theirs.shape, bool) if found.holes is None else found.holes, holes)  # fmt: skip
    known = ~holes
    bits = [field[known].view(np.uint32) for field in (found.heights, theirs)]
    np.testing.assert_array_equal(*bits)
    place = found.georeference
    if reading.bounds is None:
        assert place is None and found.spacing is None
        return
    assert (place.system.epsg, place.system.is_geographic) == (reading.epsg, reading.is_geographic)
    assert place.is_point is reading.is_point
    (west, south, _, _), (x, y) = reading.bounds, reading.step
    assert place.origin == pytest.approx((west + x / 2.0, south + y / 2.0), rel=1e-12)
    assert place.step == pytest.approx((x, y), rel=1e-12)
    assert found.spacing == pytest.approx(reading.spacing, rel=1e-6)


# --- the archive ---------------------------------------------------------------------------------


@functools.cache
def _readings() -> Mapping[str, Mapping[str, object]]:
    with zipfile.ZipFile(FILE) as archive:
        return json.loads(archive.read(_READINGS))


def names() -> list[str]:
    """Return the names of the files in the archive."""
    return list(_readings())


def load(name: str) -> GdalFile:
    """Return a file of the archive, and its contents in rasterio."""
    told = dict(_readings()[name])
    with zipfile.ZipFile(FILE) as archive:
        for part in ("heights", "holes"):
            told[part] = np.load(io.BytesIO(archive.read(told[part])), allow_pickle=False)
        told["bounds"] = told["bounds"] and tuple(told["bounds"])
        return archive.read(name), Reading(**told)


def extract(name: str, folder: Path) -> tuple[Path, Reading]:
    """Write a file of the archive into a folder; return its path, and its contents in rasterio."""
    data, reading = load(name)
    path = folder / Path(name).name
    path.write_bytes(data)
    return path, reading


def save(files: Mapping[str, GdalFile]) -> None:
    """Write the archive: equal files and readings are equal bytes, and equal samples lie there once."""
    parts: dict[str, bytes] = {}
    readings = {}
    for name, (data, reading) in files.items():
        parts[name] = data
        readings[name] = dict(reading.facts())
        for part in ("heights", "holes"):
            packed = io.BytesIO()
            np.save(packed, getattr(reading, part), allow_pickle=False)
            samples = packed.getvalue()
            stored = f"samples/{part}-{zlib.crc32(samples):08x}.npy"
            assert parts.setdefault(stored, samples) == samples, "two fields of one checksum"
            readings[name][part] = stored
    parts[_READINGS] = json.dumps(readings, indent=1).encode()
    with zipfile.ZipFile(FILE, "w") as archive:
        for name, data in parts.items():
            entry = zipfile.ZipInfo(name)  # with a fixed date
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, data, compresslevel=9)
    _readings.cache_clear()
