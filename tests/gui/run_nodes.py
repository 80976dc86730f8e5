# SPDX-License-Identifier: GPL-3.0-or-later
"""Noise nodes in a real window: by the panel's button, then in the node editor, where they lie apart.

Screenshots and result.json go to the folder after ``--``.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import bpy

sys.path.insert(0, str(Path(__file__).resolve().parent))

from driver import Driver, Scenario

PRESETS = ("alps", "marble", "clouds", "dunes")
"""What is written as one texture, and octave by octave; warped; blended."""


def noise_nodes(driver: Driver) -> Scenario:
    """Make a material by the panel's button, and look at the nodes of several presets."""
    with driver.step("open the panel of noise nodes"):
        alone()
        yield from driver.open_tab("VIEW_3D", "Terrane")
        driver.screenshot("nodes_panel")

    with driver.step("make a live material by the panel's button"):
        cube = bpy.context.active_object
        materials_before = set(bpy.data.materials)
        yield from driver.press("VIEW_3D", "terrane.nodes_add")
        yield from driver.wait_for(lambda: set(bpy.data.materials) - materials_before, "a material")
        assert cube.active_material in set(bpy.data.materials) - materials_before

    with driver.step("look at the material's nodes"):
        driver.area("VIEW_3D").ui_type = "ShaderNodeTree"
        yield 0.5
        space = driver.area("NODE_EDITOR").spaces.active
        space.show_region_ui = space.overlay.show_context_path = False
        yield from view(driver, "nodes_material")
        check_apart(cube.active_material.node_tree)

    for name in PRESETS:
        with driver.step(f"look at the nodes of {name}"):
            bpy.ops.terrane.nodes_add(preset=name)
            yield 0.5
            tree = group_of(cube.active_material)
            yield from look_at(driver, tree, f"nodes_{name}")
            for inner in inner_groups(tree):
                yield from look_at(driver, inner, f"nodes_{name}_{inner.name.split()[-1].lower()}")


def alone() -> None:
    """Show the panel by itself, and open: others stand above it."""
    cls = bpy.types.TERRANE_PT_nodes
    bpy.utils.unregister_class(cls)
    for panel in list(bpy.types.Panel.__subclasses__()):
        if (
            getattr(panel, "bl_category", "") == "Terrane"
            and panel is not cls
            and panel.is_registered
        ):
            bpy.utils.unregister_class(panel)
    del cls.bl_parent_id
    cls.bl_options = set()
    bpy.utils.register_class(cls)


def group_of(material: Any) -> Any:
    """Return the group that a material uses."""
    return next(node.node_tree for node in material.node_tree.nodes if node.type == "GROUP")


def inner_groups(tree: Any) -> Iterator[Any]:
    """Yield the groups within a group, each once."""
    seen = set()
    for node in tree.nodes:
        if node.type == "GROUP" and node.node_tree.name not in seen:
            seen.add(node.node_tree.name)
            yield node.node_tree


def look_at(driver: Driver, tree: Any, name: str) -> Scenario:
    """Enter a group, keep a screenshot, check it and leave it."""
    path = driver.area("NODE_EDITOR").spaces.active.path
    path.append(tree)
    yield from view(driver, name)
    check_apart(tree)
    path.pop()
    yield 0.2


def view(driver: Driver, name: str) -> Scenario:
    """Show all nodes and keep a picture of them."""
    yield 0.5
    driver.operate("NODE_EDITOR", bpy.ops.node.select_all, action="DESELECT")
    driver.operate("NODE_EDITOR", bpy.ops.node.view_all)
    yield 1.0
    driver.picture(name, "NODE_EDITOR", "WINDOW")


def check_apart(tree: Any) -> None:
    """Check with the sizes that Blender has drawn that no node lies on another."""
    scale = bpy.context.preferences.system.ui_scale
    boxes = []
    for node in tree.nodes:
        if node.type == "FRAME":
            continue
        place = node.location.copy()
        if node.parent is not None:
            place += node.parent.location
        wide, high = (side / scale for side in node.dimensions)
        assert wide > 0.0, f"{node.name} was not drawn"
        boxes.append((place.x, place.y, wide, high, node))
    for at, (x, y, wide, high, node) in enumerate(boxes):
        for other_x, other_y, other_wide, other_high, other in boxes[:at]:
            is_apart = x >= other_x + other_wide or other_x >= x + wide
            is_apart |= y - high >= other_y or other_y - other_high >= y
            assert is_apart, f"{tree.name}: {node.name} lies on {other.name}"


if __name__ == "__main__":
    bpy.context.preferences.view.show_splash = False
    Driver(Path(sys.argv[sys.argv.index("--") + 1]), is_for_show=True).run(noise_nodes)
