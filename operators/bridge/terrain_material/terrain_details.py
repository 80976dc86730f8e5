# SPDX-License-Identifier: GPL-3.0-or-later
"""Details of the ground: seamless tiles of Terrane's surfaces, laid on from all sides.

A tile is one image: how each texel's color differs from the average, and its height as the fourth
channel. It says nothing of the color itself, which the layer has. Tiles and the groups around
them are known by a mark with surface, size and mapping, so that all terrains share them.

No single size of a tile will do: what suits a mountain across the valley makes scales as large as
houses at the camera's feet, on lands of all widths. So copies of a tile stand on a ladder of sizes,
and each spot shows the three that suit its distance from the camera, strongest the one in the
middle; one fades in as another fades out, so that nothing jumps as the camera moves.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import bpy
import numpy as np

from ....noise_core.arrays import Field
from ....noise_core.blocks import Cancel, Progress, cancellable
from ....noise_core.grid import Grid
from ....noise_core.surfaces import surface, surface_names
from ..datablocks import images
from ..datablocks.editing import is_writable
from ..datablocks.images import Content
from ..maps.catalog import part_of
from ..nodes.node_building import Builder, Source
from ..work.jobs import Work
from .terrain_groups import found_or_made

MARK = "terrane_detail"
"""Custom property of the images that are ours."""

_VERSION = 1
"""Of the images."""

_GROUP_VERSION = 2
"""Of the groups around them."""

_BLEND = 0.25
"""Width of the blend between the sides of a box: hides the edges, and blurs little."""

_RATIO = 4.37
"""From one size of the ladder to the next; near no simple fraction, so that copies do not repeat
together."""

_TURN = 0.41
"""Radians by which each copy is turned against the next, for the same reason."""

_REACH = 1.4
"""How many steps of the ladder a copy is from the right size when it is gone: three show at once."""

_STRENGTH = 0.5
"""Of the copy of the right size, so that three together are about as strong as the tile itself."""

_SEED = 11


def chosen(names: Iterable[str]) -> str | None:
    """Return the first of some surfaces that there is, None if there is none."""
    there = surface_names()
    return next((name for name in names if name in there), None)


def true_size(name: str) -> float:
    """Return how many meters a tile of a surface is wide in the world."""
    return float(surface(name).size)


def mark(name: str, pixels: int) -> str:
    """Return what the image of a tile is known by."""
    return f"{name} {pixels} {_VERSION}"


def found(name: str, pixels: int) -> bpy.types.Image | None:
    """Return the image of a tile that this file has already, None if there is none with pixels."""
    return next((one for one in _marked(name, pixels) if _has_pixels(one)), None)


def _marked(name: str, pixels: int) -> list[bpy.types.Image]:
    wanted = mark(name, pixels)
    return [one for one in bpy.data.images if one.get(MARK) == wanted and is_writable(one)]


def _has_pixels(image: bpy.types.Image) -> bool:
    """Return whether an image will show something in the saved file: it is packed, or has a file."""
    if image.packed_file is not None:
        return True
    return Path(bpy.path.abspath(image.filepath)).is_file()


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
        Half the ratio of its color to its average color, and the height from 0 to 1.
    """
    made = surface(name)
    grid = Grid(pixels, pixels, wrap=True, size=made.size)
    textures = made.textures(
        grid, _SEED, ("base_color", "height"), progress=progress, cancel=cancel
    )
    result = np.full((pixels, pixels, 4), 0.5, np.float32)
    color = textures["base_color"]
    mean = np.maximum(color.mean(axis=(0, 1), dtype=np.float64), 1e-4).astype(np.float32)
    result[..., :3] = np.clip(color / (2.0 * mean), 0.0, 1.0)
    height = textures["height"]
    low, high = float(height.min()), float(height.max())
    if high > low:
        result[..., 3] = (height - low) / (high - low)
    return result


def write(name: str, pixels: int, packed: Content) -> bpy.types.Image:
    """Return a packed image of a tile: a new one, or the one that has lost its pixels."""
    image = next(filter(images.can_be_packed, _marked(name, pixels)), None)
    if image is None:
        image = images.create_packed_image(
            f"Terrane Detail {surface(name).label}", packed, alpha=True
        )
    else:
        images.write_content(image, packed)
    image.alpha_mode = "CHANNEL_PACKED"  # the height must not darken the color
    image[MARK] = mark(name, pixels)
    return image


def group(name: str, pixels: int, image: bpy.types.Image, mapping: str) -> bpy.types.NodeTree:
    """Return the node group of a tile of so many pixels, which all terrains share."""

    def written(builder: Builder) -> None:
        _write_group(builder, image, mapping)

    title = f"Terrane Detail {surface(name).label}"
    made = found_or_made(title, f"{title} {pixels} {mapping} {_GROUP_VERSION}", written)
    nodes: Any = made.nodes
    for node in nodes:  # an image that was removed leaves its nodes empty
        if node.type == "TEX_IMAGE" and node.image is None:
            node.image = image
    return made


def _write_group(group: Builder, image: bpy.types.Image, mapping: str) -> None:
    group.outputs("NodeSocketColor", [("Detail Color", "For a layer")])
    group.outputs("NodeSocketFloat", [("Detail Height", "For a layer")])
    _write_sockets(group)
    given = group.begin().outputs
    distance = group.add("ShaderNodeCameraData", "Distance").outputs["View Distance"]
    right = group.math("MAXIMUM", group.math("DIVIDE", distance, given["Apart"]), given["Smallest"])
    step = group.math("LOGARITHM", group.math("DIVIDE", given["Size"], right), _RATIO)
    step = group.math("MAXIMUM", step, 0.0, label="Step")
    middle = group.math("ROUND", step)
    reach = group.product(given["Seen Up To"], given["Size"])
    seen = group.ranged(distance, group.product(reach, 0.35), reach, _STRENGTH, 0.0, label="Fades")
    place = group.vector("SCALE", given["Position"], group.math("DIVIDE", 1.0, given["Size"]))
    color: Any = (1.0, 1.0, 1.0)
    heights = []
    for beside in (-1.0, 0.0, 1.0):
        at = group.total(middle, beside)
        share = group.product(_share(group, at, step), seen, label="Share")
        node, times = _copy(group, place, at)
        node.image = image
        if mapping == "triplanar":
            node.projection, node.projection_blend = "BOX", _BLEND
        factor = group.vector("SCALE", node.outputs["Color"], 2.0)
        color = group.mixed(share, color, factor, "MULTIPLY")
        up = group.product(group.total(node.outputs["Alpha"], -0.5), 2.0)
        # Bumps of all sizes are equally steep: the ground looks as rough from near as from afar.
        heights.append(group.math("DIVIDE", group.product(up, share), times))
    group.end(Detail_Color=color, Detail_Height=group.total(*heights))


def _write_sockets(group: Builder) -> None:
    number = group.number_socket
    for name, value, text in (
        ("Size", 100.0, "Of the largest tiles in meters, those of the far ground"),
        ("Smallest", 1.0, "Of the smallest tiles in meters, those at the camera's feet"),
    ):
        number(name, value, (1e-3, 1e6), text, subtype="DISTANCE")
    number(
        "Apart", 16.0, (0.1, 1e3), "How many of its widths away from the camera a tile is seen best"
    )
    number(
        "Seen Up To", 240.0, (0.0, 1e6),
        "The largest tiles fade out this many of their widths away from the camera",
    )  # fmt: skip
    group.vector_socket("Position", "Of the masks")


def _share(group: Builder, at: Source, step: Source) -> Source:
    """Return how much of the copy on one step of the ladder shows where another would be right."""
    off = group.math("ABSOLUTE", group.math("SUBTRACT", at, step))
    share = group.ranged(off, 0.0, _REACH, 1.0, 0.0, smooth=True)
    # Above the largest there is none.
    return group.product(share, group.math("GREATER_THAN", at, -0.5))


def _copy(group: Builder, place: Source, at: Source) -> tuple[Any, Source]:
    """Return the node of the copy on a step of the ladder, and how many times smaller it is."""
    times = group.math("POWER", _RATIO, at)
    turned = group.add("ShaderNodeVectorRotate", "Turned", Vector=place)
    group.feed(group.product(at, _TURN), turned.inputs["Angle"])
    scaled = group.vector("SCALE", turned.outputs[0], times)
    return group.add("ShaderNodeTexImage", "Copy", Vector=scaled), times
