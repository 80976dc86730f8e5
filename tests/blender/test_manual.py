# SPDX-License-Identifier: GPL-3.0-or-later
"""Where F1, "Online Manual" and the buttons lead to: pages of the installed manual, at the requested place."""

from __future__ import annotations

import html
import re
import tomllib
import webbrowser
from functools import cache
from pathlib import Path, PurePosixPath, PureWindowsPath
from urllib.parse import unquote, urlsplit

import bpy
import pytest

from tests.blender.extension import PACKAGE, module

ROOT = Path(__file__).resolve().parents[2]


WEBSITE = "https://terrane.invalid"


@pytest.fixture
def manual(terrane):
    """Return the module of the pages' addresses; its caches are cleared afterwards."""
    found = module("operators.bridge.interface.manual")
    yield found
    found.places.cache_clear()


@pytest.fixture
def online(manual, monkeypatch):
    """Give the project a site, and let Blender go online."""
    monkeypatch.setattr(manual, "website", lambda: WEBSITE)
    monkeypatch.setattr(bpy.context.preferences.system, "use_online_access", True)
    assert bpy.app.online_access


@pytest.fixture
def opened(monkeypatch):
    """Return the addresses that a browser is given instead of being started."""
    addresses = []
    monkeypatch.setattr(webbrowser, "open", lambda url, *_: addresses.append(url) or True)
    return addresses


@pytest.fixture
def looked_up(terrane):
    """Return a function that finds the address of an identifier as Blender does, with all maps asked once."""
    maps = list(bpy.utils.manual_map())
    find = bpy.types.WM_OT_doc_view_manual._find_reference

    def look_up(identifier):
        found = ((prefix, find(identifier, pairs, verbose=False)) for prefix, pairs in maps)
        return next((prefix + rest for prefix, rest in found if rest is not None), None)

    return look_up


def target(address):
    """Return the file and the anchor that an address leads to, by a page that leads on if need be."""
    # Windows and macOS leave out what stands behind a # or a ?.
    assert "#" not in address and "?" not in address, address
    path = _path(address)
    if path.name != "manual.html":
        return path, ""
    (further,) = re.findall(r'content="0; url=([^"]+)"', path.read_text(encoding="utf-8"))
    page, _, anchor = html.unescape(further).partition("#")
    return _path(page), anchor


def _path(address):
    parts = urlsplit(address)
    assert (parts.scheme, parts.netloc) == ("file", ""), address
    return Path(unquote(parts.path))


@cache
def ids(path):
    return set(re.findall(r'\bid="([^"]+)"', path.read_text(encoding="utf-8")))


def is_right(address, folder):
    """Whether an address leads to a page in a folder, and to an anchor that it has, if to any."""
    path, anchor = target(address)
    is_page = path.parent in (folder, folder / "reference") and path.is_file()
    return is_page and (not anchor or anchor in ids(path))


def place(address):
    """Return the page or the subject of the reference that an address leads to, and the anchor there."""
    path, anchor = target(address)
    if path.parent.name != "reference":
        return path.stem, anchor
    subject, _, name = anchor.partition(".")
    return subject or "reference", name


def shown_properties():
    """Yield owner and name of every property that a panel may show, groups and preferences."""
    groups = bpy.types.PropertyGroup.__subclasses__()
    preferences = bpy.context.preferences.addons[PACKAGE].preferences
    for rna in [*(one.bl_rna for one in groups if one.is_registered), preferences.bl_rna]:
        for prop in rna.properties if rna.identifier.startswith("TERRANE") else ():
            if prop.identifier not in ("rna_type", "bl_idname", "name") and not prop.is_hidden:
                if prop.type not in ("POINTER", "COLLECTION"):
                    yield rna.identifier, prop.identifier


def test_the_manual_is_installed(terrane, manual):
    assert manual.FOLDER == Path(terrane.__file__).parent / "manual"
    assert manual.find(manual.INDEX) == "index.html" and (manual.FOLDER / "index.html").is_file(), (
        "nox -s shipped makes the manual, which then is part of the zip"
    )


def test_no_file_that_blender_opens_has_an_anchor_in_its_address(manual):
    ui = module("ui.manual")
    start, led = ui.links()
    asked = {one for _, one in ui.places() if "#" in one}
    assert len(led) > 500 and len(asked) > 400
    assert {place(start + manual.find(one)) for one in asked} == {
        tuple(one.split("#")) for one in asked
    }


def test_places_are_led_to_by_one_page_in_the_users_folder(manual):
    user = Path(bpy.utils.extension_path_user(PACKAGE))
    for asked in ("layers#masks", "noise_perlin#fade"):
        address = manual.beginning() + manual.find(asked)
        assert _path(address) == user / "manual.html" and place(address) == tuple(asked.split("#"))
    pages = [path for path in user.iterdir() if path.suffix == ".html"]
    assert [path.name for path in pages] == ["manual.html"]


def test_without_a_users_folder_the_page_opens_without_its_anchor(manual, monkeypatch):
    for outcome in (None, OSError("full")):

        def user_folder(name, *, create, outcome=outcome):
            if outcome:
                raise outcome

        monkeypatch.setattr(manual.user_files, "user_folder", user_folder)
        assert target(manual.beginning() + "layers.html#masks") == (
            manual.FOLDER / "layers.html",
            "",
        )


def test_online_everything_leads_to_the_site(online, manual, opened, looked_up):
    assert bpy.ops.terrane.manual_open() == {"FINISHED"}
    assert bpy.ops.wm.doc_view_manual(doc_id="TERRANE_PG_noise_perlin.fade") == {"FINISHED"}
    assert bpy.ops.wm.doc_view_manual(doc_id="terrane.terrain_add") == {"FINISHED"}
    assert opened == [
        f"{WEBSITE}/index.html",
        f"{WEBSITE}/reference/noises_basic.html#noise_perlin.fade",
        f"{WEBSITE}/reference/operators_terrain.html#operator_terrain_add",
    ]


def test_without_online_access_the_manual_on_disk_opens(online, manual, opened, monkeypatch):
    monkeypatch.setattr(bpy.context.preferences.system, "use_online_access", False)
    assert bpy.ops.terrane.manual_open(page="layers") == {"FINISHED"}
    assert target(opened[0]) == (manual.FOLDER / "layers.html", "")


def test_the_site_is_the_one_that_the_manifest_names(manual, monkeypatch, tmp_path):
    manual.website.cache_clear()
    manifest = tomllib.loads((manual.ROOT / "blender_manifest.toml").read_text(encoding="utf-8"))
    assert manual.website() == manifest.get("website", "").rstrip("/")
    (tmp_path / "blender_manifest.toml").write_text(f'website = "{WEBSITE}/"\n', encoding="utf-8")
    monkeypatch.setattr(manual, "ROOT", tmp_path)
    manual.website.cache_clear()
    assert manual.website() == WEBSITE
    manual.website.cache_clear()


def test_every_operator_leads_to_its_entry(manual, looked_up):
    wrong = []
    for name in dir(bpy.ops.terrane):
        address = looked_up(f"bpy.ops.terrane.{name}")
        if not is_right(address, manual.FOLDER) or place(address) != (f"operator_{name}", ""):
            wrong.append((name, address))
    assert wrong == []


def test_every_property_leads_to_what_is_written_about_it(manual, looked_up):
    wrong, exact = [], 0
    for owner, name in shown_properties():
        address = looked_up(f"bpy.types.{owner}.{name}")
        subject, anchor = place(address)
        is_named = anchor == name or subject == f"map_{name}"
        exact += is_named
        if not is_right(address, manual.FOLDER) or not (is_named or anchor):
            wrong.append((owner, name, address))
    assert wrong == [], "is manual/ older than the declarations? nox -s shipped makes it"
    assert exact > 400


FIELD, AUTO = "_field", "_auto"
"""Ends of the names of fields and of switches, which lead to what they show."""


def test_properties_without_a_line_of_their_own_are_few_and_known(manual, looked_up):
    """A new parameter has to be found under its own name, unless it is added here on purpose."""
    vague = {
        f"{owner}.{shown}"
        for owner, name in shown_properties()
        for shown in [name.removesuffix(FIELD).removesuffix(AUTO)]
        for subject, anchor in [place(looked_up(f"bpy.types.{owner}.{name}"))]
        if anchor != shown and subject != f"map_{shown}"
    }
    told = {one for one in vague if not one.startswith(("TERRANE_PG_maps", "TERRANE_PG_saved"))}  # fmt: skip
    assert told == TOLD_IN_A_PARAGRAPH


TOLD_IN_A_PARAGRAPH = {
    "TERRANE_PG_material.surface_picture",
    "TERRANE_PG_image.colors",
    "TERRANE_PG_image.kind",
    "TERRANE_PG_half_mask.source",
    "TERRANE_PG_mask.source",
    "TERRANE_PG_curve_point.position",
    "TERRANE_PG_element.basis",
    "TERRANE_PG_element.muted",
    "TERRANE_PG_inner_element.basis",
    "TERRANE_PG_inner_element.muted",
    "TERRANE_PG_layer.height",
    "TERRANE_PG_layer.is_folded",
    "TERRANE_PG_layer.mode",
    "TERRANE_PG_layer.muted",
    "TERRANE_PG_layer.opacity",
    "TERRANE_PG_layer.painted_mask",
    "TERRANE_PG_layer.seed_offset",
    "TERRANE_PG_layer.smoothness",
    "TERRANE_PG_layer.solo",
    "TERRANE_PG_settings.build_to_here",
    "TERRANE_PG_settings.preset_picture",
}


@pytest.mark.parametrize(
    "asked, page, anchor",
    [
        ("TERRANE_PG_noise_perlin.fade", "noise_perlin", "fade"),
        ("TERRANE_PG_modifier_stream_erosion.strength", "modifier_stream_erosion", "strength"),
        ("TERRANE_PG_mask_river.threshold", "map_river", "threshold"),
        ("TERRANE_PG_mask.low", "mask_map", "low"),
        ("TERRANE_PG_settings.seed", "operator_terrain_add", "seed"),
        ("TERRANE_PG_surface_brick.joint", "surface_brick", "joint"),
        ("Scene.terrane_live", "first_terrain", "5-change-the-seed"),
        ("terrane.mesh_erode", "operator_mesh_erode", ""),
        ("TERRANE_OT_mesh_erode.modifier", "operator_mesh_erode", ""),
        ("terrane.layer_mute", "operator_layer_mute", ""),
    ],
)
def test_f1_opens_the_page_at_the_line(manual, opened, asked, page, anchor):
    assert bpy.ops.wm.doc_view_manual(doc_id=asked) == {"FINISHED"}
    assert len(opened) == 1
    assert place(opened[0]) == (page, anchor)
    assert is_right(opened[0], manual.FOLDER)


def test_nobody_elses_links_are_caught(terrane, looked_up):
    for identifier in ("bpy.ops.object.delete", "bpy.types.Scene.frame_start", "bpy.types.Object"):
        assert str(looked_up(identifier)).startswith("https://docs.blender.org"), identifier


def test_the_button_opens_the_first_page_and_any_other(manual, opened):
    assert bpy.ops.terrane.manual_open() == {"FINISHED"}
    assert bpy.ops.terrane.manual_open(page="pictures") == {"FINISHED"}
    assert [target(one)[0].name for one in opened] == ["index.html", "pictures.html"]


def test_a_page_that_is_not_there_is_refused(terrane, opened):
    with pytest.raises(RuntimeError, match="no page 'peaks'; the first is index"):
        bpy.ops.terrane.manual_open(page="peaks")
    assert opened == []


def test_without_a_browser_it_says_where_the_manual_is(terrane, monkeypatch, capfd):
    monkeypatch.setattr(webbrowser, "open", lambda *_: False)
    assert bpy.ops.terrane.manual_open() == {"CANCELLED"}
    bpy.context.window_manager.update_tag()
    assert "manual/index.html" in capfd.readouterr().out


def test_a_checkout_without_a_manual_leads_to_the_sources(manual, opened, monkeypatch, tmp_path):
    monkeypatch.setattr(manual, "ROOT", ROOT)
    monkeypatch.setattr(manual, "FOLDER", tmp_path)
    monkeypatch.setattr(manual, "SOURCES", ROOT / "docs")
    manual.places.cache_clear()
    assert bpy.ops.terrane.manual_open() == {"FINISHED"}
    for asked in ("terrane.layer_add", "TERRANE_PG_noise_perlin.fade", "terrane.terrain_add"):
        assert bpy.ops.wm.doc_view_manual(doc_id=asked) == {"FINISHED"}
    files = [target(one) for one in opened]
    assert all(path.is_file() and not anchor for path, anchor in files)
    assert [path.name for path, _ in files] == ["index.md"] * 4
    assert bpy.ops.terrane.manual_open(page="layers") == {"FINISHED"}
    assert target(opened[-1])[0].name == "layers.md"


def test_with_neither_it_says_so_and_opens_nothing(manual, opened, monkeypatch, tmp_path):
    for name in ("ROOT", "FOLDER", "SOURCES"):
        monkeypatch.setattr(manual, name, tmp_path)
    manual.places.cache_clear()
    with pytest.raises(RuntimeError, match="built without its manual"):
        bpy.ops.terrane.manual_open()
    assert bpy.ops.wm.doc_view_manual(doc_id="terrane.terrain_add") == {"CANCELLED"}
    assert opened == []


@pytest.mark.parametrize(
    "path, address",
    [
        (PurePosixPath("/home/a b/m#1/ü/x.html"), "file:///home/a%20b/m%231/%C3%BC/x.html"),
        (
            PureWindowsPath(r"C:\Users\Jörg K\AppData\Blender Foundation\100%\x.html"),
            "file:///C:/Users/Jörg%20K/AppData/Blender%20Foundation/100%25/x.html",
        ),
        (PureWindowsPath(r"\\server\share\m#1\x.html"), "file://server/share/m%231/x.html"),
    ],
)
def test_addresses_are_those_of_the_system(manual, path, address):
    assert manual.address(path) == address


def test_links_leave_with_the_extension(terrane):
    links = module("ui.manual").links
    assert bpy.utils._manual_map.count(links) == 1
    module("ui.manual").unregister()
    try:
        assert links not in bpy.utils._manual_map
    finally:
        module("ui.manual").register()
