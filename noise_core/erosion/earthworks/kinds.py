# SPDX-License-Identifier: GPL-3.0-or-later
"""Kinds of paths: values of their parameters, by name."""

from __future__ import annotations

from collections.abc import Mapping

KINDS: Mapping[str, Mapping[str, object]] = {
    "road": {"grade": 0.08, "crossfall": 0.03},
    "river_bed": {
        **{"grade": 0.0, "crossfall": 0.0, "downhill": True, "offset": -2.0, "works": "cut"},
        **{"cut_angle": 25.0, "reach": 60.0, "width_noise": 0.3, "detail": 0.2},
    },
    "lake": {
        **{"inside": True, "water": 8.0, "surface": "none"},
        **{"cut_angle": 12.0, "reach": 200.0},
    },
    "dam": {"heights": "given", "works": "fill", "fill_angle": 30.0, "reach": 300.0},
    "cliff": {
        **{"grade": 0.0, "crossfall": 1.0, "offset": 25.0, "sides": "left", "works": "fill"},
        **{"fill_angle": 10.0, "reach": 300.0, "detail": 1.0, "surface": "none"},
    },
    "trail": {
        **{"grade": 0.25, "crossfall": 0.2, "cut_angle": 60.0, "fill_angle": 40.0, "reach": 10.0},
        **{"width_noise": 0.3, "detail": 0.5, "surface": "earth"},
    },
    "pad": {"inside": True, "reach": 60.0, "surface": "earth"},
}
"""Values of the kinds of paths; all else is as it is by default."""

CLOSED = frozenset(kind for kind, values in KINDS.items() if values.get("inside"))
"""Kinds whose curves are closed."""

KIND_HELP: Mapping[str, str] = {
    "road": "A road that follows the ground, no steeper than 8 %",
    "trail": "A trail that follows the ground, no steeper than 25 %",
    "river_bed": "A bed that falls from its higher end to the other one",
    "lake": "A basin inside a closed curve, filled with water up to it",
    "dam": "An embankment up to the heights of the points",
    "cliff": "Raised ground to the left of the curve",
    "pad": "Level ground inside a closed curve",
}
"""What the kinds are for."""
