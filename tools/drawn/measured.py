# SPDX-License-Identifier: GPL-3.0-or-later
"""View of measured land with roads from a GeoJSON file: a gap at the Jacksboro fault in Tennessee.

The heights are the sample that matplotlib ships, of the National Elevation Dataset of the United States Geological
Survey (public domain). The roads were drawn for the picture, in degrees, where valleys lead.
"""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
from views import View, look_of

from noise_core import Recipe, modifiers
from noise_core.base.georeference import Georeference
from noise_core.io.curve_files import read_curves
from noise_core.io.elevation_reading import LoadedHeights, elevation_from_samples, measured_land
from noise_core.io.spatial_reference.epsg import read_code

ROADS = Path(__file__).with_name("jacksboro_roads.geojson")
ROWS, COLUMNS = slice(118, 218), slice(172, 292)
"""Part of the sample, which begins in the northwest."""

WIDTH, SIDE = 26.0, 769
"""Meters of the roads' width, wider than real ones, so that they show; vertices along the land."""


def land() -> Recipe:
    """Return the measured part as a recipe."""
    from matplotlib.cbook import get_sample_data

    data = get_sample_data("jacksboro_fault_dem.npz")
    step = float(data["dx"])
    north = max(float(data["ymin"]), float(data["ymax"]))
    samples = np.asarray(data["elevation"], np.float32)[ROWS, COLUMNS][::-1]
    west, south = (
        float(data["xmin"]) + (COLUMNS.start + 0.5) * step,
        north - (ROWS.stop - 0.5) * step,
    )
    place = Georeference(read_code(4269, "land").system, (west, south), (step, step))
    loaded = LoadedHeights(np.ascontiguousarray(samples), "land", "array")
    elevation = dataclasses.replace(
        elevation_from_samples(loaded), georeference=place, spacing=place.spacing(len(samples))
    )
    return measured_land(elevation).recipe


def measured_roads() -> View:
    """Return the land with its roads."""
    measured = land()
    curves = read_curves(ROADS, measured, width=WIDTH).curves
    layers = (
        *measured.layers,
        modifiers.Amplify(),
        modifiers.GullyErosion(depth=0.05),
        modifiers.Path.of_kind("road", curves=list(curves), reach=90.0, surface="asphalt"),
    )
    recipe = dataclasses.replace(measured, layers=layers, curves=curves)
    look = look_of(
        rivers=0.0,
        limits={"snow_line": 1.5, "tree_line": 1.2},
        sky={"sun_elevation": 19.0, "sun_direction": 96.0, "visibility": 6.0, "clouds": 0.2},
        camera={
            "eye": [0.70, 0.0],
            "target": [0.36, 0.52],
            "lift": 0.09,
            "aim": 0.0,
            "lens": 32.0,
        },
    )
    return View(recipe=recipe, look=look, resolution=SIDE, samples=10)


VIEWS = {"measured_roads": measured_roads}
