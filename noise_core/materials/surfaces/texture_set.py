# SPDX-License-Identifier: GPL-3.0-or-later
"""Texture sets: the finished maps of a surface."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from ...base.arrays import Field
from ...base.errors import ParameterError, format_value


@dataclass(frozen=True)
class MapKind:
    """Description of a map in a texture set.

    Attributes
    ----------
    label, help : str
        Label in menus and tooltips.
    channels : int
        1, or 3.
    formula : str
        Formula for surfaces that give none; empty for normals, which are always
        those of the height.
    is_color : bool
        Whether an image of 8 bits encodes it as sRGB; all else is data.

    Examples
    --------
    >>> from noise_core.materials.surfaces import MAPS
    >>> MAPS["roughness"].label, MAPS["normal"].is_color
    ('Roughness', False)
    """

    label: str
    help: str
    channels: int
    formula: str
    is_color: bool = False


MAPS: Mapping[str, MapKind] = MappingProxyType(
    {
        "base_color": MapKind("Base Color", "Color without light", 3, "0.5", True),
        "roughness": MapKind("Roughness", "Roughness from 0 (mirror) to 1 (chalk)", 1, "0.5"),
        "metallic": MapKind("Metallic", "1 for metal, 0 for other materials", 1, "0"),
        "normal": MapKind("Normal", "Unit vectors, from -1 to 1", 3, ""),
        "ambient_occlusion": MapKind("Ambient Occlusion", "Visible sky", 1, "ambient_occlusion"),
        "height": MapKind("Height", "Height from 0 to 1 of the depth in meters", 1, "0"),
        "cavity": MapKind(
            "Cavity", "Crevices 0, even ground 0.5, edges 1", 1, "0.5 + 0.5 * cavity"
        ),
        "emission": MapKind("Emission", "Emitted light", 3, "0", True),
        "opacity": MapKind("Opacity", "Opacity from 0 (hole) to 1 (solid)", 1, "1"),
    }
)
"""All maps there are, by name. They lie in [0, 1], except normals."""

STANDARD = (
    "base_color",
    "roughness",
    "metallic",
    "normal",
    "ambient_occlusion",
    "height",
    "cavity",
)
"""What `Surface.textures` makes if not told otherwise: a full set of seven."""


PACKED: Mapping[str, tuple[str, str, str]] = MappingProxyType(
    {"orm": ("ambient_occlusion", "roughness", "metallic")}
)
"""Maps that share an image, one in each channel: red, green, blue.

References
----------
Khronos Group (2021). glTF 2.0, material.occlusionTexture and pbrMetallicRoughness. Unreal Engine packs them alike.
"""


def pack_maps(maps: Iterable[str]) -> tuple[str, ...]:
    """Return names of images for maps: the name of a packed one, last, instead of all that it holds.

    Parameters
    ----------
    maps : iterable of str
        Of `MAPS`.

    Examples
    --------
    >>> from noise_core.materials.surfaces import pack_maps
    >>> pack_maps(("base_color", "roughness", "metallic", "ambient_occlusion"))
    ('base_color', 'orm')
    """
    names = dict.fromkeys(maps)
    packed = [name for name, channels in PACKED.items() if not names.keys().isdisjoint(channels)]
    held = {channel for name in packed for channel in PACKED[name]}
    return (*(name for name in names if name not in held), *packed)


def unpack_maps(names: Iterable[str]) -> tuple[str, ...]:
    """Return the maps that images of some names, packed ones among them, are made of.

    Parameters
    ----------
    names : iterable of str
        Of `MAPS` and `PACKED`.

    Examples
    --------
    >>> from noise_core.materials.surfaces import unpack_maps
    >>> unpack_maps(("base_color", "orm"))
    ('base_color', 'ambient_occlusion', 'roughness', 'metallic')
    """
    return tuple(dict.fromkeys(channel for name in names for channel in PACKED.get(name, (name,))))


@dataclass(frozen=True)
class TextureSet(Mapping[str, Field]):
    """Maps by name, all of one size; each is float32, linear, with row 0 at the bottom.

    Attributes
    ----------
    maps : mapping of str to ndarray
        Of shape (rows, columns), or (rows, columns, 3): see `MAPS`.
    size : float
        Width of the tile in meters.
    depth : float
        Meters between a height of 0 and of 1.
    normal : {"opengl", "directx"}
        Which way green points in the normals.

    Examples
    --------
    >>> from noise_core import Grid
    >>> from noise_core.materials.surfaces import surface
    >>> textures = surface("granite").textures(Grid(16, 16, wrap=True), maps=("height", "normal"))
    >>> sorted(textures), textures["height"].shape
    (['height', 'normal'], (16, 16))
    """

    maps: Mapping[str, Field]
    size: float
    depth: float
    normal: str = "opengl"

    def __getitem__(self, name: str) -> Field:
        return self.maps[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.maps)

    def __len__(self) -> int:
        return len(self.maps)

    def encode(self, name: str) -> Field:
        """Return a map encoded for images, in [0, 1]: normals are mapped from [-1, 1]; see `PACKED` too.

        Parameters
        ----------
        name : str
            A map of the set, or a name of `PACKED`.

        Examples
        --------
        >>> from noise_core import Grid
        >>> from noise_core.materials.surfaces import surface
        >>> textures = surface("granite").textures(Grid(16, 16, wrap=True), maps=("normal",))
        >>> stored = textures.encode("normal")
        >>> bool(stored.min() >= 0.0), bool(stored.max() <= 1.0)
        (True, True)
        """
        if name in PACKED:
            return np.stack([self.maps[channel] for channel in PACKED[name]], axis=-1)
        if name != "normal":
            return self.maps[name]
        moved: Field = self.maps[name] * np.float32(0.5)
        moved += np.float32(0.5)
        return moved


def check_maps(maps: object, who: str) -> tuple[str, ...]:
    """Return names of maps, each once; raise a ParameterError, which names `who`, unless all are in `MAPS`."""
    names = tuple(maps) if isinstance(maps, (tuple, list)) else ()
    if not names or not all(isinstance(name, str) and name in MAPS for name in names):
        raise ParameterError(
            "{}: maps must be some of {}", who, ", ".join(MAPS), got=format_value(maps)
        )
    return tuple(dict.fromkeys(names))
