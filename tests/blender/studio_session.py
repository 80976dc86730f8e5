# SPDX-License-Identifier: GPL-3.0-or-later
"""The main path, played by `test_studios.py` in a process that has another OpenColorIO configuration or language.

    studio_session.py -- EXTENSION FOLDER

Reads ``heights.png`` in the folder; writes ``rendered.png`` and ``report.json``: by step its messages, its
errors, and the images that are there after it.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
import traceback
from pathlib import Path

import bpy  # isort: split

import addon_utils  # which bpy makes importable
import numpy as np
from mathutils import Color

EXTENSION, FOLDER = sys.argv[-2], Path(sys.argv[-1])
SMALL = {"width": 16, "height": 16}


def module(name):
    return importlib.import_module(f"{EXTENSION}.{name}")


def describe(image):
    """Return how an image is read, and the mean of its pixels; of colors as floats as Rec. 709."""
    space = image.colorspace_settings
    values = np.empty(len(image.pixels), np.float32)
    image.pixels.foreach_get(values)
    mean = values.reshape(-1, image.channels)[:, :3].mean(axis=0).tolist()
    if image.is_float and not space.is_data and len(mean) == 3:
        mean = list(Color(mean).from_scene_linear_to_rec709_linear())
    return {"space": space.name, "is_data": space.is_data, "is_float": image.is_float, "mean": mean}


def landscape():
    bpy.ops.terrane.landscape_add(preset="dunes", resolution=33, seed=3)


def bare_sky():
    bpy.ops.terrane.sky_add()


def terrain_material():
    bpy.ops.wm.read_homefile(use_empty=True)
    bpy.ops.terrane.terrain_add(preset="alps", resolution=33)
    bpy.ops.terrane.terrain_material()
    bpy.ops.terrane.colors_add()
    bpy.ops.terrane.maps_bake(maps={"slope"}, as_images=True, splat=True, red="slope")


def images():
    for is_float, kind in ((False, "bytes"), (True, "floats")):
        keywords = {**SMALL, "preset": "dunes", "float_buffer": is_float}
        bpy.ops.terrane.image_new(name=f"gray {kind}", **keywords)
        bpy.ops.terrane.image_new(name=f"colored {kind}", coloring="marble", **keywords)
    bpy.ops.terrane.image_update(image="colored bytes", coloring="wood_rings")
    bpy.ops.terrane.image_erode(image="gray floats", modifier="blur", in_place=True)
    bpy.ops.terrane.image_by_example(image="colored floats", **SMALL)


def surfaces():
    bpy.ops.mesh.primitive_plane_add()
    bpy.ops.terrane.material_add(surface="granite")
    for storage in ("mixed", "float"):
        bpy.ops.terrane.images_bake(surface="granite", storage=storage, name=storage, **SMALL)


def loaded_heights():
    image = bpy.data.images.load(str(FOLDER / "heights.png"))
    reading = module("operators.bridge.datablocks.images")
    errors = module("noise_core.base.errors")
    try:
        return {"heights": reading.unsigned_pixels(image)[0].tolist()}
    except errors.TerraneError as error:
        return {"refused": str(error)}


def render():
    given = ["--resolution", "17", "--pixels", "32x20", "--samples", "1"]
    picture = ["--output", str(FOLDER / "rendered.png")]
    run = module("operators.registration").run_command
    return {"status": run(["render", "dunes", *given, *picture])}


STEPS = (landscape, bare_sky, terrain_material, images, surfaces, loaded_heights, render)


def speak(language):
    """Show the interface in a language, and let Blender give new datablocks and nodes names in it."""
    view = bpy.context.preferences.view
    view.language = language
    view.use_translate_interface = view.use_translate_new_dataname = True


def main():
    bpy.context.preferences.use_preferences_save = False
    if language := os.environ.get("TERRANE_TEST_LANGUAGE"):
        speak(language)
    bpy.ops.wm.read_homefile(use_empty=True)
    addon_utils.enable(EXTENSION)
    report = {}
    for step in STEPS:
        said = {}
        try:
            said = step() or {}
        except (RuntimeError, TypeError, ValueError, KeyError):
            said = {"error": traceback.format_exc()}
        pictures = [image for image in bpy.data.images if image.type == "IMAGE"]
        report[step.__name__] = {
            **said,
            "images": {picture.name: describe(picture) for picture in pictures},
        }
    (FOLDER / "report.json").write_text(json.dumps(report), encoding="utf-8")
    addon_utils.disable(EXTENSION)
    sys.stdout.flush()
    os._exit(0)


main()
