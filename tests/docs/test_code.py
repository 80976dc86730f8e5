# SPDX-License-Identifier: GPL-3.0-or-later
"""Every block of Python without Blender runs: README, the cookbook and other pages. The others: tests/blender."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.page_code import fenced

ROOT = Path(__file__).resolve().parents[2]
PAGES = (
    *(
        "README.md",
        "noise_core/README.md",
        "docs/scripting.md",
        "docs/engines.md",
        "docs/robots.md",
        "docs/stamps.md",
    ),
    *(
        "docs/elevation.md",
        "docs/realism.md",
        "docs/targets/plain_files.md",
        "docs/from_articles.md",
    ),
)


def blocks() -> list:
    results = []
    for page in PAGES:
        for number, code in enumerate(fenced(page)):
            if "import bpy" not in code:
                results.append(
                    pytest.param(code, id=f"{Path(page).parent.name}-{Path(page).stem}-{number}")
                )
    return results


def test_there_are_blocks():
    assert len(blocks()) >= 7


@pytest.mark.parametrize("code", blocks())
def test_the_block_runs(code, tmp_path):
    program = f"import sys; sys.path.insert(0, {str(ROOT)!r})\n{code}"
    command = [sys.executable, "-W", "error", "-c", program]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_the_files_of_the_page_on_engines_are_there(tmp_path):
    written, read = fenced("docs/engines.md")
    said = _run(written, tmp_path)
    assert re.search(r"^Z Scale: [\d.]+$", said, re.MULTILINE)
    assert re.search(r"^0\.01\d m lost at most$", said, re.MULTILINE)
    names = {"alps.r16", "alps_slope.png", "alps_flow.png", "alps.r16.json"}
    assert {path.name for path in tmp_path.iterdir()} == names
    assert _run(read, tmp_path).endswith("(30.0, 30.0) 1\n")


def test_the_script_of_the_page_on_robots_makes_a_curriculum(tmp_path):
    code, _ = fenced("docs/robots.md")
    lines = _run(code, tmp_path).splitlines()
    assert lines[0] == "641 x 401 samples, 16 spawn points"
    assert {path.name for path in tmp_path.iterdir()} == {
        "curriculum.hf", "curriculum.xml", "curriculum.hf.json",
    }  # fmt: skip
    says = json.loads((tmp_path / "curriculum.hf.json").read_text(encoding="utf-8"))
    assert (says["width"], says["depth"], says["meters_per_sample"]) == (64.0, 40.0, 0.1)
    assert (says["lowest"], says["highest"]) == pytest.approx((-1.6, 1.6))


def test_the_script_of_the_page_on_robots_makes_ice(tmp_path):
    _, code = fenced("docs/robots.md")
    lines = _run(code, tmp_path).splitlines()
    assert len(lines) == 8 and lines[-1].startswith("snow: 0.10 at rest, ")
    text = (tmp_path / "alps.usda").read_text(encoding="utf-8")
    assert "dynamicFriction = 0.07\n" in text and 'Xform "spawn_3"' in text


def test_the_page_on_robots_lists_the_frictions_of_all_materials():
    from noise_core.materials.colors import LANDSCAPES, LAYERS

    text = (ROOT / "docs/robots.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| `(\w+)` \| ([\d.]+) \| ([\d.]+) \|", text, re.MULTILINE)
    assert [name for name, _, _ in listed] == list(LAYERS)
    for landscape in LANDSCAPES.values():
        for name, at_rest, sliding in listed:
            if name in landscape.layers:
                layer = landscape.layers[name]
                found = (layer.friction, layer.sliding_friction)
                assert found == (float(at_rest), float(sliding)), (landscape.label, name)


def test_the_page_on_robots_lists_all_presets_for_them():
    from noise_core.landscapes.preset_library import preset, shipped_names

    text = (ROOT / "docs/robots.md").read_text(encoding="utf-8")
    table = text.split("## Presets")[1].split("\n\n* ")[0]
    listed = re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)
    assert sorted(listed) == [name for name in shipped_names() if preset(name).group == "robots"]


def _run(code, folder):
    """Run the code of a page in a folder; return its output."""
    program = f"import sys; sys.path.insert(0, {str(ROOT)!r})\n{code}"
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_page_on_engines_lists_all_targets_and_all_keys_of_the_sidecar(tmp_path):
    from noise_core import Recipe
    from noise_core.io.heightmaps import export_heightmap
    from noise_core.io.targets.bases.target import target_types

    text = (ROOT / "docs/engines.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| `(\w+)` \| (\.\w+) \| .* \| (\w+) \|$", text, re.MULTILINE)
    encodings = {key: cls().encoding for key, cls in target_types().items()}
    assert listed == [
        (key, encoding.suffix, "north" if encoding.north_first else "south")
        for key, encoding in encodings.items()
    ]
    report = export_heightmap(Recipe(), tmp_path / "land", target="npy", samples=3)
    keys = json.loads(report.sidecar.read_text(encoding="utf-8"))
    _, table = text.split("## The sidecar")
    rows = re.findall(r"^\| (`.*?) \|", table.split("\n## ")[0], re.MULTILINE)
    named = {*keys, "object"}  # that of land exported in Blender
    assert sorted(re.findall(r"`(\w+)`", " ".join(rows))) == sorted(named)


WORDS = {"eight": 8, "forty": 40, "thirty-one": 31}


@pytest.mark.parametrize("page", ["README.md", "CHANGELOG.md"])
def test_numbers_of_things_are_those_of_the_package(page):
    from noise_core import coloring_types
    from noise_core.landscapes.preset_library import preset_names
    from noise_core.materials.surfaces import surface_names

    text = (ROOT / page).read_text(encoding="utf-8")
    found = re.findall(r"(\w+(?:-\w+)?) (?:seamless )?(presets|surfaces|colorings)\b", text)
    named = {(WORDS[word.lower()], what) for word, what in found if word.lower() in WORDS}
    true = {
        (len(preset_names()), "presets"),
        (len(surface_names()), "surfaces"),
        (len(coloring_types()), "colorings"),
    }
    assert len(named) >= 2 and named <= true
