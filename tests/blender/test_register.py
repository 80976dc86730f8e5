# SPDX-License-Identifier: GPL-3.0-or-later
"""The extension comes and goes without a trace."""

from __future__ import annotations

import addon_utils
import bpy

EXTENSION = "bl_ext.user_default.terrane"


def _ours(names):
    return sorted(name for name in names if "terrane" in name.lower())


def _traces():
    """Return everything of ours that Blender knows."""
    draws = [
        f"{menu}: {function.__module__}"
        for menu in dir(bpy.types)
        for function in getattr(getattr(getattr(bpy.types, menu), "draw", None), "_draw_funcs", ())
    ]
    handlers = [
        function.__module__
        for name in dir(bpy.app.handlers)
        if isinstance(functions := getattr(bpy.app.handlers, name), list)
        for function in functions
    ]
    return {
        "types": _ours(dir(bpy.types)),
        "operators": _ours(dir(bpy.ops)),
        "properties": _ours(
            f"{name}.{key}"
            for name in ("Scene", "Object", "Mesh", "Image", "Material", "WindowManager")
            for key in getattr(bpy.types, name).bl_rna.properties.keys()
        ),
        "menus": _ours(draws),
        "handlers": _ours(handlers),
    }


def test_registering_three_times_leaves_the_same_types(terrane):
    before = dir(bpy.types)
    for _ in range(3):
        terrane.unregister()
        terrane.register()
        assert dir(bpy.types) == before


def test_something_is_registered(terrane):
    traces = _traces()
    assert traces["types"]
    assert traces["menus"]
    assert traces["properties"]


def test_unregistering_leaves_nothing_behind(terrane):
    terrane.unregister()
    try:
        traces = _traces()
    finally:
        terrane.register()
    # bpy.ops lists a module as long as one operator is in it.
    assert not any(traces.values()), traces


def test_disabling_and_enabling_like_a_user_does(terrane):
    before = dir(bpy.types)
    for _ in range(3):
        addon_utils.disable(EXTENSION, default_set=True)
        assert EXTENSION not in bpy.context.preferences.addons
        addon_utils.enable(EXTENSION, default_set=True)
        assert EXTENSION in bpy.context.preferences.addons
        assert dir(bpy.types) == before
