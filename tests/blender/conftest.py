# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests inside Blender: its Python module (a plain pytest run) or an executable (run_in_blender.py).

The module gets an empty profile and the zip by operator. In an executable the profile was chosen and
the zip installed by command line before Blender started: changing either from within does not work.

Fixtures: ``terrane`` is the installed extension's module, ``extension_zip`` the file it came from,
``tick`` makes clocks coarse, ``live`` and ``dispatcher`` are live update and a queue of it,
``terrain`` is added with the keywords ``TERRAIN`` of the test's file, ``group`` is the scene's settings, ``settings``,
``layers`` and ``jobs`` are modules of the bridge, ``linked`` links an object from another file, ``own_presets`` is the
folder of own presets, ``made_once`` keeps a scene for many tests, ``example`` imports a module of the examples.
Functions that tests share lie in ``helpers.py`` and ``rendering.py``.
Every test starts in an empty scene; after a failed one the scene lies in ``build/failures/``.
"""

from __future__ import annotations

import importlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
IN_EXECUTABLE = "bpy" in sys.modules

if IN_EXECUTABLE:
    assert os.environ.get("BLENDER_USER_RESOURCES"), (
        "start Blender with an empty profile of its own"
    )
else:
    # Before bpy is imported; and it has to exist, or Blender reads the user's own profile.
    os.environ["BLENDER_USER_RESOURCES"] = tempfile.mkdtemp(prefix="terrane-profile-")

import bpy  # noqa: E402  (after the profile is chosen)

from tests.blender.extension import PACKAGE as EXTENSION  # noqa: E402
from tests.blender.extension import module  # noqa: E402
from tests.blender.helpers import add_terrain  # noqa: E402
from tests.drawing import generator  # noqa: E402


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the quick tests of half of the files, drawn at random, if ``TERRANE_HALF`` is set.

    A whole run of tools/test.sh sets it for Blenders beside the executable that runs all quick tests.
    """
    if "TERRANE_HALF" not in os.environ:
        return
    files = sorted({item.path for item in items})
    drawn = set(generator(f"files {bpy.app.version_string}").sample(files, -(-len(files) // 2)))
    kept = [
        item
        for item in items
        if item.path in drawn or any(map(item.get_closest_marker, ("slow", "wide", "module")))
    ]
    config.hook.pytest_deselected(items=[item for item in items if item not in set(kept)])
    items[:] = kept


@pytest.fixture(scope="session")
def extension_zip(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the zip under test: the installed one, or one built with this Blender's builder."""
    installed = os.environ.get("TERRANE_INSTALLED_ZIP")
    if installed:
        return Path(installed)
    import bl_pkg

    builder = Path(bl_pkg.__file__).parent / "cli" / "blender_ext.py"
    folder = tmp_path_factory.mktemp("zip")
    command = [sys.executable, str(builder), "build", "--source-dir", str(ROOT)]
    subprocess.run([*command, "--output-dir", str(folder)], check=True)
    (package,) = folder.glob("*.zip")
    return package


@pytest.fixture(scope="session")
def terrane(extension_zip: Path) -> Iterator[ModuleType]:
    """Return the extension as the user gets it: unpacked from the zip, enabled, true module names."""
    if "TERRANE_INSTALLED_ZIP" not in os.environ:
        bpy.ops.extensions.package_install_files(
            filepath=str(extension_zip), repo="user_default", enable_on_install=True
        )
    assert EXTENSION in bpy.context.preferences.addons, "the extension is not enabled"
    module = importlib.import_module(EXTENSION)
    assert Path(module.__file__).is_relative_to(os.environ["BLENDER_USER_RESOURCES"])
    yield module
    import addon_utils

    # A class that stays registered makes some versions of the module hang or crash at exit.
    addon_utils.disable(EXTENSION, default_set=True)


@pytest.fixture(scope="session")
def empty_file(terrane: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return Blender's empty file with one workspace of its eleven: it is read in half the time."""
    bpy.ops.wm.read_homefile(use_empty=True)
    shown = {window.workspace for window in bpy.context.window_manager.windows}
    bpy.data.batch_remove(
        [workspace for workspace in bpy.data.workspaces if workspace not in shown]
    )
    path = tmp_path_factory.mktemp("empty") / "empty.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path), copy=True, check_existing=False)
    return path


@pytest.fixture
def own_presets(terrane: ModuleType) -> Iterator[Path]:
    """Return the folder of the user's presets; it is emptied after the test."""
    presets = importlib.import_module(f"{EXTENSION}.operators.bridge.schema.presets")
    folder = presets.folder(create=True)
    yield folder
    for path in folder.iterdir():
        path.unlink()
    presets.find()


@pytest.fixture(autouse=True)
def empty_scene(empty_file: Path) -> None:
    """Start every test in an empty file that has no name; the extension stays enabled."""
    bpy.ops.wm.read_homefile(use_empty=True, filepath=str(empty_file))


@pytest.fixture(scope="session")
def made_files() -> dict[str, Path]:
    """Return the files of `made_once`, by the names of their scenes."""
    return {}


@pytest.fixture
def made_once(
    empty_scene: None, made_files: dict[str, Path], tmp_path_factory: pytest.TempPathFactory
) -> Callable[[str, Callable[[], object]], bpy.types.Object]:
    """Return a function that makes a scene for the first test that asks, and reads it for each; it returns the active object.

    The file has no name, as that of `empty_scene`. The erosions of a preset take many times as long as reading it.
    """

    def made_once(name: str, make: Callable[[], object]) -> bpy.types.Object:
        if name not in made_files:
            make()
            path = tmp_path_factory.mktemp("made") / f"{name}.blend"
            bpy.ops.wm.save_as_mainfile(filepath=str(path), copy=True, check_existing=False)
            made_files[name] = path
        bpy.ops.wm.read_homefile(filepath=str(made_files[name]))
        return bpy.context.active_object

    return made_once


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item):
    """Keep the scene of a failed test, for looking at."""
    report = yield
    if report.when == "call" and report.failed:
        version = bpy.app.version_string.split()[0]
        folder = ROOT / "build" / "failures"
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{version}-{re.sub(r'[^A-Za-z0-9_.-]+', '-', item.name)}.blend"
        try:
            bpy.ops.wm.save_as_mainfile(filepath=str(path), copy=True, check_existing=False)
            report.sections.append(("scene", f"saved as {path}"))
        except RuntimeError as error:
            report.sections.append(("scene", f"could not be saved: {error}"))
    return report


_status = pytest.ExitCode.INTERNAL_ERROR


def pytest_sessionfinish(exitstatus: int | pytest.ExitCode) -> None:
    """Remember how the run ended."""
    global _status
    _status = pytest.ExitCode(exitstatus)


@pytest.hookimpl(trylast=True)
def pytest_unconfigure() -> None:
    """Leave at once: the module of 4.2 crashes and that of 4.5 hangs in an ordinary exit."""
    if not IN_EXECUTABLE:
        shutil.rmtree(os.environ["BLENDER_USER_RESOURCES"], ignore_errors=True)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(int(_status))


@pytest.fixture(params=[0.0, 1.0 / 64.0], ids=["fine", "coarse"])
def tick(request):
    """Return a function that gives the time of a clock: the exact time, or that of its last tick.

    Some clocks of Windows tick 64 times a second.
    """
    step = request.param
    return lambda now: now // step * step if step else now


@pytest.fixture
def terrain(request, terrane):
    """Return a terrain added with the keywords `TERRAIN` of the test's file."""
    return add_terrain(**request.module.TERRAIN)


@pytest.fixture
def settings(terrane):
    """Return the module that reads and writes settings."""
    return module("operators.bridge.schema.settings")


@pytest.fixture
def layers(terrane):
    """Return the module that edits layers."""
    return module("operators.bridge.schema.layers")


@pytest.fixture
def group(settings):
    """Return the scene's settings, with one layer of noise and no preset."""
    settings.write_preset(bpy.context.scene.terrane, "none")
    return bpy.context.scene.terrane


@pytest.fixture
def jobs(terrane):
    """Return the module of jobs, all of which have ended after the test."""
    yield module("operators.bridge.tasks.jobs")
    module("operators.bridge.tasks.jobs").end_all()


@pytest.fixture
def exporter(terrane):
    """Enable Blender's add-on for glTF during a test."""
    import addon_utils

    was_there = addon_utils.check("io_scene_gltf2")[1]
    assert addon_utils.enable("io_scene_gltf2") is not None
    yield
    if not was_there:
        addon_utils.disable("io_scene_gltf2")


@pytest.fixture
def live(terrane):
    """Return the module of live update, whose queue is empty again after the test."""
    yield module("operators.bridge.tasks.live")
    module("operators.bridge.tasks.live").queue.clear()


@pytest.fixture
def dispatcher(live, tick):
    """Return a queue whose time passes only when told to, in the place of the real one."""
    cls = module("operators.bridge.tasks.queue").TaskQueue

    class Still(cls):
        now = 0.0

        def __init__(self):
            super().__init__(clock=lambda: tick(self.now))

    real, own = live.queue, Still()
    live.queue = own
    yield own
    own.clear()
    live.queue = real


@pytest.fixture
def linked(tmp_path):
    """Return a function that saves an object in another file, links it from there and makes it active."""

    def link(obj):
        name, path = obj.name, str(tmp_path / "library.blend")
        bpy.ops.wm.save_as_mainfile(filepath=path)
        bpy.ops.wm.read_homefile(use_empty=True)
        with bpy.data.libraries.load(path, link=True) as (_, into):
            into.objects = [name]
        bpy.context.collection.objects.link(into.objects[0])
        bpy.context.view_layer.objects.active = into.objects[0]
        return into.objects[0]

    return link


@pytest.fixture
def example(terrane, monkeypatch):
    """Return a function that imports a module of the examples, which are no package."""
    monkeypatch.syspath_prepend(str(EXAMPLES))
    known = set(sys.modules)
    yield importlib.import_module
    for name in set(sys.modules) - known:
        if Path(getattr(sys.modules[name], "__file__", None) or "").parent == EXAMPLES:
            del sys.modules[name]
