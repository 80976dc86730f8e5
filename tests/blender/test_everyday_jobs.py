# SPDX-License-Identifier: GPL-3.0-or-later
"""Ten everyday jobs take no more actions than docs/develop/everyday_jobs.md says.

Each action is taken on what the panels and menus show at that moment: a button that is not there cannot be pressed,
and a field in a section that is closed cannot be set.
"""

from __future__ import annotations

import re
from pathlib import Path
from types import SimpleNamespace

import bpy
import numpy as np
import pytest

from tests.blender.extension import module
from tests.blender.helpers import heights
from tests.blender.panels import EditorContext, RecordingLayout, panels_of

PAGE = Path(__file__).resolve().parents[2] / "docs/develop/everyday_jobs.md"


class ShownLayout(RecordingLayout):
    """Stand-in for a layout that keeps buttons with their values and fields; closed sections show nothing."""

    def __init__(self, shown, opened=frozenset()):
        super().__init__(shown)
        object.__setattr__(self, "opened", opened)

    def _part(self, *arguments, **options):
        return ShownLayout(self.shown, self.opened)

    row = column = split = box = column_flow = grid_flow = _part

    def panel(self, name, *, default_closed=False):
        body = self._part() if name in self.opened or not default_closed else None
        return self._part(), body

    def prop(self, group, name, **options):
        assert name in group.bl_rna.properties, name
        self.shown.append(("field", name, group))

    def template_icon_view(self, group, name, **options):
        self.prop(group, name)

    def template_list(self, *arguments, **options):
        """Accept a list."""

    def template_curve_mapping(self, owner, name, **options):
        """Accept a curve."""

    def template_icon(self, icon_value, scale=1.0):
        """Accept a picture."""

    def operator(self, name, **options):
        values = SimpleNamespace()
        self.shown.append(("button", name, values))
        return values

    def operator_menu_enum(self, name, prop, **options):
        values = SimpleNamespace()
        self.shown.append(("choice", name, values))
        return values

    def menu(self, name, **options):
        self.shown.append(("menu", name, None))

    def label(self, **options):
        """Accept a text."""


class User:
    """Somebody who counts the actions."""

    def __init__(self, kind="VIEW_3D"):
        self.actions, self.opened, self.kind = 0, set(), kind
        self.menus = []

    def act(self, times=1):
        """Count what Blender itself offers: keys, tabs, its own menus and file browsers."""
        self.actions += times
        return self

    @property
    def context(self):
        image = next((image for image in bpy.data.images if image.terrane.is_picture), None)
        return EditorContext(self.kind, image if self.kind == "IMAGE_EDITOR" else None)

    def _shown(self):
        shown, context = [], self.context
        for panel in panels_of(context):
            if "DEFAULT_CLOSED" in getattr(panel, "bl_options", ()) and (
                panel.__name__ not in self.opened
            ):
                continue
            layout = ShownLayout(shown, self.opened)
            panel.draw(SimpleNamespace(layout=layout, **_helpers(panel)), context)
        for menu in self.menus:
            menu.draw(SimpleNamespace(layout=ShownLayout(shown)), context)
        return shown

    def open(self, panel):
        """Open a panel that is closed at first."""
        assert panel in {cls.__name__ for cls in panels_of(self.context)}, panel
        self.opened.add(panel)
        return self.act()

    def menu(self, name):
        """Open a menu; a submenu is opened by the mouse alone."""
        assert ("menu", name, None) in self._shown(), name
        is_inner, cls = bool(self.menus), getattr(bpy.types, name)
        self.menus.append(cls)
        return self.act(0 if is_inner else 1)

    def press(self, name, **values):
        """Press a button or choose an entry of a menu, with the values that it has."""
        shown = [item[2] for item in self._shown() if item[:2] == ("button", name)]
        chosen = [
            vars(item)
            for item in shown
            if all(vars(item).get(key) == value for key, value in values.items())
        ]
        assert chosen, (name, values, shown)
        self.menus = []
        self._call(name, chosen[0])
        return self.act()

    def choose(self, name, **values):
        """Open the menu of a choice and take one of it."""
        (held, *_) = (item[2] for item in self._shown() if item[:2] == ("choice", name))
        self._call(name, {**vars(held), **values})
        return self.act(2)

    def set(self, name, value, times=1):
        """Drag or type a field; a choice and a picture take two clicks."""
        group = next(item[2] for item in self._shown() if item[:2] == ("field", name))
        setattr(group, name, value)
        module("operators.bridge.tasks.live").update_now()
        return self.act(times)

    def _call(self, name, values):
        topic, _, operator = name.partition(".")
        assert getattr(getattr(bpy.ops, topic), operator)(**values) == {"FINISHED"}
        module("operators.bridge.tasks.live").update_now()


def _helpers(panel):
    """Return the functions of a panel's class that its `draw` calls by itself."""
    return {
        name: getattr(panel, name)
        for cls in panel.__mro__
        for name in vars(cls)
        if name.startswith("_draw") and isinstance(vars(cls)[name], staticmethod)
    }


def _numbers():
    """Return the numbers of actions by job."""
    rows = re.findall(r"^\| ([^|]+) \| [^|]+ \| (\d+) \| (\d+) \|$", PAGE.read_text("utf-8"), re.M)
    return {job: (int(before), int(now)) for job, before, now in rows}


@pytest.fixture(autouse=True)
def small(terrane):
    """A new file with its cube, and terrains that are made quickly."""
    bpy.ops.mesh.primitive_cube_add()
    bpy.context.scene.terrane.resolution = 33
    bpy.context.scene.terrane.image_options.width = 32
    bpy.context.scene.terrane.image_options.height = 32


def _picture(user, name):
    """Take a preset by its picture: two clicks."""
    presets = module("operators.bridge.schema.presets")
    return user.set(presets.PICTURE, name, times=2)


def noise():
    user = _picture(User().act(2), "fbm").press("terrane.terrain_add")
    before = heights(bpy.context.active_object)
    values = {"seed": 5, "octaves": 3.0, "frequency": 7.0, "persistence": 0.6, "warp": 0.3}
    for name, value in values.items():
        user.set(name, value)
        after = heights(bpy.context.active_object)
        assert np.abs(after - before).max() > 0.0, name
        before = after
    return user


def landscape():
    user = _picture(User().act(2), "alps").press("terrane.landscape_add")
    assert bpy.context.scene.camera is not None and bpy.context.active_object.terrane.is_terrain
    return user.act()  # F12


def seed():
    user = User().act(2)
    assert ("button", "terrane.contact_sheet") in {item[:2] for item in user._shown()}
    user.press("terrane.contact_sheet", kind="seeds")
    bpy.ops.terrane.contact_sheet_take(index=4)
    return user.act().press("terrane.terrain_add")


def masked():
    user = User().act(2).press("terrane.terrain_add").menu("TERRANE_MT_layer_add")
    user.menu("TERRANE_MT_layer_noises").press("terrane.layer_add", type="perlin")
    user.choose("terrane.layer_mask", source="slope")
    settings = bpy.context.active_object.terrane
    assert settings.layers[settings.active_layer].mask.source == "slope"
    return user


def _with_erosion(user):
    return user.menu("TERRANE_MT_layer_add").press("terrane.layer_add", type="stream_erosion")


def erosion():
    user = _with_erosion(User().act(2).press("terrane.terrain_add"))
    terrain, eroded = bpy.context.active_object, heights(bpy.context.active_object)
    entry = terrain.terrane.layers[terrain.terrane.active_layer]
    for is_muted in (True, False):
        entry.muted = is_muted  # the eye in the list
        module("operators.bridge.tasks.live").update_now()
        assert np.array_equal(heights(terrain), eroded) is not is_muted
        user.act()
    return user


def unreal(folder):
    user = User().act(2).press("terrane.terrain_add").open("TERRANE_PT_export")
    user.set("target", "unreal", times=2)
    shown = [
        item[2] for item in user._shown() if item[:2] == ("button", "terrane.heightmap_export")
    ]
    path = folder / "land.r16"
    bpy.ops.terrane.heightmap_export(filepath=str(path), **vars(shown[0]))
    assert list(folder.glob("land*"))
    return user.act(2)


def measured(folder):
    path = folder / "land.npy"
    np.save(path, np.outer(np.arange(40.0), np.ones(40)).astype(np.float32))
    user = User().act(2)
    assert ("button", "terrane.heightmap_import") in {item[:2] for item in user._shown()}
    bpy.ops.terrane.heightmap_import(filepath=str(path))
    return _with_erosion(user.act(3))


def material():
    user = User().act(2).open("TERRANE_PT_material")
    settings = module("operators.bridge.textures.surface_settings")
    settings.of(bpy.context).width = settings.of(bpy.context).height = 32
    browser = module("operators.bridge.textures.surface_browser")
    user.set(browser.PICTURE, "granite", times=2).press("terrane.material_add")
    assert bpy.context.active_object.active_material is not None
    return user


def image(folder):
    user = _picture(User("IMAGE_EDITOR").act(4), "voronoi").press("terrane.image_new")
    (made,) = (image for image in bpy.data.images if image.terrane.is_picture)
    assert made.terrane.image_options.seamless
    made.save(filepath=str(folder / "voronoi.png"))
    return user.act(3)


def displaced():
    user = User().act(2)
    for add in (bpy.ops.mesh.primitive_grid_add, bpy.ops.mesh.primitive_uv_sphere_add):
        add()
        user.act(2)
        before = heights(bpy.context.active_object)
        if "TERRANE_PT_displace" not in user.opened:
            user.open("TERRANE_PT_displace")
        user.press("terrane.mesh_displace")
        assert np.abs(heights(bpy.context.active_object) - before).max() > 0.0
    return user


JOBS = dict(
    zip(
        _numbers(),
        (noise, landscape, seed, masked, erosion, unreal, measured, material, image, displaced),
        strict=True,
    )
)


@pytest.mark.parametrize(
    ("job", "play"), JOBS.items(), ids=[play.__name__ for play in JOBS.values()]
)
def test_a_job_takes_so_many_actions(job, play, tmp_path):
    user = play(tmp_path) if play.__code__.co_argcount else play()
    before, now = _numbers()[job]
    assert user.actions == now <= before
