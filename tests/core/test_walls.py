# SPDX-License-Identifier: GPL-3.0-or-later
"""The walls of the design: who may import whom, and what nobody may do.

Read from the source, so that they hold for every file, imported by a test or not.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SHIPPED = ("noise_core", "operators", "ui", "translations")

# Parts of the extension, the longest name first, and whom each may import besides itself.
MAY_IMPORT = {
    "operators.bridge": {"noise_core", "translations"},
    "operators": {"operators.bridge"},
    "noise_core": set(),
    "ui": {"operators.bridge"},
    "translations": set(),
}
# Nothing in the core may depend on chance, on the moment or on Blender.
BANNED_IN_CORE = {
    *("bpy", "bpy_extras", "mathutils", "gpu", "bmesh"),
    *("random", "secrets", "uuid", "time", "datetime"),
}
VERSION_FILE = Path("operators/bridge/compat.py")


def _files(*folders: str) -> list[Path]:
    return sorted(
        path.relative_to(ROOT) for folder in folders for path in (ROOT / folder).rglob("*.py")
    )


@cache
def _tree(path: Path) -> ast.Module:
    return ast.parse((ROOT / path).read_text(encoding="utf-8"), str(path))


def _absolute_imports(path: Path) -> Iterator[str]:
    """Yield what a file imports from outside the extension, with dots."""
    for node in ast.walk(_tree(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _relative_imports(path: Path) -> Iterator[str]:
    """Yield what a file imports from inside the extension, as names from its root."""
    package = path.parent.parts
    for node in ast.walk(_tree(path)):
        if isinstance(node, ast.ImportFrom) and node.level:
            assert node.level - 1 <= len(package), f"{path}:{node.lineno} leaves the extension"
            start = [*package[: len(package) - node.level + 1], *(node.module or "").split(".")]
            base = ".".join(part for part in start if part)
            yield from (f"{base}.{alias.name}".strip(".") for alias in node.names)


def _part(name: str) -> str:
    """Return the part of the extension that a dotted name belongs to."""
    for part in MAY_IMPORT:
        if name == part or name.startswith(f"{part}."):
            return part
    return "the root"


def _ids(path: Path) -> str:
    return path.as_posix()


def test_the_walls_have_something_to_hold():
    assert len(_files("noise_core")) > 10


@pytest.mark.parametrize("path", _files("noise_core"), ids=_ids)
def test_the_core_imports_the_standard_library_and_numpy_only(path):
    for name in _absolute_imports(path):
        top = name.split(".")[0]
        assert top == "numpy" or top in sys.stdlib_module_names, f"{path} imports {name}"
        assert top not in BANNED_IN_CORE, f"{path} imports {name}"
        assert not name.startswith("numpy.random"), f"{path} imports {name}"


@pytest.mark.parametrize("path", _files("noise_core"), ids=_ids)
def test_the_core_neither_prints_nor_draws_random_numbers(path):
    for node in ast.walk(_tree(path)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id != "print", f"{path}:{node.lineno} prints"
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            numpy = node.value.id in ("np", "numpy")
            assert not (numpy and node.attr == "random"), f"{path}:{node.lineno} numpy.random"


@pytest.mark.parametrize("path", _files(*SHIPPED), ids=_ids)
def test_each_part_imports_only_whom_it_may(path):
    importer = _part(".".join(path.with_suffix("").parts))
    for name in _relative_imports(path):
        imported = _part(name)
        # The extension's own name for preferences: `from .. import __package__ as base_package`.
        if imported != importer and name.rpartition(".")[2] != "__package__":
            assert imported in MAY_IMPORT[importer], f"{path}: {importer} imports {name}"


@pytest.mark.parametrize("path", _files(*SHIPPED), ids=_ids)
def test_own_modules_are_imported_relatively(path):
    # An extension lives under a name that its own code cannot know.
    own = {*SHIPPED, "terrane", "bl_ext"}
    assert [name for name in _absolute_imports(path) if name.split(".")[0] in own] == []


def test_the_root_imports_nothing_at_module_level():
    # Tools import the root package without Blender: pytest does so for every test.
    imports = [
        node
        for node in _tree(Path("__init__.py")).body
        if isinstance(node, ast.Import | ast.ImportFrom)
    ]
    assert [ast.unparse(node) for node in imports] == ["from __future__ import annotations"]


@pytest.mark.parametrize("path", _files(*SHIPPED), ids=_ids)
def test_only_one_file_knows_blenders_version(path):
    for node in ast.walk(_tree(path)):
        if isinstance(node, ast.Attribute) and node.attr.startswith("version"):
            app = isinstance(node.value, ast.Attribute) and node.value.attr == "app"
            assert not app or path == VERSION_FILE, f"{path}:{node.lineno} asks for the version"


@pytest.mark.parametrize("path", _files(*SHIPPED), ids=_ids)
def test_no_star_imports(path):
    for node in ast.walk(_tree(path)):
        if isinstance(node, ast.ImportFrom):
            assert [alias.name for alias in node.names] != ["*"], f"{path}:{node.lineno}"


@pytest.mark.parametrize("path", _files(*SHIPPED), ids=_ids)
def test_no_error_is_swallowed_wholesale(path):
    for node in ast.walk(_tree(path)):
        if isinstance(node, ast.ExceptHandler):
            assert node.type is not None, f"{path}:{node.lineno} catches everything"
            caught = ast.walk(node.type)
            names = {name.id for name in caught if isinstance(name, ast.Name)}
            assert not names & {"Exception", "BaseException"}, f"{path}:{node.lineno}"


@pytest.mark.parametrize("path", [Path("__init__.py"), *_files(*SHIPPED)], ids=_ids)
def test_every_file_names_its_licence(path):
    first = (ROOT / path).read_text(encoding="utf-8").split("\n", 1)[0]
    assert first == "# SPDX-License-Identifier: GPL-3.0-or-later"


def test_importing_the_core_is_light():
    """The folders of types are imported when someone asks for a type, not before."""
    code = "import sys, noise_core; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split()
    assert "noise_core" in loaded
    heavy = ("noise_core.noises.", "noise_core.modifiers.", "noise_core.maps.")
    assert [name for name in loaded if name.startswith(heavy)] == []
