# SPDX-License-Identifier: GPL-3.0-or-later
"""Requests for the textures of a surface, the work that bakes them, and their images.

Textures of a material are new images at every change, since undo knows no pixels. Images on their own,
the ones of *Bake Images*, keep their datablocks, so that everything that uses them keeps them.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import bpy
import numpy as np

from ....noise_core.base.blocks import Cancel, Progress, cancellable, part_of
from ....noise_core.base.errors import ParameterError, RecipeError
from ....noise_core.base.grid import Grid
from ....noise_core.materials.surfaces import (
    MAPS,
    Surface,
    TextureSet,
    pack_maps,
    surface,
    unpack_maps,
)
from ..datablocks import compat, images, ownership
from ..datablocks.images import Content
from ..schema.keywords import keywords
from ..schema.values import parse_values
from ..tasks import installed_memory
from ..tasks.jobs import Work
from . import image_files
from .image_files import ImageFiles
from .pictures import srgb
from .surface_settings import IMAGE

FILE_NAMES: Mapping[str, str] = {"base_color": "basecolor", "ambient_occlusion": "ao"}
"""Endings of file names that differ from the map's name, as engines and artists write them."""

_EXACT = frozenset({"height", "normal"})
"""Maps that 8 bits are not enough for: steps in them are seen as terraces."""

MARK, BAKED_MARK = "terrane_texture", "terrane_baked"
"""Custom properties with the name of the map: of textures of a material, and of images on their own."""

_BAKED = 0.6
"""Share of the time that baking takes, before files are compressed."""


@dataclass(frozen=True)
class SurfaceRequest:
    """A surface by its key, and the measures of its textures: see `surface_settings.IMAGE`.

    The values are its exposed parameters; missing ones have their defaults.
    """

    key: str
    values: Mapping[str, object]
    seed: int
    width: int
    height: int
    size: float
    depth: float
    seamless: bool = True

    def __post_init__(self) -> None:
        for parameter in IMAGE:
            parameter.check(getattr(self, parameter.name), "Material")
        keywords()["seed"].check(self.seed, "Material")

    def surface(self) -> Surface:
        """Return the surface with these parameters."""
        return surface(self.key, **self.values)

    def grid(self) -> Grid:
        """Return the grid of the texels."""
        size = self.size or self.surface().size
        return Grid(self.height, self.width, wrap=self.seamless, size=size)

    def to_json(self) -> str:
        """Return the request as text, stored in the material and its images."""
        return json.dumps(dataclasses.asdict(self))

    @classmethod
    def from_json(cls, text: str) -> SurfaceRequest:
        """Return the request that `to_json` wrote; a RecipeError if it is something else."""
        try:
            return cls(**json.loads(text))
        except (ValueError, TypeError) as error:
            raise RecipeError("this material's recipe cannot be read: {}", error) from error


@dataclass(frozen=True)
class BakedSurface:
    """Textures to be made images by map, and linear constants for maps that are the same everywhere.

    Size and depth are in meters. The means are linear averages, for views without textures.
    """

    contents: Mapping[str, Content]
    constants: Mapping[str, tuple[float, ...]]
    size: float
    depth: float
    means: Mapping[str, tuple[float, ...]]


def parse_parameters(key: str, text: str) -> dict[str, object]:
    """Return the parameters in a JSON object; raise a ParameterError if the surface lacks any of them."""
    values = parse_values(text, key, surface(key).parameters)
    settings = surface(key).with_values(**values).settings
    return {name: settings[name] for name in values}


def sort_maps(maps: Iterable[str]) -> tuple[str, ...]:
    """Return names of maps in their standard order; raise a ParameterError without any."""
    names = set(maps)
    if not names:
        raise ParameterError("maps must be some of {}; got none", ", ".join(MAPS))
    return tuple(name for name in MAPS if name in names)


def bake(request: SurfaceRequest, maps: Iterable[str], storage: str) -> Work:
    """Return the work that gives the `BakedSurface` of a material: see `surface_settings.MATERIAL`.

    Maps that are the same everywhere get no image.
    """
    material_surface, names = request.surface(), [name for name in MAPS if name in set(maps)]
    constants = {
        name: value for name in names if (value := material_surface.constant(name)) is not None
    }
    if material_surface.constant("height") is not None:
        names = [name for name in names if name != "normal"]  # all of them point up
    images = tuple(name for name in names if name not in constants)

    def run(progress: Progress, cancel: Cancel) -> BakedSurface:
        textures = _textures(request, images, progress, cancel)
        contents = _contents(textures, storage, cancel)
        means = {name: _mean(textures, name) for name in images if MAPS[name].formula}
        return BakedSurface(contents, constants, textures.size, textures.depth, means | constants)

    return run


def bake_images(request: SurfaceRequest, maps: tuple[str, ...], storage: str, normal: str) -> Work:
    """Return the work that gives the contents of the images of maps, by name: see `surface_settings.BAKED`."""

    def run(progress: Progress, cancel: Cancel) -> dict[str, Content]:
        return _contents(_textures(request, maps, progress, cancel, normal), storage, cancel)

    return run


def bake_files(
    request: SurfaceRequest,
    maps: tuple[str, ...],
    normal: str,
    files: ImageFiles,
    *,
    overwrite: bool,
    material: str = "none",
) -> Work:
    """Return the work that writes maps as files, all or none, and returns their paths.

    The names of the files end as `file_ends` says. Packed maps are among them as `pack_maps` names them. For the
    material beside them see `surface_settings.FILES`.
    """
    texts = _material_texts(request, maps, normal, files, material)

    def write(progress: Progress, cancel: Cancel) -> list[Path]:
        baking = part_of(progress, 0.0, _BAKED)
        textures = _textures(request, unpack_maps(maps), baking, cancel, normal)

        def content(name: str) -> bytes:
            is_color = name in MAPS and MAPS[name].is_color  # packed maps are data
            return files.content(textures.encode(name), cancel, is_color=is_color)

        contents: dict[Path, Callable[[], bytes]] = {
            path: partial(content, name) for name, path in zip(maps, files.paths)
        }
        contents |= {files.beside[suffix]: text.encode for suffix, text in texts.items()}
        return image_files.write_all(
            contents,
            overwrite=overwrite,
            done=lambda count: progress(_BAKED + (1.0 - _BAKED) * count / len(contents)),
        )

    return write


def choose_files(maps: tuple[str, ...], packing: str) -> tuple[str, ...]:
    """Return the names of the files of maps: see `surface_settings.FILES`."""
    return pack_maps(maps) if packing == "orm" else maps


def material_suffixes(material: str) -> tuple[str, ...]:
    """Return the suffixes of the files of a material: see `surface_settings.FILES`."""
    from ....noise_core.io.looks.surface_look import SUFFIXES

    return (SUFFIXES[material], f"{SUFFIXES[material]}.json") if material in SUFFIXES else ()


def _material_texts(
    request: SurfaceRequest, maps: tuple[str, ...], normal: str, files: ImageFiles, material: str
) -> Mapping[str, str]:
    """Return the texts of the files of a material, by their suffixes."""
    if material == "none":
        return {}
    from ....noise_core.io.looks.surface_look import ImageFiles, surface_texts

    shown = {name: path.name for name, path in zip(maps, files.paths)}
    size, depth = _measures(request)
    seen = ImageFiles(shown, size, depth, normal, not files.has_display_values)
    return surface_texts(files.name, material, request.surface(), seen)


def file_ends(maps: Iterable[str]) -> tuple[str, ...]:
    """Return the endings of the names of the files of maps."""
    return tuple(FILE_NAMES.get(name, name) for name in maps)


def _textures(
    request: SurfaceRequest,
    maps: tuple[str, ...],
    progress: Progress,
    cancel: Cancel,
    normal: str = "opengl",
) -> TextureSet:
    """Return maps of a surface, if the memory is enough for them."""
    each = sum(MAPS[name].channels for name in maps) * installed_memory.PER_TEXEL
    installed_memory.require("Material", request.width * request.height, each)
    material_surface, grid, depth = request.surface(), request.grid(), request.depth or None
    if not maps:
        return TextureSet({}, *_measures(request), normal)
    return material_surface.textures(
        grid, request.seed, maps, depth=depth, normal=normal, progress=progress, cancel=cancel
    )


def _measures(request: SurfaceRequest) -> tuple[float, float]:
    """Return the width of the tile, and the height of its relief, in meters."""
    entry, width = request.surface(), request.grid().width
    return width, request.depth or entry.depth * width / entry.size


def _contents(textures: TextureSet, storage: str, cancel: Cancel) -> dict[str, Content]:
    """Return maps as they are packed into images: normals in [0, 1], colors of 8 bits as sRGB."""
    contents: dict[str, Content] = {}
    with cancellable(cancel):
        for name in textures:
            is_float, is_color = storage == "float" or name in _EXACT, MAPS[name].is_color
            field = textures.encode(name)
            if is_color and not is_float:
                field = srgb(field, cancel)
            contents[name] = images.content(field, float_buffer=is_float, is_color=is_color)
    return contents


def _mean(textures: TextureSet, name: str) -> tuple[float, ...]:
    field = textures[name]
    return tuple(field.reshape(-1, MAPS[name].channels).mean(axis=0, dtype=np.float64).tolist())


# --- images -------------------------------------------------------------------------------------


def _image_name(owner: str, name: str) -> str:
    """Return the name of the image of a map."""
    return f"{owner} {MAPS[name].label}"


def new_texture(owner: str, name: str, packed: Content) -> bpy.types.Image:
    """Return a new image of a map of a material, given the names of both."""
    label = _image_name(owner, name)
    abandoned = ownership.find(
        bpy.data.images, label, lambda texture: texture.get(MARK) == name and texture.users == 0
    )
    if abandoned is not None:  # so that the new one can have its name
        bpy.data.images.remove(abandoned)
    image = images.create_packed_image(label, packed)
    image[MARK] = name
    ownership.note(image, label)
    return image


def take_over(
    material: bpy.types.Material,
    old_images: Iterable[Any],
    new_images: Mapping[str, bpy.types.Image],
) -> None:
    """Replace the textures of a material by new ones wherever they are used.

    Terrane's nodes in the material, which are removed already, showed the old images; the user's
    nodes change too. Another material of Terrane's that shows them keeps them, since its request
    describes them. New images are given by map, and take the names of the old ones.
    """
    nodes: Any = compat.node_tree(material).nodes
    for old in dict.fromkeys(old_images):
        if MARK not in old or old.library is not None:
            continue
        new = new_images.get(old[MARK])
        if ownership.is_in_another(old, material):
            for node in nodes if new is not None else ():
                if node.type == "TEX_IMAGE" and node.image == old:
                    node.image = new
        elif new is not None:
            name = old.name
            old.user_remap(new)
            bpy.data.images.remove(old)
            new.name = name
            ownership.note(new, new[ownership.ASKED])
        elif old.users == 0:
            bpy.data.images.remove(old)


def write_images(owner: str, contents: Mapping[str, Content]) -> None:
    """Create images of maps, whose names begin with the owner's, or write new pixels into existing ones."""
    for name, packed in contents.items():
        label, image = _image_name(owner, name), find_image(owner, name)
        if image is None:
            image = images.create_image(label, packed)
            image[BAKED_MARK] = name
            ownership.note(image, label)
        else:
            images.write_content(image, packed)


def find_image(owner: str, name: str) -> bpy.types.Image | None:
    """Return the image of a map that was made for an owner's name, None if there is none."""
    image: bpy.types.Image | None = ownership.find(
        bpy.data.images, _image_name(owner, name), partial(_is_baked, name)
    )
    return image


def _is_baked(name: str, image: bpy.types.Image) -> bool:
    return image.get(BAKED_MARK) == name and images.can_be_packed(image)
