# SPDX-License-Identifier: GPL-3.0-or-later
"""Surface normals."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .. import rasters
from ..base.arrays import Field
from ..base.blocks import Progress
from ..base.params import boolean, choice, number
from .bases.map import Map, map_type

if TYPE_CHECKING:
    from ..rasters.height_field import HeightField
    from ..rasters.level import Level


@map_type("normal", "Normal", channels=3)
class Normal(Map):
    """Surface normals: unit vectors (x, y, up), as in normal maps for textures.

    Examples
    --------
    >>> import numpy as np
    >>> from noise_core import Grid
    >>> from noise_core.maps import Normal

    Land that rises to the east by 45 degrees faces west and up:

    >>> grid = Grid(3, 3, size=20.0)
    >>> rise = np.tile([0.0, 10.0, 20.0], (3, 1))
    >>> x, y, up = Normal().values(rise, grid)[1, 1].tolist()
    >>> round(x, 3), round(up, 3), y == 0.0
    (-0.707, 0.707, True)

    As an image stores it, in [0, 1]:

    >>> encoded = Normal(encoded=True).values(rise, grid)
    >>> encoded.shape, bool(encoded.min() >= 0.0)
    ((3, 3, 3), True)
    """

    convention: str = choice(
        "opengl",
        help="Which way green points",
        options={
            "opengl": "Green is up in the image: Blender, Unity, Godot",
            "directx": "Down the image: Unreal, Substance by default",
        },
    )
    strength: float = number(
        1.0,
        help="Factor of the slope; 1 is true to the heights",
        minimum=0.0,
        maximum=1e4,
        soft_maximum=4.0,
        unit="factor",
    )
    encoded: bool = boolean(False, help="Map [-1, 1] to [0, 1], as images store it")

    def bounds(self) -> tuple[float, float]:
        """See `Map.bounds`."""
        return (0.0, 1.0) if self.encoded else (-1.0, 1.0)

    def reach(self, level: Level) -> int:
        """See `Map.reach`."""
        return 1

    def read(self, surface: HeightField, progress: Progress) -> Field:
        """See `Map.read`."""
        result = np.empty((*surface.level.shape, 3), np.float32)
        green = -self.strength if self.convention == "opengl" else self.strength
        factors = (-self.strength, green)

        def work(start: int, stop: int) -> None:
            frame = rasters.differences.add_frame(surface.height, surface.level, start, stop)
            x, y = rasters.differences.gradient(frame, surface.level, factors)
            up = _inverse_length(x, y)
            if self.encoded:
                up *= np.float32(0.5)
            for channel, part in enumerate((x * up, y * up, up)):
                if self.encoded:
                    part += np.float32(0.5)
                result[start:stop, :, channel] = part

        surface.by_rows(work, progress)
        return result


def _inverse_length(x: Field, y: Field) -> Field:
    """Return 1 / the length of the vector (x, y, 1)."""
    length = x * x
    length += y * y
    length += np.float32(1.0)
    np.sqrt(length, out=length)
    np.divide(np.float32(1.0), length, out=length)
    return length
