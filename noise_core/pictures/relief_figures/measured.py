# SPDX-License-Identifier: GPL-3.0-or-later
"""Measured land to compare with: its figures and curves, from a file beside this one.

The Jacksboro fault in Tennessee, of the National Elevation Dataset of the United States Geological Survey,
in the public domain. `tools/measured_figures.py` measures it and writes the file.
"""

from __future__ import annotations

import dataclasses
import functools
import json
from pathlib import Path
from typing import Any

import numpy as np

from .fits import Line
from .measuring import FigureCurves, Figures, Measurement

FILE = Path(__file__).with_name("jacksboro.json")

NAME = "Measured: Jacksboro fault, Tennessee"
"""What pictures call it."""

FITS = ("area_fit", "power_fit")
"""Curves that are lines."""

_DIGITS = 6
"""Significant ones of what is kept."""


@functools.cache
def measured_land() -> Measurement:
    """Return the figures and the curves of measured land.

    Examples
    --------
    >>> from noise_core.pictures.relief_figures.measured import measured_land
    >>> measured_land().figures.slope_mean > 0.0
    True
    """
    stored = json.loads(FILE.read_text(encoding="utf-8"))
    curves: dict[str, Any] = {
        name: np.array(values, np.float64) if isinstance(values, list) else values
        for name, values in stored["curves"].items()
    }
    curves.update((name, Line(**curves[name])) for name in FITS)
    return Measurement(Figures(**stored["figures"]), FigureCurves(**curves))


def to_json(measurement: Measurement) -> str:
    """Return the content of the file."""
    figures = {
        name: _short(value) for name, value in dataclasses.asdict(measurement.figures).items()
    }
    curves: dict[str, object] = {}
    for field in dataclasses.fields(FigureCurves):
        curve = getattr(measurement.curves, field.name)
        if isinstance(curve, Line):
            curves[field.name] = {
                name: _short(part) for name, part in dataclasses.asdict(curve).items()
            }
        else:
            curves[field.name] = (
                _short(curve) if isinstance(curve, float) else list(map(_short, curve))
            )
    lines = [f'  "{name}": {json.dumps(values)}' for name, values in curves.items()]
    text = ",\n".join(lines)
    return f'{{\n "figures": {json.dumps(figures)},\n "curves": {{\n{text}\n }}\n}}\n'


def _short(value: float | None) -> float | None:
    return None if value is None else float(f"{value:.{_DIGITS}g}")
