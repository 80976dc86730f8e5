# SPDX-License-Identifier: GPL-3.0-or-later
"""Measure the land that charts of figures compare with, and write noise_core/pictures/relief_figures/jacksboro.json.

    python tools/measured_figures.py

Needs matplotlib for its sample elevation: the Jacksboro fault in Tennessee, of the National Elevation Dataset
of the United States Geological Survey, in the public domain.
"""

from __future__ import annotations

import math
import sys
from pathlib import Path

import numpy as np
from matplotlib import cbook

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from noise_core.pictures.relief_figures.measured import FILE, to_json
from noise_core.pictures.relief_figures.measuring import Measurement, measure
from noise_core.rasters.level import Level

EARTH = 6_371_000.0
"""Its mean radius in meters."""


def jacksboro() -> Measurement:
    """Return its figures; a degree of longitude is shorter there by the cosine of the latitude."""
    data = cbook.get_sample_data("jacksboro_fault_dem.npz")
    down, along = (EARTH * math.radians(abs(float(data[name]))) for name in ("dy", "dx"))
    along *= math.cos(math.radians(float(data["ymin"] + data["ymax"]) / 2.0))
    height = data["elevation"][::-1].astype(np.float32)  # row 0 in the south
    return measure(height, Level(*height.shape, down, along, False))


if __name__ == "__main__":
    FILE.write_text(to_json(jacksboro()), encoding="utf-8")
    print(FILE)
