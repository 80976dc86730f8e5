# SPDX-License-Identifier: GPL-3.0-or-later
"""The core installed from its wheel: complete, without Blender, with the same numbers."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from email import message_from_bytes
from importlib import metadata
from pathlib import Path

import numpy as np
import pytest

import noise_core
from noise_core import Grid, Recipe, coloring_types, map_types, modifier_types, noise_types
from noise_core.landscapes.preset_library import preset_names
from noise_core.materials.surfaces import surface, surface_names

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "noise_core"


@pytest.fixture(scope="module")
def digests():
    """Return the module that computes the digests of tests/golden/digests.json."""
    sys.path.append(str(ROOT))  # behind the installed package
    try:
        from tests.core import digests

        yield digests
    finally:
        sys.path.remove(str(ROOT))


def test_it_is_the_installed_package():
    installed = Path(noise_core.__file__).resolve()
    assert installed.parent != PACKAGE
    assert metadata.version("terrane-noise-core")


def test_the_wheel_suits_every_machine_and_holds_the_packages_alone():
    path = Path(os.environ["TERRANE_WHEEL"])
    assert path.name.startswith("terrane_noise_core-") and path.name.endswith("-py3-none-any.whl")
    with zipfile.ZipFile(path) as wheel:
        names = wheel.namelist()
        (described,) = (name for name in names if name.endswith(".dist-info/METADATA"))
        described = message_from_bytes(wheel.read(described))
    held = {name for name in names if ".dist-info/" not in name}
    packages = (PACKAGE, ROOT / "terrane_worlds")
    found = (path for package in packages for path in package.rglob("*"))
    sources = (path for path in found if path.is_file() and path.suffix != ".pyc")
    expected = {path.relative_to(ROOT).as_posix() for path in sources}
    assert held == {*expected, "noise_core/recipe.schema.json"}
    assert [name for name in names if name.endswith("licenses/LICENSE")]
    needed = described.get_all("Requires-Dist")
    assert needed[0] == "numpy<3,>=1.24"
    assert described.get_payload().startswith("# terrane-noise-core")
    assert described["Keywords"] and "Programming Language :: Python :: 3.11" in described.get_all(
        "Classifier"
    )
    assert needed[1:] and all(one.endswith("extra == 'worlds'") for one in needed[1:])
    assert (PACKAGE / "py.typed").is_file()


def test_importing_everything_needs_the_standard_library_and_numpy_alone(tmp_path):
    program = (
        "import pkgutil, importlib, sys, noise_core\n"
        "for found in pkgutil.walk_packages(noise_core.__path__, 'noise_core.'):\n"
        "    if not found.name.endswith('__main__'):\n"
        "        importlib.import_module(found.name)\n"
        "tops = {name.partition('.')[0] for name in sys.modules}\n"
        # The standard library's multiprocessing gives the program that runs a second name.
        "print(*sorted(tops - sys.stdlib_module_names - {'__main__', '__mp_main__'}))\n"
    )
    command = [sys.executable, "-I", "-S", "-c", _with_packages(program)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    tops = {
        name for name in done.stdout.split() if "cython" not in name
    }  # NumPy 1.24 is made with it
    assert tops == {"noise_core", "numpy"}


def test_the_script_writes_what_the_module_writes(tmp_path):
    (own,) = metadata.entry_points(group="console_scripts", name="terrane-core")
    assert own.value == "noise_core.__main__:main"
    script = shutil.which("terrane-core", path=str(Path(sys.executable).parent))
    assert script is not None
    given = "export none --target png16 --samples 17 --maps slope --folder".split()
    for folder, command in (("one", [script]), ("two", [sys.executable, "-I", "-m", "noise_core"])):
        run = [*command, *given, str(tmp_path / folder)]
        done = subprocess.run(run, cwd=tmp_path, capture_output=True, text=True, check=True)
        assert done.stdout == f"{tmp_path / folder / 'none.png.json'}\n"
        assert done.stderr == "1 of 1: none\n"
    one, two = (sorted((tmp_path / folder).iterdir()) for folder in ("one", "two"))
    assert [path.name for path in one] == [path.name for path in two] and len(one) == 3
    assert [path.read_bytes() for path in one] == [path.read_bytes() for path in two]
    wrong = subprocess.run([script, "fly"], capture_output=True, text=True, check=False)
    assert wrong.returncode == 2 and wrong.stderr.startswith("error: terrane-core: ")
    version = subprocess.run([script, "--version"], capture_output=True, text=True, check=True)
    assert version.stdout == f"Terrane {metadata.version('terrane-noise-core')}\n"
    helped = subprocess.run([script, "--help"], capture_output=True, text=True, check=True)
    assert helped.stdout.startswith("usage: terrane-core ")


def _with_packages(program: str) -> str:
    """Return a program that finds the installed packages, but runs none of their start files."""
    folder = Path(noise_core.__file__).parents[1]
    return f"import sys; sys.path.append({str(folder)!r})\n{program}"


def test_every_type_preset_and_surface_is_there():
    counted = {
        "noises": len(noise_types()),
        "modifiers": len(modifier_types()),
        "maps": len(map_types()),
        "materials/colorings": len(coloring_types()),
    }
    for folder, count in counted.items():
        assert count == len(list((PACKAGE / folder).glob("[!_]*.py"))) > 5, folder
    assert set(preset_names()) == {path.stem for path in PACKAGE.rglob("presets/*.json")}
    assert set(surface_names()) == {path.stem for path in PACKAGE.rglob("library/*.json")}
    assert len(preset_names()) > 15 and len(surface_names()) > 25


# What modifiers give with each NumPy the session `core` shows; here it takes longer than all else.
@pytest.mark.parametrize(
    "kind", ["noise", pytest.param("modifier", marks=pytest.mark.newest), "map"]
)
def test_it_gives_the_numbers_of_the_repository(digests, kind):
    kept = digests.saved()
    own = {"noise": noise_types, "modifier": modifier_types, "map": map_types}[kind]()
    fields_of = {
        "noise": digests.noise_fields,
        "modifier": digests.modifier_fields,
        "map": digests.map_fields,
    }[kind]
    defaults = {key: next(digests.variants(cls))[1] for key, cls in own.items()}
    found = {f"{kind}: {key}": digests.digest(fields_of(one)) for key, one in defaults.items()}
    told = {name: one["digest"] for name, one in kept.items()}
    common = found.keys() & told.keys()
    assert len(common) > 8
    assert {name: found[name] for name in common} == {name: told[name] for name in common}


def test_a_preset_becomes_a_terrain():
    recipe = Recipe.from_preset("alps", seed=7)
    relief = recipe.evaluate(recipe.grid(65))
    assert relief.height.shape == (65, 65) and np.ptp(relief.height) > 100.0
    assert Recipe.from_json(recipe.to_json()) == recipe


def test_a_surface_becomes_textures():
    textures = surface("granite").textures(Grid(32, 32, wrap=True), 0, ("base_color", "roughness"))
    assert textures["base_color"].shape == (32, 32, 3)


def test_the_schema_of_recipes_lies_in_the_package():
    with (Path(noise_core.__file__).parent / "recipe.schema.json").open(encoding="utf-8") as file:
        assert json.load(file) == noise_core.recipe_schema()


def test_worlds_without_their_packages_name_the_extra_in_one_line(tmp_path):
    extra = "needs the extra `worlds`: pip install 'terrane-noise-core[worlds]'"
    run = [sys.executable, "-I", "-m", "terrane_worlds", "build", "alps"]
    done = subprocess.run(run, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 1 and done.stdout == ""
    assert re.fullmatch(
        rf"error: terrane_worlds {re.escape(extra)}; missing: [\w, ]+\n", done.stderr
    )
    with pytest.raises(ImportError, match=re.escape(extra)):
        from terrane_worlds import World  # noqa: F401
