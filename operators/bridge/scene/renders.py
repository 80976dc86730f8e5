# SPDX-License-Identifier: GPL-3.0-or-later
"""Render settings of a scene, and renders of it as PNG images."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from contextlib import nullcontext, suppress
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import Any

import bpy

from ....noise_core.base import atomic_files
from ....noise_core.base.errors import TerraneError
from ....noise_core.landscapes.scene import Render
from ..datablocks import compat
from ..datablocks.record import Record, forget, note_replaced, replaced_by
from . import new_files

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
    write(scene, Render(engine=engine, samples=samples))
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


_WITHOUT_DENOISER = 4
"""Times as many samples where Blender has no denoiser."""

KEY = "render"
"""Name of render settings in records: on a scene that got those of a preset."""


def is_untouched(scene: bpy.types.Scene) -> bool:
    """Return whether a file was never saved, and a scene renders as a new file does."""
    if bpy.data.filepath or scene.render.engine != compat.engine_name(ENGINES["eevee"]):
        return False
    view = scene.view_settings
    usual = ((owner, name) for owner, name in _samples(scene) if not _is_default(owner, name))
    return view.view_transform == "AgX" and not any(usual)


def write(scene: bpy.types.Scene, render: Render) -> None:
    """Give a scene render settings."""
    _write(scene, _values(scene, render))


def replace(scene: bpy.types.Scene, render: Render) -> None:
    """Give a scene render settings, and record the former ones, for `restore`; without Cycles those of EEVEE.

    The objects of a new file are hidden.
    """
    if not hasattr(scene, "cycles"):
        render = dataclasses.replace(render, engine="eevee")
    new_files.hide(scene)
    former = replaced_by(scene, KEY)
    values = _values(scene, render)
    if not values.get("use_denoising", True):
        values["samples"] *= _WITHOUT_DENOISER
    present = {name: value for name, value in _read(scene).items() if name in values}
    _write(scene, values)
    given = _read(scene)
    changed = {name: value for name, value in present.items() if given[name] != value}
    if former or changed:
        note_replaced(scene, KEY, **{**changed, **former})
        Record("", details={name: given[name] for name in {**changed, **former}}).store(scene, KEY)


def restore(scene: bpy.types.Scene) -> None:
    """Give a scene its former render settings back, except those that have changed since."""
    record, present = Record.of(scene, KEY), _read(scene)
    given = {} if record is None else record.details
    former = replaced_by(scene, KEY)
    _write(
        scene, {name: value for name, value in former.items() if given.get(name) == present[name]}
    )
    forget(scene, KEY)
    new_files.show(scene)


_OWNERS = {
    "engine": "render",
    "samples": "cycles",
    "use_denoising": "cycles",
    "taa_render_samples": "eevee",
    "use_raytracing": "eevee",
    "view_transform": "view_settings",
}
"""Attributes of a scene that hold the settings."""


def _values(scene: Any, render: Render) -> dict[str, Any]:
    """Return the values of the settings by their names in Blender."""
    values: dict[str, Any] = {
        "engine": compat.engine_name(ENGINES[render.engine]),
        "view_transform": render.view_transform,
    }
    # Those of the other engine too: a user who switches gets the same picture.
    values |= {"taa_render_samples": render.samples, "use_raytracing": True}
    if hasattr(scene, "cycles"):
        values |= {"samples": render.samples, "use_denoising": _has_denoiser()}
    return values


def _has_denoiser() -> bool:
    """Return whether Cycles can denoise: some builds go without."""
    cycles: Any = import_module("_cycles")
    return bool(cycles.with_openimagedenoise)


def _read(scene: Any) -> dict[str, Any]:
    """Return the present values of all settings; Cycles may be disabled."""
    owners = {name: getattr(scene, owner, None) for name, owner in _OWNERS.items()}
    return {name: getattr(owner, name) for name, owner in owners.items() if owner is not None}


def _write(scene: Any, values: Mapping[str, Any]) -> None:
    for name, value in values.items():
        # A studio may have no such view transform.
        with suppress(TypeError) if name == "view_transform" else nullcontext():
            setattr(getattr(scene, _OWNERS[name]), name, value)


def _samples(scene: Any) -> list[tuple[Any, str]]:
    """Return the owners and names of the numbers of samples."""
    names = ("samples", "taa_render_samples")
    owners = ((getattr(scene, _OWNERS[name], None), name) for name in names)
    return [(owner, name) for owner, name in owners if owner is not None]


def _is_default(owner: Any, name: str) -> bool:
    return bool(getattr(owner, name) == owner.bl_rna.properties[name].default)
