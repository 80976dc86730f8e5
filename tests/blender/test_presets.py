# SPDX-License-Identifier: GPL-3.0-or-later
"""Presets as pictures, and a user's own: saved, chosen everywhere, replaced, deleted."""

from __future__ import annotations

import json
from types import SimpleNamespace

import bpy
import numpy as np
import pytest

from tests.blender.extension import module
from tests.blender.helpers import add_terrain


def library():
    return module("noise_core.landscapes.preset_library")


def settings():
    return bpy.context.scene.terrane


def shown(operator) -> set[str]:
    """Return the presets that an operator offers, as a script finds out: by a wrong one."""
    with pytest.raises(TypeError) as refused:
        operator(preset="there is none")
    return {name for name in library().preset_names() if f"'{name}'" in str(refused.value)}


def test_every_shipped_preset_has_a_picture(terrane):
    names = (*library().shipped_names(), "none")
    files = [library().picture_of(name) for name in names]
    assert all(file is not None and file.read_bytes()[8:12] == b"WEBP" for file in files)
    assert sum(file.stat().st_size for file in files) < 200_000
    files = [library().picture_of(name) for name in library().ant_names()]
    assert all(file is not None and file.read_bytes()[8:12] == b"WEBP" for file in files)
    assert sum(file.stat().st_size for file in files) < 50_000


def test_pictures_of_presets_are_read(terrane):
    thumbnails = module("operators.bridge.interface.thumbnails")
    thumbnails.preset_icon("island")
    preview = thumbnails._collection["preset island"]
    assert tuple(preview.image_size) >= (128, 128)
    pixels = np.array(preview.image_pixels_float[:]).reshape(-1, 4)
    assert np.ptp(pixels[:, :3]) > 0.3 and (pixels[:, 3] == 1.0).all()


def test_choosing_a_picture_loads_the_preset(terrane):
    group = settings()
    bpy.ops.terrane.preset_load(preset="dunes")
    assert group.preset_picture == "dunes"
    group.preset_picture = "volcano"
    assert group.preset == group.preset_picture == "volcano"
    read = module("operators.bridge.schema.settings").read(group)
    assert read == library().preset("volcano").recipe
    group.preset_picture = "ant_canyon"
    assert group.preset == "ant_canyon"
    group.preset = "gone"
    assert group.preset_picture == "none"


def test_saving_makes_a_preset_with_a_picture(own_presets):
    group = settings()
    bpy.ops.terrane.preset_load(preset="island")
    group.seed, group.octaves = 77, 5
    made = module("operators.bridge.schema.settings").read(group)
    assert bpy.ops.terrane.preset_save(name="My Hölle 2", description="Hot") == {"FINISHED"}
    assert {path.name for path in own_presets.iterdir()} == {"my_holle_2.json", "my_holle_2.png"}
    kept = library().preset("my_holle_2")
    assert (kept.label, kept.description, kept.recipe) == ("My Hölle 2", "Hot", made)
    assert kept.look == library().preset("island").look and group.preset == "my_holle_2"
    image = bpy.data.images.load(str(own_presets / "my_holle_2.png"))
    pixels = np.array(image.pixels[:]).reshape(128, 128, 4)
    assert tuple(image.size) == (128, 128) and pixels[..., :3].std() > 0.05
    corner, middle = pixels[4, 4], pixels[64, 64]
    assert corner[2] > corner[0] and abs(corner - middle).max() > 0.1, "the sea is blue"


def test_own_presets_stand_beside_the_shipped_ones_everywhere(own_presets):
    bpy.ops.terrane.preset_load(preset="none")
    settings().layers[0].chain[0].perlin.frequency = 3.25
    bpy.ops.terrane.preset_save(name="Quarter")
    assert library().preset_names()[-1] == "quarter"
    for operator in (
        bpy.ops.terrane.terrain_add,
        bpy.ops.terrane.image_new,
        bpy.ops.terrane.preset_load,
    ):
        assert {"quarter", "alps"} <= shown(operator)
    terrain = add_terrain(preset="quarter", resolution=17)
    assert terrain.name == "Quarter"
    assert terrain.terrane.layers[0].chain[0].perlin.frequency == 3.25
    settings().preset_picture = "alps"
    settings().preset_picture = "quarter"
    assert settings().layers[0].chain[0].perlin.frequency == 3.25
    bpy.ops.terrane.image_new(preset="quarter", width=16, height=16)
    assert "Quarter" in bpy.data.images


def test_only_when_told_a_preset_is_replaced(own_presets):
    bpy.ops.terrane.preset_load(preset="none")
    bpy.ops.terrane.preset_save(name="Mine")
    before = (own_presets / "mine.json").read_bytes()
    settings().seed = 5
    with pytest.raises(RuntimeError, match="exists"):
        bpy.ops.terrane.preset_save(name="Mine")
    assert (own_presets / "mine.json").read_bytes() == before
    bpy.ops.terrane.preset_save(name="Mine", overwrite=True)
    assert library().preset("mine").recipe.seed == 5


@pytest.mark.parametrize(
    ("name", "message"),
    [("", "name"), ("  ", "name"), ("Alps", "comes with Terrane"), ("None", "comes with Terrane")],
)
def test_names_that_cannot_be_are_refused(own_presets, name, message):
    with pytest.raises(RuntimeError, match=message):
        bpy.ops.terrane.preset_save(name=name)
    assert list(own_presets.iterdir()) == []


@pytest.mark.slow
@pytest.mark.parametrize("label", ["Con", "Aux", "nul", "COM1", "lpt 9", "a:b?", "end. "])
def test_any_label_gets_a_file_that_every_system_can_have(own_presets, label):
    assert bpy.ops.terrane.preset_save(name=label) == {"FINISHED"}
    (file,) = own_presets.glob("*.json")
    module("noise_core.base.file_names").check_file_name(file.name)
    assert library().preset(file.stem).label == label.strip()
    assert bpy.ops.terrane.preset_delete(preset=file.stem) == {"FINISHED"}


def test_a_file_that_differs_in_case_alone_is_left_alone(own_presets):
    (own_presets / "Mine.json").write_text("somebody's", "utf-8")
    bpy.ops.terrane.preset_save(name="Mine", overwrite=True)
    assert (own_presets / "Mine.json").read_text("utf-8") == "somebody's"
    assert library().own_names() == ("mine_2",) and library().preset("mine_2").label == "Mine"
    assert library().broken_presets()["Mine"].startswith("the name of the file must be lower_case")
    bpy.ops.terrane.preset_save(name="mine", overwrite=True)
    assert library().own_names() == ("mine_2",), "it is that preset's name"


def test_names_in_other_scripts_are_told_apart(own_presets):
    for name in ("山", "川", "2 山"):
        bpy.ops.terrane.preset_save(name=name)
    labels = {library().preset(name).label for name in library().own_names()}
    assert labels == {"山", "川", "2 山"}
    assert all(path.name.isascii() for path in own_presets.iterdir())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"description": "two\nlines"}, "description is one line of at most 255 letters"),
        ({"description": "x" * 3000}, "description is one line of at most 255 letters"),
        ({"name": "Go\tod"}, "A preset's name is one line, without tabs"),
        ({"name": "Go\nod"}, "A preset's name is one line, without tabs"),
    ],
)
def test_a_preset_that_could_not_be_read_again_replaces_none(own_presets, keywords, message):
    bpy.ops.terrane.preset_save(name="Good")
    before = {path.name: path.read_bytes() for path in own_presets.iterdir()}
    with pytest.raises(RuntimeError, match=message) as caught:
        bpy.ops.terrane.preset_save(**{"name": "Good", "overwrite": True, **keywords})
    assert len(str(caught.value).strip().splitlines()) == 1
    assert {path.name: path.read_bytes() for path in own_presets.iterdir()} == before
    assert library().own_names() == ("good",) and not library().broken_presets()


def test_whatever_the_reader_refuses_is_not_written(own_presets, monkeypatch):
    monkeypatch.setattr(
        module("noise_core.landscapes.preset_library").Preset, "to_json", lambda kept: "{}"
    )
    with pytest.raises(RuntimeError, match="must be an object with description"):
        bpy.ops.terrane.preset_save(name="Good")
    assert list(own_presets.iterdir()) == []


@pytest.mark.slow
def test_names_that_differ_in_signs_are_told_apart(own_presets):
    labels = ("Dune 1.5", "Dune 1-5", "C++", "C", "C#", "???", "***", "Dune 1.5 2")
    for seed, label in enumerate(labels):
        settings().seed = seed
        assert bpy.ops.terrane.preset_save(name=label, overwrite=seed % 2 == 1) == {"FINISHED"}
    presets = [library().preset(name) for name in library().own_names()]
    assert {one.label: one.recipe.seed for one in presets} == {
        label: seed for seed, label in enumerate(labels)
    }
    with pytest.raises(RuntimeError, match="Preset Dune 1-5 exists"):
        bpy.ops.terrane.preset_save(name="Dune 1-5")
    settings().seed = 77
    bpy.ops.terrane.preset_save(name="dune  1-5", overwrite=True)
    assert len(library().own_names()) == len(labels)
    assert {one: library().preset(one).recipe.seed for one in ("dune_1_5", "dune_1_5_2")} == {
        "dune_1_5": 0,
        "dune_1_5_2": 77,
    }


def test_presets_keep_the_names_they_have(own_presets):
    bpy.ops.terrane.preset_save(name="Mine")
    (own_presets / "mine.json").rename(own_presets / "preset_.json")
    plain = json.loads((own_presets / "preset_.json").read_text("utf-8"))
    (own_presets / "preset_.json").write_text(json.dumps({**plain, "label": "???"}), "utf-8")
    bpy.ops.terrane.preset_save(name="???", overwrite=True)
    assert library().own_names() == ("preset_",)
    (own_presets / "preset_.json").write_text("broken", "utf-8")
    with pytest.raises(RuntimeError, match="exists"):
        bpy.ops.terrane.preset_save(name="???")
    bpy.ops.terrane.preset_save(name="???", overwrite=True)
    assert library().own_names() == ("preset_",) and not library().broken_presets()


def test_deleting_leaves_what_was_made_of_it(own_presets):
    bpy.ops.terrane.preset_load(preset="dunes")
    settings().seed = 8
    bpy.ops.terrane.preset_save(name="Mine")
    bpy.ops.terrane.terrain_add(preset="mine", resolution=17)
    assert bpy.ops.terrane.preset_delete(preset="mine") == {"FINISHED"}
    assert list(own_presets.iterdir()) == [] and "mine" not in library().preset_names()
    terrain = bpy.context.active_object
    assert terrain.terrane.seed == 8 and terrain.terrane.preset_picture == "none"
    bpy.ops.terrane.terrain_update()
    with pytest.raises(RuntimeError, match="Save a preset"):
        bpy.ops.terrane.preset_delete(preset="mine")


def test_shipped_presets_are_not_deleted(own_presets):
    bpy.ops.terrane.preset_save(name="Mine")
    with pytest.raises(RuntimeError, match="preset must be one of your own: mine; got 'alps'"):
        bpy.ops.terrane.preset_delete(preset="alps")
    assert library().picture_of("alps") is not None


def test_files_that_cannot_be_read_are_left_out_and_named(own_presets):
    plain = json.loads(library().preset("alps").to_json())
    (own_presets / "broken.json").write_text("{")
    (own_presets / "alps.json").write_text(json.dumps(plain))
    (own_presets / "strange.json").write_text(json.dumps({**plain, "look": {"palette": "pink"}}))
    (own_presets / "good.json").write_text(json.dumps({**plain, "label": "Good"}))
    module("operators.bridge.schema.presets").find()
    assert library().own_names() == ("good",)
    broken = library().broken_presets()
    assert set(broken) == {"broken", "alps", "strange"} and "palette" in broken["strange"]
    assert library().preset("alps").label == "Alps"


def test_presets_too_high_for_the_settings_are_left_out_and_named(own_presets):
    plain = json.loads(library().preset("alps").to_json())
    plain["recipe"]["height"] = 1e9
    (own_presets / "space.json").write_text(json.dumps({**plain, "label": "Space"}))
    module("operators.bridge.schema.presets").find()
    choice = module("operators.bridge.schema.presets")
    assert library().own_names() == ("space",)
    assert "got 1000000000" in choice.find_problems()["space"]
    assert "space" not in [item[0] for item in choice.picture_items()]
    group = bpy.context.scene.terrane
    for place in range(1, len(choice.picture_items())):
        group.preset_picture = choice.picture_items()[place][0] or "alps"  # not a title
    assert choice.existing_name("space") == library().PLAIN


def test_the_browser_shows_each_group_in_rows_of_its_own(own_presets):
    choice = module("operators.bridge.schema.presets")

    def rows():
        """Return the rows of the browser, each as the labels and the names of its cells."""
        items = choice.picture_items()
        assert [item[-1] for item in items] == list(range(len(items))) and len(items) % 8 == 0
        starts = range(0, len(items), 8)
        return [
            ([one[1] for one in items[i : i + 8]], [one[0] for one in items[i : i + 8]])
            for i in starts
        ]

    groups = {}
    title = "Landforms"
    for labels, names in rows():
        title = labels[0] if not names[0] and labels[0] else title
        groups.setdefault(title, []).extend(name for name in names if name)
    by_group = {
        "Landforms": "landforms",
        "Noise": "noise",
        "Textures": "textures",
        "Robots": "robots",
    }
    assert list(groups) == [*by_group, "From A.N.T."]
    for title, group in by_group.items():
        expected = {
            name
            for name in ("none", *library().shipped_names())
            if library().preset(name).group == group
        }
        assert set(groups[title]) - {"AS_IT_IS"} == expected, title
    assert "AS_IT_IS" in groups["Textures"]
    assert groups["From A.N.T."] == list(library().ant_names())
    bpy.ops.terrane.preset_save(name="Quarter")
    own = next(labels for labels, _ in rows() if labels[0] == "Your Own")
    assert own[:2] == ["Your Own", "Quarter"]


def test_a_click_on_a_title_of_the_browser_changes_nothing(terrane):
    choice, group = module("operators.bridge.schema.presets"), bpy.context.scene.terrane
    choice._choose(group, 0)
    before = group.preset
    for place, item in enumerate(choice.picture_items()):
        if not item[0]:
            choice._choose(group, place)
    assert group.preset == before == choice.picture_items()[0][0]


class Drawn:
    """Stand-in for a panel's layout that records the calls, and is its own inner layout."""

    def __init__(self):
        self.calls = []

    def __getattr__(self, name):
        def call(*arguments, **keywords):
            self.calls.append((name, arguments, keywords))
            return self

        return call

    def texts(self):
        return [keywords["text"] for _, _, keywords in self.calls if keywords.get("text")]


class InPanel:
    """A context with a region and a scale, which there are none of in the background."""

    region = SimpleNamespace(width=300)
    preferences = SimpleNamespace(system=SimpleNamespace(ui_scale=1.0))

    def __getattr__(self, name):
        return getattr(bpy.context, name)


def test_the_panel_says_which_files_were_left_out_and_why(own_presets):
    sections, layout = module("ui.sections"), Drawn()
    sections.draw_recipe(layout, InPanel())
    assert not [text for text in layout.texts() if "left out" in text]
    (own_presets / "my_hills.json").write_text("{")
    module("operators.bridge.schema.presets").find()
    layout = Drawn()
    sections.draw_recipe(layout, InPanel())
    words = " ".join(layout.texts())
    assert "The preset my_hills was left out: " in words
    assert library().broken_presets()["my_hills"].split()[-1] in words
    lines = [keywords["text"] for name, _, keywords in layout.calls if name == "label"]
    assert max(map(len, lines)) < 45, lines


def test_the_panel_says_which_surfaces_were_left_out_and_why(terrane, monkeypatch):
    surfaces, layout = module("operators.bridge.textures.surface_settings"), Drawn()
    reason = module("noise_core.base.errors").Message("it is not text in UTF-8")
    monkeypatch.setattr(surfaces, "broken_surfaces", lambda: {"my_wall": reason})
    module("ui.material").draw_surface(layout, InPanel())
    words = " ".join(layout.texts())
    assert "The surface my_wall was left out: it is not text in UTF-8" in words


def test_angles_of_panels_are_blenders_own(terrane):
    """Blender writes their unit beside the number."""
    erosion = module("noise_core.modifiers").StreamErosion
    own = bpy.context.scene.terrane_image_erosion.stream_erosion
    angles = [one.name for one in erosion.parameters() if one.unit == "angle"]
    assert "talus_angle" in angles
    for name in angles:
        assert own.bl_rna.properties[name].subtype == "ANGLE"


def test_a_message_is_broken_into_lines_in_any_script(terrane):
    lines = module("ui.live")._lines
    assert lines("one two three", 8) == ["one two", "three"]
    assert lines("地形は設定に追従します", 8) == ["地形は設", "定に追従", "します"]
    assert lines("지형이 설정을 따릅니다", 13) == ["지형이 설정을", "따릅니다"]
    assert "".join(lines("a b\u3000地 c", 2)).replace(" ", "") == "ab\u3000地c".replace(
        "\u3000", ""
    )


def test_a_preset_of_the_image_editor_is_drawn_flat(own_presets):
    pictures = module("operators.bridge.textures.recipe_pictures")
    flat = module("noise_core.landscapes.preset_library").Look(is_flat=True)
    kept = library().preset("none")
    kept = type(kept)("x", "X", "x", kept.recipe, flat)
    drawn = module("operators.bridge.tasks.jobs").at_once(pictures.work(pictures.order(kept), 32))
    assert drawn.shape == (32, 32, 3) and (drawn[..., 0] == drawn[..., 2]).all()
    assert drawn.min() == 0.0 and drawn.max() == 1.0


def test_the_settings_as_they_are_change_nothing(terrane):
    group = settings()
    bpy.ops.terrane.preset_load(preset="dunes")
    group.seed = 9
    before = module("operators.bridge.schema.settings").read(group)
    group.preset_picture = "AS_IT_IS"
    assert module("operators.bridge.schema.settings").read(group) == before


@pytest.mark.slow
def test_a_landscape_of_ground_for_robots_is_bare(terrane):
    bpy.ops.terrane.landscape_add(preset="stairs_up", resolution=33)
    assert sorted(one.type for one in bpy.data.objects) == ["CAMERA", "LIGHT", "MESH"]
    (ground,) = (one for one in bpy.data.objects if one.type == "MESH")
    assert ground.name == "Stairs Up" and not ground.modifiers
    assert tuple(ground.dimensions)[:2] == pytest.approx((8.0, 8.0))
    assert ground.dimensions[2] == pytest.approx(1.6)
