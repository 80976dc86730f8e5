# SPDX-License-Identifier: GPL-3.0-or-later
"""Files of every version open, and what nobody knows is kept, said, and saved again as it was.

The files are written by tools/old_files.py.
"""

from __future__ import annotations

import json
from pathlib import Path

import bpy
import numpy as np
import pytest

from tests.blender.extension import module
from tests.blender.helpers import heights

DATA = Path(__file__).resolve().parents[1] / "data"
RELEASED = sorted(path.name for path in DATA.glob("terrane_*.blend"))


def opened(name):
    bpy.ops.wm.open_mainfile(filepath=str(DATA / name))


def activated(name):
    thing = bpy.data.objects[name]
    bpy.context.view_layer.objects.active = thing
    return thing


def test_there_are_files_and_they_are_small():
    assert "terrane_0.1.0.blend" in RELEASED
    for path in DATA.glob("*.blend"):
        assert path.stat().st_size < 200_000, path.name


@pytest.mark.parametrize("name", RELEASED)
def test_an_old_file_has_what_was_set(terrane, name):
    opened(name)
    settings = module("operators.bridge.schema.settings")
    thing = activated("Old Terrain")
    group = thing.terrane
    recipe = settings.read(group)
    assert (recipe.seed, recipe.height, group.size, group.resolution) == (42, 60.0, 500.0, 25)
    assert not any(entry.muted or entry.solo for entry in group.layers)
    assert recipe.size == 500.0 and not group.seamless and tuple(group.tile) == (0.0, 0.0)
    values = module("noise_core.recipes.chains").values(recipe.base.noise)
    wanted = {"noise": "simplex", "fractal": "ridged", "octaves": 5.5, "frequency": 3.0}
    assert wanted.items() <= values.items() and values["warp"] == 0.25
    assert [one.key for one in recipe.layers] == ["noise", "stream_erosion", "terraces"]
    assert [entry.name for entry in group.layers] == ["Simplex", "Stream Erosion", "Fields"]
    assert [one.name for one in recipe.layers] == ["", "", "Fields"]
    assert recipe.layers[2].opacity == 0.75
    assert (recipe.layers[1].strength, recipe.layers[1].talus_angle) == (0.4, 47.0)
    assert group.layers[2].painted_mask in thing.vertex_groups
    scene = bpy.context.scene.terrane
    assert (scene.seed, scene.resolution) == (77, 48)
    image = bpy.data.images["Old Image"]
    assert module("operators.bridge.schema.state").is_picture(image)
    assert [one.type for one in image.terrane.layers[0].chain] == ["cellular", "fractal"]
    assert settings.read(image.terrane).size == image.terrane.size
    assert module("operators.bridge.schema.settings").why_unreadable(group) == ""


# fmt: off
GROUND = (
    15.57843, -34.12808, -3.94716, -6.32012, -4.11373, -7.40888, -56.38648, -59.02319, -47.07388, -35.61253,
    -1.1647, -18.7575, 5.08853, -54.63232, -46.56932, -30.16279, -9.97835, -50.68384, -52.51531, -53.22807,
    -49.74182, -25.01799, -59.06808, -37.12173, -2.17044,
)
# fmt: on
"""Every 26th height of the old terrain without its modifiers, as the version that saved it made them."""


@pytest.mark.parametrize("name", RELEASED)
def test_an_old_terrain_has_the_ground_that_it_had(terrane, name):
    opened(name)
    thing = activated("Old Terrain")
    for entry in list(thing.terrane.layers)[1:]:
        entry.muted = True
    assert bpy.ops.terrane.terrain_update() == {"FINISHED"}
    np.testing.assert_allclose(heights(thing)[::26], GROUND, rtol=0, atol=2e-6 * 100.0)


@pytest.mark.parametrize("name", RELEASED)
def test_an_old_terrain_made_anew_keeps_what_hangs_on_it(terrane, name):
    opened(name)
    thing = activated("Old Terrain")
    before = heights(thing)
    assert bpy.ops.terrane.terrain_update() == {"FINISHED"}
    # Stream Erosion refines its levels otherwise now: the same land, worn a little differently.
    assert np.abs(heights(thing) - before).mean() < 0.1 * np.ptp(before)
    assert "slope" in thing.data.attributes and thing.active_material is not None
    assert bpy.ops.terrane.image_update(image="Old Image") == {"FINISHED"}


@pytest.mark.parametrize("name", RELEASED)
def test_an_old_terrain_stays_as_it_is_until_something_is_changed(terrane, name):
    opened(name)
    thing = bpy.data.objects["Old Terrain"]
    before = heights(thing)
    module("operators.bridge.tasks.live").update_now()
    np.testing.assert_array_equal(heights(thing), before)


@pytest.mark.parametrize("name", RELEASED)
@pytest.mark.parametrize("is_masked", [True, False])
def test_undo_brings_the_ground_of_an_old_file_back(terrane, name, is_masked, tmp_path):
    opened(name)
    thing = activated("Old Terrain")
    if not is_masked:
        thing.terrane.layers[2].painted_mask = ""
        bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "old.blend"))
        opened(tmp_path / "old.blend")
        thing = activated("Old Terrain")
    before = heights(thing)
    bpy.ops.ed.undo_push(message="opened")
    assert bpy.ops.terrane.terrain_update() == {"FINISHED"}
    bpy.ops.ed.undo_push(message="updated")
    assert not np.array_equal(heights(thing), before)
    bpy.ops.ed.undo()
    module("operators.bridge.tasks.live").update_now()
    np.testing.assert_array_equal(heights(activated("Old Terrain")), before)


@pytest.mark.parametrize("name", RELEASED)
def test_an_old_material_knows_its_surface(terrane, name):
    opened(name)
    material = activated("Old Terrain").active_material
    request = module("operators.bridge.nodetree.surface_material").request_of(material)
    assert request is not None and request.key == "granite"


def unknown_state():
    """Return all that is stored of what nobody knows."""
    first, second = bpy.data.objects["Unknown Noise"], bpy.data.objects["Unknown Modifier"]
    element, entry = first.terrane.layers[0].chain[0], second.terrane.layers[1]
    return {
        "noise": (element.type, json.loads(element.text)),
        "type": entry.type,
        "name": entry.name,
        "text": json.loads(entry.text)["modifiers"],
        "count": len(second.terrane.layers),
    }


KEPT = {
    "noise": ("noise_of_tomorrow", {"type": "noise_of_tomorrow", "depth": 3.5}),
    "type": "modifier_of_tomorrow",
    "name": "Glaciers",
    "text": [{"type": "modifier_of_tomorrow", "speed": 2.0}],
    "count": 3,
}


def test_what_nobody_knows_is_kept_and_saved_again(terrane, tmp_path):
    opened("unknown_types.blend")
    assert unknown_state() == KEPT
    for step in range(2):
        path = tmp_path / f"again_{step}.blend"
        bpy.ops.wm.save_as_mainfile(filepath=str(path), check_existing=False)
        bpy.ops.wm.open_mainfile(filepath=str(path))
        assert unknown_state() == KEPT


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("Unknown Noise", "has a noise of a type that this Terrane does not know: update Terrane"),
        ("Unknown Modifier", "does not know the type of Glaciers: update Terrane, or remove it"),
    ],
)
def test_it_is_said_and_nothing_is_made_anew(terrane, name, reason):
    opened("unknown_types.blend")
    thing = activated(name)
    before = heights(thing)
    assert reason in module("operators.bridge.schema.settings").why_unreadable(thing.terrane)
    assert not bpy.ops.terrane.terrain_update.poll()
    with pytest.raises(RuntimeError, match=reason):
        bpy.ops.terrane.terrain_update()
    with pytest.raises(RuntimeError, match="not known|must be one of"):
        bpy.ops.terrane.terrain_add(from_panel=True, resolution=9)
    np.testing.assert_array_equal(heights(thing), before)
    assert len(bpy.data.objects) == 2 and unknown_state() == KEPT


def test_work_on_the_rest_of_the_stack_keeps_it(terrane):
    opened("unknown_types.blend")
    thing = activated("Unknown Modifier")
    bpy.ops.terrane.layer_add(type="terraces")
    thing.terrane.active_layer = 2
    bpy.ops.terrane.layer_move(direction="UP")
    assert [entry.type for entry in list(thing.terrane.layers)[1:]] == [
        *("blur", "modifier_of_tomorrow", "terraces")
    ]
    assert json.loads(thing.terrane.layers[2].text)["modifiers"] == KEPT["text"]


def test_once_it_is_removed_the_terrain_can_be_made_anew(terrane):
    opened("unknown_types.blend")
    thing = activated("Unknown Modifier")
    thing.terrane.active_layer = 1
    bpy.ops.terrane.layer_remove()
    assert bpy.ops.terrane.terrain_update() == {"FINISHED"}
    bpy.ops.ed.undo_push(message="removed")
    other = activated("Unknown Noise")
    bpy.ops.terrane.preset_load(preset="none")
    assert module("operators.bridge.schema.settings").why_unreadable(other.terrane) == ""
    assert bpy.ops.terrane.terrain_update() == {"FINISHED"}


def test_the_panel_draws_a_box_about_it(terrane):
    """Drawn on a stand-in: Blender's module has no window."""

    class Layout:
        def __init__(self, lines):
            self.lines, self.alert = lines, False

        def box(self):
            return self

        def column(self, **options):
            return self

        def label(self, *, text, icon, translate):
            self.lines.append((text, icon))

    opened("unknown_types.blend")
    draw = module("ui.live").draw_unknown
    for name in ("Unknown Noise", "Unknown Modifier"):
        lines = []
        draw(Layout(lines), bpy.context, bpy.data.objects[name].terrane)
        assert lines[0][1] == "ERROR" and len(lines) > 1
        text = " ".join(line for line, _ in lines)
        assert text == module("operators.bridge.schema.settings").why_unreadable(
            bpy.data.objects[name].terrane
        )
    lines = []
    draw(Layout(lines), bpy.context, bpy.context.scene.terrane)
    assert lines == []


def stored(owner, values):
    """Store settings as version 0.1.0 did, whose properties are declared no more."""
    if hasattr(owner, "bl_system_properties_get"):
        owner.bl_system_properties_get(do_create=True)["terrane"] = values
    else:
        owner["terrane"] = values
    return owner


def number(key):
    return module("operators.bridge.schema.properties").enum_number(key)


def fractal(**values):
    return {"type": "fractal", "source": {"type": "perlin", "frequency": 4.0}, **values}


def test_what_was_changed_beside_the_texts_counts(terrane):
    """Each kind of thing that settings of 0.1.0 could hold, with the same heights as its recipe."""
    core, settings = module("noise_core"), module("operators.bridge.schema.settings")
    where = {
        "type": "map",
        "map": {"type": "slope"},
        "limits": "above",
        "low": 10.0,
        "falloff": 2.0,
    }
    layer = {
        "type": "noise_layer",
        "noise": fractal(),
        "height": 5.0,
        "mode": "max",
        "where": where,
    }
    gullies = {"type": "blur", "radius": 2.0, "influence": 0.5}
    tree = {"format": 2, "noise": fractal(rotation=30.0), "height": 20.0, "seed": 3}

    def entry(modifier, **values):
        text = {"format": 2, "noise": {"type": "constant"}, "modifiers": [modifier]}
        return {"type": modifier["type"], "text": json.dumps(text), **values}

    image = bpy.data.images.new("Old", 8, 8)
    knobs = {"noise": number("simplex"), "fractal": number("ridged"), "frequency": 6.5, "warp": 0.0}
    stored(
        image,
        {
            "tree": json.dumps(tree),
            "seed": 3,
            "height": 20.0,
            "size": 200.0,
            "noise": number("perlin"),
            "fractal": number("billow"),
            "frequency": 5.5,
            "warp": 0.125,
            "noise_perlin": {"fade": number("linear")},
            "fractal_options": {"octaves": 3.5, "rotation": 45.0, "normalise": number("clamp")},
            "image_options": {"colours": number("ramp")},
            "modifiers": [
                entry(
                    layer,
                    name="Hills",
                    influence=0.25,
                    solo=1,
                    modifier_noise_layer={"height": 7.5, "noise": knobs},
                    where={"source": number("height"), "low": 12.5},
                ),
                entry(gullies, name="Blur", influence=0.5, muted=1, mask="Group"),
            ],
        },
    )
    module("operators.bridge.schema.old_settings").convert(image, "terrane")
    group = image.terrane
    assert group.image_options.colors == "ramp"
    height = {**where, "map": {"type": "height"}, "low": 12.5}
    del height["falloff"], height["limits"]
    warped = fractal(kind="billow", octaves=3.5, rotation=45.0, normalize="clamp")
    warped["source"] = {"type": "perlin", "frequency": 5.5, "fade": "linear"}
    bending = fractal(octaves=5.0)  # all frequencies of the tree went with that of its basis
    bending["source"] = {"type": "perlin", "frequency": 4.0 * 5.5 / 4.0}
    own = fractal(kind="ridged")
    own["source"] = {"type": "simplex", "frequency": 6.5}
    wanted = {
        **tree,
        "size": 200.0,
        "noise": {"type": "warp", "source": warped, "strength": 0.125, "displacement": bending},
        "modifiers": [
            {
                **layer,
                "noise": own,
                "height": 7.5,
                "influence": 0.25,
                "where": height,
                "name": "Hills",
            },
            {**gullies, "muted": True},
        ],
    }
    read, recipe = settings.read(group), core.Recipe.from_json(json.dumps(wanted))
    assert [one.key for one in read.layers] == ["noise", "noise", "blur"]
    assert read.layers[1:] == recipe.layers[1:]
    assert read.layers[0].noise.source == recipe.layers[0].noise.source
    grid = core.Grid(33, 33, size=200.0)
    np.testing.assert_allclose(
        read.evaluate(grid).height, recipe.evaluate(grid).height, rtol=0, atol=2e-6 * 20.0
    )
    assert [one.is_solo for one in settings.states(group)] == [False, True, False]
    assert group.layers[2].painted_mask == "Group" and group.layers[2].muted


@pytest.mark.parametrize("link", [False, True])
def test_an_old_terrain_that_is_appended_or_linked_is_not_another(terrane, link):
    with bpy.data.libraries.load(str(DATA / "terrane_0.1.0.blend"), link=link) as (_, into):
        into.objects = ["Old Terrain"]
    thing = into.objects[0]
    settings, error = (
        module("operators.bridge.schema.settings"),
        module("noise_core.base.errors").RecipeError,
    )
    if hasattr(bpy.app.handlers, "blend_import_post"):
        assert [one.key for one in settings.read(thing.terrane).layers] == [
            *("noise", "stream_erosion", "terraces")
        ]
        return
    with pytest.raises(error, match="save this file and open it again"):
        settings.read(thing.terrane)
    why_not = module("operators.bridge.schema.settings").why_unreadable(thing.terrane)
    assert "older Terrane" in why_not and why_not.template == str(why_not), "it can be translated"


def test_parameters_that_came_later_do_nothing_in_files_of_before(terrane, tmp_path):
    bpy.ops.terrane.terrain_add(preset="alps", resolution=33)
    bpy.ops.terrane.layer_add(type="stream_erosion")
    thing = bpy.context.active_object
    new, thing_name = thing.terrane.layers[-1].stream_erosion, thing.name
    assert new.is_property_set("valley_fill") and new.valley_fill > 0.0
    for entry in thing.terrane.layers:
        if entry.type == "stream_erosion":
            entry.stream_erosion.property_unset("valley_fill")
    path = tmp_path / "before.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    bpy.ops.wm.open_mainfile(filepath=str(path))
    known = bpy.data.objects[thing_name].terrane.layers
    found = [one.stream_erosion for one in known if one.type == "stream_erosion"]
    assert len(found) >= 2 and all(one.valley_fill == 0.0 for one in found)
