# SPDX-License-Identifier: GPL-3.0-or-later
"""Draw the picture of hexagonal tiles on the page on pictures: ground that repeats, and ground that does not.

``python tools/hex_pictures.py`` renders both with Blender's Python module into ``build/hex``, and
``python tools/hex_pictures.py sheet``, where Pillow is installed, puts them side by side.
"""

from __future__ import annotations

import sys
from typing import Any

import blender_module

FOLDER = blender_module.ROOT / "build" / "hex"
OUT = blender_module.ROOT / "docs" / "images" / "hex_tiling.jpg"

SURFACES, SIDE, PIXELS = ("moss", "lava"), (464, 260), 512
"""What the ground is of, and pixels of a picture and of a tile."""

REPEATS, LARGEST, GAP = 14, 250_000, 8


SOCKETS = {"Base Color": "base_color", "Roughness": "roughness", "Normal": "normal"}
"""Inputs of the shader, and the maps that they show."""


def show(name: str, *, is_tiled: bool) -> None:
    """Give the active object a material of a surface's images, which repeat; in hexagons if it is tiled."""
    import bpy

    material = bpy.data.materials.new(name)
    tree: Any = material.node_tree
    tree.nodes.clear()
    shader, output, place, scale = (
        tree.nodes.new(f"ShaderNode{kind}")
        for kind in ("BsdfPrincipled", "OutputMaterial", "TexCoord", "Mapping")
    )
    scale.inputs["Scale"].default_value = (REPEATS,) * 3
    tree.links.new(place.outputs["UV"], scale.inputs["Vector"])
    tree.links.new(shader.outputs["BSDF"], output.inputs["Surface"])
    bpy.context.active_object.data.materials.clear()
    bpy.context.active_object.data.materials.append(material)
    for socket in SOCKETS:
        texture = tree.nodes.new("ShaderNodeTexImage")
        texture.image = bpy.data.images[f"{name} {socket}"]
        tree.links.new(scale.outputs["Vector"], texture.inputs["Vector"])
        target = shader.inputs[socket]
        if socket == "Normal":
            bend = tree.nodes.new("ShaderNodeNormalMap")
            tree.links.new(bend.outputs["Normal"], target)
            target = bend.inputs["Color"]
        tree.links.new(texture.outputs["Color"], target)
        if is_tiled:
            tree.nodes.active = texture
            assert bpy.ops.terrane.hex_tiling_add() == {"FINISHED"}


def render() -> None:
    """Render each surface, repeated and in hexagons."""
    blender_module.start()
    import bpy

    bpy.ops.wm.read_homefile(use_empty=True)
    scene = bpy.context.scene
    bpy.ops.mesh.primitive_plane_add(size=24.0, location=(0.0, 8.0, 0.0))
    plane = bpy.context.active_object
    bpy.ops.object.light_add(type="SUN", rotation=(1.0, 0.0, 0.9))
    bpy.context.active_object.data.energy = 4.5
    bpy.ops.object.camera_add(location=(0.0, -4.6, 4.2), rotation=(1.02, 0.0, 0.0))
    scene.camera = bpy.context.active_object
    scene.camera.data.lens = 32.0
    scene.world = bpy.data.worlds.new("Sky")
    scene.world.node_tree.nodes["Background"].inputs["Color"].default_value = (0.5, 0.52, 0.55, 1)
    bpy.context.view_layer.objects.active = plane
    scene.render.resolution_x, scene.render.resolution_y = SIDE
    scene.render.engine, scene.cycles.samples = "CYCLES", 24
    scene.view_settings.view_transform = "Standard"
    for name in SURFACES:
        maps = set(SOCKETS.values())
        bpy.ops.terrane.images_bake(surface=name, width=PIXELS, height=PIXELS, maps=maps, name=name)
        for is_tiled in (False, True):
            show(name, is_tiled=is_tiled)
            scene.render.filepath = str(FOLDER / f"{name}_{int(is_tiled)}.png")
            bpy.ops.render.render(write_still=True)


def join() -> None:
    """Put the pictures side by side."""
    from PIL import Image
    from pixels import save_jpeg

    wide, high = SIDE
    size = (2 * wide + GAP, len(SURFACES) * (high + GAP) - GAP)
    sheet = Image.new("RGB", size, "white")
    for row, name in enumerate(SURFACES):
        for column in range(2):
            with Image.open(FOLDER / f"{name}_{column}.png") as picture:
                sheet.paste(picture.convert("RGB"), (column * (wide + GAP), row * (high + GAP)))
    save_jpeg(sheet, OUT, LARGEST)


if __name__ == "__main__":
    join() if "sheet" in sys.argv[1:] else render()
