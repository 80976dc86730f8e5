# SPDX-License-Identifier: GPL-3.0-or-later
"""Names of figures, and the form in which they are written."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from ...rasters.level import Level
from .measuring import Figures

LABELS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "hypsometric_integral": ("Hypsometric integral", "{:.2f}"),
        "slope_mean": ("Slope, mean", "{:.1f}\N{DEGREE SIGN}"),
        "slope_95": ("Slope, 95th percentile", "{:.1f}\N{DEGREE SIGN}"),
        "steep_share": ("Steeper than 34\N{DEGREE SIGN}", "{:.1f} %"),
        "theta": ("Concavity theta", "{:.2f}"),
        "theta_scatter": ("Scatter about theta", "{:.2f}"),
        "pits": ("Ground in pits", "{:.1f} %"),
        "asp8": ("Grid bias asp8", "{:.3f}"),
        "beta": ("Spectral exponent beta", "{:.1f}"),
        "straight": ("Straight channels", "{:.1f} %"),
    }
)
"""The label and the format of each figure, in order."""

NOTHING = "-"
"""Stands for a figure that says nothing."""


def format_figures(figures: Figures) -> list[tuple[str, str]]:
    """Return the label and the text of each figure."""
    lines = []
    for name, (label, form) in LABELS.items():
        value = getattr(figures, name)
        lines.append((label, NOTHING if value is None else form.format(value)))
    return lines


def samples_of(level: Level) -> str:
    """Return how many samples a land has, and how far they are apart."""
    steps = dict.fromkeys((f"{level.step_x:.3g}", f"{level.step_y:.3g}"))  # one, if they are alike
    return f"{level.columns} x {level.rows} samples, {' x '.join(steps)} m apart"
