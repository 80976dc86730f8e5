# SPDX-License-Identifier: GPL-3.0-or-later
"""Terrain inside Blender against Geometry Nodes' own Noise Texture: ``python benchmarks/blender_terrain.py``.

Needs Blender as a Python module (``pip install bpy``), or runs in Blender itself with
``blender --background --python``. Prints processor time, best of five: whole operators against a
set-up of the same size (Mesh Grid, Noise Texture of as many octaves, Set Position) evaluated once.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "examples"))

import _terrane
import blas
import bpy

RESOLUTION = 1024
OCTAVES = 8
RUNS = 5


def best(*works: tuple[Callable[[], None], Callable[[], object]]) -> list[float]:
    """Return the least processor time of each work in some runs, in seconds.

    They are taken in turn, each after its own preparation, because machines change their pace; one
    run before does not count.
    """
    runs = []
    for _ in range(RUNS + 1):
        times = []
        for prepare, work in works:
            prepare()
            start = time.process_time()
            work()
            times.append(time.process_time() - start)
        runs.append(times)
    return [min(times) for times in zip(*runs[1:])]


def clear() -> None:
    """Remove all objects and meshes."""
    _terrane.empty_scene()


def add() -> None:
    """Add a terrain by the operator."""
    bpy.ops.terrane.terrain_add(
        noise="perlin", fractal="fbm", octaves=OCTAVES, frequency=4, resolution=RESOLUTION
    )


def updates() -> Callable[[], None]:
    """Return the function that rebuilds the active terrain, with another seed on each call."""
    seeds = iter(range(1, 1000))
    return lambda: bpy.ops.terrane.terrain_update(seed=next(seeds))


def node_terrain(group: bpy.types.NodeTree) -> Callable[[], None]:
    """Return what adds an object with a node group and evaluates it."""

    def work() -> None:
        thing = bpy.data.objects.new("nodes", bpy.data.meshes.new("nodes"))
        bpy.context.collection.objects.link(thing)
        thing.modifiers.new("nodes", "NODES").node_group = group
        evaluated = thing.evaluated_get(bpy.context.evaluated_depsgraph_get())
        assert len(evaluated.data.vertices) == RESOLUTION**2

    return work


def node_group() -> bpy.types.NodeTree:
    """Return a node group that does what a terrain by hand does."""
    group = bpy.data.node_groups.new("terrain", "GeometryNodeTree")
    group.use_fake_user = True
    group.interface.new_socket("Geometry", in_out="OUTPUT", socket_type="NodeSocketGeometry")
    grid = group.nodes.new("GeometryNodeMeshGrid")
    grid.inputs["Vertices X"].default_value = RESOLUTION
    grid.inputs["Vertices Y"].default_value = RESOLUTION
    noise = group.nodes.new("ShaderNodeTexNoise")
    noise.noise_dimensions = "2D"
    noise.inputs["Scale"].default_value = 4.0
    noise.inputs["Detail"].default_value = OCTAVES - 1.0
    height = group.nodes.new("ShaderNodeCombineXYZ")
    move, end = group.nodes.new("GeometryNodeSetPosition"), group.nodes.new("NodeGroupOutput")
    group.links.new(noise.outputs[0], height.inputs["Z"])
    group.links.new(height.outputs[0], move.inputs["Offset"])
    group.links.new(grid.outputs["Mesh"], move.inputs["Geometry"])
    group.links.new(move.outputs["Geometry"], end.inputs[0])
    return group


def main() -> None:
    """Measure and print."""
    _terrane.load()
    # What is added is what is updated next.
    nodes, added, updated = best(
        (clear, node_terrain(node_group())), (clear, add), (lambda: None, updates())
    )
    size = f"{RESOLUTION} x {RESOLUTION}, {OCTAVES} octaves"
    print(f"Blender {bpy.app.version_string}, {blas.label()}, {size}")
    for name, seconds in (("nodes", nodes), ("terrain_add", added), ("terrain_update", updated)):
        print(f"{name:15} {seconds * 1e3:7.1f} ms")
    limits = "must 0.18, aim 0.12" if blas.name() == blas.NONE else "must 0.12"
    print(f"terrain_add over nodes:          {added / nodes:.3f}  ({limits})")
    print(f"terrain_update over terrain_add: {updated / added:.3f}  (must 0.4, aim 0.2)")


if __name__ == "__main__":
    _terrane.run(main)
