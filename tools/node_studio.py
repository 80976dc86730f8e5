# SPDX-License-Identifier: GPL-3.0-or-later
"""Renders the nodes of a noise as numbers, for comparing them with the core's: tests and docs use it.

Runs in Blender's Python. A plane of one tile, seen from straight above by Cycles, emits the value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import bpy
import numpy as np

PIXELS = 128

_LIFT = 8.0
"""Added to the value: light cannot be negative."""


class Studio:
    """A scene with a plane, a camera and a material that emits.

    Parameters
    ----------
    module : callable
        Imports a module of the extension by its name.
    """

    def __init__(self, module: Callable[[str], Any]) -> None:
        self.module = module
        bpy.ops.mesh.primitive_plane_add(size=1.0, location=(0.5, 0.5, 0.0))
        bpy.ops.object.transform_apply(location=True)
        look_down()
        material = bpy.data.materials.new("Picture")
        bpy.context.active_object.data.materials.append(material)
        self.tree = module("operators.bridge.datablocks.compat").node_tree(material)

    def picture(
        self,
        noise: Any,
        seed: int = 1,
        dimension: int = 2,
        output: str = "Value",
        **inputs: float,
    ) -> Any:
        """Return the rendered values, shape (PIXELS, PIXELS), row 0 at the bottom."""
        recipe = self.module("noise_core").Recipe(layers=noise, seed=seed)
        write = self.module("operators.bridge.nodetree.noise_nodes.groups").write_group
        nodes, links = self.tree.nodes, self.tree.links
        nodes.clear()
        end = nodes.new("ShaderNodeOutputMaterial")
        light = nodes.new("ShaderNodeEmission")
        place = nodes.new("ShaderNodeTexCoord")
        lift = nodes.new("ShaderNodeMath")
        lift.operation = "ADD"
        lift.inputs[1].default_value = _LIFT
        group = nodes.new("ShaderNodeGroup")
        group.node_tree, _ = write("Test", recipe, dimension)
        for name, value in inputs.items():
            group.inputs[name].default_value = value
        links.new(place.outputs["UV" if dimension == 2 else "Object"], group.inputs["Vector"])
        links.new(group.outputs[output], lift.inputs[0])
        links.new(lift.outputs[0], light.inputs["Color"])
        links.new(light.outputs[0], end.inputs["Surface"])
        return shot()[..., 0] - _LIFT


def look_down() -> None:
    """Set the render up: one sample through the middle of each pixel."""
    scene = bpy.context.scene
    scene.render.engine = "CYCLES"
    cycles = scene.cycles
    cycles.samples, cycles.use_denoising, cycles.use_adaptive_sampling = 1, False, False
    cycles.pixel_filter_type, cycles.filter_width = "BOX", 0.01
    render = scene.render
    render.resolution_x = render.resolution_y = PIXELS
    render.image_settings.file_format, render.image_settings.color_depth = "OPEN_EXR", "32"
    render.filepath = bpy.app.tempdir + "nodes.exr"
    scene.view_settings.view_transform = "Raw"
    camera = bpy.data.cameras.new("Camera")
    camera.type, camera.ortho_scale = "ORTHO", 1.0
    scene.camera = bpy.data.objects.new("Camera", camera)
    scene.camera.location = (0.5, 0.5, 1.0)
    scene.collection.objects.link(scene.camera)


def shot() -> Any:
    """Return the rendered pixels, shape (PIXELS, PIXELS, 3), row 0 at the bottom."""
    render = bpy.context.scene.render
    bpy.ops.render.render(write_still=True)
    image = bpy.data.images.load(render.filepath)
    image.colorspace_settings.name = "Non-Color"
    values = np.empty(PIXELS * PIXELS * 4, np.float32)
    image.pixels.foreach_get(values)
    bpy.data.images.remove(image)
    return values.reshape(PIXELS, PIXELS, 4)[..., :3]


def of_core(noise: Any, seed: int = 1, dimension: int = 2, z: float = 0.0) -> Any:
    """Return the core's values where the pixels are."""
    line = (np.arange(PIXELS) + 0.5) / PIXELS
    x, y = np.meshgrid(line, line)
    points = np.stack((x, y) if dimension == 2 else (x, y, np.full_like(x, z)), -1)
    return noise.sample(points, seed)


def layout_faults(tree: Any, layout: Any) -> Iterator[str]:
    """Yield faults of a tree's layout: nodes or frames that overlap, links that lead back.

    Sizes are those of `layout.measure`, for Blender knows them only in a window.
    """
    nodes = [node for node in tree.nodes if node.bl_idname != "NodeFrame"]
    boxes = {node.name: _box(node, layout) for node in nodes}
    for link in tree.links:
        if boxes[link.from_node.name][1] >= boxes[link.to_node.name][0]:
            yield f"{tree.name}: {link.from_node.name} does not stand left of {link.to_node.name}"
    yield from _overlaps(tree, boxes)
    frames: dict[str, Any] = {}
    for node in nodes:
        if node.parent is None:
            frames[node.name] = boxes[node.name]
        else:
            low, high = np.array(frames.get(node.parent.name, boxes[node.name])), boxes[node.name]
            ends = np.minimum(low, high), np.maximum(low, high)
            frames[node.parent.name] = (ends[0][0], ends[1][1], ends[0][2], ends[1][3])
            if not node.parent.label:
                yield f"{tree.name}: the frame of {node.name} has no title"
    yield from _overlaps(tree, frames)


def _box(node: Any, layout: Any) -> tuple[float, float, float, float]:
    """Return left, right, bottom and top of a node."""
    x, y = node.location
    if node.parent is not None:
        x, y = x + node.parent.location.x, y + node.parent.location.y
    shape = layout.measure(node)
    return x, x + shape.width, y - shape.height, y


def _overlaps(tree: Any, boxes: dict[str, Any]) -> Iterator[str]:
    names = list(boxes)
    for at, name in enumerate(names):
        left, right, bottom, top = boxes[name]
        for neighbor in names[:at]:
            a, b, c, d = boxes[neighbor]
            if left < b and a < right and bottom < d and c < top:
                yield f"{tree.name}: {name} lies on {neighbor}"


def fineness(field: Any) -> float:
    """Return the mean frequency of a field, in waves per tile, weighted by power."""
    power = np.abs(np.fft.fft2(field - field.mean())) ** 2
    line = np.fft.fftfreq(PIXELS) * PIXELS
    return float((power * np.hypot(*np.meshgrid(line, line))).sum() / max(power.sum(), 1e-20))
