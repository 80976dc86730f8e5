# SPDX-License-Identifier: GPL-3.0-or-later
"""The panels, the preferences and a menu in every language, in a real window.

Screenshots and result.json go to the folder after ``--``.
"""

from __future__ import annotations

import sys
from pathlib import Path

import bpy

sys.path.insert(0, str(Path(__file__).resolve().parent))

from driver import Driver, Scenario
from extension import PACKAGE, TAB

LABELS = {
    "de_DE": ("Terrain hinzufügen", "Maske malen"),
    "ja_JP": ("地形を追加", "マスクをペイント"),
    "ko_KR": ("지형 추가", "마스크 칠하기"),
    "en_US": ("Add Terrain", "Paint Mask"),
}


def play(driver: Driver) -> Scenario:
    view = bpy.context.preferences.view
    yield from driver.open_tab("VIEW_3D", TAB)
    driver.operate("VIEW_3D", lambda: bpy.ops.terrane.terrain_add(preset="alps", resolution=129))
    driver.operate("VIEW_3D", lambda: bpy.ops.terrane.layer_add(type="stream_erosion"))
    for language, (button, operator) in LABELS.items():
        with driver.step(f"labels are in {language}"):
            view.language = language
            yield 1.0
            translated = bpy.app.translations.pgettext_iface
            assert translated("Add Terrain", "Operator") == button
            assert translated("Paint Mask", "Operator") == operator
            yield from driver.hover(*driver.center("VIEW_3D", "UI"))
            yield 0.5
            driver.screenshot(f"panel_{language}")
            yield from driver.scroll_down("VIEW_3D")
            yield 0.5
            driver.screenshot(f"panel_{language}_below")
    with driver.step("the page of preferences"):
        for language in LABELS:
            view.language = language
            bpy.ops.screen.userpref_show()
            window = bpy.context.window_manager.windows[-1]
            preferences = bpy.context.preferences
            preferences.active_section = "ADDONS"
            bpy.context.window_manager.addon_search = "Terrane"
            with bpy.context.temp_override(window=window):
                bpy.ops.preferences.addon_expand(module=PACKAGE)
            yield 1.5
            driver.screenshot(f"preferences_{language}")
            with bpy.context.temp_override(window=window):
                bpy.ops.preferences.addon_expand(module=PACKAGE)
                bpy.ops.wm.window_close()
            yield 0.3


if __name__ == "__main__":
    bpy.context.preferences.view.show_splash = False  # it would swallow the first events
    for thing in list(bpy.data.objects):
        bpy.data.objects.remove(thing)
    Driver(Path(sys.argv[-1])).run(play)
