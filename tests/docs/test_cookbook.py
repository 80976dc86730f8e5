# SPDX-License-Identifier: GPL-3.0-or-later
"""The pages of the cookbook: their code runs. Those with Dask and xarray: tests/worlds."""

from __future__ import annotations

import functools
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from noise_core import Recipe, read_image, save_recipe
from noise_core.noises import Perlin
from tests.page_code import ROOT, fenced, run_page, titled

FOLDER = ROOT / "docs" / "cookbook"
OF_WORLDS = {"dask", "xarray"}
"""Pages that need more packages."""

PAGES = sorted(path.stem for path in FOLDER.glob("*.md"))


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """Return a function that runs a page once, and returns its folder and its outputs."""

    @functools.cache
    def play(name: str) -> tuple[Path, list[str]]:
        folder = tmp_path_factory.mktemp(name)
        return folder, run_page(f"docs/cookbook/{name}.md", folder)

    return play


@pytest.mark.parametrize("name", [name for name in PAGES if name not in OF_WORLDS])
def test_the_page_is_true(name, played):
    _, outputs = played(name)
    assert len(outputs) == len(fenced(f"docs/cookbook/{name}.md"))


def test_there_are_fifteen_jobs_and_the_cookbook_lists_them():
    assert len(PAGES) >= 15
    listed = re.findall(
        r"\(cookbook/(\w+)\.md\)", (ROOT / "docs/scripting.md").read_text(encoding="utf-8")
    )
    in_nav = re.findall(r"- cookbook/(\w+)\.md", (ROOT / "mkdocs.yml").read_text(encoding="utf-8"))
    assert sorted(listed) == sorted(in_nav) == PAGES
    for name in PAGES:
        page = f"docs/cookbook/{name}.md"
        assert fenced(page) or titled(page), page


def test_the_texture_takes_two_lines_and_is_seamless(played):
    code = fenced("docs/cookbook/seamless_texture.md")[0]
    lines = [line for line in code.splitlines() if line and "import" not in line]
    assert len(lines) == 2
    folder, _ = played("seamless_texture")
    image = read_image(folder / "clouds.png")
    steps = abs(image[1:] - image[:-1])
    assert abs(image[0] - image[-1]).max() <= steps.max()


def test_the_size_of_own_elevation_is_said_once(played):
    code = fenced("docs/cookbook/own_elevation.md")[0]
    assert len(re.findall(r"spacing=|size=", code)) == 1
    folder, outputs = played("own_elevation")
    assert outputs[0].startswith("valley.r16 ")
    says = json.loads((folder / "valley.r16.json").read_text(encoding="utf-8"))
    assert says["meters_per_sample"] == 30.0


def test_types_of_another_distribution_are_found_by_their_entry_point(tmp_path):
    """As if both pages were packages that are installed: recipes and the command line have the types."""
    site = tmp_path / "site"
    for page in ("own_noise", "own_modifier"):
        (name,) = (name for name in titled(f"docs/cookbook/{page}.md"))
        site.mkdir(exist_ok=True)
        (site / name).write_text(titled(f"docs/cookbook/{page}.md")[name], encoding="utf-8")
        module = Path(name).stem
        described = site / f"{module}-0.1.dist-info"
        described.mkdir()
        (described / "METADATA").write_text(
            f"Metadata-Version: 2.1\nName: {module}\nVersion: 0.1\n"
        )
        (described / "entry_points.txt").write_text(f"[noise_core.types]\n{module} = {module}\n")
    layers = [
        {"type": "noise", "chain": [{"type": "ripples", "frequency": 3.0}]},
        {"type": "steps", "step": 5.0},
    ]
    recipe = {"format": 1, "height": 40.0, "size": 100.0, "layers": layers}
    (tmp_path / "land.json").write_text(json.dumps(recipe))
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(site)])}

    def call(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "noise_core", *arguments]
        return subprocess.run(
            command, cwd=tmp_path, env=env, capture_output=True, text=True, check=False
        )

    done = call("export", "land.json", "--target", "npy", "--samples", "33")
    assert done.returncode == 0, done.stderr
    schema = json.loads(call("schema").stdout)
    assert {"noise_ripples", "modifier_steps"} <= set(schema["$defs"])
    (site / "steps.py").write_text("raise ImportError('it lacks a library')\n")
    done = call("export", "land.json", "--target", "npy", "--samples", "33", "--overwrite")
    assert done.returncode == 1
    assert done.stderr == "error: noise_core.types: steps = steps: it lacks a library\n"


def test_the_makefile_builds_what_is_stale(tmp_path):
    assert shutil.which("make"), "make is not installed"
    programs = tmp_path / "bin"
    programs.mkdir()
    script = programs / "terrane-core"
    script.write_text(f'#!/bin/sh\nexec {sys.executable} -m noise_core "$@"\n')
    script.chmod(0o755)
    env = {
        **os.environ,
        "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
    }
    (tmp_path / "Makefile").write_text(
        titled("docs/cookbook/makefile.md")["Makefile"], encoding="utf-8"
    )
    (tmp_path / "recipes").mkdir()
    recipe = Recipe(layers=(Perlin(frequency=3.0),), seed=1, height=100.0, size=1000.0)
    save_recipe(recipe, tmp_path / "recipes" / "land.json")

    def make() -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["make"], cwd=tmp_path, env=env, capture_output=True, text=True, check=False
        )

    done = make()
    assert done.returncode == 0, done.stdout + done.stderr
    assert (tmp_path / "built" / "land.r16").is_file()
    lines = (tmp_path / "built" / "slopes.jsonl").read_text().splitlines()
    assert [json.loads(line)["name"] for line in lines] == ["land"]
    assert "up to date" in make().stdout or "Nothing to be done" in make().stdout
    (tmp_path / "recipes" / "land.json").write_text("{}")
    done = make()
    assert done.returncode != 0 and "error: " in done.stderr
