# SPDX-License-Identifier: GPL-3.0-or-later
"""Planets as meshes: closed at any levels of their chunks, within their errors, whole or not there."""

from __future__ import annotations

import json
import random

import numpy as np
import pytest

from noise_core import Control, ParameterError, TerraneError
from noise_core.base.errors import Cancelled
from noise_core.io.heightmaps.planet_meshes import export_planet
from noise_core.io.targets import Gltf, UsdChunks
from noise_core.landscapes.planets.planet import planet_heights, standard_recipe
from noise_core.landscapes.scene import Planet
from tests.core.test_mesh_targets import TYPES, glb

PLANET = Planet(radius=4000.0, resolution=24, relief=0.05)
RECIPE = standard_recipe()


def export(folder, target, **keywords):
    return export_planet(RECIPE, PLANET, folder / "moon", target=target, **keywords)


def places_and_triangles(path):
    content, arrays = glb(path)
    x, up, south = (arrays["POSITION"] + np.array(content["nodes"][0]["translation"])).T
    return np.stack((x, -south, up), axis=-1), arrays["indices"].reshape(-1, 3)


@pytest.mark.parametrize("level", [0, 1, 2, None], ids=["0", "1", "2", "any"])
def test_chunks_are_closed_together(level, tmp_path):
    """At one level, and at levels by chance; volumes are about that of the ball."""
    chance = random.Random(3)
    files = json.loads(export(tmp_path, Gltf(levels=3, error=15.0), tiles=2)[-1].read_text())[
        "files"
    ]
    chunks = sorted({file["chunk"] for file in files})
    assert len(chunks) == 24
    corners = []
    for chunk in chunks:
        wanted = chance.randrange(3) if level is None else level
        (name,) = (
            file["name"] for file in files if file["chunk"] == chunk and file["level"] == wanted
        )
        places, triangles = places_and_triangles(tmp_path / name)
        corners.append(places[triangles])
    solid = np.concatenate(corners)
    _, numbers = np.unique(solid.reshape(-1, 3), axis=0, return_inverse=True)
    faces = numbers.reshape(-1, 3).astype(np.int64)
    edges = np.concatenate([faces[:, pair] for pair in ([0, 1], [1, 2], [2, 0])])
    there, back = (np.sort(side[:, 0] << 32 | side[:, 1]) for side in (edges, edges[:, ::-1]))
    np.testing.assert_array_equal(there, back)  # each edge once in both directions
    volume = np.einsum("ij,ij->i", solid[:, 0], np.cross(solid[:, 1], solid[:, 2])).sum() / 6.0
    assert volume == pytest.approx(4.0 / 3.0 * np.pi * 4000.0**3, rel=0.1)


def test_vertices_are_those_of_the_planet_and_normals_look_outwards(tmp_path):
    heights = planet_heights(RECIPE, PLANET)
    radii = heights.height.astype(float) + 4000.0
    known = heights.directions.astype(float) * radii[:, np.newaxis]
    for path in export(tmp_path, Gltf(levels=2, error=40.0))[:-1]:
        places, _ = places_and_triangles(path)
        nearest = np.abs(places[:, np.newaxis] - known).max(axis=-1).min(axis=1)
        assert nearest.max() < 1e-3
        east, up, south = glb(path)[1]["NORMAL"].T
        assert (np.stack((east, -south, up), axis=-1) * places).sum(axis=1).min() > 0.0


@pytest.mark.parametrize("cls", TYPES, ids=lambda cls: cls.key)
def test_each_format_takes_planets(cls, tmp_path):
    files = export(tmp_path, cls(levels=2, collision=True))
    assert {path.name for path in files} == {path.name for path in tmp_path.iterdir()}
    says = json.loads(files[-1].read_text())
    assert says["planet"]["radius"] == 4000.0 and len(says["files"]) == 18


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"target": "unreal"}, "target of a planet must be one of meshes; got Unreal"),
        (
            {"target": Gltf(borders="skirts")},
            "borders of a planet must be 'stitched'; got 'skirts'",
        ),
        ({"target": "gltf", "tiles": 0}, r"tiles must be in \[1, 24\]; got 0"),
        ({"target": UsdChunks(material="pbr")}, "material of a planet must be 'maps'; got 'pbr'"),
        ({"target": "gltf", "tiles": 25}, r"tiles must be in \[1, 24\]; got 25"),
    ],
)
def test_bad_input_is_refused_in_one_line(keywords, message, tmp_path):
    with pytest.raises(ParameterError, match=message):
        export(tmp_path, **keywords)
    assert not list(tmp_path.iterdir())


def test_what_is_there_stays_and_a_cancel_leaves_nothing(tmp_path):
    (tmp_path / "moon.glb.json").write_text("mine")
    with pytest.raises(TerraneError, match="already there"):
        export(tmp_path, "gltf")
    assert [path.name for path in tmp_path.iterdir()] == ["moon.glb.json"]
    calls = []

    def cancel():
        calls.append(None)
        return len(calls) > 12

    with pytest.raises(Cancelled):
        export(tmp_path / "new", "gltf", control=Control(cancel=cancel, threads=1))
    assert not (tmp_path / "new").exists()
