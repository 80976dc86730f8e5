# SPDX-License-Identifier: GPL-3.0-or-later
"""The image of heaps of cloud in a sky: drawn by a thread, packed into the file, kept by the world."""

from __future__ import annotations

from typing import Any

import bpy

from ....noise_core.base.blocks import Cancel, Progress
from ....noise_core.landscapes.cumulus import draw_cumulus
from ....noise_core.landscapes.scene import Sky
from ..datablocks import images
from ..datablocks.images import Content
from ..tasks.jobs import Work
from ..textures.disk_cache import DiskCache
from .sky_nodes import sun_vector

KEY = "terrane_clouds"
"""Custom property of a world: its image of clouds."""

_DRAWN = "terrane_drawn"
"""Custom property of the image: the state of the sky that it shows."""


def work(world: Any, sky: Sky) -> Work:
    """Return the work that draws the clouds of a sky; its result is None if a world has them, or the sky shows none."""
    present = None if world is None else world.get(KEY)
    if not has_clouds(sky) or (present is not None and present.get(_DRAWN) == _state(sky)):
        return lambda progress, cancel: None

    cache = DiskCache.open()

    def draw(progress: Progress, cancel: Cancel) -> Content:
        def content() -> list[Content]:
            cover, seed = sky.cumulus, sky.cumulus_seed
            pixels = draw_cumulus(cover, seed, sun_vector(sky), progress=progress, cancel=cancel)
            return [images.content(pixels, float_buffer=False)]

        (image,) = cache.find_or_make_images([f"clouds {_state(sky)}"], content)
        return image

    return draw


def write(world: Any, sky: Sky, content: Content | None) -> Any:
    """Give a world the image of its clouds, and return it; None if it has none."""
    if not has_clouds(sky):
        remove(world)
        return None
    image = world.get(KEY)
    if content is not None:
        if image is None:
            image = world[KEY] = images.create_packed_image(
                "Terrane Clouds", content, is_read=False
            )
        else:
            images.write_content(image, content, is_read=False)
        image[_DRAWN] = _state(sky)
    return image


def remove(world: Any) -> None:
    """Remove the image of a world's clouds."""
    image = world.get(KEY)
    if image is None:
        return
    del world[KEY]
    # The nodes that show it are written again, or go with the world.
    if image.users <= _shown_in(world, image):
        bpy.data.images.remove(image)


def has_clouds(sky: Sky) -> bool:
    """Return whether heaps of cloud are seen in a sky."""
    return sky.has_air and sky.cumulus > 0.0


def _shown_in(world: Any, image: Any) -> int:
    nodes = [] if world.node_tree is None else world.node_tree.nodes
    return sum(getattr(node, "image", None) == image for node in nodes)


def _state(sky: Sky) -> str:
    """Return the settings that an image of the clouds of a sky depends on."""
    sun = ", ".join(f"{component:.6f}" for component in sun_vector(sky))
    return f"{sky.cumulus:.6f} {sky.cumulus_seed} {sun}"
