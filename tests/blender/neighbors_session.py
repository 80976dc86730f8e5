# SPDX-License-Identifier: GPL-3.0-or-later
"""Two copies of the extension and other add-ons, enabled and disabled by `test_neighbors.py` in a process of its own.

    neighbors_session.py -- FOLDER

The folder holds ``steps.json``, a list of [enable, press or disable, add-on]; ``other/terrane``, the second copy in a
repository of its own; and the other add-ons. Writes ``report.json``: the state after each step.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import bpy  # isort: split

import addon_utils  # which bpy makes importable

FOLDER = Path(sys.argv[-1])


def handler_modules():
    """Return the modules whose functions are called after an undo or a change of the frame."""
    handlers = bpy.app.handlers
    lists = (handlers.undo_post, handlers.frame_change_post, handlers.depsgraph_update_post)
    return [sorted({function.__module__ for function in functions}) for functions in lists]


def try_terrain():
    """Add a terrain, change a setting, and remove it; return its number of vertices."""
    bpy.ops.terrane.terrain_add(resolution=9)
    terrain = bpy.context.active_object
    terrain.terrane.seed = 5
    bpy.context.view_layer.update()
    count = len(terrain.data.vertices)
    bpy.data.objects.remove(terrain)
    return count


def press(name):
    """Enable an add-on as its box in the preferences does."""
    try:
        bpy.ops.preferences.addon_enable(module=name)
    except RuntimeError as error:
        print("REPORT", str(error).strip())


def state():
    """Return the enabled add-ons, the result of adding a terrain, and the modules of its handlers."""
    known = getattr(bpy.types, "TERRANE_OT_terrain_add", None)
    works = known is not None and known.__module__.startswith("bl_ext.")
    return {
        "on": sorted(addon.module for addon in bpy.context.preferences.addons),
        "owner": known.__module__ if known else "",
        "vertices": try_terrain() if works else 0,
        "handlers": handler_modules(),
    }


def main():
    preferences = bpy.context.preferences
    preferences.use_preferences_save = False
    bpy.ops.wm.read_homefile(use_empty=True)
    sys.path.insert(0, str(FOLDER))
    preferences.extensions.repos.new(
        name="other", module="other", custom_directory=str(FOLDER / "other")
    )
    addon_utils.disable("bl_ext.user_default.terrane", default_set=True)
    report = []
    for change, name in json.loads((FOLDER / "steps.json").read_text(encoding="utf-8")):
        print("STEP", change, name, flush=True)
        if change == "enable":
            addon_utils.enable(name, default_set=True)
        elif change == "press":
            press(name)
        elif name in preferences.addons:
            addon_utils.disable(name, default_set=True)
        report.append(state())
    (FOLDER / "report.json").write_text(json.dumps(report), encoding="utf-8")
    sys.stdout.flush()
    os._exit(0)


main()
