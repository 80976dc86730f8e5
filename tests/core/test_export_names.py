# SPDX-License-Identifier: GPL-3.0-or-later
"""Names of exported files do not collide in one folder, and reported values can be typed in."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from noise_core import ParameterError, Recipe
from noise_core.io.elevation_reading import find_sidecar
from noise_core.io.heightmaps import export_heightmap
from noise_core.io.heightmaps.layout import lay_out
from noise_core.io.targets.bases.target import target_types, typed_value
from noise_core.noises import Fractal

RECIPE = Recipe(size=1000.0)


def test_targets_in_one_folder_do_not_collide(tmp_path):
    """Each exports the same name; only files of one suffix, such as two images, are one file."""
    known: dict[Path, set[str]] = {}
    for cls in target_types().values():
        target = cls()
        count = target.sizes[0] if target.sizes else 65
        layout = lay_out(tmp_path / "alps", target, (count, count), (1, 1))
        for path in layout.paths((), 1000.0):
            known.setdefault(path, set()).add(target.encoding.suffix)
    assert all(len(suffixes) == 1 for suffixes in known.values())
    for key, suffix in (("exr", ".exr"), ("geotiff", ".tif")):
        report = export_heightmap(RECIPE, tmp_path / f"alps{suffix}", target=key, samples=33)
        assert report.sidecar == tmp_path / f"alps{suffix}.json"
    for suffix in (".exr", ".tif"):
        found = find_sidecar(tmp_path / f"alps{suffix}")
        assert found is not None and found.name == f"alps{suffix}.json"


def test_a_name_that_is_a_sidecar_is_refused(tmp_path):
    for name in ("land.json", "land.terrain.json"):
        with pytest.raises(ParameterError, match=rf"ends in \.npy; got '{name}'"):
            export_heightmap(RECIPE, tmp_path / name, target="npy", samples=33)


@pytest.mark.parametrize("more", [0.0, 800.0])
def test_reported_values_can_be_typed_in(tmp_path, more):
    """Nine digits at most, with which heights move by less than a hundredth of a step of 16 bits."""
    recipe = Recipe(layers=Fractal(octaves=5), seed=3, height=1234.567 + more, size=4321.987)
    report = export_heightmap(recipe, tmp_path / "land", target="unreal", samples=505)
    typed = {name: typed_value(value) for name, value in report.fields.items()}
    for name in ("X Scale", "Z Scale", "Location Z"):
        assert len(re.sub(r"\D", "", repr(typed[name]))) <= 9 < len(repr(report.fields[name]))
    step = typed["Z Scale"] / 12_800.0
    bottom = typed["Location Z"] / 100.0 - 32_768 * step
    for height, exact in ((bottom, report.offset), (bottom + 65_535 * step, report.highest)):
        assert abs(height - exact) < 0.01 * report.scale
