# SPDX-License-Identifier: GPL-3.0-or-later
"""Elevation reader without any library: GeoTIFF, HGT, ESRI ASCII grids, PNG, NumPy arrays, raw samples.

Files are read a few rows at a time and reduced to the wanted size on the way. The reader is imported on
first use: ``from noise_core.io.elevation_reading import read_elevation`` imports it at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...base.late_modules import late_modules

if TYPE_CHECKING:
    from ...base.arrays import MOST_SAMPLES
    from ...base.georeference import Georeference
    from .elevation import Elevation, ElevationInfo
    from .formats_registry import ElevationFormat, elevation_formats
    from .land import MeasuredLand, measured_land
    from .loaded_heights import LoadedHeights
    from .reading import (
        elevation_from_samples,
        files_in,
        join_elevations,
        probe_elevation,
        read_elevation,
    )
    from .sidecars import Sidecar, find_sidecar

__all__ = [
    "MOST_SAMPLES",
    "Elevation",
    "ElevationFormat",
    "ElevationInfo",
    "Georeference",
    "LoadedHeights",
    "MeasuredLand",
    "Sidecar",
    "elevation_formats",
    "elevation_from_samples",
    "files_in",
    "find_sidecar",
    "join_elevations",
    "measured_land",
    "probe_elevation",
    "read_elevation",
]

_HOMES = {
    "MOST_SAMPLES": "...base.arrays",
    "Elevation": ".elevation",
    "ElevationFormat": ".formats_registry",
    "ElevationInfo": ".elevation",
    "Georeference": "...base.georeference",
    "LoadedHeights": ".loaded_heights",
    "MeasuredLand": ".land",
    "Sidecar": ".sidecars",
    "elevation_formats": ".formats_registry",
    "elevation_from_samples": ".reading",
    "files_in": ".reading",
    "find_sidecar": ".sidecars",
    "join_elevations": ".reading",
    "measured_land": ".land",
    "probe_elevation": ".reading",
    "read_elevation": ".reading",
}
"""Names of the package, and the modules that define them."""

if not TYPE_CHECKING:  # a checker sees the imports above
    __getattr__ = late_modules(__name__, _HOMES)
