# SPDX-License-Identifier: GPL-3.0-or-later
"""Make a seamless texture of noise without a window.

    blender --background --python examples/texture.py -- --preset marble --output marble.png
    blender --background --python examples/texture.py -- --noise simplex --octaves 5 --output bumps.exr

The endings say what is written: .png (16 bits a channel, 8 with --no-float-buffer), .exr (32 bits),
or .blend with the image packed in it.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import _terrane
import bpy

FORMATS = {".png": "PNG", ".exr": "OPEN_EXR"}


def main() -> None:
    """Read the arguments, make the image, write it."""
    package = _terrane.load()
    parser = _terrane.Parser(package, "Make a seamless texture of noise.")
    for parameter in _terrane.part(package, "operators.bridge.keywords").IMAGE:
        parser.add_declared(parameter)
    parser.add_output(
        "--output", *FORMATS, ".blend", required=True, help="the picture or Blender file to save"
    )
    arguments = parser.parse()

    _terrane.empty_scene()
    before = set(bpy.data.images)
    bpy.ops.terrane.image_new(**_terrane.given(arguments, "output"))
    (image,) = set(bpy.data.images) - before
    path = arguments.output
    if path.suffix.lower() == ".blend":
        bpy.ops.wm.save_as_mainfile(filepath=str(path), compress=True)
    else:
        image.filepath_raw = str(path)
        image.file_format = FORMATS[path.suffix.lower()]
        image.save()
    print(f"saved {path}: {image.size[0]} x {image.size[1]}")


if __name__ == "__main__":
    _terrane.run(main)
