# SPDX-License-Identifier: GPL-3.0-or-later
"""Parameters of textures that look like an example image."""

from __future__ import annotations

from ...base import blocks
from ...base.blocks import Cancel, Progress
from ...base.declared import declared_type
from ...base.grid import Grid
from ...base.params import Declared, boolean, number
from . import texture


@declared_type
class ByExample(Declared):
    """A texture that looks like an example, without its seams and repetition.

    Notes
    -----
    It suits materials without large structures: gravel, moss, bark, plaster, grass. Bricks and faces come out in pieces.

    Examples
    --------
    >>> import numpy as np
    >>> from noise_core import Grid
    >>> from noise_core.materials.by_example.settings import ByExample

    An endless texture that looks like a small photograph of gravel:

    >>> from noise_core.noises import White
    >>> gray = White(frequency=32.0).sample_grid(Grid(64, 64)) * 60.0 + 128.0
    >>> example = np.repeat(gray[..., np.newaxis], 3, axis=-1).astype(np.uint8)
    >>> texture = ByExample().paint(example, Grid(128, 128, wrap=True), seed=1)
    >>> texture.shape, str(texture.dtype)
    ((128, 128, 3), 'uint8')
    """

    key = "by_example"
    label = "By Example"

    scale: float = number(
        1.0,
        help="Size of the example's pattern: 1 keeps its pixels, 0.5 makes it half as large",
        minimum=0.02,
        maximum=50.0,
        soft_minimum=0.25,
        soft_maximum=4.0,
    )
    patch_size: float = number(
        0.25,
        help="Size of patches relative to the example's shorter side; more keeps shapes",
        minimum=0.02,
        maximum=0.4,
        soft_minimum=0.1,
        unit="factor",
    )
    sharpness: float = number(
        4.0,
        help="Sharpness of the seams between patches: 1 suits soft patterns, more ghosts less",
        minimum=0.5,
        maximum=16.0,
        soft_minimum=1.0,
        soft_maximum=8.0,
    )
    turned: bool = boolean(
        False,
        help="Rotate and mirror patches for variety; for patterns without a direction",
        label="Turn Patches",
    )

    def paint(
        self,
        example: texture.Image,
        grid: Grid,
        seed: int = 0,
        *,
        progress: Progress = blocks.unheard,
        cancel: Cancel | None = None,
    ) -> texture.Image:
        """Return the texture at the pixels of a grid.

        Parameters
        ----------
        example : ndarray of shape (rows, columns) or (rows, columns, channels)
            Any size, seamless or not; uint8, uint16 or floats, with 1 to 4 channels.
        grid : Grid
            With `wrap` the texture is seamless. Otherwise it is endless: grids whose origins differ are parts of
            one texture, as far apart as whole pixels allow.
        seed : int
            Any 32-bit integer; another one gives other patches.
        progress, cancel : callable, optional
            See `blocks.Progress` and `blocks.Cancel`.

        Returns
        -------
        ndarray of shape (grid.rows, grid.columns) or with the example's channels
            Of the example's type, floats as float32. A window has the bits of the whole. Each channel has the
            histogram of the example at this scale, within 1 % of the pixels at any value; an endless texture
            as a whole, not each part of it.

        Raises
        ------
        ParameterError
            If the example is no such image, or too large, also at this scale.
        Cancelled
            If `cancel` returned True.
        """
        return texture.paint(self, example, grid, seed, progress=progress, cancel=cancel)
