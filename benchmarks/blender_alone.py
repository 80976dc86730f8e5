# SPDX-License-Identifier: GPL-3.0-or-later
"""Measure how long Blender itself freezes with a large mesh, without Terrane.

Needs Blender as a Python module: ``python benchmarks/blender_alone.py``. Or runs in Blender itself, in a
window too, where it draws as well: ``blender --python benchmarks/blender_alone.py``. Prints milliseconds
of work of Blender's main thread, and in brackets by the clock: the medians of some runs.
"""

from __future__ import annotations

import os
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import bpy

RUNS = 3


def measured(work: Callable[[], object]) -> tuple[float, float]:
    """Return how long some work takes: of this thread and by the clock, in milliseconds."""
    start, clock = time.thread_time(), time.perf_counter()
    work()
    return (time.thread_time() - start) * 1e3, (time.perf_counter() - clock) * 1e3


def room(side: int) -> Iterator[tuple[str, tuple[float, float]]]:
    """Measure what gives a new mesh room."""
    mesh = bpy.data.meshes.new("room")
    corners = 4 * (side - 1) ** 2
    mesh.vertices.add(side * side)
    yield "room for face corners", measured(lambda: mesh.loops.add(corners))
    mesh.polygons.add((side - 1) ** 2)
    yield "room for a UV map", measured(lambda: mesh.uv_layers.new(do_init=False))
    attributes: Any = mesh.attributes
    colors = measured(lambda: attributes.new("tint", "FLOAT_COLOR", "CORNER"))
    yield "room for colors of face corners", colors
    # The mesh stays, or the next one would get its memory, which takes a quarter of the time.


def use(side: int) -> Iterator[tuple[str, tuple[float, float]]]:
    """Measure what Blender does with a grid that is there."""
    steps = side - 1
    bpy.ops.mesh.primitive_grid_add(x_subdivisions=steps, y_subdivisions=steps)
    thing: Any = bpy.context.object
    name, mesh = thing.name, thing.data
    mesh.shade_smooth()
    mesh.attributes.new("tint", "FLOAT_COLOR", "CORNER")
    bpy.context.view_layer.update()
    yield "an undo step", measured(lambda: bpy.ops.ed.undo_push(message="grid"))
    thing = bpy.data.objects[name]
    mesh = thing.data
    yield "one color is read", measured(lambda: mesh.attributes["tint"].data[0].color)
    yield "one position is read", measured(lambda: mesh.attributes["position"].data[0].vector)
    mesh.vertices[0].co.z += 1.0
    yield "a vertex has moved: evaluated", measured(bpy.context.view_layer.update)
    yield "an undo step then", measured(lambda: bpy.ops.ed.undo_push(message="moved"))
    thing = bpy.data.objects[name]
    mesh = thing.data
    if not bpy.app.background:
        redraw: Any = bpy.ops.wm.redraw_timer
        redraw(type="DRAW_WIN", iterations=1)
        mesh.vertices[0].co.z += 1.0
        mesh.update()
        yield "a vertex has moved: drawn", measured(lambda: redraw(type="DRAW_WIN", iterations=1))
    mesh.vertices[0].co.z += 1.0
    mesh.update()
    yield "normals of its vertices", measured(lambda: mesh.vertex_normals[0].vector)
    bpy.data.objects.remove(thing)
    bpy.data.meshes.remove(mesh)


def main() -> None:
    """Measure and print."""
    for thing in list(bpy.data.objects):
        bpy.data.objects.remove(thing)
    print(f"Blender {bpy.app.version_string}")
    for side in (1024, 2048):
        runs = [[*room(side), *use(side)] for _ in range(RUNS)]
        for same in zip(*runs):
            work, clock = (statistics.median(times[kind] for _, times in same) for kind in range(2))
            print(f"{side:5}  {same[0][0]:34} {work:6.0f} ({clock:.0f})", flush=True)


if __name__ == "__main__":
    main()
    sys.stdout.flush()
    os._exit(0)  # some versions hang or ask when they are left
