# SPDX-License-Identifier: GPL-3.0-or-later
"""Settings of another file are left alone, and a message names the remedy."""

from __future__ import annotations

import bpy
import pytest

LINKED = "is linked from another file: make it local first"

CHANGES = {
    "seed_new": {},
    "preset_load": {"preset": "dunes"},
    "layer_add": {"type": "blur"},
    "layer_group": {},
    "element_add": {"type": "abs"},
    "layer_remove": {},
    "layer_duplicate": {},
    "layer_move": {"direction": "UP"},
    "layer_mute": {},
    "layer_rename": {"name": "New"},
    "layer_painted_mask": {"mask": "east"},
    "recipe_paste": {"text": "{}"},
    "ramp_new": {},
    "mask_paint": {},
}


def said(obj):
    """Return the values of a terrain's settings."""
    group = obj.terrane
    layers = [(layer.type, layer.name, layer.muted, layer.painted_mask) for layer in group.layers]
    return group.seed, group.preset, group.size, layers


@pytest.fixture
def library(terrane, linked):
    """Return a terrain with layers that is linked from another file."""
    bpy.ops.terrane.terrain_add(preset="none", resolution=17)
    bpy.ops.terrane.layer_add(type="terraces")
    bpy.ops.terrane.layer_add(type="blur")
    bpy.ops.terrane.terrain_update()
    return linked(bpy.context.active_object)


@pytest.mark.wide
@pytest.mark.parametrize("name", CHANGES)
def test_linked_settings_are_left_alone(library, name):
    said_before = said(library)
    with pytest.raises(RuntimeError, match=LINKED):
        getattr(bpy.ops.terrane, name)(**CHANGES[name])
    assert said(library) == said_before


@pytest.mark.wide
@pytest.mark.parametrize("name", CHANGES)
def test_settings_that_override_linked_ones_are_left_alone(library, name):
    own = library.override_create(remap_local_usages=True)
    bpy.context.view_layer.objects.active = own
    said_before = said(own)
    with pytest.raises(RuntimeError, match=LINKED):
        getattr(bpy.ops.terrane, name)(**CHANGES[name])
    assert said(own) == said_before


def test_made_local_they_can_be_changed(library):
    own = library.override_create(remap_local_usages=True)
    bpy.context.view_layer.objects.active = own
    own.make_local()
    own.data.make_local()
    assert bpy.ops.terrane.seed_new() == {"FINISHED"}
    assert bpy.ops.terrane.layer_add() == {"FINISHED"}
    assert len(own.terrane.layers) == 4
    assert bpy.ops.terrane.terrain_update() == {"FINISHED"}
