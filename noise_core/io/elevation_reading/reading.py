# SPDX-License-Identifier: GPL-3.0-or-later
"""Entry points of the elevation reader."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Sequence
from typing import Union

import numpy as np

from ...base.arguments import check_callable, check_kind
from ...base.arrays import MAX_HEIGHT, Field, to_float
from ...base.blocks import Cancel, Progress
from ...base.errors import Message, ParameterError, format_value
from ..spatial_reference.options import UnitOption, spatial_options
from ..spatial_reference.reference import SpatialOptions
from .cropping import BoxOption, crop
from .elevation import Elevation, ElevationInfo
from .formats_registry import ElevationFormat, elevation_formats, find_format
from .loaded_heights import LoadedHeights
from .mosaic import MosaicSource
from .reduction import read_source, reduced_shape, smaller_source
from .sidecars import find_sidecar
from .source import ArraySource, HeightSource, InputFile, Path, Samples, value_range_of

_UNIT_RANGE = (0.0, 1.0)
"""Ends of floats whose numbers are not meters."""

EXR_SIGNATURE = b"\x76\x2f\x31\x01"
"""First bytes of an OpenEXR file."""


def read_elevation(
    path: Union[Path, Sequence[Path]],
    *,
    samples: int | None = None,
    box: BoxOption = None,
    file_format: ElevationFormat | None = None,
    height_range: tuple[float, float] | None = None,
    system: str | None = None,
    unit: UnitOption = None,
    progress: Progress | None = None,
    cancel: Cancel | None = None,
) -> Elevation:
    """Return the heights in a file, or in several that lie side by side.

    Parameters
    ----------
    path : str or path, or sequence of them
        Several files must have a georeference and the same spacing; they are joined as
        `join_elevations` does it, without being held in memory at full size. A folder stands for all its
        files of formats that tell a place.
    samples : int, optional
        Wanted samples along the longer side: a larger file is reduced while it is read, each sample
        the mean over its area. All if not given.
    box : sequence of four floats, optional
        West, south, east and north in degrees: samples whose middle lies in it, or on its border, are read
        alone. A west larger than the east lies before 180 degrees. In a zone of UTM it is the smallest
        rectangle around the box.
    file_format : ElevationFormat, optional
        Format with its parameters, such as `Raw(columns=1024, rows=512)`. By default it is found
        by the first bytes and the extension. Missing parameters are taken from the sidecar of a file that
        Terrane has exported; see `find_sidecar`.
    height_range : tuple of two floats, optional
        Meters of the lowest and the highest number that the file's type can hold, and of 0 and 1 if it
        holds floats. By default the numbers are taken as they are. It is refused for files that say in
        which unit their numbers are, or where on Earth.
    system : str, optional
        Coordinate system that counts instead of the file's, such as "EPSG:2056", "EPSG:2263+6360", "geographic",
        "local", "local ft" or a well-known text.
    unit : str or float, optional
        Unit of heights that counts instead of the file's: its name, such as "ft", or meters in it.
    progress, cancel : callable, optional
        See `blocks.Progress` and `blocks.Cancel`.

    Returns
    -------
    Elevation

    Raises
    ------
    ParameterError
        If a file is damaged, or of a kind that cannot be read: one line that names it.
    Cancelled
        If `cancel` returned True.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> import numpy as np
    >>> from noise_core import read_elevation

    Meters in a NumPy file, reduced to half as many samples:

    >>> heights = np.arange(16.0, dtype=np.float32).reshape(4, 4)
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "survey.npy"
    ...     np.save(path, heights)
    ...     land = read_elevation(path, samples=2)
    >>> print(land.heights)
    [[ 2.5  4.5]
     [10.5 12.5]]
    """
    source = _open(path, file_format, spatial_options(system, unit), box)
    return elevation_of(source, samples, height_range, progress, cancel)


def probe_elevation(
    path: Union[Path, Sequence[Path]],
    *,
    box: BoxOption = None,
    file_format: ElevationFormat | None = None,
    system: str | None = None,
    unit: UnitOption = None,
) -> ElevationInfo:
    """Return the facts in the header of a file, or of several: size, type, meters.

    Parameters
    ----------
    path, box, file_format, system, unit
        See `read_elevation`.

    Raises
    ------
    ParameterError
        If the file is damaged, of a kind that cannot be read, or does not hold the box.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> import numpy as np
    >>> from noise_core.io.elevation_reading import probe_elevation
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "survey.npy"
    ...     np.save(path, np.zeros((300, 400), np.float32))
    ...     info = probe_elevation(path)
    >>> info.rows, info.columns, info.is_metric
    (300, 400, True)
    """
    return _open(path, file_format, spatial_options(system, unit), box).info


def elevation_from_samples(
    loaded: LoadedHeights,
    *,
    samples: int | None = None,
    height_range: tuple[float, float] | None = None,
    system: str | None = None,
    unit: UnitOption = None,
    progress: Progress | None = None,
    cancel: Cancel | None = None,
) -> Elevation:
    """Return heights that another program has loaded, such as Blender an OpenEXR file.

    Parameters
    ----------
    loaded : LoadedHeights
    samples, height_range, system, unit, progress, cancel
        See `read_elevation`.

    Raises
    ------
    ParameterError
        See `read_elevation`.

    Examples
    --------
    >>> import numpy as np
    >>> from noise_core.io.elevation_reading import LoadedHeights, elevation_from_samples

    Integers of 16 bits that stand for 0 m to 655.35 m:

    >>> loaded = LoadedHeights(np.array([[0, 65535]], np.uint16), "scan", "EXR")
    >>> land = elevation_from_samples(loaded, height_range=(0.0, 655.35))
    >>> print(land.heights.round(2))
    [[  0.   655.35]]
    """
    check_kind(loaded, LoadedHeights, "elevation_from_samples: loaded", "LoadedHeights")
    source = loaded.source(spatial_options(system, unit))
    return elevation_of(source, samples, height_range, progress, cancel)


def _open(
    path: Union[Path, Sequence[Path]],
    file_format: ElevationFormat | None,
    spatial: SpatialOptions,
    box: BoxOption,
) -> HeightSource:
    """Return the source of a file, or of several as one, or of their part in a box."""
    if file_format is not None:
        check_kind(
            file_format, ElevationFormat, "read_elevation: file_format", "an ElevationFormat"
        )
    if isinstance(path, (str, os.PathLike)):
        if not os.path.isdir(path):
            return crop(_open_one(path, file_format, spatial), box)
        path = files_in(path)
    check_kind(path, (list, tuple), "read_elevation: path", "the path of a file, or several")
    sources = [_open_one(file, file_format, spatial) for file in path]
    if not sources:
        raise ParameterError("read_elevation: at least one file must be given; got none")
    return crop(sources[0] if len(sources) == 1 else MosaicSource(sources), box)


def files_in(folder: Path) -> list[str]:
    """Return the paths of the files in a folder whose formats tell a place, by name.

    Parameters
    ----------
    folder : str or path

    Raises
    ------
    ParameterError
        If there is none.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from noise_core.io.elevation_reading import files_in
    >>> with TemporaryDirectory() as folder:
    ...     for name in ("N47E011.hgt", "N46E011.hgt", "notes.txt"):
    ...         Path(folder, name).touch()
    ...     [Path(path).name for path in files_in(folder)]
    ['N46E011.hgt', 'N47E011.hgt']
    """
    placed = [form for form in elevation_formats().values() if form.tells_place]
    extensions = sorted(extension for form in placed for extension in form.extensions)
    names = [
        name
        for name in sorted(os.listdir(folder))
        if not name.startswith(".") and os.path.splitext(name)[1].lower() in extensions
    ]
    if not names:
        raise ParameterError(
            "{}: cannot be read: it is no file, nor a folder with files of {}",
            *(os.fspath(folder), ", ".join(extensions)),
        )
    return [os.path.join(folder, name) for name in names]


def _open_one(
    path: Path, file_format: ElevationFormat | None, spatial: SpatialOptions
) -> HeightSource:
    file = InputFile(path, spatial)
    if file.head.startswith(EXR_SIGNATURE):
        raise ParameterError("{}: OpenEXR must be loaded by Blender first", file.name)
    form, sidecar = file_format or find_format(file), find_sidecar(path)
    if sidecar is not None:
        form = form.complete(sidecar)
    source = form.open(file).settle(file.spatial)
    if sidecar is not None:
        sidecar.apply(source)
    return source


def elevation_of(
    source: HeightSource,
    samples: int | None,
    height_range: tuple[float, float] | None,
    progress: Progress | None,
    cancel: Cancel | None,
) -> Elevation:
    """Return the heights of a source; see `read_elevation`."""
    is_count = isinstance(samples, (int, np.integer)) and not isinstance(samples, bool)
    if samples is not None and (not is_count or samples < 1):
        raise ParameterError(
            "samples must be a whole number of at least 1", got=format_value(samples)
        )
    check_callable(progress, "progress")
    info, ends = source.info, _check_range(height_range)
    if ends is not None and info.says_meters:
        raise ParameterError(
            "{}: its numbers are meters, so low and high must not be given",
            info.name,
            got=Message("{:g} and {:g}", *ends),
        )
    shape = reduced_shape(source, samples)
    smaller = smaller_source(source, shape)
    if smaller is not source:
        note = Message("Read from its overview of {} x {}", smaller.info.columns, smaller.info.rows)
        info = dataclasses.replace(info, notes=(*info.notes, note))
    heights, holes = read_source(smaller, shape, progress, cancel)
    if ends is not None:
        info = _scale_to_range(heights, info, ends)
    y, x = info.rows / heights.shape[0], info.columns / heights.shape[1]
    spacing = None if info.spacing is None else (info.spacing[0] * x, info.spacing[1] * y)
    place = None if info.georeference is None else info.georeference.reduce(x, y)
    return Elevation(heights, holes, spacing, place, info)


def _check_range(height_range: object) -> tuple[float, float] | None:
    """Return the meters of the lowest and the highest number, if they are given."""
    if height_range is None:
        return None
    ends = height_range if isinstance(height_range, (tuple, list, np.ndarray)) else ()
    if getattr(ends, "ndim", 1) == 1 and len(ends) == 2:
        low, high = (to_float(end) for end in ends)
        if abs(low) <= MAX_HEIGHT and abs(high) <= MAX_HEIGHT:  # NaN compares as false
            return low, high
    raise ParameterError(
        "height_range must be two numbers in [{:g}, {:g}], or None",
        -MAX_HEIGHT,
        MAX_HEIGHT,
        got=format_value(height_range),
    )


def _scale_to_range(
    heights: Field, info: ElevationInfo, ends: tuple[float, float]
) -> ElevationInfo:
    """Make meters of numbers, in place, and return the facts with a note of it."""
    low, high = value_range_of(np.dtype(info.sample_type)) or _UNIT_RANGE
    heights -= np.float32(low)
    heights *= np.float32((ends[1] - ends[0]) / (high - low))
    heights += np.float32(ends[0])
    note = Message("{:g} to {:g} are {:g} to {:g} m", low, high, *ends)
    return dataclasses.replace(info, notes=(*info.notes, note))


def join_elevations(
    elevations: Sequence[Elevation],
    *,
    samples: int | None = None,
    progress: Progress | None = None,
    cancel: Cancel | None = None,
) -> Elevation:
    """Return several elevations as one, such as neighboring SRTM tiles.

    Rows and columns that two of them share count once; where they overlap, the first one has
    precedence. Gaps between them become holes, which are filled.

    Parameters
    ----------
    elevations : sequence of Elevation
        Each with a georeference; of one coordinate system and spacing, their samples on one grid.
        Those that were reduced when they were read share no borders any more: read their files
        together instead.
    samples, progress, cancel
        See `read_elevation`.

    Raises
    ------
    ParameterError
        If they do not fit together.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from noise_core import ExportOptions, Recipe, export_heightmap, read_elevation
    >>> from noise_core.io.elevation_reading import join_elevations
    >>> from noise_core.io.targets import GeoTiff
    >>> from noise_core.noises import Fractal

    Two tiles of one land, which share a column of samples:

    >>> recipe = Recipe(layers=(Fractal(),), height=500.0, size=6400.0, depth=3200.0)
    >>> place = GeoTiff(system="meters", epsg=32632, east=500000.0, north=5200000.0)
    >>> halves = ExportOptions(tiles=(2, 1))
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "land"
    ...     files = export_heightmap(recipe, path, target=place, samples=33, options=halves).files
    ...     tiles = [read_elevation(file) for file in files if file.suffix == ".tif"]
    >>> [tile.heights.shape for tile in tiles]
    [(33, 33), (33, 33)]
    >>> join_elevations(tiles).heights.shape
    (33, 65)
    """
    check_kind(elevations, (list, tuple), "join_elevations: elevations", "several of Elevation")
    for elevation in elevations:
        check_kind(elevation, Elevation, "join_elevations: elevations", "several of Elevation")
    if not elevations:
        raise ParameterError("join_elevations: at least one elevation must be given; got none")
    source = MosaicSource([_ElevationSource(elevation) for elevation in elevations])
    return elevation_of(source, samples, None, progress, cancel)


class _ElevationSource(ArraySource):
    """Heights of an elevation, with its holes as holes again."""

    def __init__(self, elevation: Elevation) -> None:
        rows, columns = elevation.heights.shape
        info = dataclasses.replace(
            elevation.info,
            rows=rows,
            columns=columns,
            georeference=elevation.georeference,
            nodata=None,
        )
        super().__init__(info, elevation.heights, is_top_first=False)
        self._holes = elevation.holes

    def read(self, start: int, stop: int) -> Samples:
        """See `HeightSource.read`."""
        part = super().read(start, stop)
        return part if self._holes is None else np.where(self._holes[start:stop], np.nan, part)
