# SPDX-License-Identifier: GPL-3.0-or-later
"""Details of the ground: seamless tiles of Terrane's surfaces, laid on from all sides.

A tile is two images. The first has how each texel's color differs from the average, and its height as the
fourth channel; the color itself comes from the layer. The second has normal and roughness, for ground near
the camera (`near_tiles`). Tiles and the groups around them are found by a mark with surface, size and
mapping, so that all terrains share them.

No single size of a tile suits all distances: one that suits a mountain across the valley shows grains as
large as houses near the camera. So copies of a tile stand on a ladder of sizes,
and each spot shows the three that suit its distance from the camera, strongest the one in the
middle; one fades in as another fades out, so that nothing jumps as the camera moves.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import bpy
import numpy as np

from .....noise_core.base.arrays import Field
from .....noise_core.base.blocks import Cancel, Progress, cancellable
from .....noise_core.base.grid import Grid
from .....noise_core.materials.surfaces import surface
from ...datablocks import images
from ...datablocks.editing import is_writable
from ...datablocks.images import Content
from ...tasks.jobs import Work
from ...terrain.catalog import part_of
from ...textures.disk_cache import DiskCache
from ..node_graph import SHARE, NodeGraph, Output, Value
from ..shared_groups import AlikeGroups

MARK = "terrane_detail"
"""Custom property of Terrane's images of tiles."""

_VERSION = 1
"""Of the images."""

LADDER = ("Size", "Smallest", "Apart", "Seen Up To")
"""Inputs of a group with the sizes of its tiles."""

_BESIDE = (-1.0, 0.0, 1.0)
"""Steps of the ladder beside the right one, whose copies show."""

_BLEND = 0.25
"""Width of the blend between the sides of a box: hides the edges, and blurs little."""

RATIO = 4.37
"""From one size of the ladder to the next; near no simple fraction, so that copies do not repeat
together."""

_TURN = 0.41
"""Radians by which each copy is turned against the next, for the same reason."""

_REACH = 1.4
"""Steps of the ladder from the right size at which a copy has faded out: three show together."""

_STRENGTH = 0.5
"""Of the copy of the right size, so that three together are about as strong as the tile itself."""

_SEED = 11

_COPY = "Copy"
"""Label of the nodes that show the image of a tile."""

_RELIEF = " relief"
"""Ends the key of the second image of a tile."""


@dataclass(frozen=True)
class TilePair:
    """The two images of a tile: color and height; normal and roughness."""

    detail: bpy.types.Image
    relief: bpy.types.Image


def image_keys(name: str) -> tuple[str, str]:
    """Return the keys of the images of a surface's tile."""
    return name, name + _RELIEF


def find_image(key: str, pixels: int) -> bpy.types.Image | None:
    """Return this file's image of a tile by its key, None if there is none with pixels."""
    return next(filter(_has_pixels, _marked_images(key, pixels)), None)


def is_lacking(name: str, pixels: int) -> bool:
    """Return whether an image of a surface's tile has to be baked."""
    return any(find_image(key, pixels) is None for key in image_keys(name))


def find_or_write(name: str, pixels: int, baked: Mapping[str, Content]) -> TilePair:
    """Return the images of a surface's tile: those of this file, or new ones of what was baked."""
    detail, relief = (
        find_image(key, pixels) or write_image(key, pixels, baked[key]) for key in image_keys(name)
    )
    return TilePair(detail, relief)


def _marked_images(key: str, pixels: int) -> list[bpy.types.Image]:
    wanted = _mark(key, pixels)
    return [one for one in bpy.data.images if one.get(MARK) == wanted and is_writable(one)]


def _mark(key: str, pixels: int) -> str:
    return f"{key} {pixels} {_VERSION}"


def _has_pixels(image: bpy.types.Image) -> bool:
    """Return whether an image has pixels in the saved file: packed, or in a file."""
    if image.packed_file is not None:
        return True
    return Path(bpy.path.abspath(image.filepath)).is_file()


def bake_tiles(names: Iterable[str], pixels: int) -> Work:
    """Return the work that bakes the tiles of some surfaces, by key; see `tile`."""
    wanted, cache = sorted(set(names)), DiskCache.open()

    def bake(progress: Progress, cancel: Cancel) -> Mapping[str, Content]:
        made = {}
        for place, name in enumerate(wanted):
            part = part_of(progress, place / len(wanted), (place + 1) / len(wanted))
            with cancellable(cancel):
                keys = [f"tile {key} {pixels} {_SEED} {_VERSION}" for key in image_keys(name)]
                one = partial(_contents, name, pixels, part, cancel)
                made.update(zip(image_keys(name), cache.find_or_make_images(keys, one)))
        return made

    return bake


def _contents(name: str, pixels: int, progress: Progress, cancel: Cancel) -> list[Content]:
    """Return the contents of both images of a tile."""
    parts = np.split(tile(name, pixels, progress, cancel), (4,), axis=2)
    return [images.content(np.ascontiguousarray(one), float_buffer=False) for one in parts]


def tile(name: str, pixels: int, progress: Progress, cancel: Cancel) -> Field:
    """Return a tile of a surface.

    Returns
    -------
    ndarray of shape (pixels, pixels, 7), float32
        Half the ratio of its color to its average color, the height from 0 to 1; the first two parts
        of its normal, moved to between 0 and 1, and its roughness.
    """
    made = surface(name)
    grid = Grid(pixels, pixels, wrap=True, size=made.size)
    maps = ("base_color", "height", "normal", "roughness")
    textures = made.textures(grid, _SEED, maps, progress=progress, cancel=cancel)
    result = np.full((pixels, pixels, 7), 0.5, np.float32)
    color = textures["base_color"]
    mean = np.maximum(color.mean(axis=(0, 1), dtype=np.float64), 1e-4).astype(np.float32)
    result[..., :3] = np.clip(color / (2.0 * mean), 0.0, 1.0)
    height = textures["height"]
    low, high = float(height.min()), float(height.max())
    if high > low:
        result[..., 3] = (height - low) / (high - low)
    result[..., 4:6] += textures["normal"][..., :2] * np.float32(0.5)
    result[..., 6] = textures["roughness"]
    return result


def write_image(key: str, pixels: int, packed: Content) -> bpy.types.Image:
    """Return a packed image of a tile: a new one, or one that has lost its pixels."""
    image = next(filter(images.can_be_packed, _marked_images(key, pixels)), None)
    if image is None:
        is_relief = key.endswith(_RELIEF)
        label = surface(key.removesuffix(_RELIEF)).label
        title = f"Terrane {'Relief' if is_relief else 'Detail'} {label}"
        image = images.create_packed_image(title, packed, alpha=not is_relief, is_read=False)
    else:
        images.write_content(image, packed, is_read=False)
    image.alpha_mode = "CHANNEL_PACKED"  # the height must not darken the color
    image[MARK] = _mark(key, pixels)
    return image


def find_or_create_group(
    name: str,
    pixels: int,
    image: bpy.types.Image,
    mapping: str,
    alike: AlikeGroups,
    *,
    is_single: bool = False,
) -> bpy.types.NodeTree:
    """Return the node group of a tile of so many pixels, which all terrains share; see `AlikeGroups`.

    A single one looks up one copy by chance where the other shows three.
    """
    title, version, declare = _GROUPS[is_single]
    group: bpy.types.NodeTree = alike.find_or_create(
        f"Terrane {title} {surface(name).label}",
        f"{pixels} {mapping} {version}",
        lambda graph: declare(graph, image, mapping),
        {_COPY: image},
        kind=f"{title} {mapping}",
    )
    return group


def _declare_single(graph: NodeGraph, image: bpy.types.Image, mapping: str) -> None:
    """Declare a tile of which each ray sees one copy: as often as it shows, and then as strongly as all three.

    On average that is the same picture for a third of the time.
    """
    ladder = _declare_ladder(graph)
    chance = graph.number("Chance", 0.5, SHARE, "Another number for each ray")
    with graph.frame("Chosen Copy"):
        shares = [_share(graph, ladder.middle + beside, ladder.step) for beside in _BESIDE]
        total = shares[0] + shares[1] + shares[2]
        drawn = chance * total
        above = graph.math("GREATER_THAN", drawn, shares[0])
        above = above + graph.math("GREATER_THAN", drawn, shares[0] + shares[1])
        at = ladder.middle + above + _BESIDE[0]
    with graph.frame("Copy"):
        share = total * ladder.seen
        color, height = _lay_copy(graph, (1.0, 1.0, 1.0), share, ladder.place, at, image, mapping)
    graph.output("Detail Color", color, "For a layer", "Color")
    graph.output("Detail Height", height, "For a layer")


@dataclass(frozen=True)
class _Ladder:
    """The ladder of sizes at a spot: its exact step, the nearest one, how far tiles have faded, and the place."""

    step: Output
    middle: Output
    seen: Output
    place: Output


def _declare_ladder(graph: NodeGraph) -> _Ladder:
    # fmt: off
    number, wide, text = graph.number, (1e-3, 1e6), "Of the largest tiles in meters, those of the far ground"
    size = number("Size", 100.0, wide, text, "DISTANCE")
    smallest = number("Smallest", 1.0, wide, "Of the smallest tiles in meters, those at the camera's feet", "DISTANCE")
    apart = number("Apart", 16.0, (0.1, 1e3), "How many of its widths away from the camera a tile is seen best")
    text = "The largest tiles fade out this many of their widths away from the camera"
    # fmt: on
    seen_up_to = number("Seen Up To", 240.0, (0.0, 1e6), text)
    position = graph.vector("Position", "Of the masks")
    with graph.frame("Step of the Ladder"):
        distance = graph.node("ShaderNodeCameraData", label="Distance")["View Distance"]
        right = graph.math("MAXIMUM", distance / apart, smallest)
        step = graph.math("LOGARITHM", size / right, RATIO)
        step = graph.math("MAXIMUM", step, 0.0, label="Step")
        middle = graph.math("ROUND", step)
    with graph.frame("Fade"):
        reach = seen_up_to * size
        seen = graph.map_range(distance, reach * 0.35, reach, _STRENGTH, 0.0, label="Fades")
    with graph.frame("Place"):
        place = graph.vector_math("SCALE", position, 1.0 / size)
    return _Ladder(step, middle, seen, place)


def _declare(graph: NodeGraph, image: bpy.types.Image, mapping: str) -> None:
    ladder = _declare_ladder(graph)
    color: Value = (1.0, 1.0, 1.0)
    heights = []
    for beside, title in zip(_BESIDE, ("Larger Copy", "Copy", "Smaller Copy")):
        with graph.frame(title):
            at = ladder.middle + beside
            share = _share(graph, at, ladder.step) * ladder.seen
            color, height = _lay_copy(graph, color, share, ladder.place, at, image, mapping)
            heights.append(height)
    height = heights[0] + heights[1] + heights[2]
    graph.output("Detail Color", color, "For a layer", "Color")
    graph.output("Detail Height", height, "For a layer")
    for name in LADDER:
        graph.output(name, graph.inputs[name], "The same for rays that see one copy")


def _share(graph: NodeGraph, at: Value, step: Value) -> Output:
    """Return how strongly the copy on one step of the ladder shows, given the exact step."""
    off = graph.math("ABSOLUTE", at - step)
    share = graph.map_range(off, 0.0, _REACH, 1.0, 0.0, kind="SMOOTHSTEP")
    # Above the largest there is none.
    return share * graph.math("GREATER_THAN", at, -0.5)


def _lay_copy(
    graph: NodeGraph,
    below: Value,
    share: Value,
    place: Value,
    at: Value,
    image: bpy.types.Image,
    mapping: str,
) -> tuple[Output, Output]:
    """Return a share of the copy on a step of the ladder: its color over one below, and its height."""
    times = graph.math("POWER", RATIO, at)
    inputs = {"Vector": place, "Angle": at * _TURN}
    turned = graph.node("ShaderNodeVectorRotate", inputs, label="Turned")
    own: dict[str, Any] = {"image": image}
    if mapping == "triplanar":
        own |= {"projection": "BOX", "projection_blend": _BLEND}
    scaled = {"Vector": graph.vector_math("SCALE", turned, times)}
    copy = graph.node("ShaderNodeTexImage", scaled, label=_COPY, **own)
    factor = graph.vector_math("SCALE", copy["Color"], 2.0)
    color = graph.mix(share, below, factor, "RGBA", blend_type="MULTIPLY")
    # Bumps of all sizes are equally steep: the ground looks as rough from near as from afar.
    return color, (copy["Alpha"] + -0.5) * 2.0 * share / times


_GROUPS = (("Detail", 3, _declare), ("Single", 1, _declare_single))
"""Groups around a tile: the title, the version and the nodes of one that shows three copies, and of a single one."""
