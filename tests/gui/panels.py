# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures of panels for the docs, at rest and in both themes."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from typing import Any

import bpy
from driver import Driver, Scenario
from extension import TAB, module
from terrains import settled
from themes import dark_and_light


def measure_evenly() -> None:
    """Let every layer take 12 ms in the list of layers: pictures of panels are compared with earlier ones."""
    times: Any = module("operators.bridge.terrain.layer_times")
    times.clock = itertools.count(0.0, 0.012).__next__


def at_rest(driver: Driver, kind: str = "VIEW_3D") -> Scenario:
    """Wait for live update and for the preview, with the mouse where it marks no button."""
    yield from driver.hover(*driver.center(kind))
    yield from driver.drawn()
    active = bpy.context.view_layer.objects.active
    if active is not None and active.mode != "OBJECT":
        return  # while somebody paints, all else waits
    yield from settled(driver)
    pictures = module("operators.bridge.tasks.pictures")
    yield from driver.wait_for(lambda: pictures.queue.is_idle, "a preview")
    yield from driver.drawn()


def keep_panel(driver: Driver, name: str, kind: str = "VIEW_3D") -> Scenario:
    """Take the sidebar's picture in both themes."""
    yield from at_rest(driver, kind)
    for theme in dark_and_light():
        driver.area(kind).tag_redraw()
        yield from driver.drawn()
        driver.picture(f"panel_{name}_{theme}", kind, "UI")


def show_alone(driver: Driver, kind: str, names: Iterable[str]) -> Scenario:
    """Leave some of Terrane's panels in an editor's tab, open and in this order; the others are gone.

    Sections at the bottom that are closed by default become visible in this way.
    """
    own = _own_panels(kind)
    for panel in own:
        if panel.is_registered:
            bpy.utils.unregister_class(panel)
    expected = [panel for name in names for panel in own if panel.__name__ == name]
    for panel in expected:
        if hasattr(panel, "bl_parent_id"):
            panel.bl_parent_id = ""
        panel.bl_order = 0
        panel.bl_options = set(getattr(panel, "bl_options", ())) - {"DEFAULT_CLOSED"}
        bpy.utils.register_class(panel)
    driver.area(kind).tag_redraw()
    yield 0.6
    yield from driver.open_tab(kind, TAB)


def _own_panels(kind: str) -> list[Any]:
    """Return the panels of the tab, those within others first, whether they are registered or not."""
    found: list[Any] = bpy.types.Panel.__subclasses__()
    own = [
        panel
        for panel in found
        if getattr(panel, "bl_category", "") == TAB and panel.bl_space_type == kind
    ]
    return sorted(own, key=lambda panel: not getattr(panel, "bl_parent_id", ""))
