# SPDX-License-Identifier: GPL-3.0-or-later
"""Options of an export beyond its target, samples and range."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Union

from ...base.arguments import check_kind, check_switch
from ...base.arrays import to_float
from ...base.errors import ParameterError, format_value
from ...base.grid_sizes import is_whole
from .extras import AnyColors
from .lands import AnyMap
from .layout import check_tiles


@dataclass(frozen=True, kw_only=True, eq=False)
class ExportOptions:
    """Options of `export_heightmap`: the files into which a land is cut, and those beside the heights.

    Parameters
    ----------
    tiles : tuple of two ints
        Files along x and along y.
    maps : mapping of str to str, Map, Mask or ndarray; or sequence of str
        Each becomes a gray PNG of 8 bits (one of RGB if it has three numbers a sample). "all" in a
        sequence stands for all maps that come with the heights.
    splat : sequence of up to four of these, or None
        Become the channels of one PNG of 8 bits, each from 0 to 1; None leaves a channel empty.
    normal_bits : {0, 8, 16}
        Of a normal map; 0 for none.
    colors : str, Look or GroundPlan, optional
        Palette of a color map: the colors of the ground without light, an sRGB PNG of 8 bits.
    ground : str, Look or GroundPlan, optional
        Palette whose layers are the materials of the ground, for targets with friction by material and for weights;
        that of `colors` if not given.
    weights : {0, 4, 8}
        Most layers of the ground whose weights are written: images of 8 bits with four layers each, of targets with
        meshes also as colors of vertices. The rarest join the layer below them.
    sea_level : float, optional
        In meters, for the sidecar.
    dither : bool
        Whether chance decides between the two nearest numbers; for integers alone.
    overwrite : bool
        Whether files may be replaced.

    Raises
    ------
    ParameterError
        If a value is of a wrong kind. Names of maps and palettes are checked by the export.

    Examples
    --------
    Four files, a normal map and a map of slopes:

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from noise_core import ExportOptions, Recipe, export_heightmap
    >>> from noise_core.noises import Perlin
    >>> recipe = Recipe(layers=(Perlin(),), height=50.0, size=800.0)
    >>> options = ExportOptions(tiles=(2, 2), maps=["slope"], normal_bits=8)
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "land"
    ...     report = export_heightmap(recipe, path, target="npy", samples=33, options=options)
    >>> len(report.files), report.files[0].name
    (13, 'land_x0_y0.npy')
    """

    tiles: tuple[int, int] = (1, 1)
    maps: Union[Mapping[str, AnyMap], Sequence[str]] = ()
    splat: Sequence[Union[AnyMap, None]] = ()
    normal_bits: int = 0
    colors: AnyColors | None = None
    ground: AnyColors | None = None
    weights: int = 0
    sea_level: float | None = None
    dither: bool = False
    overwrite: bool = False

    def __post_init__(self) -> None:
        """Check the kinds of the values."""
        check_tiles(self.tiles)
        check_kind(self.maps, (Mapping, list, tuple), "maps", "a mapping or a list of names")
        check_kind(self.splat, (list, tuple), "splat", "up to 4 masks")
        for name in ("dither", "overwrite"):
            check_switch(getattr(self, name), f"ExportOptions: {name}")
        if not is_whole(self.normal_bits) or self.normal_bits not in (0, 8, 16):
            raise ParameterError(
                "normal_bits must be 0, 8 or 16", got=format_value(self.normal_bits)
            )
        if not is_whole(self.weights) or self.weights not in (0, 4, 8):
            raise ParameterError("weights must be 0, 4 or 8", got=format_value(self.weights))
        if self.sea_level is not None and not math.isfinite(to_float(self.sea_level)):
            raise ParameterError(
                "sea_level must be a number of meters", got=format_value(self.sea_level)
            )


NO_OPTIONS = ExportOptions()
