# SPDX-License-Identifier: GPL-3.0-or-later
"""Make a seamless texture of noise, or a picture by a formula, without a window.

    blender --background --python examples/texture.py -- --preset marble --output marble.png
    blender --background --python examples/texture.py -- --noise simplex --octaves 5 --output bumps.exr
    blender --background --python examples/texture.py -- --coloring clouds --frames 96 --output clouds.png

The endings say what is written: .png (16 bits a channel, 8 with --no-float-buffer), .exr (32 bits),
or .blend with the image packed in it. With --frames it is a sequence, clouds_0001.png and so on,
that plays in a circle without a jump; --motion endless goes on for ever. A picture is square unless
both --width and --height say otherwise.
"""

from __future__ import annotations

import argparse
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
    declared = _terrane.part(package, "operators.bridge.schema.picture_options")
    options = (*declared.IMAGE, declared.coloring_choice(), declared.PALETTE, *declared.SEQUENCE)
    for parameter in options:
        parser.add_declared(parameter)
    parser.add_output(
        "--output", *FORMATS, ".blend", required=True, help="the picture or Blender file to save"
    )
    arguments = parser.parse()
    if None in (arguments.width, arguments.height):  # one of them alone, or neither
        arguments.width = arguments.height = arguments.width or arguments.height
    if arguments.frames is not None:
        if arguments.output.suffix.lower() not in FORMATS:
            parser.error(f"a sequence must end in .png or .exr; got {str(arguments.output)!r}")
        save_frames(arguments)
        return

    _terrane.empty_scene()
    before = set(bpy.data.images)
    bpy.ops.terrane.image_new(**_terrane.given(arguments, "output", "step"))
    (image,) = set(bpy.data.images) - before
    path = arguments.output
    if path.suffix.lower() == ".blend":
        bpy.ops.wm.save_as_mainfile(filepath=str(path), compress=True)
    else:
        image.filepath_raw = str(path)
        image.file_format = FORMATS[path.suffix.lower()]
        image.save()
    print(f"saved {path}: {image.size[0]} x {image.size[1]}")


def save_frames(arguments: argparse.Namespace) -> None:
    """Write a sequence, over the frames of an earlier one."""
    path, is_float = arguments.output, arguments.output.suffix.lower() == ".exr"
    bits = "32" if is_float else "8" if arguments.float_buffer is False else "16"
    bpy.ops.terrane.sequence_save(
        **{"motion": "loop", **_terrane.given(arguments, "output")},
        directory=str(path.parent),
        name=path.stem,
        file_format="exr" if is_float else "png",
        bits=bits,
        overwrite=True,
        load=False,
    )
    print(f"saved {arguments.frames} frames beside {path}")


if __name__ == "__main__":
    _terrane.run(main)
