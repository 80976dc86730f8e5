# SPDX-License-Identifier: GPL-3.0-or-later
"""The public API: the names that `noise_core` offers are those that docs/api shows, and code on pages uses no others."""

from __future__ import annotations

import ast
import importlib
import re
from pathlib import Path

import pytest

import noise_core

ROOT = Path(__file__).resolve().parents[2]
API = ROOT / "docs" / "api"
FOLDERS = (
    *("noise_core.noises", "noise_core.modifiers", "noise_core.maps", "noise_core.masks"),
    *("noise_core.materials.colorings", "noise_core.io.targets"),
)
"""Folders of types, which docs/api/types.md lists."""

DECLARATIONS = (
    "noise_core.base.params",
    "noise_core.base.composed_params",
    "noise_core.base.declared",
)
"""Modules whose functions docs/api/declarations.md lists."""

_PROGRAM = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)

pytestmark = pytest.mark.skipif(not API.is_dir(), reason="the pages are not here")


def shown_names(page: str = "*") -> list[str]:
    """Return what the pages of the API show, in their order."""
    texts = (path.read_text(encoding="utf-8") for path in sorted(API.glob(f"{page}.md")))
    return [name for text in texts for name in re.findall(r"^::: (\S+)", text, re.MULTILINE)]


def test_the_pages_show_every_public_name_once_and_no_other():
    shown = [name for name in shown_names() if not name.startswith("terrane_worlds.")]
    names = [name for name in shown if name not in DECLARATIONS]
    assert sorted(names) == sorted(f"noise_core.{name}" for name in noise_core.__all__)
    assert set(shown) - set(names) == set(DECLARATIONS)


def test_the_pages_show_the_public_names_of_worlds():
    text = (ROOT / "terrane_worlds" / "__init__.py").read_text(encoding="utf-8")
    (listed,) = (
        node.value
        for node in ast.parse(text).body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__"
    )
    expected = [f"terrane_worlds.{name}" for name in ast.literal_eval(listed)]
    assert sorted(shown_names("worlds")) == sorted(expected)


def test_public_names_are_sorted_and_imported_late():
    assert list(noise_core.__all__) == sorted(noise_core.__all__)
    homes = noise_core._HOMES
    assert list(homes) == sorted(homes)
    assert homes.keys() - {"__version__"} < set(noise_core.__all__)


def test_the_page_on_types_lists_the_folders():
    text = (API / "types.md").read_text(encoding="utf-8")
    assert tuple(re.findall(r"^\| `(noise_core\.[\w.]+)` \|", text, re.MULTILINE)) == FOLDERS


def test_the_page_on_declarations_lists_functions_that_are_there():
    text = (API / "declarations.md").read_text(encoding="utf-8")
    for part in text.split("::: ")[1:]:
        module = importlib.import_module(part.split()[0])
        for name in re.findall(r"^        - (\w+)$", part, re.MULTILINE):
            assert hasattr(module, name), (module.__name__, name)


def programs() -> list:
    """Return the code of all pages but those for developers, each with its place."""
    pages = [ROOT / "README.md", ROOT / "noise_core" / "README.md", *(ROOT / "docs").rglob("*.md")]
    return [
        pytest.param(code, id=f"{path.stem}-{number}")
        for path in sorted(filter(Path.is_file, pages))
        if "develop" not in path.parts
        for number, code in enumerate(_PROGRAM.findall(path.read_text(encoding="utf-8")))
        if "noise_core" in code and "import bpy" not in code
    ]


def test_there_are_programs():
    assert len(programs()) >= 20


@pytest.mark.parametrize("code", programs())
def test_code_on_pages_imports_public_names_alone(code):
    public = {*("noise_core." + name for name in noise_core.__all__), "noise_core.__version__"}
    for node in ast.walk(ast.parse(code)):
        if not isinstance(node, ast.ImportFrom) or not (node.module or "").startswith("noise_core"):
            continue
        if node.module in FOLDERS or node.module == "noise_core.base.params":
            continue
        imported = {f"{node.module}.{alias.name}" for alias in node.names}
        assert imported <= public, f"{sorted(imported - public)} are not public"
