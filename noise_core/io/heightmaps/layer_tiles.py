# SPDX-License-Identifier: GPL-3.0-or-later
"""Images of tiles of the ground's layers, which lie beside meshes for their materials."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import numpy as np

from ...base import atomic_files, blocks
from ...base.grid import Grid
from ...codecs.image_writing import image_bytes
from ...materials.ground.plan import GroundPlan
from ...materials.surfaces import surface, surface_names
from ...pictures.shaded_relief import encode_srgb
from ..looks.ground_look import LayerTile

_MAPS = ("base_color", "normal")

_BITS = 8


class LayerTiles:
    """Tiles of the surfaces that the layers of a plan have: two images each.

    Parameters
    ----------
    plan : GroundPlan or None
        None for no tiles.
    pixels : int
        Along a side; 0 for no tiles.
    path_of : callable
        Gives the path of a file beside the meshes by the end of its name.
    """

    def __init__(
        self, plan: GroundPlan | None, pixels: int, path_of: Callable[[str], Path]
    ) -> None:
        self._pixels, self._path_of = pixels, path_of
        self._surfaces: dict[str, str] = {}
        self._means: dict[str, tuple[float, float, float]] = {}
        if plan is None or not pixels:
            return
        known = frozenset(surface_names())
        for name in plan.layers:
            found = [one for one in plan.landscape.layers[name].surfaces if one in known]
            if found:
                self._surfaces[name] = found[0]

    def _paths(self, key: str) -> Mapping[str, Path]:
        return {name: self._path_of(f"_tile_{key}_{name}.png") for name in _MAPS}

    def paths(self) -> Iterator[Path]:
        """Yield all files."""
        for key in dict.fromkeys(self._surfaces.values()):
            yield from self._paths(key).values()

    def write(self, parts: Mapping[Path, Path]) -> None:
        """Bake and write all files under their temporary names."""
        for key in dict.fromkeys(self._surfaces.values()):
            blocks.checkpoint()
            entry = surface(key)
            grid = Grid(self._pixels, self._pixels, wrap=True, size=entry.size)
            textures = entry.textures(grid, maps=_MAPS)
            color = textures["base_color"]
            red, green, blue = color.reshape(-1, 3).mean(axis=0, dtype=np.float64).tolist()
            self._means[key] = (red, green, blue)
            for name, path in self._paths(key).items():
                is_color = name == "base_color"
                values = encode_srgb(color) if is_color else textures.encode(name)
                content = image_bytes(values, "png", _BITS, is_color=is_color)
                atomic_files.write_part(parts[path], content)

    def shown(self) -> Mapping[str, LayerTile]:
        """Return the tiles of layers, once they are written."""
        found = {}
        for layer, key in self._surfaces.items():
            color, normal = (path.name for path in self._paths(key).values())
            found[layer] = LayerTile(color, normal, self._means[key], surface(key).size)
        return found
