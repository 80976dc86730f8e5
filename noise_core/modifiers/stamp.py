# SPDX-License-Identifier: GPL-3.0-or-later
"""Landforms that are stamped on a land: stored heights, moved, turned, scaled and blended."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from .. import stages
from ..base import blending
from ..base.arrays import Field, check_height
from ..base.blocks import heard
from ..base.errors import ParameterError
from ..base.params import choice, number, pixels, placements
from ..erosion import earthworks
from .bases.modifier import Modifier, modifier_type

if TYPE_CHECKING:
    from ..base.blocks import Progress
    from ..erosion.earthworks.placement import Placement
    from ..erosion.earthworks.stamping import Imprint, StampLaw
    from ..rasters.level import Level
    from ..stages import Part, Raster, StagedRelief
    from ..stages.runner import Runner

_AUTOMATIC = 0.25
"""Width of a landform in widths of the land, if none is given."""

_IN_CACHE = 4.0e6
"""Bytes that a block of samples takes."""

_MODES = ("add", "max", "min", "mix", "smooth_max", "smooth_min")
"""Blend modes of layers that mean something for a landform on a land."""


def _mound() -> Field:
    """Return a round hill, level at its border."""
    share = np.arange(-16, 17, dtype=np.intp) / 16.0
    bump = (1.0 - share * share) ** 2
    mound: Field = (bump * bump[:, np.newaxis]).astype(np.float32)
    return mound


def _middle() -> tuple[Placement, ...]:
    return (earthworks.placement.Placement(),)


@modifier_type("stamp", "Stamp")
class Stamp(Modifier):
    """A landform placed on the terrain: a hill, a crater, a measured mountain, once or many times.

    It fades into the ground toward its outline, and nothing changes beyond.

    Notes
    -----
    Between pixels runs Catmull and Rom's bicubic spline. Where the samples of the land lie farther apart than the
    pixels, the pixels are smoothed first, so that no detail is torn; a finer land shows all of them.

    Placements are blended one after the other. In mode *add* the heights stand on the ground; in all other modes on
    the height of the placement. The mode *mix* replaces the ground.

    References
    ----------
    Edwin Catmull, Raphael Rom (1974). A class of local interpolating splines. Computer Aided Geometric Design.

    Lance Williams (1983). Pyramidal parametrics. SIGGRAPH. (smoothing pixels that are finer than samples)

    Examples
    --------
    >>> import numpy as np
    >>> from noise_core import Grid, Placement
    >>> from noise_core.modifiers import Stamp

    A hill of 80 m, and one half as high:

    >>> places = [Placement(at=(0.25, 0.5)), Placement(at=(0.75, 0.5), scale=(1.0, 1.0, 0.5))]
    >>> hills = Stamp(placements=places, size=400.0, height=80.0)
    >>> grid = Grid(65, 65, size=1600.0)
    >>> height = hills.apply(np.zeros(grid.shape), grid).height
    >>> round(float(height[32, 16])), round(float(height[32, 48])), float(height[0, 0])
    (80, 40, 0.0)
    """

    keeps_border: ClassVar[str] = "only the ground within outlines changes"

    pixels: Field = pixels(_mound, help="Heights of the landform, from -1 to 1 over its height")
    placements: tuple[Placement, ...] = placements(_middle, help="Where it stands on the terrain")
    size: float = number(
        0.0,
        help="Width of the landform in meters at scale 1",
        automatic=(_AUTOMATIC, "terrain"),
        minimum=0.0,
        maximum=1e9,
        soft_maximum=10000.0,
        unit="length",
    )
    height: float = number(
        100.0,
        help="Height of a pixel of 1 in meters at scale 1",
        minimum=0.0,
        maximum=1e6,
        soft_maximum=2000.0,
        unit="length",
    )
    mode: str = choice(
        "add",
        help="Blend mode with the ground",
        options={key: blending.OPTIONS[key] for key in _MODES},
    )
    smoothness: float = number(
        0.2,
        help="Blend distance of smooth min and max, relative to the height",
        minimum=0.0,
        maximum=4.0,
        soft_maximum=1.0,
        visible_when=("mode", blending.ROUNDED),
    )
    outline: str = choice(
        "round",
        help="Outline beyond which the ground stays as it is",
        options={
            "round": "The ellipse within the pixels",
            "square": "The border of the pixels",
        },
    )
    falloff: float = number(
        0.5,
        help="Share of the way from the outline to the center on which it fades in",
        minimum=0.0,
        maximum=1.0,
        unit="factor",
    )

    @property
    def needs_meters(self) -> bool:
        """See `Modifier.needs_meters`: an automatic width is a share of the land's."""
        return self.size > 0.0

    @classmethod
    def of_heights(cls, heights: Field, size: float, **values: object) -> Stamp:
        """Return a stamp of heights in meters; its zero is the median height along the border.

        Parameters
        ----------
        heights : ndarray of shape (rows, columns)
            Square cells, row 0 at the smallest y.
        size : float
            Width in meters.
        **values : object
            Other parameters by name.

        Raises
        ------
        ParameterError
            If the heights are level or not finite, or a value is not allowed.

        Examples
        --------
        >>> from noise_core import Recipe
        >>> from noise_core.modifiers import Stamp
        >>> recipe = Recipe.from_preset("volcano")
        >>> volcano = Stamp.of_heights(recipe.evaluate(recipe.grid(129)).height, recipe.size)
        >>> volcano.pixels.shape, float(abs(volcano.pixels).max())
        ((129, 129), 1.0)
        """
        shape = np.shape(heights)
        if len(shape) != 2 or min(shape) < 2:
            raise ParameterError(
                "Stamp.of_heights: heights must have two rows and columns or more", got=str(shape)
            )
        checked = check_height(heights, shape, "Stamp.of_heights: heights")
        border = (checked[0], checked[-1], checked[1:-1, 0], checked[1:-1, -1])
        edge = np.sort(np.concatenate(border))
        rise = checked - edge[len(edge) // 2]
        height = float(np.abs(rise).max())
        if height == 0.0:
            raise ParameterError(
                "Stamp.of_heights: heights must not be level; all are {:g} m high",
                float(checked[0, 0]),
            )
        pixel_values = rise / np.float32(height)
        return cls(pixels=pixel_values, size=size, height=height, **values)  # type: ignore[arg-type]

    def stages(self, run: Runner, height: Raster, seed: int) -> StagedRelief:
        """Blend the landform with the ground, sample by sample."""
        work = functools.partial(stamp_part, imprints=self._imprints(run.level), law=self._law())
        stage = stages.Local("stamp", work, 0, held=0.0, in_cache=_IN_CACHE)
        (result,) = run.local(stage, height)
        return stages.StagedRelief(result)

    def press(self, height: Field, level: Level) -> Field:
        """Return a part of a land with the landform on it.

        Parameters
        ----------
        height : ndarray of shape level.shape, float32
        level : Level
            With tiles; see `Level.steps_per_tile`.
        """
        imprints, law = self._imprints(level), self._law()
        part = stages.Part(height, level)
        return stamp_part(level, [part], heard(None), imprints=imprints, law=law)

    def _law(self) -> StampLaw:
        return earthworks.stamping.StampLaw(
            mode=self.mode,
            smoothness=self.smoothness * self.height,
            is_round=self.outline == "round",
            falloff=self.falloff,
        )

    def _imprints(self, level: Level) -> tuple[Imprint, ...]:
        width = self.size / level.step_x or _AUTOMATIC * level.steps_per_tile
        return earthworks.stamping.imprints(self.pixels, width, self.height, self.placements, level)


def stamp_part(
    target: Level,
    parts: Sequence[Part],
    progress: Progress,
    *,
    imprints: Sequence[Imprint],
    law: StampLaw,
) -> Field:
    """Return the height of a part of a land with all imprints on it."""
    height = parts[0].values.copy()
    for place, imprint in enumerate(imprints):
        earthworks.stamping.press(height, target, imprint, law)
        progress((place + 1.0) / len(imprints))
    return height
