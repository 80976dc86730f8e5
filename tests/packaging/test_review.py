# SPDX-License-Identifier: GPL-3.0-or-later
"""What a reviewer of Blender's platform looks for in the zip: each find is on a short list, with the reason for it.

The lists follow the platform's guidelines for moderators (developer.blender.org, *Extensions, Moderation, Guidelines*)
and its terms of service; docs/develop/releasing.md answers them line by line.
"""

from __future__ import annotations

import ast
import re
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

import pytest

FILES_OF_USERS = "reads files that the user names, without what is no regular file"
BESIDE_THE_CODE = "reads a file that ships beside it; nothing is ever written there"
MAPPED = "reads back a part of the file that it writes for the user"
OWN_METHOD = "a method of Terrane of this name, which opens nothing by itself"

FINDS = {
    ("__file__", "noise_core/commands/jobs.py"): "names the file that a new process runs first",
    ("__file__", "noise_core/io/spatial_reference/tables.py"): BESIDE_THE_CODE,
    ("__file__", "noise_core/materials/surfaces/library_files.py"): BESIDE_THE_CODE,
    ("__file__", "noise_core/pictures/relief_figures/measured.py"): BESIDE_THE_CODE,
    ("__file__", "noise_core/recipes/preset_files.py"): BESIDE_THE_CODE,
    ("__file__", "operators/bridge/interface/manual.py"): BESIDE_THE_CODE,
    ("__file__", "operators/bridge/textures/disk_cache.py"): "a digest of the code: a new version makes its images anew",
    ("__file__", "translations/__init__.py"): BESIDE_THE_CODE,
    ("open", "noise_core/base/atomic_files.py"): "writes what the user asked for, under the name that the user gave",
    ("open", "noise_core/base/input_files.py"): FILES_OF_USERS,
    ("open", "noise_core/base/installed_memory.py"): "reads /proc/meminfo and a container's limit of memory",
    ("open", "noise_core/io/elevation_reading/reading.py"): OWN_METHOD,
    ("open", "noise_core/io/elevation_reading/tile_sets.py"): OWN_METHOD,
    ("open", "noise_core/io/heightmaps/job.py"): MAPPED,
    ("open", "noise_core/io/heightmaps/mesh_files.py"): MAPPED,
    ("open", "noise_core/io/heightmaps/pyramid_files.py"): MAPPED,
    ("open", "noise_core/io/point_cache.py"): "writes the cache of motion that the user asked for",
    ("open", "operators/bridge/exchange/asset_kinds.py"): OWN_METHOD,
    ("open", "operators/bridge/exchange/open_worlds.py"): OWN_METHOD,
    ("open", "operators/bridge/exchange/world_regions.py"): OWN_METHOD,
    ("open", "operators/bridge/nodetree/terrain_material/tile_images.py"): OWN_METHOD,
    ("open", "operators/bridge/scene/cloud_images.py"): OWN_METHOD,
    ("open", "operators/bridge/scene/plant_models.py"): OWN_METHOD,
    ("open", "operators/help.py"): "opens the manual in the user's browser when the button is pressed",
    ("webbrowser", "operators/help.py"): "opens the manual in the user's browser when the button is pressed",
    ("urllib.parse", "operators/bridge/interface/manual.py"): "writes the address of a file; it connects to nothing",
    ("ctypes", "noise_core/base/freed_memory.py"): "asks glibc to keep freed memory: mallopt",
    ("ctypes", "noise_core/base/installed_memory.py"): "asks Windows how much memory there is",
    ("ctypes", "operators/bridge/interface/command_line.py"): "flushes what C has printed before the command line ends",
    ("multiprocessing", "noise_core/commands/jobs.py"): "many lands at once on the command line: --jobs",
    ("runpy", "noise_core/commands/jobs.py"): "a new process runs packages_around.py, so that it finds the extension's package",
    ("sys.modules", "__init__.py"): "panels are made anew after another add-on has registered its own types",
    ("sys.modules", "noise_core/base/late_modules.py"): "modules are loaded when they are first used",
    ("sys.modules", "noise_core/commands/jobs.py"): "reads the folders of the packages around the core",
    ("sys.modules", "noise_core/commands/packages_around.py"): "makes these packages in a process of its own, never in Blender",
    ("tempfile", "noise_core/io/meshes/usd_crate.py"): "OpenUSD reads and writes files alone: one in a folder that is removed at once",
}  # fmt: skip
"""Reasons by what is found and where."""

CALLS = {"exec", "eval", "compile", "__import__", "__file__"}
"""Names that are found wherever they stand; and `open` wherever it is called, be it a method."""

MODULES = {
    *("subprocess", "socket", "ssl", "http", "ftplib", "smtplib", "asyncio", "urllib", "requests"),
    *("webbrowser", "ctypes", "pickle", "marshal", "shelve", "runpy", "code", "pip", "ensurepip"),
    *("multiprocessing", "shutil", "tempfile", "zipimport"),
}
ATTRIBUTES = re.compile(
    r"sys\.(path|modules)|bpy\.ops\.wm\.url_open|os\.(system|popen|startfile|fork\w*|exec\w*|(posix_)?spawn\w*)"
)
"""Whole names, as attributes or imported from their module."""

LISTED_FOLDERS = {
    *("noise_core/noises", "noise_core/modifiers", "noise_core/maps", "noise_core/masks"),
    *("noise_core/materials/colorings", "noise_core/io/targets", "noise_core/robots"),
    *("noise_core/io/elevation_reading/formats", "operators/bridge/nodetree/noise_nodes/writers"),
    *("operators", "ui"),
}
"""Folders whose files are found by their names: a type, an operator's topic, or a panel in each."""

STARTED = {"__init__.py", "noise_core/__main__.py", "noise_core/commands/packages_around.py"}
"""Files that Blender, `python -m noise_core` and a new process start."""


@pytest.fixture(scope="module")
def contents(extension_zip: Path) -> dict[str, bytes]:
    """Return every file of the zip by its name."""
    with zipfile.ZipFile(extension_zip) as package:
        return {name: package.read(name) for name in package.namelist() if name[-1] != "/"}


@pytest.fixture(scope="module")
def trees(contents: dict[str, bytes]) -> dict[str, ast.Module]:
    """Return the Python files of the zip, parsed."""
    return {name: ast.parse(data) for name, data in contents.items() if name.endswith(".py")}


def finds(tree: ast.AST) -> Iterator[str]:
    """Yield what a reviewer stops at."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id in CALLS:
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield from {"__file__"} & {node.attr}
            yield from filter(ATTRIBUTES.fullmatch, [ast.unparse(node)])
        elif isinstance(node, ast.Call):
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            yield from {"open"} & {name}
        elif isinstance(node, ast.Import):
            yield from filter(_is_watched, (alias.name for alias in node.names))
        elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
            yield from filter(_is_watched, [node.module])
            names = (f"{node.module}.{alias.name}" for alias in node.names)
            yield from filter(ATTRIBUTES.fullmatch, names)


def _is_watched(module: str) -> bool:
    return module.partition(".")[0] in MODULES


def test_what_a_reviewer_stops_at_is_on_the_list(trees):
    found = {(what, name) for name, tree in trees.items() for what in finds(tree)}
    assert found - set(FINDS) == set(), "say why, and write it into docs/develop/releasing.md"
    assert set(FINDS) - found == set(), "no longer there"


def test_the_page_about_releases_answers_each_find():
    page = (Path(__file__).parents[2] / "docs/develop/releasing.md").read_text(encoding="utf-8")
    answers = page.partition("violations in code")[2]
    assert {what for what, _ in FINDS if f"`{what}`" not in answers} == set()


@pytest.mark.parametrize(
    "code, expected",
    [
        ("exec(text)", {"exec"}),
        ("Pool(initializer=exec)", {"exec"}),
        ("import socket", {"socket"}),
        ("from urllib.request import urlopen", {"urllib.request"}),
        ("Path(name).open('wb')", {"open"}),
        ("sys.path.append(folder)", {"sys.path"}),
        ("bpy.ops.wm.url_open(url=url)", {"bpy.ops.wm.url_open"}),
        ("os.system('ls')", {"os.system"}),
        ("os.execv(path, arguments)", {"os.execv"}),
        ("from os import path, spawnl", {"os.spawnl"}),
        ("from sys import modules", {"sys.modules"}),
        ("from .code import read", set()),
    ],
)
def test_finds_are_found(code, expected):
    assert set(finds(ast.parse(code))) == expected


def test_nothing_can_connect_to_a_network(trees, contents):
    manifest = tomllib.loads(contents["blender_manifest.toml"].decode("utf-8"))
    assert "network" not in manifest["permissions"]
    connecting = {"socket", "ssl", "http", "ftplib", "smtplib", "asyncio", "requests"}
    connecting |= {"urllib.request", "http.client", "http.server"}
    assert {what for tree in trees.values() for what in finds(tree)} & connecting == set()


def test_all_code_can_be_read(contents):
    kinds = {PurePosixPath(name).suffix for name in contents}
    assert kinds == {"", ".py", ".json", ".toml", ".txt", ".webp", ".html", ".css"}
    for name, data in contents.items():
        if name.endswith((".py", ".css")):
            text = data.decode("utf-8")
            assert max(map(len, text.splitlines()), default=0) < 260, name
            assert not name.endswith(".css") or text.count("\n") > 5, f"{name} is minified"


def test_each_python_file_is_imported(trees):
    imported = {target for name, tree in trees.items() for target in imports(name, tree)}
    packages = {name for name in trees if name.endswith("/__init__.py")}
    listed = {name for name in trees if name.rpartition("/")[0] in LISTED_FOLDERS}
    assert set(trees) - imported - packages - listed - STARTED == set()
    holders = {f"{parent}/__init__.py" for name in set(trees) - packages for parent in PurePosixPath(name).parents}  # fmt: skip
    assert packages - imported - holders == set()


def imports(name: str, tree: ast.AST) -> Iterator[str]:
    """Yield the files that a file may import, or load late, as names in the zip."""
    folder = PurePosixPath(name).parent
    modules: dict[str, PurePosixPath] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.level:
            base = (PurePosixPath(name), *PurePosixPath(name).parents)[node.level]
            base = base.joinpath(*(node.module or "").split("."))
            modules |= {alias.asname or alias.name: base / alias.name for alias in node.names}
            yield from _files(base)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            parts = node.value.split(".")
            yield from _files(folder.joinpath(*parts)) if all(map(str.isidentifier, parts)) else ()
    for module in modules.values():
        yield from _files(module)
    for node in ast.walk(tree):  # package.module, of a package that loads its modules late
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            if node.value.id in modules:
                yield from _files(modules[node.value.id] / node.attr)


def _files(module: PurePosixPath) -> tuple[str, str]:
    return f"{module}.py", f"{module}/__init__.py"


def test_each_other_file_is_read_or_shown(contents):
    others = {name for name in contents if not name.endswith(".py")}
    data = {name for name in others if PurePosixPath(name).match("presets/*.json")}
    data |= {name for name in others if PurePosixPath(name).match("from_ant/*.json")}
    data |= {name for name in others if PurePosixPath(name).match("surfaces/library/*.json")}
    pictures = {name for name in others if name.endswith(".webp")}
    shown = {name for name in pictures if name.removesuffix(".webp") + ".json" in data}
    shown |= {"noise_core/recipes/presets/none.webp"} & pictures  # of no preset
    manual = {
        name for name in others if name.startswith("manual/")
    }  # test_manual.py reads it whole
    assert others - data - shown - manual == READ


READ = {
    "LICENSE",
    "blender_manifest.toml",
    "noise_core/io/spatial_reference/epsg.txt",
    "noise_core/pictures/relief_figures/jacksboro.json",
    "translations/texts.json",
}
"""Files that Blender or the code reads by name."""
