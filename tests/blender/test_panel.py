# SPDX-License-Identifier: GPL-3.0-or-later
"""The panel shows every type and every parameter; drawn on a stand-in, for the module has no window."""

from __future__ import annotations

from types import SimpleNamespace

import bpy
import pytest

from tests.blender.extension import module
from tests.blender.panels import RecordingLayout


def drawn():
    """Return the contents of the panel of the active layer."""
    shown = set()
    panel = SimpleNamespace(layout=RecordingLayout(shown))
    ui = module("ui.layers")
    ui.LayersSection.draw(panel, bpy.context)
    ui.LayerSection.draw(panel, bpy.context)
    return shown


def states_of(expected):
    """Return the values of a parameter with which another one has an effect."""
    if isinstance(expected, bool):
        return (expected,)
    return (int(expected) + 1,) if isinstance(expected, float) else expected


def drawn_in_every_state(holder, parameters):
    """Return the contents of the panel while each condition for a parameter is met, one after the other."""
    shown = drawn()
    for parameter in parameters:
        if parameter.visible_when is None:
            continue
        name, expected = parameter.visible_when
        before = getattr(holder, name)
        for value in states_of(expected):
            setattr(holder, name, value)
            # What it depends on may itself depend on something.
            outer = next((two for two in parameters if two.name == name), None)
            if outer is not None and outer.visible_when is not None:
                first, values = outer.visible_when
                setattr(holder, first, states_of(values)[0])
            shown |= drawn()
        setattr(holder, name, before)
    return shown


def missing(holder, parameters, shown):
    known = holder.bl_rna.properties
    named = {
        (holder.bl_rna.identifier, parameter.name)
        for parameter in parameters
        if parameter.name in known
    }
    curves = {
        (holder.bl_rna.identifier, parameter.name)
        for parameter in parameters
        if parameter.kind == "curve" and ("TERRANE_PG_curve_point", "position") in shown
    }
    return named - shown - curves


def test_every_noise_and_every_filter_is_shown_whole(group):
    elements = module("operators.bridge.schema.elements")
    chains = module("noise_core.recipes.chains")
    for key, cls in {**chains.basis_types(), **chains.filter_types()}.items():
        if chains.is_filter(cls):
            bpy.ops.terrane.layer_add(type="perlin")
            bpy.ops.terrane.element_add(type=key)
        else:
            bpy.ops.terrane.layer_add(type=key)
        entry = group.layers[group.active_layer]
        element = next(one for one in entry.chain if one.type == key)
        entry.active_element = list(entry.chain).index(element)
        parameters = elements.own_parameters(cls)
        own = elements.own_group(element)
        shown = drawn_in_every_state(own, parameters)
        assert not missing(own, parameters, shown), key
        if elements.inner_parameter(cls) is not None:
            holders = [*element.inner, *map(elements.own_group, element.inner)]
            inner = {holder.bl_rna.identifier for holder in holders}
            names = {drawn[1] for drawn in shown if drawn[0] in inner}
            expected = {"basis", "frequency"} | ({"octaves"} if key == "warp" else set())
            assert expected <= names, key
        assert (element.bl_rna.identifier, "basis") in shown or chains.is_filter(cls)
        rest = [
            parameter for parameter in parameters if parameter.name not in own.bl_rna.properties
        ]
        kinds = {one.kind for one in rest}
        assert kinds <= {"noise", "curves"}, key
        if "curves" in kinds:
            assert ("TERRANE_PG_curve_slot", "object") in shown


def test_every_modifier_is_shown_whole(group):
    layers = module("operators.bridge.schema.layers")
    for key, cls in module("noise_core").modifier_types().items():
        bpy.ops.terrane.layer_add(type=key)
        entry = group.layers[group.active_layer]
        own, parameters = getattr(entry, key), layers.own_parameters(cls)
        shown = drawn_in_every_state(own, parameters)
        assert not missing(own, parameters, shown), key
        assert (entry.bl_rna.identifier, "opacity") in shown
        rest = [
            parameter for parameter in parameters if parameter.name not in own.bl_rna.properties
        ]
        kinds = {parameter.kind for parameter in rest}
        assert kinds <= {"curves", "placements", "pixels"}, key
        lists = [getattr(entry, each.name) for each in rest if each.kind != "pixels"]
        for slots in filter(len, lists):
            assert (slots[0].bl_rna.identifier, "object") in shown, key
        assert "pixels" not in kinds or (entry.bl_rna.identifier, "pixels") in shown


def test_layers_and_groups_are_shown_whole(group):
    layers = module("operators.bridge.schema.layers")
    for key in ("perlin", "group"):
        bpy.ops.terrane.layer_add(type=key)
        entry = group.layers[group.active_layer]
        parameters = layers.shared_parameters(layers.LAYER_TYPES.find_class(entry))
        shown = drawn_in_every_state(entry, parameters)
        assert not missing(
            entry, [parameter for parameter in parameters if parameter.name != "muted"], shown
        ), key
        assert {(entry.bl_rna.identifier, name) for name in ("chain", "painted_mask")} <= shown


def test_every_mask_is_shown_whole(group):
    masks = module("operators.bridge.schema.mask_settings")
    base = module("noise_core.masks.bases.mask").Mask.parameters()
    bpy.ops.terrane.layer_add(type="blur")
    entry = group.layers[group.active_layer]
    for key, source in masks.sources().items():
        bpy.ops.terrane.layer_mask(source=key)
        shown = drawn_in_every_state(entry.mask, base)
        assert not missing(entry.mask, base, shown), key
        held = masks.MASKS.group(entry.mask, key)
        named = [parameter for parameter in source.parameters if parameter.kind != "text"]
        assert not missing(held, named, shown), key
        if masks.has_chain(entry.mask):
            part = getattr(entry.mask.chain[0], entry.mask.chain[0].type)
            assert (part.bl_rna.identifier, "frequency") in shown


def test_everything_that_can_be_added_is_in_a_menu(group):
    shown = set()
    ui = module("ui.layer_menus")
    for cls in (ui.TERRANE_MT_layer_add, ui.TERRANE_MT_layer_noises, ui.TERRANE_MT_layers):
        added = []

        class Menu(RecordingLayout):
            def operator(self, name, added=added, **options):
                added.append(SimpleNamespace(name=name))
                return added[-1]

        cls.draw(SimpleNamespace(layout=Menu(shown)), bpy.context)
        shown |= {one.type for one in added if hasattr(one, "type")}
        shown |= {"footprint"} & {one.name[8:-4] for one in added}
    core = module("noise_core")
    assert {"group", *core.modifier_types()} <= shown
    assert set(module("noise_core.recipes.chains").basis_types()) <= shown
    items = bpy.ops.terrane.element_add.get_rna_type().properties["type"].enum_items
    assert {one.identifier for one in items} == set(
        module("noise_core.recipes.chains").filter_types()
    )


def test_all_presets_can_be_drawn(group):
    """Each layer of each preset shows elements of registered types, and nothing that is kept as text."""
    library = module("noise_core.landscapes.preset_library")
    for name in library.preset_names():
        bpy.ops.terrane.preset_load(preset=name)
        for place, entry in enumerate(group.layers):
            group.active_layer = place
            for element in range(max(1, len(entry.chain))):
                entry.active_element = element
                assert "terrane.value_reset" not in drawn(), (name, entry.name)


@pytest.mark.slow
def test_plants_are_shown_whole_once_they_are_there(terrane):
    bpy.ops.terrane.terrain_add(preset="dunes", resolution=17)
    ui, shown = module("ui.landscape"), set()
    draw = ui.TERRANE_PT_landscape.draw
    draw(SimpleNamespace(layout=RecordingLayout(shown)), bpy.context)
    assert "terrane.scatter_add" in shown and ("TERRANE_PG_plants", "seed") not in shown
    bpy.ops.terrane.scatter_add()
    draw(SimpleNamespace(layout=RecordingLayout(shown)), bpy.context)
    names = {
        parameter.name for parameter in module("noise_core.landscapes.plants").Plants.parameters()
    }
    assert {("TERRANE_PG_plants", name) for name in names} <= shown
    assert ("Object", "display_type") in shown
