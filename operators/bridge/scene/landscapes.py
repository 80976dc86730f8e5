# SPDX-License-Identifier: GPL-3.0-or-later
"""The landscape of a terrain as a whole: its parts, their removal, and the state that comes back then.

Each part removes itself and gives back what it has replaced. World, camera, render settings and the color of
viewports belong to the scene: they go with the last landscape in it, or with the terrain that they were made for.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import bpy

from ....noise_core.landscapes.plants import Plants
from ....noise_core.landscapes.scene import Cliffs, DetailPatch
from ..datablocks import materials, meshes
from ..datablocks.record import forget, note_replaced, replaced_by
from ..datablocks.ref import Ref
from ..nodetree.terrain_material import settings as ground
from ..schema import state
from ..terrain import map_layers, terrains, viewports
from . import (
    cameras,
    cliffs,
    ground_colors,
    hazes,
    lands,
    parts,
    patches,
    plant_models,
    plants,
    renders,
    skies,
    surroundings,
    waters,
)

KEY = "landscape"
"""Name of landscapes in records: on a terrain that came with its landscape."""


@dataclass(frozen=True)
class LandscapePart:
    """Part of a landscape.

    Attributes
    ----------
    label, icon : str
    help : str
        Noun phrase for tooltips.
    is_there, remove : callable
        They take a scene and a terrain.
    is_of_scene : bool
        Whether the scene has one, rather than each terrain.
    add : str
        Operator that adds it, if that is not named after it.
    is_long : bool
        Whether progress stands in the place of the button that adds it.
    moves : bool
        Whether it has a button that moves it.
    """

    label: str
    icon: str
    help: str
    is_there: Callable[[Any, Any], bool]
    remove: Callable[[Any, Any], None]
    is_of_scene: bool = False
    add: str = ""
    is_long: bool = False
    moves: bool = False


def _take_off_ground(_: bpy.types.Scene, terrain: bpy.types.Object) -> None:
    materials.take_off(terrain, ground.MARK, lands.fit_materials)


def _remove_water(scene: bpy.types.Scene, terrain: bpy.types.Object) -> None:
    """Remove the water; the sea around goes too, and mirror images and a block show none."""
    kind = surroundings.kind_of(scene, terrain)
    waters.remove(scene, terrain)
    if kind in {"mirror", "base"}:
        surroundings.write_kind(bpy.context, terrain, kind)


PARTS: dict[str, LandscapePart] = {
    "ground": LandscapePart(
        *("Ground", "MATERIAL", "The ground material"),
        lambda _, terrain: materials.marked_material(terrain, ground.MARK) is not None,
        _take_off_ground,
        add="terrain_material",
        is_long=True,
    ),
    "colors": LandscapePart(
        *("Colors", "COLOR", "The colors of the terrain in Solid view"),
        lambda _, terrain: ground_colors.is_there(terrain),
        lambda _, terrain: ground_colors.remove(terrain),
    ),
    "water": LandscapePart(
        *("Water", "MOD_OCEAN", "The sea, lakes and rivers"),
        lambda scene, terrain: parts.find(scene, waters.PART, terrain) is not None,
        _remove_water,
    ),
    "surroundings": LandscapePart(
        *("Surroundings", "MESH_GRID", "Land or sea around the terrain"),
        lambda scene, terrain: surroundings.kind_of(scene, terrain) != "none",
        lambda scene, terrain: surroundings.remove(scene, terrain),
    ),
    "sky": LandscapePart(
        *("Sky", "WORLD", "The world, the sun and the haze"),
        lambda scene, _: skies.is_ours(scene.world),
        lambda scene, _: skies.remove(scene),
        is_of_scene=True,
    ),
    "camera": LandscapePart(
        *("Camera", "CAMERA_DATA", "The camera over the terrain"),
        lambda scene, _: parts.find(scene, cameras.PART) is not None,
        lambda scene, _: cameras.remove(scene),
        is_of_scene=True,
    ),
    "cliffs": LandscapePart(
        *(Cliffs.label, "MOD_REMESH", "A finer mesh of steep ground, with ledges and overhangs"),
        lambda scene, terrain: parts.find(scene, cliffs.PART, terrain) is not None,
        lambda scene, terrain: cliffs.remove(scene, terrain),
        moves=True,
    ),
    "plants": LandscapePart(
        *(Plants.label, "OUTLINER_OB_CURVES", "Plants and stones"),
        lambda scene, terrain: parts.find(scene, plants.PART, terrain) is not None,
        lambda scene, terrain: plants.remove(scene, terrain),
        add="scatter_add",
    ),
    "detail_patch": LandscapePart(
        *(DetailPatch.label, "VIEW_PERSPECTIVE", "Fine ground in front of the camera"),
        lambda scene, terrain: parts.find(scene, patches.PART, terrain) is not None,
        lambda scene, terrain: patches.remove(scene, terrain),
        moves=True,
    ),
}
"""The parts by name, from below."""


def present(scene: bpy.types.Scene, terrain: bpy.types.Object | None) -> list[str]:
    """Return the names of the parts that a terrain and its scene have; those of the scene alone without a terrain."""
    return [
        name
        for name, part in PARTS.items()
        if (part.is_of_scene or terrain is not None) and part.is_there(scene, terrain)
    ]


def is_dressed(scene: bpy.types.Scene, terrain: bpy.types.Object) -> bool:
    """Return whether a terrain has a landscape: a part of its own, or the sky or the camera over it."""
    own = (part for part in PARTS.values() if not part.is_of_scene)
    return any(part.is_there(scene, terrain) for part in own) or bool(_over(scene, terrain))


def note_new(terrain: bpy.types.Object) -> None:
    """Note that a terrain was made together with its landscape, and goes with it."""
    note_replaced(terrain, KEY, is_new=True)


def is_new(terrain: bpy.types.Object) -> bool:
    """Return whether a terrain was made together with its landscape."""
    return bool(replaced_by(terrain, KEY).get("is_new"))


def remove(
    scene: bpy.types.Scene, terrain: bpy.types.Object, *, is_terrain_kept: bool = True
) -> None:
    """Remove all parts of a terrain's landscape; the scene is as it was before, but for other landscapes in it."""
    over = _over(scene, terrain)
    for part in PARTS.values():
        if not part.is_of_scene and part.is_there(scene, terrain):
            part.remove(scene, terrain)
    _remove_maps(terrain)
    forget(terrain, KEY)
    terrain.pop(terrains.LOOK, None)
    if "camera" in over:
        cameras.remove(scene)
    if "sky" in over:
        _release_sky(scene, terrain)
    restore_scene(scene)
    if not is_terrain_kept:
        surroundings.remove_terrain(scene, Ref.of(terrain))


def remove_lost(scene: bpy.types.Scene) -> int:
    """Remove the objects of a scene whose terrain was deleted; return their number. See `parts.lost`."""
    objects = parts.lost(scene)
    count, owners = len(objects), {obj.parent for obj in objects if obj.parent is not None}
    homes = [obj[parts.MODELS] for obj in objects if obj.get(parts.MODELS) is not None]
    homes += _homes_of_models(objects)
    is_camera_lost = any(obj[parts.MARK] == cameras.PART for obj in objects)
    for obj in [obj for obj in objects if obj[parts.MARK] in parts.OF_TERRAIN]:
        parts.remove(obj)
    for home in dict.fromkeys(homes):
        plant_models.remove(home)
    if is_camera_lost:
        cameras.remove(scene)
    if parts.has_lost_terrain(scene.world):
        _release_sky(scene)
    restore_scene(scene)
    for owner in owners:
        if owner.users == 0:
            surroundings.remove_terrain(scene, Ref.of(owner))
    return count


def _homes_of_models(objects: list[bpy.types.Object]) -> list[bpy.types.Collection]:
    """Return the outer collections of models of plants among objects."""
    models = {obj for obj in objects if obj[parts.MARK] == plant_models.PART}
    homes = [home for home in bpy.data.collections if home.get(parts.MARK) == plant_models.PART]
    inner = {child for home in homes for child in home.children}
    return [home for home in homes if home not in inner and models & set(home.all_objects)]


def _over(scene: bpy.types.Scene, terrain: bpy.types.Object) -> set[str]:
    """Return which of sky and camera a scene has over a terrain."""
    world = scene.world if skies.is_ours(scene.world) else None
    owners: dict[str, Any] = {"sky": world, "camera": parts.find(scene, cameras.PART)}
    return {
        name
        for name, owner in owners.items()
        if owner is not None and owner.get(parts.TERRAIN) == terrain
    }


def _release_sky(scene: bpy.types.Scene, former: bpy.types.Object | None = None) -> None:
    """Remove the sky over a terrain; over another landscape in the scene it stays."""
    others = sorted(parts.terrains_with_parts(scene) - {former}, key=lambda obj: obj.name)
    if others:
        hazes.move(scene.world, others[0])
    else:
        skies.remove(scene)


def _remove_maps(terrain: bpy.types.Object) -> None:
    """Remove the maps that the ground material has asked for, unless something else reads them."""
    mesh = meshes.mesh_of(terrain)
    map_layers.remove(mesh, {ground.DRY})
    choice = map_layers.MapChoice.of(mesh)
    if not choice.added:
        return
    replace(choice, added=()).store(mesh)
    request = terrains.present_request(terrain)
    kept = map_layers.choose_maps(terrain, request.acting, request.states)
    map_layers.remove(mesh, set(choice.added) - kept)
    map_layers.note(mesh, sorted(name for name in choice.written if name in mesh.attributes))


def restore_scene(scene: bpy.types.Scene) -> None:
    """Give back render settings and the color of viewports if no landscape is left that needs them."""
    land = [obj for obj in scene.objects if state.is_terrain(obj)]
    if not any(is_dressed(scene, terrain) for terrain in land):
        renders.restore(scene)
    shown = (obj for obj in scene.objects if obj.type == "MESH")
    if not any(ground_colors.is_shown(obj) for obj in shown):  # planets and worlds have them too
        viewports.restore_colors()
