# SPDX-License-Identifier: GPL-3.0-or-later
"""An image of noise inside Blender against Cycles baking its own: ``python benchmarks/blender_bake.py``.

Needs Blender as a Python module (``pip install bpy``), or runs in Blender itself with
``blender --background --python``. Prints processor time, best of five: whole operators against an
emission bake of a Noise Texture with as many octaves, one sample a texel, no margin.
"""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "examples"))

import _terrane
import blas
import bpy

SIDE = 2048
OCTAVES = 8
RUNS = 5


def best(work: Callable[[], object]) -> float:
    """Return the least processor time of some runs, in seconds; one run before does not count."""
    times = []
    for _ in range(RUNS + 1):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times[1:])


def noise_image() -> None:
    """Make an image of noise by the operator."""
    bpy.ops.terrane.image_new(
        noise="perlin", fractal="fbm", octaves=OCTAVES, frequency=4, width=SIDE, height=SIDE
    )
    bpy.data.images.remove(bpy.data.images[-1])


def channel() -> None:
    """Bake the base color of a surface by the operator."""
    before = set(bpy.data.images)
    bpy.ops.terrane.images_bake(surface="granite", width=SIDE, height=SIDE, maps={"base_color"})
    for image in set(bpy.data.images) - before:
        bpy.data.images.remove(image)


def cycles_bake() -> Callable[[], object]:
    """Return what bakes a plane that shines in the colors of a Noise Texture."""
    bpy.ops.mesh.primitive_plane_add(calc_uvs=True)
    material = bpy.data.materials.new("noise")
    if not material.node_tree:
        material.use_nodes = True
    nodes, links = material.node_tree.nodes, material.node_tree.links
    nodes.clear()
    place, noise = nodes.new("ShaderNodeTexCoord"), nodes.new("ShaderNodeTexNoise")
    noise.noise_dimensions = "2D"
    noise.inputs["Scale"].default_value = 4.0
    noise.inputs["Detail"].default_value = OCTAVES - 1.0
    emission, output = nodes.new("ShaderNodeEmission"), nodes.new("ShaderNodeOutputMaterial")
    target = nodes.new("ShaderNodeTexImage")
    target.image = bpy.data.images.new("target", SIDE, SIDE, float_buffer=True)
    nodes.active = target
    links.new(place.outputs["UV"], noise.inputs["Vector"])
    links.new(noise.outputs[0], emission.inputs["Color"])
    links.new(emission.outputs[0], output.inputs["Surface"])
    bpy.context.active_object.data.materials.append(material)
    scene = bpy.context.scene
    scene.render.engine = "CYCLES"
    scene.cycles.device, scene.cycles.samples = "CPU", 1
    scene.render.bake.margin = 0
    return lambda: bpy.ops.object.bake(type="EMIT")


@contextlib.contextmanager
def silence() -> Iterator[None]:
    """Keep what Cycles says about each bake from the report."""
    sys.stdout.flush()
    kept, nowhere = os.dup(1), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    try:
        yield
    finally:
        os.dup2(kept, 1)
        os.close(nowhere)


def main() -> None:
    """Measure and print."""
    _terrane.load()
    _terrane.empty_scene()
    with silence():
        ours, base_color = best(noise_image), best(channel)
        peer = best(cycles_bake())
    size = f"{SIDE} x {SIDE}, {OCTAVES} octaves"
    print(f"Blender {bpy.app.version_string}, {blas.label()}, {size}")
    for name, seconds in (("cycles", peer), ("image_new", ours), ("base color", base_color)):
        print(f"{name:15} {seconds * 1e3:7.1f} ms")
    print(f"image_new over a bake in Cycles:         {ours / peer:.3f}  (must 0.25, aim 0.1)")
    print(f"granite's base color over the same one: {base_color / peer:.3f}")


if __name__ == "__main__":
    _terrane.run(main)
