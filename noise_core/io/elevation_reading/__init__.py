# SPDX-License-Identifier: GPL-3.0-or-later
"""Elevation reader without any library: GeoTIFF, HGT, ESRI ASCII grids, PNG, NumPy arrays, raw samples.

Files are read a few rows at a time and reduced to the wanted size on the way.
"""

from __future__ import annotations

from .elevation import Elevation, ElevationInfo, Georeference
from .formats_registry import ElevationFormat, elevation_formats
from .joining import join_elevations
from .reading import elevation_from_samples, probe_elevation, read_elevation
from .source import MOST_SAMPLES

__all__ = [
    "MOST_SAMPLES",
    "Elevation",
    "ElevationFormat",
    "ElevationInfo",
    "Georeference",
    "elevation_formats",
    "elevation_from_samples",
    "join_elevations",
    "probe_elevation",
    "read_elevation",
]
