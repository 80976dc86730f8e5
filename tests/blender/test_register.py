# SPDX-License-Identifier: GPL-3.0-or-later
"""The extension comes and goes without a trace."""

from __future__ import annotations

import ast
import contextlib
import json
import os
import subprocess
import sys
from pathlib import Path

import addon_utils
import bpy
import pytest

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
    names_before = dir(bpy.types)
    for _ in range(3):
        terrane.unregister()
        terrane.register()
        assert dir(bpy.types) == names_before


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


def test_every_operator_that_a_file_defines_is_registered(terrane):
    files = (Path(__file__).resolve().parents[2] / "operators").glob("*.py")
    statements = [one for path in files for one in ast.parse(path.read_text(encoding="utf-8")).body]
    written = {statement.name for statement in statements if isinstance(statement, ast.ClassDef)}
    made = {
        ast.unparse(statement.targets[0])
        for statement in statements
        if isinstance(statement, ast.Assign)
    }
    defined = {name for name in written | made if name.startswith("TERRANE_OT_")}
    registration = sys.modules[f"{EXTENSION}.operators.registration"]
    names = [cls.__name__ for cls in registration.CLASSES]
    assert set(names) == defined and len(names) == len(defined) > 30


def test_disabling_and_enabling_like_a_user_does(terrane):
    names_before = dir(bpy.types)
    for _ in range(3):
        addon_utils.disable(EXTENSION, default_set=True)
        assert EXTENSION not in bpy.context.preferences.addons
        addon_utils.enable(EXTENSION, default_set=True)
        assert EXTENSION in bpy.context.preferences.addons
        assert dir(bpy.types) == names_before


class InjectedError(Exception):
    """Error that no code of Terrane expects."""


REGISTERING = {
    "register",
    "_register",
    "_tell_blender",
    "add_class",
    "add_group",
    "restore",
    "_load",
}
TELLING = {"register_class", "setattr", "append", "subscribe", "register", "new"}


def _registered_until(terrane, number):
    """Register, but fail at the given of all calls that functions which register make.

    Returns
    -------
    list of (str, str)
        The functions that made the calls before it, and their callees.
    """
    calls, within = [], []

    def watch(frame, event, called):
        if event in ("c_return", "c_exception") and within[-1:] == [frame]:
            within.pop()
        if event not in ("call", "c_call") or within:  # what Blender calls is its own affair
            return
        caller = frame if event == "c_call" else frame.f_back
        name = called.__name__ if event == "c_call" else frame.f_code.co_name
        path, function = caller.f_code.co_filename, caller.f_code.co_name
        is_book = event == "call" and frame.f_code.co_filename == contextlib.__file__
        if function in REGISTERING and not is_book and f"{os.sep}terrane{os.sep}" in path:
            calls.append((f"{path}:{function}", name))
            if len(calls) > number:
                sys.setprofile(None)
                raise InjectedError
            if event == "c_call":
                within.append(frame)

    sys.setprofile(watch)
    try:
        terrane.register()
    finally:
        sys.setprofile(None)
    return calls


@pytest.mark.slow
def test_a_failure_at_any_step_leaves_nothing_behind(terrane):
    names_before = dir(bpy.types)
    terrane.unregister()
    calls = _registered_until(terrane, 10**6)
    terrane.unregister()
    # The last of its kind: two hundred classes in a row are one kind.
    steps = {call: number for number, call in enumerate(calls) if call[1] in TELLING}.values()
    assert len(steps) > 15 and [name for _, name in calls].count("register_class") > 100
    try:
        for number in steps:
            with pytest.raises(InjectedError):
                _registered_until(terrane, number)
            traces = _traces()
            assert not any(traces.values()), (calls[number], traces)
    finally:
        terrane.register()
    assert dir(bpy.types) == names_before


def test_enabling_fails_once_and_works_then(terrane, monkeypatch):
    names_before = dir(bpy.types)
    addon_utils.disable(EXTENSION, default_set=True)
    register_class, names = bpy.utils.register_class, []

    def fail_at_the_last(cls):
        names.append(cls.__name__)
        if cls.__name__ == "TERRANE_PT_contact_sheet":
            raise InjectedError
        register_class(cls)

    failures = []
    with monkeypatch.context() as patch:
        patch.setattr(bpy.utils, "register_class", fail_at_the_last)
        handle = failures.append
        assert addon_utils.enable(EXTENSION, default_set=True, handle_error=handle) is None
    assert len(names) > 100 and isinstance(failures[0], InjectedError)
    assert not any(_traces().values())
    assert addon_utils.enable(EXTENSION, default_set=True) is not None
    assert dir(bpy.types) == names_before


LOADED = """
import json, os, sys
import bpy
import addon_utils
package, out = sys.argv[-2:]
bpy.context.preferences.use_preferences_save = False
sys.dont_write_bytecode, sys.pycache_prefix = False, os.path.dirname(out)
for _ in range(2):  # the first time it is compiled
    addon_utils.disable(package)
    for name in [name for name in sys.modules if name.startswith(package)]:
        del sys.modules[name]
    calls = 0
    def count(frame, event, argument):
        global calls
        calls += event in ("call", "c_call")
    sys.setprofile(count)
    addon_utils.enable(package)
    sys.setprofile(None)
names = [name[len(package) :] for name in sys.modules if name.startswith(package)]
json.dump({"names": names, "calls": calls}, open(out, "w"))
addon_utils.disable(package)
os._exit(0)
"""

MOST_MODULES = 365
"""That enabling loads; each takes 0.4 ms, 2 ms before it is compiled; all that Terrane has are some 870."""

LATE = (
    *(".noise_core.materials.surfaces.baking", ".noise_core.materials.surfaces.graph"),
    *(".operators.bridge.nodetree.builder", ".operators.bridge.nodetree.node_graph", ".operators.bridge.nodetree.layout"),
    *(".operators.bridge.nodetree.terrain_material.plan", ".operators.bridge.textures.image_files"),
)  # fmt: skip
"""What nobody needs who only starts Blender."""


MOST_CALLS = 360_000
"""Of functions, Python's own among them, that enabling makes, compiled: they cost the same wherever they are counted,
as seconds do not; some 335,000 in Blender's modules, and 356,600 in Debian's executable, whose Python is a later one.
``benchmarks/blender_enable.py`` measures seconds."""


@pytest.fixture(scope="module")
def enabling(terrane, tmp_path_factory):
    """Return which modules enabling loads in a process of its own, and how much it does: names, calls."""
    tmp_path = tmp_path_factory.mktemp("enabling")
    script, out = tmp_path / "loaded.py", tmp_path / "out.json"
    script.write_text(LOADED, encoding="utf-8")
    binary = bpy.app.binary_path
    command = [binary, "--background", "--python"] if binary else [sys.executable]
    arguments = [*command, str(script), "--", EXTENSION, str(out)]
    done = subprocess.run(arguments, timeout=120, check=False, capture_output=True)
    # Blender evaluates the annotations of its classes, those of a type checker's imports too.
    assert b"get_type_hints failed" not in done.stdout + done.stderr
    return json.loads(out.read_text())


@pytest.mark.wide
def test_enabling_loads_little(enabling):
    assert len(enabling["names"]) <= MOST_MODULES
    assert not set(LATE) & set(enabling["names"])


def test_enabling_does_little(enabling):
    assert MOST_CALLS / 10 < enabling["calls"] < MOST_CALLS
