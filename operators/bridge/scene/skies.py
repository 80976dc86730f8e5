# SPDX-License-Identifier: GPL-3.0-or-later
"""The sky of a scene: its world, the lamp of the sun, and haze in the materials of the ground."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import bpy
from mathutils import Vector

from ....noise_core.landscapes.scene import Sky
from ..datablocks import compat
from ..datablocks.images import Content
from ..datablocks.linked import is_writable
from ..datablocks.ownership import remove_unused
from ..datablocks.record import note_replaced, replaced_by
from ..nodetree.batches import batches
from ..nodetree.builder import absolute_location, build, connect, new_tree
from ..nodetree.node_graph import NodeGraph
from ..nodetree.terrain_material.settings import MARK as GROUND
from ..tasks.jobs import Work
from . import cloud_images, hazes, parts
from .sky_nodes import (
    AIR,
    SHADOWS,
    declare_air,
    declare_light,
    declare_world,
    sun_vector,
)

MARK = hazes.MARK
"""Custom property of a world: its group of nodes for haze."""

LIGHT = "terrane_light"
"""Custom property of a world: its group of nodes for the color of the sky."""

KEY = "sky"
"""Name of the sky in records; it has replaced a world, which may have got a fake user for it, and a contrast."""

SUN = "sun"
"""The part of a landscape that shines."""

_DEFAULT_GRAY = 0.050876
"""Of the world in a new file, in each channel."""

_WIDTH = math.radians(0.53)
"""Of the sun, seen from Earth."""

CONTRAST: Any = "AgX - High Contrast"
"""Look of the view transform under a sky, in scenes that have none: landscapes are pale without it."""

_MAP = 256
"""Pixels of the map of where light comes from: a smooth sky needs no finer one, which takes seconds."""


def is_ours(world: bpy.types.World | None) -> bool:
    """Return whether a world may be written over."""
    return world is not None and world.get(MARK) is not None and is_writable(world)


def is_untouched(world: Any) -> bool:
    """Return whether a world is missing, or as a new file has it: one even gray."""
    if world is None:
        return True
    if world.name != "World" or world.library is not None or world.node_tree is None:
        return False
    nodes = {node.bl_idname: node for node in world.node_tree.nodes}
    if set(nodes) != {"ShaderNodeBackground", "ShaderNodeOutputWorld"}:
        return False
    inputs = nodes["ShaderNodeBackground"].inputs
    color = inputs["Color"]
    is_gray = all(abs(channel - _DEFAULT_GRAY) < 1e-4 for channel in color.default_value[:3])
    return is_gray and not color.is_linked and inputs["Strength"].default_value == 1.0


def work(scene: bpy.types.Scene, sky: Sky) -> Work:
    """Return the work that draws the missing images of a scene's sky, for `write`."""
    return cloud_images.work(scene.world if is_ours(scene.world) else None, sky)


@batches()
def write(
    scene: bpy.types.Scene,
    sky: Sky,
    terrain: bpy.types.Object,
    clouds: Content | None,
    *,
    has_sun: bool = True,
) -> None:
    """Give the scene a sky: write the present one again, or make another in place of the present world.

    `clouds` is the result of `work`. Without a sun, the lights are the user's.
    """
    # First: it is refused where vertices lie nowhere.
    haze = hazes.haze_of(terrain, sky.visibility, sky.haze_height)
    world = scene.world if is_ours(scene.world) else None
    if world is None:
        world = _replace_world(scene)
    tree = compat.node_tree(world)
    light = _group(world, LIGHT, "Terrane Sky", declare_light(sky))
    _group(world, MARK, "Terrane Air", declare_air(light, sky, haze))
    hazes.note(world, terrain, sky)
    heaps = cloud_images.write(world, sky, clouds)
    tree.nodes.clear()
    build(tree, declare_world(light, sky, heaps))
    _sample(world)
    if has_sun:
        write_sun(scene, sky)
    for material in _ground_materials(scene):
        add_haze(scene, material)


def new_world(name: str, sky: Sky, clouds: Content | None) -> bpy.types.World:
    """Return a new world with a sky, which is of no scene and has no haze; `clouds` is the result of `cloud_images.work`."""
    world: Any = bpy.data.worlds.new(name)
    light = new_tree(f"{name} Color", declare_light(sky))
    tree = compat.node_tree(world)
    tree.nodes.clear()
    build(tree, declare_world(light, sky, cloud_images.write(world, sky, clouds)))
    _sample(world)
    return world


def new_sun(name: str, sky: Sky) -> bpy.types.Object:
    """Return a new lamp that shines as the sun of a sky, in no scene."""
    sun = bpy.data.objects.new(name, bpy.data.lights.new(name, "SUN"))
    _set_sun(sun, sky)
    return sun


def _sample(world: Any) -> None:
    world.cycles.sampling_method, world.cycles.sample_map_resolution = "MANUAL", _MAP


def remove(scene: bpy.types.Scene) -> None:
    """Remove the sky, the sun and the haze; the scene has the world again that it had before."""
    world = scene.world
    if not is_ours(world):
        return
    elsewhere = [other for other in bpy.data.scenes if other != scene and other.world == world]
    kept = {material for other in elsewhere for material in _ground_materials(other)}
    for material in _ground_materials(scene):
        if material not in kept:
            remove_haze(material)
    groups: list[Any] = [
        group for group in (world.get(MARK), world.get(LIGHT)) if group is not None
    ]
    replaced = replaced_by(world, KEY)
    _set_contrast(scene, CONTRAST, replaced.get("contrast", CONTRAST))
    parts.remove_from(scene, SUN)
    scene.world = former = replaced.get("world")
    if former is not None and replaced.get("is_kept") and not elsewhere:
        former.use_fake_user = False
    if world.users == 0:
        cloud_images.remove(world)
    remove_unused(world, *groups)


def _replace_world(scene: bpy.types.Scene) -> bpy.types.World:
    """Give a scene a new world of Terrane, and return it; the former one stays in the file, saved too."""
    former: Any = scene.world
    world = scene.world = bpy.data.worlds.new("Terrane Sky")
    is_kept = former is not None and not (former.use_fake_user or is_untouched(former))
    if is_kept := is_kept and is_writable(former):
        former.use_fake_user = True
    contrast = _set_contrast(scene, "None", CONTRAST)
    note_replaced(world, KEY, world=former, is_kept=is_kept or None, contrast=contrast)
    return world


def add_haze(scene: bpy.types.Scene, material: bpy.types.Material) -> None:
    """Put the haze of a scene's sky before the surface of a material, unless it is there."""
    if not is_ours(scene.world) or material.node_tree is None or not is_writable(material):
        return
    for target in _surface_inputs(material.node_tree):
        if target.is_linked:
            is_water = material.get(parts.MARK) == "water"
            _haze(scene.world[MARK], material.node_tree, target, shadows=float(not is_water))
    settings: Any = material
    # As a lamp, each face would make Cycles slow and noisy.
    settings.cycles.emission_sampling = "NONE"


def _haze(group: Any, tree: Any, target: Any, *, shadows: float) -> None:
    """Put the haze before the surface of an output, or renew its group."""
    shader = target.links[0].from_socket
    node: Any = shader.node
    if not _is_haze(node):
        graph = NodeGraph()
        graph.group(group, {}, name=AIR)
        corner_x, top = absolute_location(target.node)
        former = set(tree.nodes)
        build(tree, graph, corner=(corner_x + target.node.width, top))
        target.node.location.x += 2.0 * target.node.width
        (node,) = set(tree.nodes) - former
        connect(shader, node.inputs[0])
        connect(node.outputs[0], target)
    node.node_tree = group
    node.inputs[SHADOWS].default_value = shadows


def remove_haze(material: bpy.types.Material) -> None:
    """Remove the haze before the surface of a material."""
    tree = material.node_tree
    if tree is None:
        return
    for target in _surface_inputs(tree):
        node = target.links[0].from_node if target.is_linked else None
        if _is_haze(node) and node.inputs[0].is_linked:
            connect(node.inputs[0].links[0].from_socket, target)
    for node in filter(_is_haze, list(tree.nodes)):
        tree.nodes.remove(node)


def _is_haze(node: Any) -> bool:
    """Return whether a node is the haze before a surface, of which each output has its own."""
    return node is not None and node.type == "GROUP" and node.name.partition(".")[0] == AIR


def _surface_inputs(tree: Any) -> list[Any]:
    """Return the inputs of the outputs that render engines show."""
    outputs = (tree.get_output_node(target) for target in ("ALL", "CYCLES", "EEVEE"))
    return [node.inputs["Surface"] for node in dict.fromkeys(outputs) if node is not None]


def _group(world: Any, key: str, name: str, graph: NodeGraph) -> Any:
    """Return the group that a world keeps under a key, with the nodes of a graph."""
    group = world.get(key)
    if group is None:
        trees: Any = bpy.data.node_groups
        group = world[key] = trees.new(name, "ShaderNodeTree")
    group.nodes.clear()
    build(group, graph)
    return group


def _ground_materials(scene: bpy.types.Scene) -> Iterator[bpy.types.Material]:
    """Yield the materials of terrains and of their water in a scene."""
    slots = (slot.material for obj in scene.objects for slot in obj.material_slots)
    yield from dict.fromkeys(
        material
        for material in slots
        if material is not None and (material.get(GROUND) or material.get(parts.MARK))
    )


def _set_contrast(scene: bpy.types.Scene, present: Any, replacement: Any) -> str | None:
    """Change the look of AgX, Blender's usual view transform, if it is the expected one; return the former one.

    None if it stays: a studio may have no such look.
    """
    view_settings = scene.view_settings
    if view_settings.view_transform != "AgX" or view_settings.look != present:
        return None
    try:
        view_settings.look = replacement
    except TypeError:
        return None
    return str(present)


def write_sun(scene: bpy.types.Scene, sky: Sky) -> None:
    """Make or change the lamp of the sun."""
    sun = parts.find(scene, SUN)
    if sun is None:
        lamp = bpy.data.lights.new("Terrane Sun", "SUN")
        sun = parts.add(scene, SUN, "Terrane Sun", data=lamp)
    _set_sun(sun, sky)


def _set_sun(sun: bpy.types.Object, sky: Sky) -> None:
    lamp_of: Any = sun.data
    lamp_of.energy, lamp_of.color, lamp_of.angle = sky.sun_strength, sky.sun_color, _WIDTH
    sun.rotation_euler = Vector(sun_vector(sky)).to_track_quat("Z", "Y").to_euler()
