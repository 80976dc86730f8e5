# SPDX-License-Identifier: GPL-3.0-or-later
"""Views of a film: a river and a ridge are pulled, and the land follows."""

from __future__ import annotations

import dataclasses
import functools

import numpy as np
from ranges import crest_and_rivers
from views import View, look_of

FRAMES, SIDE, MILLISECONDS = 24, (440, 275), 130
SAMPLES, HOLD = 6, 700
RESOLUTION = 257

LOOK = look_of(
    **{"surroundings": "base", "rivers": 0.035},
    limits={"snow_line": 0.62, "tree_line": 0.42},
    sky={
        **{"sun_elevation": 26.0, "sun_direction": 250.0, "sun_color": [1.0, 0.88, 0.72]},
        **{"sun_strength": 12.0, "clouds": 0.0, "cumulus": 0.0, "visibility": 20.0},
    },
    camera={"eye": [0.5, -0.75], "target": [0.5, 0.40], "lift": 0.82, "aim": 0.0, "lens": 36.0},
)


def _ease(share: float) -> float:
    """Return a share of a way that begins and ends slowly."""
    share = float(np.clip(share, 0.0, 1.0))
    return share * share * (3.0 - 2.0 * share)


def frame(number: int) -> View:
    """Return the view of a frame: first the river moves, then the ridge."""
    share = number / (FRAMES - 1)
    river, ridge = _ease(2.0 * share), _ease(2.0 * share - 1.0)
    view = crest_and_rivers(river=river, ridge=ridge)
    first = crest_and_rivers().recipe
    ink = tuple(dataclasses.replace(each, width=0.006) for each in view.ink)
    measures = {"resolution": RESOLUTION, "pixels": SIDE, "samples": SAMPLES}
    return dataclasses.replace(view, look=LOOK, ink=ink, camera_over=first, **measures)


VIEWS = {f"film_{number:02d}": functools.partial(frame, number) for number in range(FRAMES)}
