# SPDX-License-Identifier: GPL-3.0-or-later
"""docs/worlds.md is true: its code at fewer samples, and its command lines."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from noise_core.base.errors import ParameterError, TerraneError
from noise_core.commands import command_line
from noise_core.io.targets import Unreal
from noise_core.landscapes.preset_library import preset, preset_names
from noise_core.maps.bases.map import map_types
from noise_core.modifiers.bases.modifier import modifier_types
from terrane_worlds import World, maps, modifiers
from terrane_worlds.commands.all_commands import COMMANDS
from terrane_worlds.recipes.refusals import check_recipe
from tests.page_code import fenced

ROOT = Path(__file__).parents[2]
PAGE = "docs/worlds.md"


def test_the_script_runs(tmp_path):
    (code,) = fenced(PAGE)
    assert code.count("16384") == 2
    script = tmp_path / "script.py"
    small = code.replace("16384", "513").replace("tile=2048", "tile=256")
    script.write_text(f"import sys; sys.path.insert(0, {str(ROOT)!r})\n{small}")
    command = [sys.executable, "-W", "error", str(script)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[1:] == ["(129, 129) True", "(64, 128) float32"]
    assert np.isfinite(float(lines[0]))


def commands() -> list[str]:
    return re.findall(
        "^    python -m terrane_worlds (.+)$", (ROOT / PAGE).read_text(), re.MULTILINE
    )


@pytest.mark.parametrize("line", commands())
def test_the_commands_are_understood(line, monkeypatch):
    def build(world, store, **keywords):
        raise TerraneError("understood")

    monkeypatch.setattr(World, "build", build)
    noted: list[str] = []
    command_line.run(shlex.split(line), print, noted.append, "terrane_worlds", COMMANDS)
    assert noted in (["error: understood"], ["error: alps.zarr: there is no such store"])


def refusals() -> dict[str, str]:
    """Return why types, and parameters of types, are refused, by their names: as they say themselves."""
    found = {}
    for types, registry in (
        (modifier_types(), modifiers.REGISTRY),
        (map_types(), maps.REGISTRY),
    ):
        for cls in types.values():
            if reason := registry.reason(cls):
                found[cls.label] = reason
            for name, reason in getattr(cls, "whole_land_values", {}).items():
                found[f"{cls.label}, {name.replace('_', ' ').title()}"] = reason
    return found


def test_what_is_refused_is_listed():
    rows = re.findall(r"^\| \*(.+?)\* \| (.+?) \|$", (ROOT / PAGE).read_text(), re.MULTILINE)
    assert dict(rows) == refusals()


def test_presets_without_drawn_rivers_are_not_refused():
    refused = []
    for name in preset_names():
        world = World(name, 513, 513, 64)
        try:
            check_recipe(world.recipe, world.grid, world.tiling)
        except ParameterError as error:
            assert "StreamErosion.ri" in str(error)  # rivers or ridges
            refused.append(f"*{preset(name).label}*")
    assert f"All shipped presets but {' and '.join(refused)} can" in (ROOT / PAGE).read_text()


def test_tiles_of_the_page_suit_its_world():
    samples, tiles = map(int, re.search(r"--tiles (\d+)x\d+ --samples (\d+)", "\n".join(commands())).group(2, 1))  # fmt: skip
    assert (samples - 1) * tiles + 1 == 16384


def test_a_landscape_for_unreal_suits_its_world_and_the_target():
    line, samples = re.search(
        r"`export (land\.zarr .*--target unreal.*?)` \| ([\d,]+) samples", (ROOT / PAGE).read_text()
    ).groups()
    tiles, side = map(int, re.search(r"--tiles (\d+)x\d+ --samples (\d+)", line).groups())
    assert side in Unreal.sizes and not Unreal().shares_borders
    assert tiles * side == int(samples.replace(",", ""))
