# SPDX-License-Identifier: GPL-3.0-or-later
"""Motion of a terrain as a cache or as shape keys, which play without the extension."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import bpy
import numpy as np

from ....noise_core.base import atomic_files
from ....noise_core.base.errors import Message, TerraneError
from ....noise_core.io.point_cache import PointCache
from ....noise_core.recipes.erosion_over_time import at_share
from ..datablocks import compat, meshes
from ..datablocks.ref import Ref
from ..schema import paths
from ..tasks import installed_memory
from ..tasks.jobs import as_work
from ..tasks.steps import part_of_work
from . import animated_values, frames, motion
from .terrain_product import TERRAIN

if TYPE_CHECKING:
    from ..datablocks.meshes import Positions
    from ..tasks.steps import Steps

_BYTES_EACH = 12
"""Bytes of a vertex in a frame."""


@dataclass(frozen=True)
class MotionBake:
    """Range of a terrain's bake: its frames, and whether its erosion grows over them."""

    terrain: Ref[bpy.types.Object]
    scene: Ref[bpy.types.Scene]
    frames: Sequence[int]
    erodes: bool

    def share(self, number: int) -> float:
        """Return the share of its work that erosion has done in a frame, by the frame's place."""
        return number / max(len(self.frames) - 1, 1) if self.erodes else 1.0


def why_not(terrain: bpy.types.Object) -> str:
    """Return why the motion of a terrain cannot be baked now, "" if it can."""
    if TERRAIN.must_wait(terrain):
        return Message("Switch to Object Mode first")
    return TERRAIN.refusal(terrain)


def cache_path(terrain: bpy.types.Object, filepath: str) -> str:
    """Return the path of a terrain's cache, by default beside the file of the scene."""
    path = filepath or f"//{bpy.path.clean_name(terrain.name)}.pc2"
    paths.resolve(path)
    return path


def check_free(terrain: bpy.types.Object, path: str) -> None:
    """Raise a TerraneError if a file is there that is not the cache of this terrain."""
    modifier: Any = terrain.modifiers.get(motion.BAKED)
    is_own = modifier is not None and paths.absolute(modifier.filepath) == paths.absolute(path)
    if not is_own and atomic_files.is_there(paths.absolute(path)):
        raise TerraneError(
            "{}: already there; allow Overwrite, or give another name", paths.absolute(path)
        )


def bake_cache(context: bpy.types.Context, bake: MotionBake, path: str) -> Steps[None]:
    """Write a cache, frame by frame, and let a modifier of the terrain play it.

    If the steps are not completed, no file is left.
    """
    points = len(meshes.mesh_of(bake.terrain.resolve()).vertices)
    start, step = bake.frames[0], (bake.frames[1] - bake.frames[0] if len(bake.frames) > 1 else 1)
    with closing(PointCache(paths.absolute(path), points, start, step, len(bake.frames))) as cache:
        yield from _sample(context, bake, lambda number, positions: cache.write(positions))
    terrain = bake.terrain.resolve()
    unbake(terrain)
    modifier: Any = terrain.modifiers.new(motion.BAKED, "MESH_CACHE")
    modifier.cache_format, modifier.filepath = "PC2", path
    # Blender shows the sample of scale x frame - start.
    modifier.frame_start, modifier.frame_scale = start / step, 1.0 / step
    # Below all others, which work on the moved ground.
    terrain.modifiers.move(len(terrain.modifiers) - 1, 0)


def bake_keys(context: bpy.types.Context, bake: MotionBake) -> Steps[None]:
    """Add a shape key for each frame, and the keyframes that show one after the other."""
    terrain = bake.terrain.resolve()
    points = len(meshes.mesh_of(terrain).vertices)
    if meshes.mesh_of(terrain).shape_keys is not None:
        raise TerraneError("{} has shape keys: remove them first", terrain.name)
    installed_memory.require("Shape keys", points * len(bake.frames), 2 * _BYTES_EACH)
    samples: list[Positions] = []
    yield from _sample(context, bake, lambda number, positions: samples.append(positions))
    terrain = bake.terrain.resolve()
    unbake(terrain)
    terrain.shape_key_add(name="Basis", from_mix=False)
    keys: Any = meshes.mesh_of(terrain).shape_keys
    keys[motion.BAKED] = True
    # Of its own: since 4.4 Blender would put these keyframes into the action of the terrain.
    keys.animation_data_create().action = bpy.data.actions.new(motion.BAKED)
    for number, positions in enumerate(samples):
        frame = bake.frames[number]
        key = terrain.shape_key_add(name=f"Frame {frame}", from_mix=False)
        meshes.set_key_positions(key, positions)
        # One fades into the next; glTF has no other kind of shape keys.
        for near in bake.frames[max(0, number - 1) : number + 2]:
            key.value = float(near == frame)
            key.keyframe_insert("value", frame=near)
    for curves in compat.action_curves(keys.animation_data):
        for point in (point for curve in curves for point in curve.keyframe_points):
            point.interpolation = "LINEAR"
    context.scene.frame_set(context.scene.frame_current)


def unbake(terrain: bpy.types.Object) -> bool:
    """Remove the baked motion of a terrain, but no file; return whether there was any."""
    was_baked = motion.is_baked(terrain)
    modifier = terrain.modifiers.get(motion.BAKED)
    if modifier is not None:
        terrain.modifiers.remove(modifier)
    elif was_baked:
        keys: Any = meshes.mesh_of(terrain).shape_keys
        action = keys.animation_data and keys.animation_data.action
        keys.animation_data_clear()
        terrain.shape_key_clear()
        if action is not None and not action.users:
            bpy.data.actions.remove(action)
    return was_baked


def _sample(
    context: bpy.types.Context, bake: MotionBake, store: Callable[[int, Positions], None]
) -> Steps[None]:
    """Evaluate the terrain in each frame, and store the positions of its vertices."""
    moves = animated_values.is_animated(bake.terrain.resolve())
    former_frame = context.scene.frame_current, context.scene.frame_subframe
    positions = meshes.positions_of(meshes.mesh_of(bake.terrain.resolve()))
    with ExitStack() as undo:
        undo.enter_context(motion.paused.on())
        if moves:
            undo.callback(_show_frame, bake, *former_frame)
        for number, frame in enumerate(bake.frames):
            if moves:
                _show_frame(bake, frame)
            terrain = bake.terrain.resolve()
            snapshot = frames.Frame.of(terrain, context.evaluated_depsgraph_get())
            if snapshot is None:
                raise TerraneError("{} is not in the view layer", terrain.name)
            recipe = at_share(snapshot.request.recipe, bake.share(number))
            snapshot = dataclasses.replace(
                snapshot, request=dataclasses.replace(snapshot.request, recipe=recipe)
            )
            work = frames.work(terrain, snapshot)
            count = len(bake.frames)
            result = yield part_of_work(work, number / count, (number + 1) / count)
            if result.height.size != len(positions):
                raise TerraneError("{} has another resolution: press Update", terrain.name)
            vertices = positions.copy()
            vertices[:, 2] = np.reshape(result.height, -1)
            yield as_work(partial(store, number, vertices))


def _show_frame(bake: MotionBake, frame: int, subframe: float = 0.0) -> None:
    """Go to a frame of the scene, if the scene still exists."""
    scene = bake.scene.find()
    if scene is not None:
        scene.frame_set(frame, subframe=subframe)
