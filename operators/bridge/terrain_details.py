# SPDX-License-Identifier: GPL-3.0-or-later
"""Details of the ground: seamless tiles of Terrane's surfaces, laid on from all sides at three sizes.

A tile is one image: how each texel's colour differs from the average, and its height as the fourth
channel. It says nothing of the colour itself, which the layer has. Tiles and the groups around
them are known by a mark with surface, size and mapping, so that all terrains share them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import bpy
import numpy as np

from ...noise_core.arrays import Field
from ...noise_core.blocks import Cancel, Progress, cancellable
from ...noise_core.grid import Grid
from ...noise_core.surfaces import surface, surface_names
from . import images
from .catalogue import part_of
from .images import Content
from .jobs import Work
from .node_building import Builder
from .terrain_groups import found_or_made

MARK = "terrane_detail"
"""Custom property of the images that are ours."""

_VERSION = 1

_BLEND = 0.25
"""Width of the blend between the sides of a box: hides the edges, and blurs little."""

_STEPS = ((1.0, 0.0, 0.45), (4.37, 0.41, 0.60), (18.9, 0.83, 0.55))
"""How many times smaller, by which angle in radians turned, and how strong each copy is. No ratio
of sizes is near a simple fraction, so that copies do not repeat together."""

_SEED = 11


def chosen(names: Iterable[str]) -> str | None:
    """Return the first of some surfaces that there is, None if there is none."""
    there = surface_names()
    return next((name for name in names if name in there), None)


def mark(name: str, pixels: int) -> str:
    """Return what the image of a tile is known by."""
    return f"{name} {pixels} {_VERSION}"


def found(name: str, pixels: int) -> bpy.types.Image | None:
    """Return the image of a tile that this file has already, None if there is none."""
    wanted = mark(name, pixels)
    return next(
        (one for one in bpy.data.images if one.get(MARK) == wanted and one.library is None), None
    )


def work(names: Iterable[str], pixels: int) -> Work:
    """Return the work that gives the images of the tiles of some surfaces by name; see `tile`."""
    wanted = sorted(set(names))

    def baked(progress: Progress, cancel: Cancel) -> Mapping[str, Content]:
        made = {}
        for place, name in enumerate(wanted):
            part = part_of(progress, place / len(wanted), (place + 1) / len(wanted))
            with cancellable(cancel):
                made[name] = images.content(tile(name, pixels, part, cancel), float_buffer=False)
        return made

    return baked


def tile(name: str, pixels: int, progress: Progress, cancel: Cancel) -> Field:
    """Return a tile of a surface.

    Returns
    -------
    ndarray of shape (pixels, pixels, 4), float32
        Half the ratio of its colour to its average colour, and the height from 0 to 1.
    """
    made = surface(name)
    grid = Grid(pixels, pixels, wrap=True, size=made.size)
    textures = made.textures(
        grid, _SEED, ("base_colour", "height"), progress=progress, cancel=cancel
    )
    result = np.full((pixels, pixels, 4), 0.5, np.float32)
    colour = textures["base_colour"]
    mean = np.maximum(colour.mean(axis=(0, 1), dtype=np.float64), 1e-4).astype(np.float32)
    result[..., :3] = np.clip(colour / (2.0 * mean), 0.0, 1.0)
    height = textures["height"]
    low, high = float(height.min()), float(height.max())
    if high > low:
        result[..., 3] = (height - low) / (high - low)
    return result


def write(name: str, pixels: int, packed: Content) -> bpy.types.Image:
    """Return a new packed image of a tile."""
    image = images.new_packed(f"Terrane Detail {surface(name).label}", packed, alpha=True)
    image.alpha_mode = "CHANNEL_PACKED"  # the height must not darken the colour
    image[MARK] = mark(name, pixels)
    return image


def group(name: str, pixels: int, image: bpy.types.Image, mapping: str) -> bpy.types.NodeTree:
    """Return the node group of a tile of so many pixels, which all terrains share."""

    def written(builder: Builder) -> None:
        _write_group(builder, image, mapping)

    title = f"Terrane Detail {surface(name).label}"
    return found_or_made(title, f"{title} {pixels} {mapping} {_VERSION}", written)


def _write_group(group: Builder, image: bpy.types.Image, mapping: str) -> None:
    group.outputs("NodeSocketColor", [("Detail Color", "For a layer")])
    group.outputs("NodeSocketFloat", [("Detail Height", "For a layer")])
    group.number_socket(
        "Size", 100.0, (1e-3, 1e6), "Of the largest tile in metres; two smaller ones lie over it",
        subtype="DISTANCE",
    )  # fmt: skip
    group.number_socket(
        "Seen Up To", 60.0, (0.0, 1e6),
        "Tiles fade out this many of their sizes away from the camera, the largest four times as far",
    )  # fmt: skip
    group.vector_socket("Position", "Of the masks")
    given = group.begin().outputs
    distance = group.add("ShaderNodeCameraData", "Distance").outputs["View Distance"]
    place = group.vector("SCALE", given["Position"], group.math("DIVIDE", 1.0, given["Size"]))
    colour: Any = None
    heights = []
    for times, angle, strength in _STEPS:
        turned = group.add("ShaderNodeVectorRotate", "Turned", Vector=place, Angle=angle)
        scaled = group.vector("SCALE", turned.outputs[0], times)
        node = group.add("ShaderNodeTexImage", f"{times:g} Times Smaller", Vector=scaled)
        node.image, node.interpolation = image, "Cubic" if times == 1.0 else "Linear"
        if mapping == "triplanar":
            node.projection, node.projection_blend = "BOX", _BLEND
        # The largest is seen from afar, if it is large.
        reach = group.product(
            given["Seen Up To"], given["Size"], 4.0 if times == 1.0 else 1.0 / times
        )
        seen = group.ranged(
            distance, group.product(reach, 0.35), reach, strength, 0.0, label="Fades"
        )
        factor = group.vector("SCALE", node.outputs["Color"], 2.0)
        colour = group.mixed(
            seen, (1.0, 1.0, 1.0) if colour is None else colour, factor, "MULTIPLY"
        )
        up = group.total(node.outputs["Alpha"], -0.5)
        # As with mountains and stones, what is smaller is a little steeper.
        heights.append(group.product(up, seen, 2.0 * times**-0.8))
    group.end(Detail_Color=colour, Detail_Height=group.total(*heights))
