# SPDX-License-Identifier: GPL-3.0-or-later
"""Renders of a scene as PNG images."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import Any

import bpy

from ....noise_core.base import atomic_files
from ....noise_core.base.errors import TerraneError
from ..datablocks import compat

ENGINES: Mapping[str, str] = MappingProxyType({"cycles": "CYCLES", "eevee": "EEVEE"})
"""Render engines, and the common part of Blender's names of them, which differ between versions."""


def render(
    scene: bpy.types.Scene, path: Path, engine: str, *, columns: int, rows: int, samples: int
) -> None:
    """Render a scene; the file gets its name when it is complete.

    Parameters
    ----------
    scene : Scene
        Its settings are changed.
    path : Path
    engine : {"cycles", "eevee"}
    columns, rows : int
        Pixels.
    samples : int
        Of each pixel.

    Raises
    ------
    TerraneError
        If Blender cannot render it, or the file cannot be written.
    """
    _set_engine(scene, engine, samples)
    settings: Any = scene.render
    settings.resolution_x, settings.resolution_y = columns, rows
    settings.resolution_percentage = 100
    image = settings.image_settings
    compat.write_still_images(image)
    image.file_format, image.color_mode, image.color_depth = "PNG", "RGB", "8"
    part = atomic_files.part_of(path)
    try:
        bpy.ops.render.render(scene=scene.name)
        bpy.data.images["Render Result"].save_render(str(part), scene=scene)
        atomic_files.put({part: path})
    except (RuntimeError, KeyError) as error:  # this is how Blender says that it cannot
        reason = str(error).strip().removeprefix("Error: ")
        raise TerraneError("{}: cannot be rendered: {}", path, reason) from error
    finally:
        atomic_files.remove(part)


def _set_engine(scene: Any, engine: str, samples: int) -> None:
    scene.render.engine = compat.engine_name(ENGINES[engine])
    if engine == "cycles":
        cycles: Any = import_module("_cycles")
        scene.cycles.samples = samples
        scene.cycles.use_denoising = cycles.with_openimagedenoise  # some builds go without
    else:
        scene.eevee.taa_render_samples = samples
