# SPDX-License-Identifier: GPL-3.0-or-later
"""Draw the picture of Terrane Field on the page on landscapes: ferns that stand where it is wet.

``python tools/field_pictures.py`` runs the page's own code, and renders the result with Blender's Python module.
"""

from __future__ import annotations

import re
from typing import Any

import blender_module
import numpy as np

PAGE = blender_module.ROOT / "docs" / "landscapes.md"
OUT = blender_module.ROOT / "docs" / "images" / "terrane_field.jpg"

COLUMNS, ROWS, SAMPLES, QUALITY = 800, 400, 24, 82

FERN = {"Radius Bottom": 2.2, "Depth": 7.0}
"""Measures of a cone in meters."""


def page_code() -> str:
    """Return the code of the section."""
    section = PAGE.read_text("utf-8").partition("## Terrane Field")[2].partition("\n## ")[0]
    lines = re.findall(r"^    (.*)$|^()$", section.partition("In a script:")[2], re.M)
    return "\n".join(line for line, _ in lines)


def new_material(name: str, color: tuple[float, float, float]) -> Any:
    """Return a material of one color."""
    import bpy

    material: Any = bpy.data.materials.new(name)
    material.node_tree.nodes["Principled BSDF"].inputs["Base Color"].default_value = (*color, 1.0)
    return material


def main() -> None:
    """Build the scene and render it."""
    blender_module.start()
    import bpy

    bpy.ops.wm.read_homefile(use_empty=True)
    scene = bpy.context.scene
    exec(page_code(), {})
    tree = bpy.data.node_groups["Ferns"]
    terrain = next(obj for obj in scene.objects if obj.terrane.is_terrain)
    cone = next(node for node in tree.nodes if node.bl_idname == "GeometryNodeMeshCone")
    for name, value in FERN.items():
        cone.inputs[name].default_value = value
    spread = next(node for node in tree.nodes if node.bl_idname.endswith("PointsOnFaces"))
    (link,) = spread.inputs["Density"].links
    wet = tree.nodes.new("ShaderNodeMapRange")
    values = np.empty(len(terrain.data.vertices), np.float32)
    terrain.data.attributes["wetness"].data.foreach_get("value", values)
    for name, value in zip(("From Min", "From Max"), np.quantile(values, (0.6, 0.97)).tolist()):
        wet.inputs[name].default_value = value
    wet.inputs["To Max"].default_value = 0.02
    tree.links.new(link.from_socket, wet.inputs["Value"])
    tree.links.new(wet.outputs["Result"], spread.inputs["Density"])
    green = tree.nodes.new("GeometryNodeSetMaterial")
    green.inputs["Material"].default_value = new_material("Fern", (0.018, 0.05, 0.012))
    place = next(node for node in tree.nodes if node.bl_idname == "GeometryNodeInstanceOnPoints")
    tree.links.new(cone.outputs["Mesh"], green.inputs["Geometry"])
    tree.links.new(green.outputs["Geometry"], place.inputs["Instance"])
    bpy.context.view_layer.objects.active = terrain
    terrain.data.materials.append(new_material("Ground", (0.13, 0.125, 0.055)))
    bpy.ops.terrane.sky_add(sun_elevation=32.0)
    bpy.ops.terrane.camera_add()
    settings, scene.view_settings.exposure = scene.render, -1.2
    settings.engine, scene.cycles.samples = "CYCLES", SAMPLES
    settings.resolution_x, settings.resolution_y, settings.resolution_percentage = (
        COLUMNS,
        ROWS,
        100,
    )
    settings.image_settings.media_type = "IMAGE"
    settings.image_settings.file_format, settings.image_settings.quality = "JPEG", QUALITY
    settings.filepath = str(OUT)
    bpy.ops.render.render(write_still=True)


if __name__ == "__main__":
    main()
