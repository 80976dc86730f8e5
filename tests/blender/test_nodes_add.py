# SPDX-License-Identifier: GPL-3.0-or-later
"""Noise as nodes: every noise decides, trees are whole, and pictures agree with the core."""

from __future__ import annotations

import sys
from pathlib import Path

import bpy
import numpy as np
import pytest

from tests.blender.extension import module

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "tools"))

import node_studio  # noqa: E402  (found through the path set above)
from node_studio import fineness  # noqa: E402
from node_studio import of_core as core  # noqa: E402


def noises():
    return module("noise_core.noises")


def made(key, **values):
    """Return a noise of the installed extension."""
    return module("noise_core").noise_types()[key](**values)


def made_later(key, **values):
    """Return the function that returns a noise: before a test runs there is no extension."""
    return lambda: made(key, **values)


def recipe(noise, seed=1):
    return module("noise_core").Recipe(layers=noise, seed=seed)


def write(noise, seed=1, dimension=2, name="Test"):
    return module("operators.bridge.nodetree.noise_nodes.groups").write_group(
        name, recipe(noise, seed), dimension
    )


def add(**keywords):
    assert bpy.ops.terrane.nodes_add(**keywords) == {"FINISHED"}


@pytest.fixture
def plane(terrane):
    """Return a plane of one meter, from the origin on, with a UV map."""
    bpy.ops.mesh.primitive_plane_add(size=1.0, location=(0.5, 0.5, 0.0))
    bpy.ops.object.transform_apply(location=True)
    return bpy.context.active_object


@pytest.fixture
def picture(terrane):
    """Return the function that renders a noise's nodes, as numbers."""
    return node_studio.Studio(module).picture


# Every noise decides.


def test_every_noise_is_translated_or_refused_on_purpose(terrane):
    known = module("operators.bridge.nodetree.noise_nodes.registry").writers()
    assert set(known) == set(module("noise_core").noise_types())
    for key, one in known.items():
        assert one.key == key and one.fidelity in ("exact", "alike", "refused")
        assert (one.write is None) == (one.fidelity == "refused")
        # What is not exact says why; what is refused on purpose names another noise.
        assert one.note or one.fidelity != "alike"
        if one.fidelity == "refused" and one.note:
            assert "use " in one.note and "bake" in one.note


def test_a_noise_without_a_writer_is_refused(terrane, monkeypatch):
    registry = module("operators.bridge.nodetree.noise_nodes.registry")
    known = {key: writer for key, writer in registry.writers().items() if key != "white"}
    monkeypatch.setattr(registry, "_load_writers", lambda: known)
    with pytest.raises(
        module("noise_core.base.errors").ParameterError, match="White has no nodes yet"
    ):
        write(made("invert", source=made("white")))
    write(made("invert", source=ramp()))


def test_the_page_says_of_each_noise_what_differs(terrane):
    page = (ROOT / "docs" / "live_materials.md").read_text(encoding="utf-8")
    types = module("noise_core").noise_types()
    for key, writer in module("operators.bridge.nodetree.noise_nodes.registry").writers().items():
        if writer.write is None and not writer.note:
            continue
        how = "not possible: " if writer.write is None else ""
        expected = (
            f"- **{types[key].label}**: {how}{writer.note}" if writer.note else types[key].label
        )
        assert expected in page, "run tools/live_materials.py"


def test_each_noise_is_written_as_it_comes(terrane):
    known = module("operators.bridge.nodetree.noise_nodes.registry").writers()
    error = module("noise_core.base.errors").ParameterError
    for key, cls in module("noise_core").noise_types().items():
        if known[key].write is None:
            with pytest.raises(error, match=f"{cls.label} (cannot be converted to|has no) nodes"):
                write(cls(), name=key)
            assert len(bpy.data.node_groups) == len(known_groups()), key
            continue
        for dimension in (2, 3):
            tree, _ = write(cls(), dimension=dimension, name=key)
            assert_whole(tree)


def known_groups():
    return [
        group
        for group in bpy.data.node_groups
        if "terrane_nodes" in group or "terrane_group" in group
    ]


def test_a_noise_within_is_refused_before_anything_is_made(terrane):
    error = module("noise_core.base.errors").ParameterError
    source = made("invert", source=made("gullies"))
    with pytest.raises(error, match="Gullies"):
        write(source)
    assert not bpy.data.node_groups and not bpy.data.texts
    with pytest.raises(error, match="f3"):
        write(made("cellular", output="f3"))
    moving = made("evolution", source=made("evolution"))
    write(moving)
    with pytest.raises(error, match="four dimensions"):
        write(moving, dimension=3)


def assert_whole(tree, seen=None):
    """Check that all links hold, that all nodes count, and that groups within are whole too."""
    seen = set() if seen is None else seen
    if tree.name in seen:
        return
    seen.add(tree.name)
    assert all(link.is_valid and not link.is_muted for link in tree.links), tree.name
    for node in tree.nodes:
        if node.bl_idname in ("NodeFrame", "NodeGroupInput", "NodeGroupOutput"):
            continue
        assert any(socket.is_linked for socket in node.outputs), f"{tree.name}: {node.name}"
        if node.bl_idname == "ShaderNodeGroup":
            assert node.node_tree is not None
            assert_whole(node.node_tree, seen)
    (end,) = [node for node in tree.nodes if node.bl_idname == "NodeGroupOutput"]
    assert all(socket.is_linked for socket in end.inputs if socket.enabled and socket.name), (
        tree.name
    )


# Pictures agree with the core.

RAMP = {"shape": "linear", "angle": 20.0, "falloff": 1.0}
HILL = {"shape": "radial", "radius": 0.7, "falloff": 0.7}
POINTS = ((-1.0, -1.0), (-0.2, 0.5), (0.3, -0.4), (1.0, 0.9))


def ramp():
    return made("gradient", **RAMP)


def hill():
    return made("gradient", **HILL)


EXACT = {
    "constant": (lambda: made("constant", value=-0.3), 1e-4),
    "linear": (lambda: made("gradient", shape="linear", angle=30.0, fade="quintic"), 1e-3),
    "radial": (lambda: made("gradient", center=(0.4, 0.6), fade="linear"), 1e-3),
    "edges": (lambda: made("gradient", shape="edges", extent=(0.8, 0.5), falloff=0.3), 1e-3),
    "bands": (lambda: made("wave", frequency=3.0, angle=30.0, phase=0.3), 1e-3),
    "rings": (lambda: made("wave", shape="rings", profile="triangle", center=(0.4, 0.6)), 1e-3),
    "spiral": (lambda: made("wave", shape="spiral", center=(0.4, 0.6)), 2e-3),
    "cliff": (lambda: made("gradient", falloff=0.0), 1e-4),
    "abs": (lambda: made("abs", source=ramp()), 1e-3),
    "invert": (lambda: made("invert", source=ramp()), 1e-3),
    "clamp": (lambda: made("clamp", source=ramp(), minimum=0.2, maximum=-0.3), 1e-3),
    "remap": (lambda: made("remap", source=ramp(), from_minimum=-0.5, to_maximum=-2.0), 1e-3),
    "remap on": (lambda: made("remap", source=ramp(), from_minimum=-0.5, clamp=False), 1e-3),
    "power": (lambda: made("power", source=ramp(), exponent=2.5), 1e-3),
    "power signed": (lambda: made("power", source=ramp(), exponent=2.5, mode="signed"), 1e-3),
    "terrace": (lambda: made("terrace", source=ramp()), 1e-3),
    "terrace flat": (lambda: made("terrace", source=ramp(), sharpness=0.0), 1e-3),
    "curve": (lambda: made("curve", source=ramp(), points=POINTS), 0.02),
    "curve linear": (
        lambda: made("curve", source=ramp(), points=POINTS, interpolation="linear"),
        0.01,
    ),
    "transform": (
        lambda: made(
            "transform",
            source=hill(),
            scale=(2.0, 0.7, 1.0),
            rotation=35.0,
            offset=(0.1, -0.2, 0.3),
        ),
        1e-3,
    ),
    "evolution": (lambda: made("evolution", source=hill(), position=0.4), 1e-3),
    "warp": (
        lambda: made(
            "warp",
            source=hill(),
            displacement=ramp(),
            strength=0.3,
            scale=(1.0, -0.5, 1.0),
            levels=2,
        ),
        1e-3,
    ),
    "warp by shifts": (
        lambda: made(
            "warp",
            source=hill(),
            displacement=hill(),
            strength=0.11,
            levels=2,
            copies="shifts",
            time=0.7,
        ),
        1e-3,
    ),
    "octaves moved": (
        lambda: made("fractal", source=hill(), octave_shift=-0.4, rotation=20.0, octaves=3.0),
        1e-3,
    ),
    "plain cells": (lambda: made("cellular", frequency=5.0, jitter=0.0), 1e-3),
    "places of plain cells": (
        lambda: made("cellular", frequency=5.0, jitter=0.0, output="x"),
        1e-3,
    ),
    "bricks": (lambda: made("bricks", unevenness=0.0, shift=0.3), 0.01),
    "brick edges": (lambda: made("bricks", output="edge", columns=9.0), 1e-3),
    "brick places": (lambda: made("bricks", output="x"), 1e-3),
    "hexagons": (lambda: made("hexagons", unevenness=0.0), 0.01),
    "hexagon edges": (lambda: made("hexagons", output="edge", rounding=0.4), 1e-3),
    "hexagon places": (lambda: made("hexagons", output="y"), 1e-3),
    "fractal of a ramp": (
        lambda: made("fractal", source=hill(), shift=False, kind="billow", octaves=2.0),
        1e-3,
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("case", EXACT)
def test_what_is_exact_is_equal_at_every_pixel(picture, case):
    make, tolerance = EXACT[case]
    noise = make()
    np.testing.assert_allclose(picture(noise), core(noise), atol=tolerance)


MODES = (
    "mix add subtract multiply screen difference min max smooth_min smooth_max".split()
)  # all of them: see the test


def test_modes_of_blends(picture):
    (declared,) = [
        parameter for parameter in noises().Blend.parameters() if parameter.name == "mode"
    ]
    assert set(MODES) == set(declared.options)
    for mode in MODES:
        noise = made("blend", first=ramp(), second=hill(), mode=mode, factor=0.7)
        np.testing.assert_allclose(picture(noise), core(noise), atol=1e-3, err_msg=mode)
    noise = made("blend", first=ramp(), second=hill(), factor=hill())
    np.testing.assert_allclose(picture(noise), core(noise), atol=1e-3)


def perlin(**values):
    return made("perlin", frequency=16.0, **values)


def fractal(kind, **values):
    return made("fractal", **{"source": made("perlin", frequency=12.0), "kind": kind, **values})


def cells(output, **values):
    return made("cellular", frequency=14.0, output=output, **values)


ALIKE = {
    "perlin": lambda: perlin(),
    "perlin diagonal": lambda: perlin(gradients="diagonal"),
    "perlin indexed": lambda: perlin(gradients="indexed", lattice="permutation_xor"),
    "perlin linear": lambda: perlin(fade="linear"),
    "simplex": lambda: made("simplex", frequency=10.0),
    "value": lambda: made("value", frequency=16.0),
    "value linear": lambda: made("value", frequency=16.0, fade="linear"),
    "white": lambda: made("white", frequency=40.0),
    "fbm": lambda: fractal("fbm"),
    "fbm of 3.5": lambda: fractal("fbm", octaves=3.5, persistence=0.7, lacunarity=1.7),
    "fbm turned": lambda: fractal("fbm", rotation=30.0),
    "fbm moved": lambda: fractal("fbm", octave_shift=3.7),
    "fbm weighted": lambda: fractal("fbm", weighted_strength=0.8),
    "fbm strong": lambda: fractal("fbm", persistence=1.2, octaves=3.0),
    "fbm clamped": lambda: fractal("fbm", normalize="clamp"),
    "billow": lambda: fractal("billow"),
    "turbulence": lambda: fractal("turbulence"),
    "ping_pong": lambda: fractal("ping_pong"),
    "ridged": lambda: fractal("ridged"),
    "ridged by hand": lambda: fractal("ridged", octaves=4.5, offset=0.8, gain=3.0),
    "multifractal": lambda: fractal("multifractal", offset=0.7),
    "hybrid": lambda: fractal("hybrid_multifractal", offset=0.7, gain=1.0),
    "hybrid turned": lambda: fractal("hybrid_multifractal", rotation=20.0),
    "terrain": lambda: fractal("heterogeneous_terrain"),
    "fbm of simplex": lambda: fractal("fbm", source=made("simplex", frequency=8.0)),
    "fbm of value": lambda: fractal("fbm", source=made("value", frequency=12.0), octaves=3.0),
    "fbm of cells": lambda: fractal("fbm", source=cells("f2_minus_f1"), octaves=3.0),
    "fbm of edges": lambda: fractal("fbm", source=cells("edge"), octaves=3.0),
    "f1": lambda: cells("f1"),
    "f2": lambda: cells("f2", jitter=0.6),
    "f2_minus_f1": lambda: cells("f2_minus_f1", inverted=True),
    "f1_plus_f2": lambda: cells("f1_plus_f2", metric="manhattan"),
    "f1_times_f2": lambda: cells("f1_times_f2", metric="chebyshev"),
    "f1 minkowski": lambda: cells("f1", metric="minkowski"),
    "f1 squared": lambda: cells("f1", metric="squared"),
    "edge": lambda: cells("edge"),
    "smooth_f1": lambda: cells("smooth_f1"),
    "cell": lambda: cells("cell"),
    "place along x": lambda: cells("x"),
    "place along y": lambda: cells("y", inverted=True),
    "brick values": lambda: made("bricks", output="value", columns=16.0, rows=32.0),
    "brick chance": lambda: made("bricks", random_shift=1.0, columns=10.0, rows=20.0),
    "hexagon faces": lambda: made("hexagons", unevenness=1.0, frequency=20.0),
    "warp": lambda: made("warp", source=fractal("fbm")),
    "evolution": lambda: made("evolution", source=perlin(), position=0.31),
    "blend": lambda: made("blend", first=perlin(), second=perlin(), mode="add", factor=1.0),
}


OTHER_FADE = {"perlin linear"}
"""Of these the Noise Texture knows the fade not: creases are missing, which are a little coarser."""

REGULAR = {"brick chance", "hexagon faces", "place along x", "place along y"}
"""What lies in the same places whatever the seed, or says where that is."""


@pytest.mark.wide
@pytest.mark.parametrize("case", ALIKE)
def test_what_is_alike_has_the_same_statistics(picture, case):
    noise = ALIKE[case]()
    seen = [picture(noise, seed) for seed in (1, 2)]
    expected = [core(noise, seed) for seed in range(4)]
    spread = float(np.mean([one.std() for one in expected]))
    assert np.mean(seen) == pytest.approx(np.mean(expected), abs=0.15 * spread + 0.01)
    assert np.mean([one.std() for one in seen]) == pytest.approx(spread, rel=0.1)
    finest = np.mean([fineness(one) for one in expected])
    assert np.mean([fineness(one) for one in seen]) == pytest.approx(
        finest, rel=0.25 if case in OTHER_FADE else 0.12
    )
    # Another seed is another pattern.
    assert np.abs(seen[0] - seen[1]).mean() > 0.1 * spread
    if case not in REGULAR:
        assert abs(np.corrcoef(seen[0].ravel(), seen[1].ravel())[0, 1]) < 0.4


def corner_ranks(fields):
    """Return the share of each field's values that are below that at its first corner."""
    return [float((field < field[0, 0]).mean()) for field in fields]


@pytest.mark.slow
@pytest.mark.parametrize(
    "values",
    [
        {"kind": "ridged", "octaves": 2.0},
        {"kind": "billow", "octaves": 2.0},
        {"kind": "ridged", "source": made_later("value", frequency=6.0), "octaves": 1.0},
    ],
    ids=["texture", "chain", "one octave"],
)
def test_the_corner_of_a_fractal_is_a_place_like_any_other(picture, values):
    """Perlin noise is 0 at every lattice point, where ridges have crests and billows creases."""
    own = {name: value() if callable(value) else value for name, value in values.items()}
    noise = fractal(**own)
    seeds = range(30)
    by_nodes = corner_ranks(picture(noise, seed) for seed in seeds)
    by_core = corner_ranks(core(noise, seed) for seed in seeds)
    for ranks in (by_nodes, by_core):  # within four standard errors of a half
        assert abs(np.mean(ranks) - 0.5) < 4.0 * np.sqrt(1.0 / 12.0 / len(seeds))


@pytest.mark.slow
def test_the_corner_of_a_warp_is_bent_as_much_as_any_place(picture):
    bend = made("perlin", frequency=6.0)
    slope = made("gradient", shape="linear", angle=20.0, falloff=4.0, fade="linear")
    noise = made("warp", source=slope, displacement=bend, strength=0.05)
    still = picture(slope)
    bends = [np.abs(picture(noise, seed) - still) for seed in range(30)]
    assert abs(np.mean(corner_ranks(bends)) - 0.5) < 4.0 * np.sqrt(1.0 / 12.0 / 30)


@pytest.mark.parametrize("key", ["perlin", "simplex", "value", "cellular", "white"])
def test_solid_noise(picture, key):
    noise = made(key, frequency=11.0)
    seen = picture(noise, dimension=3)
    expected = [core(noise, seed, 3, z=0.37) for seed in range(4)]
    assert seen.std() == pytest.approx(np.mean([one.std() for one in expected]), rel=0.25)
    moving = made("evolution", source=noise, position=0.13)
    four = picture(moving, dimension=3)
    assert np.abs(four - seen).mean() > 0.05
    later = picture(moving, dimension=3, Evolution=0.5)
    assert np.abs(four - later).mean() > 0.05


def test_a_warp_looks_one_picture_up_at_the_shifts(picture):
    line = np.sin(np.arange(16) * (np.pi / 8.0))
    pixels = (line[:, np.newaxis] * line).astype(np.float32)
    bend = made("raster", pixels=pixels)
    noise = made("warp", source=hill(), displacement=bend, strength=0.3, levels=2, copies="shifts")
    first = picture(noise, 0)
    assert np.sqrt(np.mean((first - core(noise, 0)) ** 2)) < 0.04
    drifted = noise.with_values(time=0.9)
    later = picture(drifted, 0)
    assert np.sqrt(np.mean((later - core(drifted, 0)) ** 2)) < 0.04
    assert np.abs(later - first).mean() > 0.03
    assert np.abs(picture(noise, 5) - first).mean() > 0.03  # the seed moves the picture


def test_a_raster_is_the_same_between_straight_lines(picture):
    line = np.sin(np.arange(16) * (np.pi / 8.0))
    pixels = (line[:, np.newaxis] * line[:12]).astype(np.float32)
    for edge in ("repeat", "clamp"):
        noise = made("raster", pixels=pixels, edge=edge)
        difference = picture(noise) - core(noise)
        assert np.sqrt(np.mean(difference**2)) < 0.04 and np.abs(difference).max() < 0.15
    image = next(one for one in bpy.data.images if one.name.startswith("Test Raster"))
    assert image.packed_file and image.is_float
    assert len([one for one in bpy.data.images if one.name.startswith("Test Raster")]) == 1


def test_measured_land_is_as_deep_as_it_was_measured(picture):
    line = np.sin(np.arange(16) * (np.pi / 8.0))
    pixels = (line[:, np.newaxis] * line[:12]).astype(np.float32)
    noise = made("elevation", pixels=pixels, edge="clamp", aspect=0.5)
    difference = picture(noise) - core(noise)
    assert np.sqrt(np.mean(difference**2)) < 0.04 and np.abs(difference).max() < 0.15


def test_a_picture_bends_each_axis_by_itself(picture):
    """Copies of a picture are moved aside, as in the core: it has no seed, and would bend diagonally."""
    line = np.sin(np.arange(16) * (np.pi / 8.0))
    pixels = (line[:, np.newaxis] * np.roll(line, 3)).astype(np.float32)
    raster = made("raster", pixels=pixels)
    for levels in (1, 2):
        noise = made("warp", source=hill(), displacement=raster, strength=0.2, levels=levels)
        difference = picture(noise) - core(noise)
        assert np.abs(difference).mean() < 0.02


def test_scale_seed_and_evolution_are_sockets(picture):
    noise = made("evolution", source=fractal("billow"), position=0.2)
    first = picture(noise)
    assert np.abs(picture(noise, Seed=7) - first).mean() > 0.02
    assert np.abs(picture(noise, Evolution=0.25) - first).mean() > 0.02
    assert fineness(picture(noise, Scale=2.0)) > 1.4 * fineness(first)
    # A group that is asked for with another seed brings it along.
    np.testing.assert_array_equal(picture(noise, seed=7), picture(noise, Seed=7))


def test_factor_is_the_value_by_its_bounds(picture):
    noise = made("gradient", **HILL)
    np.testing.assert_allclose(
        picture(noise, output="Factor"), (core(noise) + 1.0) / 2.0, atol=1e-3
    )


@pytest.mark.slow
def test_presets_are_written_or_refused(terrane):
    library = module("noise_core.landscapes.preset_library")
    error = module("noise_core.base.errors").ParameterError
    written = []
    for name in library.preset_names():
        try:
            tree, _ = write(library.preset(name).recipe.noise, name=name)
        except error:
            continue
        assert_whole(tree)
        written.append(name)
    assert {"marble", "clouds", "cells", "alps"} <= set(written)


# The layout can be read.


@pytest.mark.parametrize("name", ["alps", "marble", "clouds", "dunes"])
def test_nodes_lie_from_left_to_right_and_apart(terrane, name):
    library, layout = (
        module("noise_core.landscapes.preset_library"),
        module("operators.bridge.nodetree.layout"),
    )
    write(library.preset(name).recipe.noise)
    assert len(bpy.data.node_groups) > 1
    for tree in bpy.data.node_groups:
        assert not list(node_studio.layout_faults(tree, layout))


def test_the_layout_test_sees_faults(terrane):
    layout = module("operators.bridge.nodetree.layout")
    tree, _ = write(made("abs", source=perlin()))
    assert not list(node_studio.layout_faults(tree, layout))
    (folded,) = [node for node in tree.nodes if getattr(node, "operation", "") == "ABSOLUTE"]
    folded.location.x -= 10000.0
    assert any("does not stand left" in fault for fault in node_studio.layout_faults(tree, layout))
    inputs = [node for node in tree.nodes if node.bl_idname == "NodeGroupInput"]
    folded.parent, folded.location = inputs[0].parent, inputs[0].location
    assert any("lies on" in fault for fault in node_studio.layout_faults(tree, layout))


# In a material.


def only(material, kind):
    (node,) = [one for one in material.node_tree.nodes if one.bl_idname == kind]
    return node


def test_a_new_material(plane):
    add(preset="marble")
    material = plane.active_material
    assert material.name == "Marble"
    group = only(material, "ShaderNodeGroup")
    assert group.node_tree.name == "Marble Noise"
    assert group.inputs["Vector"].links[0].from_socket.name == "UV"
    shader = only(material, "ShaderNodeBsdfPrincipled")
    assert shader.inputs["Base Color"].links[0].from_node.bl_idname == "ShaderNodeValToRGB"
    assert shader.inputs["Normal"].links[0].from_node.bl_idname == "ShaderNodeBump"
    assert_whole(group.node_tree)
    recipe_of = module("operators.bridge.nodetree.noise_nodes.groups").stored_recipe
    library = module("noise_core.landscapes.preset_library")
    assert recipe_of(group.node_tree) == library.preset("marble").recipe
    # It says what differs.
    notes = [node for node in group.node_tree.nodes if node.bl_idname == "NodeFrame" and node.text]
    assert "Perlin" in notes[0].text.as_string() and "Perlin" in group.node_tree.description


def test_by_the_object(plane):
    plane.scale = (3.0, 3.0, 3.0)
    add(mapping="object", bump=0.0)
    material = plane.active_material
    mapping = only(material, "ShaderNodeMapping")
    np.testing.assert_allclose(mapping.inputs["Scale"].default_value, 1.0, atol=1e-6)
    assert mapping.inputs["Vector"].links[0].from_socket.name == "Object"
    assert not only(material, "ShaderNodeBsdfPrincipled").inputs["Normal"].is_linked
    add(mapping="object", tile=4.0)
    mapping = only(material, "ShaderNodeMapping")
    np.testing.assert_allclose(mapping.inputs["Scale"].default_value, 0.25)


def test_again_in_place(plane):
    add(preset="clouds", name="Sky")
    material = plane.active_material
    ramp_node = only(material, "ShaderNodeValToRGB")
    ramp_node.color_ramp.elements[0].color = (1.0, 0.0, 0.0, 1.0)
    note = material.node_tree.nodes.new("ShaderNodeValue")
    note.name = "Mine"
    other = bpy.data.materials.new("Other")
    module("operators.bridge.datablocks.compat").node_tree(other)
    follower = other.node_tree.nodes.new("ShaderNodeGroup")
    follower.node_tree = bpy.data.node_groups["Sky Noise"]
    follower.inputs["Scale"].default_value = 3.0
    before = {kind: len(getattr(bpy.data, kind)) for kind in ("materials", "node_groups", "texts")}
    for seed in range(3):
        add(preset="clouds", name="Sky", seed=seed)
    assert before == {kind: len(getattr(bpy.data, kind)) for kind in before}
    assert plane.active_material == material and "Mine" in material.node_tree.nodes
    red = only(material, "ShaderNodeValToRGB").color_ramp.elements[0].color
    np.testing.assert_allclose(red, (1.0, 0.0, 0.0, 1.0))
    assert follower.node_tree == only(material, "ShaderNodeGroup").node_tree
    assert follower.inputs["Scale"].default_value == 3.0
    # Another noise leaves nothing behind.
    add(noise="white", fractal="none", warp=0.0, name="Sky")
    groups = {group.name for group in bpy.data.node_groups}
    assert groups <= {"Sky Noise", "Terrane Cells", "Terrane Child Seed", "Terrane Shift of Seed"}


def test_in_the_active_material(plane):
    theirs = bpy.data.materials.new("Wall")
    plane.data.materials.append(theirs)
    compat = module("operators.bridge.datablocks.compat")
    tree = compat.node_tree(theirs)
    shader = only(theirs, "ShaderNodeBsdfPrincipled")
    color = tree.nodes.new("ShaderNodeRGB")
    tree.links.new(color.outputs[0], shader.inputs["Base Color"])
    add(target="active")
    assert plane.active_material == theirs
    assert shader.inputs["Base Color"].links[0].from_node == color
    assert shader.inputs["Normal"].links[0].from_node.bl_idname == "ShaderNodeBump"
    count = len(tree.nodes)
    add(target="active", seed=3)
    assert len(tree.nodes) == count and bpy.data.materials.keys() == ["Wall"]


def test_a_duplicated_material_keeps_its_group(plane):
    add(preset="clouds", name="Sky")
    material = plane.active_material
    copy = material.copy()
    group = only(copy, "ShaderNodeGroup").node_tree
    noted = group["terrane_nodes"]
    for seed in (5, 6):
        add(preset="clouds", name="Sky", seed=seed)
    assert only(copy, "ShaderNodeGroup").node_tree == group and group["terrane_nodes"] == noted
    own = only(material, "ShaderNodeGroup").node_tree
    assert own != group
    plane.active_material = copy
    add(preset="clouds", name="Sky", seed=7, target="active")
    assert only(copy, "ShaderNodeGroup").node_tree == group and group["terrane_nodes"] != noted
    assert only(material, "ShaderNodeGroup").node_tree == own
    recipe_of = module("operators.bridge.nodetree.noise_nodes.groups").stored_recipe
    assert sum(recipe_of(one) is not None for one in bpy.data.node_groups) == 2


@pytest.mark.parametrize("name", ["Sky", "Sky " * 80])
def test_names_that_are_taken_or_too_long_do_not_pile_up(plane, name):
    bpy.data.materials.new("Sky")
    bpy.data.node_groups.new("Sky Noise", "ShaderNodeTree")
    bpy.data.texts.new("Sky Noise.001 Notes")
    add(preset="marble", name=name)
    before = {kind: len(getattr(bpy.data, kind)) for kind in ("materials", "node_groups", "texts")}
    for seed in range(2):
        add(preset="marble", name=name, seed=seed)
    assert before == {kind: len(getattr(bpy.data, kind)) for kind in before}


def test_the_users_nodes_behind_ours_stay_linked(plane):
    theirs = bpy.data.materials.new("Wall")
    plane.data.materials.append(theirs)
    tree = module("operators.bridge.datablocks.compat").node_tree(theirs)
    shader = only(theirs, "ShaderNodeBsdfPrincipled")
    add(target="active")
    hue = tree.nodes.new("ShaderNodeHueSaturation")
    tree.links.new(only(theirs, "ShaderNodeValToRGB").outputs["Color"], hue.inputs["Color"])
    tree.links.new(hue.outputs["Color"], shader.inputs["Base Color"])
    for seed in (1, 2):
        add(target="active", seed=seed)
        assert hue.inputs["Color"].links[0].from_node == only(theirs, "ShaderNodeValToRGB")
        assert shader.inputs["Base Color"].links[0].from_node == hue


def test_the_users_nodes_between_ours_stay_linked(plane):
    add(preset="marble")
    material = plane.active_material
    tree = material.node_tree
    hue, mix = tree.nodes.new("ShaderNodeHueSaturation"), tree.nodes.new("ShaderNodeMixShader")
    end = tree.nodes.new("ShaderNodeOutputMaterial")
    end.is_active_output = True
    shader = only(material, "ShaderNodeBsdfPrincipled")
    tree.links.new(only(material, "ShaderNodeValToRGB").outputs["Color"], hue.inputs["Color"])
    tree.links.new(hue.outputs["Color"], shader.inputs["Base Color"])
    tree.links.new(shader.outputs["BSDF"], mix.inputs[2])
    tree.links.new(mix.outputs[0], end.inputs["Surface"])
    add(preset="marble", seed=3)
    shader = only(material, "ShaderNodeBsdfPrincipled")
    assert shader.inputs["Base Color"].links[0].from_node == hue
    assert hue.inputs["Color"].is_linked
    assert mix.inputs[2].links[0].from_node == shader and not mix.inputs[1].is_linked
    assert end.inputs["Surface"].links[0].from_node == mix


def test_how_a_ramp_mixes_its_colors_stays(plane):
    for mode, name, value in (
        ("RGB", "interpolation", "CONSTANT"),
        ("HSV", "hue_interpolation", "CCW"),
    ):
        add(preset="marble")
        ramp = only(plane.active_material, "ShaderNodeValToRGB").color_ramp
        ramp.color_mode = mode
        setattr(ramp, name, value)
        add(preset="marble", seed=3)
        ramp = only(plane.active_material, "ShaderNodeValToRGB").color_ramp
        assert (ramp.color_mode, getattr(ramp, name)) == (mode, value)


@pytest.mark.parametrize("target", ["new", "active"])
def test_grease_pencil_is_refused(terrane, target):
    kinds = set(dir(bpy.ops.object))
    kind = "gpencil_add" if "gpencil_add" in kinds else "grease_pencil_add"
    getattr(bpy.ops.object, kind)(type="STROKE")
    count_before = len(bpy.data.materials)
    with pytest.raises(RuntimeError, match="Grease Pencil, .*no nodes"):
        add(target=target)
    assert not bpy.data.node_groups and len(bpy.data.materials) == count_before


def test_in_a_material_without_a_principled_shader(plane):
    theirs = bpy.data.materials.new("Lamp")
    plane.data.materials.append(theirs)
    tree = module("operators.bridge.datablocks.compat").node_tree(theirs)
    tree.nodes.clear()
    light, end = tree.nodes.new("ShaderNodeEmission"), tree.nodes.new("ShaderNodeOutputMaterial")
    tree.links.new(light.outputs[0], end.inputs["Surface"])
    add(target="active")
    assert end.inputs["Surface"].links[0].from_node == light
    assert only(theirs, "ShaderNodeValToRGB") and not light.inputs["Color"].is_linked
    # It stays the user's: a new material of that name is another one.
    add(name="Lamp")
    assert plane.active_material.name == "Lamp.001"
    assert only(theirs, "ShaderNodeEmission") == light


def test_octaves_show_what_has_an_effect(terrane):
    write(fractal("billow"))
    names = [one.name for one in bpy.data.node_groups["Test Octave"].interface.items_tree]
    assert sorted(set(names)) == ["Amplitude", "Number", "Seed", "Sum", "Vector"]
    write(fractal("ridged", octaves=2.5))
    names = {one.name for one in bpy.data.node_groups["Test Octave"].interface.items_tree}
    assert names == {"Amplitude", "Number", "Seed", "Sum", "Vector", "Offset", "Weight"}


def test_in_the_active_material_there_must_be_one(plane):
    with pytest.raises(RuntimeError, match="there is no active material"):
        add(target="active")
    assert not bpy.data.node_groups and not bpy.data.materials


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"tile": -1.0}, "Nodes.tile must be in"),
        ({"bump": -1.0}, "Nodes.bump must be in"),
        ({"octaves": 99.0}, "Fractal.octaves must be in"),
        ({"noise": "scatter"}, "Scatter cannot be converted to nodes.*use Cellular"),
        ({"recipe": "{"}, "recipe"),
    ],
)
def test_what_is_wrong_is_one_line(plane, keywords, message):
    with pytest.raises(RuntimeError, match=f"(?i){message}") as caught:
        add(**keywords)
    assert len(str(caught.value).strip().splitlines()) == 1
    assert not bpy.data.node_groups and not bpy.data.materials


def test_the_panels_settings(plane):
    group = bpy.context.scene.terrane_nodes
    group.mapping, group.tile, group.bump = "object", 2.0, 0.25
    add(from_panel=True)
    places = [one.position for one in ramp_of(plane.active_material)]
    mapping = only(plane.active_material, "ShaderNodeMapping")
    np.testing.assert_allclose(mapping.inputs["Scale"].default_value, 0.5)
    bump = only(plane.active_material, "ShaderNodeBump")
    # As high as that where the values mostly lie, which is where the colors are.
    high = bump.inputs["Distance"].default_value * (places[-1] - places[0])
    assert high == pytest.approx(0.25, rel=1e-4) and 0.2 < places[-1] - places[0] < 0.8


def ramp_of(material):
    return only(material, "ShaderNodeValToRGB").color_ramp.elements


def test_the_colors_lie_where_the_values_are(plane):
    for preset in ("badlands", "marble"):
        add(preset=preset, bump=0.0)
        noise = module("noise_core.landscapes.preset_library").preset(preset).recipe.noise
        low, high = noise.bounds()
        values = (
            core(noise, module("noise_core.landscapes.preset_library").preset(preset).recipe.seed)
            - low
        )
        values /= high - low
        places = [one.position for one in ramp_of(plane.active_material)]
        assert places[0] == pytest.approx(np.quantile(values, 0.02), abs=0.03)
        assert places[-1] == pytest.approx(np.quantile(values, 0.98), abs=0.03)
    add(noise="constant", fractal="none", warp=0.0)


def test_a_linked_object_is_refused(plane, tmp_path):
    path = str(tmp_path / "library.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.read_homefile(use_empty=True)
    with bpy.data.libraries.load(path, link=True) as (there, here):
        here.objects = there.objects
    bpy.context.scene.collection.objects.link(bpy.data.objects[0])
    bpy.context.view_layer.objects.active = bpy.data.objects[0]
    with pytest.raises(RuntimeError, match="is linked from another file"):
        add()
    assert not bpy.data.node_groups and not bpy.data.materials


def test_it_is_saved_loaded_and_rendered_without_pink(plane, tmp_path):
    add(preset="marble")
    node_studio.look_down()
    bpy.ops.object.light_add(type="SUN", rotation=(0.5, 0.2, 0.0))
    bpy.context.active_object.data.energy = 3.0
    shot_before = node_studio.shot()
    path = str(tmp_path / "saved.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    for tree in bpy.data.node_groups:
        assert_whole(tree)
    bpy.context.scene.render.filepath = bpy.app.tempdir + "nodes.exr"
    shot_after = node_studio.shot()
    np.testing.assert_allclose(shot_after, shot_before, atol=1e-5)
    # The ramp is of earth; what is missing would be pink, with no green at all.
    red, green, blue = shot_after.reshape(-1, 3).mean(axis=0)
    assert red > green > blue > 0.01 and shot_after[..., 1].std() > 0.01


def test_undo_in_one_step(plane):
    bpy.ops.ed.undo_push(message="before")
    name = plane.name
    bpy.ops.terrane.nodes_add("EXEC_DEFAULT", True, preset="clouds")
    assert bpy.data.objects[name].active_material is not None
    bpy.ops.ed.undo()
    assert bpy.data.objects[name].active_material is None
    assert not bpy.data.node_groups and not bpy.data.materials
    bpy.ops.ed.redo()
    assert_whole(bpy.data.node_groups["Clouds Noise"])
