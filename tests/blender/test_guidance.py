# SPDX-License-Identifier: GPL-3.0-or-later
"""Guidance for users: tooltips, units, words to search for, reasons."""

from __future__ import annotations

import re

import bpy
import pytest

from tests.blender.extension import PACKAGE, module


def operators():
    for name in dir(bpy.ops.terrane):
        yield name, getattr(bpy.ops.terrane, name).get_rna_type()


def groups(rna, seen):
    """Yield our groups of properties below one, it included."""
    if rna.identifier in seen:
        return
    seen.add(rna.identifier)
    yield rna
    for prop in rna.properties:
        if prop.type in ("POINTER", "COLLECTION") and "TERRANE" in prop.fixed_type.identifier:
            yield from groups(prop.fixed_type, seen)


def properties():
    """Yield all properties that are shown, with their owner's name."""
    seen: set[str] = set()
    roots = [rna for _, rna in operators()]
    for owner in bpy.types.ID.__subclasses__():
        roots += [
            prop.fixed_type
            for prop in owner.bl_rna.properties
            if prop.identifier.startswith("terrane") and prop.type == "POINTER"
        ]
    roots.append(bpy.context.preferences.addons[PACKAGE].preferences.bl_rna)
    for root in roots:
        for rna in groups(root, seen):
            for prop in rna.properties:
                is_ours = prop.identifier not in ("rna_type", "bl_idname") and not prop.is_hidden
                is_blenders_name = prop.description.startswith("Unique name used in the code")
                if is_ours and not is_blenders_name and prop.type not in ("POINTER", "COLLECTION"):
                    yield f"{rna.identifier}.{prop.identifier}", prop


def plain(text):
    return re.sub(r"[^a-z0-9]", "", text.lower())


def test_there_is_something_to_look_at(terrane):
    assert len(list(operators())) > 20 and len(list(properties())) > 300


def test_every_operator_says_what_it_does(terrane):
    for name, rna in operators():
        assert rna.description, f"{name} has no tooltip"
        assert not rna.description.endswith("."), f"{name}: Blender sets the full stop"
        assert plain(rna.description) != plain(rna.name), f"{name} only repeats its name"
        assert rna.description[0].isupper() and len(rna.description) > 12, name


def test_every_property_says_what_it_means(terrane):
    for name, prop in properties():
        assert prop.description, f"{name} has no tooltip"
        assert not prop.description.endswith("."), f"{name}: Blender sets the full stop"
        assert plain(prop.description) != plain(prop.name), f"{name} only repeats its name"


def test_every_choice_says_what_it_means(terrane):
    empty = [
        f"{name}: {item.identifier}"
        for name, prop in properties()
        if prop.type == "ENUM"
        for item in prop.enum_items
        if not item.description or item.description.endswith(".")
    ]
    assert not empty, empty[:20]


METERS = re.compile(r"\bmeters\b")
OTHER = re.compile(r"square meters|1 / meters|cells|tiles", re.IGNORECASE)


def test_meters_are_shown_in_the_units_of_the_scene(terrane):
    plain_numbers = [
        name
        for name, prop in properties()
        if prop.type == "FLOAT"
        and METERS.search(prop.description)
        and not OTHER.search(prop.description)
        and prop.unit != "LENGTH"
    ]
    assert not plain_numbers, plain_numbers


def test_angles_are_angles_and_keywords_of_operators_are_degrees(terrane):
    # Blender keeps angles in radians; recipes, files and keywords have degrees.
    angles = {
        name for name, prop in properties() if prop.type == "FLOAT" and prop.unit == "ROTATION"
    }
    assert {"TERRANE_PG_noise_fractal.rotation", "TERRANE_PG_modifier_strata.tilt"} <= angles
    assert all(name.startswith("TERRANE_PG_") for name in angles), angles
    for name, prop in properties():
        if prop.type == "FLOAT" and re.search(r"(^|_)(angle|tilt|dip)$", prop.identifier):
            assert "degrees" in prop.description or "upright" in prop.description, name


WORDS = ("terrain", "landscape", "mountain", "erosion", "heightmap", "noise", "canyon", "dunes", "slope", "displace", "volcano", "island", "geotiff", "srtm", "dem,", "elevation")  # fmt: skip


class Layout:
    """Stand-in for a menu's layout that records the words."""

    def __init__(self):
        self.words = []

    def operator(self, name, text="", **options):
        group, _, own = name.partition(".")
        operator = getattr(getattr(bpy.ops, group), own)
        self.words.append(text or operator.get_rna_type().name)
        return type("Properties", (), {})()

    def operator_enum(self, name, prop):
        group, _, own = name.partition(".")
        items = getattr(getattr(bpy.ops, group), own).get_rna_type().properties[prop].enum_items
        self.words += [item.name for item in items]

    def operator_menu_enum(self, name, prop, text="", **options):
        self.operator(name, text)
        self.operator_enum(name, prop)

    def menu(self, name, **options):
        cls = getattr(bpy.types, name)
        self.words.append(cls.bl_label)
        cls.draw(type("Menu", (), {"layout": self})(), bpy.context)

    def separator(self, **options):
        pass

    def label(self, **options):
        pass


def words_in(places):
    """Return the entries that Blender's search finds in some of Blender's menus."""
    layout = Layout()
    for name, draw in places:
        assert draw in getattr(bpy.types, name).draw._draw_funcs
        draw(type("Menu", (), {"layout": layout})(), bpy.context)
    return " ".join(layout.words).lower()


def test_search_finds_it_under_the_words_that_people_type(terrane):
    text = words_in(module("ui.blender_menus").PLACES)
    missing = [word for word in WORDS if word not in text]
    assert not missing, (missing, text)


def test_search_in_the_viewport_finds_images_and_what_a_terrain_can_have(terrane):
    # An editor's search looks through its own menus only.
    places = [one for one in module("ui.blender_menus").PLACES if one[0].startswith("VIEW3D")]
    assert "heightmap" in words_in(places) and "noise texture" in words_in(places)
    assert "marble" not in words_in(places), "that is no landscape"
    assert "thermal erosion" not in words_in(places)
    bpy.ops.terrane.terrain_add(preset="none", resolution=9)
    text = words_in(places)
    layers = ("thermal erosion", "stream erosion", "terraces", "noise layer", "cellular")
    assert not [word for word in layers if word not in text], text


class Asking(Layout):
    """Remembers the settings of each entry too, by its name."""

    def __init__(self):
        super().__init__()
        self.asked = {}

    def operator(self, name, text="", **options):
        super().operator(name, text)
        return self.asked.setdefault(text, type("Properties", (), {})())


def test_the_heightmap_of_the_menu_is_an_image_of_the_heights(terrane):
    bpy.ops.terrane.terrain_add(preset="none", resolution=9)
    layout = Asking()
    bpy.types.TERRANE_MT_object.draw(type("Menu", (), {"layout": layout})(), bpy.context)
    before = set(bpy.data.images)
    assert bpy.ops.terrane.maps_bake(**vars(layout.asked["Heightmap Image"])) == {"FINISHED"}
    (image,) = set(bpy.data.images) - before
    assert tuple(image.size) == (9, 9)


def test_entries_of_menus_add_what_they_say(terrane):
    bpy.ops.terrane.terrain_add(preset="canyon", resolution=17)
    assert bpy.context.active_object.name == "Canyon"


@pytest.mark.parametrize("name", [name for name in ("terrain_update", "mesh_release", "mask_paint", "mesh_erode", "layer_remove", "job_finish", "job_cancel", "image_erode")])  # fmt: skip
def test_a_grayed_button_says_what_to_do(terrane, name):
    operator = getattr(bpy.ops.terrane, name)
    if operator.poll():
        pytest.skip("possible in an empty scene")
    with pytest.raises(RuntimeError) as refused:
        operator()
    reason = str(refused.value).split("failed", 1)[-1]
    assert "context is incorrect" not in reason and len(reason) > 15, reason


def test_the_add_menu_lists_a_landscape_of_each_landform(terrane):
    layout = Asking()
    bpy.types.TERRANE_MT_landscapes.draw(type("Menu", (), {"layout": layout})(), bpy.context)
    presets = {one.preset for one in layout.asked.values()}
    # Canyon, Dunes, Mesa and Volcano are names of A.N.T. Landscape's too, whose menu is drawn last.
    assert len([name for name in presets if name.startswith("ant_")]) == 32
    assert len(presets) == 23 + 32 - 4
    bpy.ops.terrane.landscape_add(**vars(layout.asked["Mesa"]), resolution=17, ground=False)
    assert bpy.context.active_object.name == "Mesa" and bpy.context.scene.camera is not None
