# SPDX-License-Identifier: GPL-3.0-or-later
"""The mesh of cliffs: where it lies, that it has no gaps, does not cut itself, and overhangs."""

from __future__ import annotations

from unittest import mock

import numpy as np
import pytest

from noise_core import Recipe
from noise_core.landscapes.cliffs import cliff_mesh as cliff_meshes
from noise_core.landscapes.cliffs.cliff_mesh import cliff_mesh
from noise_core.landscapes.cliffs.cutting import Polygons, cut
from noise_core.landscapes.scene import Cliffs
from tests.core.mesh_cuts import cutting_pairs, triangles_of
from tests.drawing import count_of, generator

CELL = 10.0


def bluff(side=25):
    """Return a winding cliff 60 m high, between gentle ground."""
    y, x = np.indices((side, side)) * CELL
    edge = (side - 1) * CELL * 0.5 + 25.0 * np.sin(y / 40.0)
    face = np.clip((x - edge) * 2.0, 0.0, 60.0)
    return (face + 0.05 * x).astype(np.float32)


def mesh_of(height, **values):
    return cliff_mesh(height, CELL * (height.shape[1] - 1), Cliffs(**values))


def surface_at(height, samples):
    """Return the heights of the terrain's triangles, split from the first corner to the third."""
    row, column = np.minimum(samples.astype(int), np.array(height.shape) - 2).T
    v, u = samples[:, 0] - row, samples[:, 1] - column
    a, b = height[row, column], height[row, column + 1]
    c, d = height[row + 1, column + 1], height[row + 1, column]
    return np.where(u >= v, a + u * (b - a) + v * (c - b), a + u * (c - d) + v * (d - a))


def edges_of(mesh):
    """Return all sides of faces as pairs of vertices, in the direction of the face."""
    starts = np.cumsum(mesh.counts) - mesh.counts
    following = np.arange(1, len(mesh.corners) + 1)
    following[starts + mesh.counts - 1] = starts
    return np.stack((mesh.corners, mesh.corners[following]), axis=1)


def test_cliffs_replace_steep_cells_and_a_ring_around():
    height = bluff()
    mesh = mesh_of(height, blocks=0.0)
    slope = np.hypot(*np.gradient(height.astype(float), CELL))
    assert mesh.cells[slope[:-1, :-1] > 2.0].all()
    assert 0.1 < mesh.cells.mean() < 0.6
    assert len(mesh.places) > 20 * mesh.cells.sum()


def test_their_border_lies_on_the_terrains_triangles():
    height = bluff()
    mesh = mesh_of(height, blocks=0.0)
    border = mesh.border
    assert border.sum() > 50
    np.testing.assert_allclose(mesh.places[border, 1::-1], mesh.samples[border] * CELL, atol=1e-9)
    off = mesh.places[border, 2] - surface_at(height, mesh.samples[border])
    assert np.abs(off).max() < 1e-3


def test_there_is_no_gap_and_no_side_but_the_border_is_open():
    mesh = mesh_of(bluff(), blocks=0.0)
    sides = edges_of(mesh)
    key = sides[:, 0] * len(mesh.places) + sides[:, 1]
    assert len(np.unique(key)) == len(key), "two faces have a side in the same direction"
    back = sides[:, 1] * len(mesh.places) + sides[:, 0]
    is_open = ~np.isin(key, back)
    assert is_open.any() and mesh.border[sides[is_open]].all()
    # The open sides are those of the replaced cells: as long together.
    long = np.linalg.norm(np.diff(mesh.places[sides[is_open], :2], axis=1), axis=-1).sum()
    cells = np.pad(mesh.cells, 1).astype(int)
    outline = sum(int(np.abs(np.diff(cells, axis=axis)).sum()) for axis in (0, 1))
    assert long == pytest.approx(outline * CELL)


def test_beds_overhang_by_more_than_two_meters():
    assert overhang(mesh_of(bluff(), blocks=0.0)) >= 2.0
    assert overhang(mesh_of(bluff(), blocks=0.0, undercut=0.0, roughness=0.0)) < 2.0


def overhang(mesh):
    """Return how far the undersides of beds reach back, seen from the side: of a twentieth the least."""
    triangles = triangles_of(mesh.corners, mesh.counts)
    a, b, c = (mesh.places[triangles[:, at]] for at in range(3))
    normal = np.cross(b - a, c - a)
    level = np.linalg.norm(normal[:, :2], axis=1)
    below = (normal[:, 2] < 0.0) & (level > 0.0)
    outwards = normal[below, :2] / level[below, np.newaxis]
    reach = [np.sum(places[below, :2] * outwards, axis=1) for places in (a, b, c)]
    return 0.0 if not below.any() else float(np.percentile(np.ptp(reach, axis=0), 95))


def test_joints_and_beds_stand_out_differently():
    mesh = mesh_of(bluff(), blocks=0.0, roughness=0.0)
    move = np.linalg.norm(mesh.places[:, 1::-1] - mesh.samples * CELL, axis=1)
    assert move.max() <= 0.36 * CELL + 1e-9
    assert move[~mesh.border].std() > 0.5


def test_seeds_make_other_cliffs_and_the_same_twice():
    first, again, other = (mesh_of(bluff(), cliffs_seed=seed) for seed in (1, 1, 2))
    np.testing.assert_array_equal(first.places, again.places)
    assert len(first.places) != len(other.places)


def test_blocks_lie_on_the_ground_below_and_nowhere_else():
    height = bluff(49)
    bare, mesh = mesh_of(height, blocks=0.0), mesh_of(height, blocks=1.0)
    blocks = mesh.places[len(bare.places) :].reshape(-1, 8, 3)
    assert len(blocks) > 5
    middle = blocks.mean(axis=1)
    cell = np.floor(middle[:, 1::-1] / CELL).astype(int)
    assert not mesh.cells[tuple(cell.T)].any()
    ground = surface_at(height, middle[:, 1::-1] / CELL)
    assert (blocks[..., 2].min(axis=1) < ground).all() and (
        blocks[..., 2].max(axis=1) > ground
    ).all()
    assert (ground < 40.0).all()


def test_there_are_as_many_vertices_as_allowed_at_most_and_the_nearest_cliffs():
    height = np.tile(bluff(33), (1, 3))
    all_cells = mesh_of(height).cells
    near = cliff_mesh(
        height, CELL * (height.shape[1] - 1), Cliffs(vertices=3000), view=(0.0, 0.0, 0.0, 0.0)
    )
    assert 1000 < len(near.places) <= 3000
    assert near.cells.sum() < 0.5 * all_cells.sum()
    assert np.nonzero(near.cells)[1].max() < 0.7 * height.shape[1]


def test_walls_that_look_away_from_the_view_come_after_those_that_it_sees():
    """A ridge between two equal walls, seen from any side: the budget is not spent on its back."""
    random = generator(51)
    for _ in range(count_of(20)):
        angle = float(random.uniform(0.0, 2.0 * np.pi))
        ahead = np.array((np.cos(angle), np.sin(angle)))
        row, column = np.indices((49, 49)) / 48.0 - 0.5
        across = ahead[0] * column + ahead[1] * row
        height = (960.0 * np.clip(0.16 - np.abs(across), 0.0, 0.12)).astype(np.float32)
        size = CELL * 48
        eye = 0.5 - 0.48 * ahead
        with mock.patch.object(cliff_meshes, "_BESIDE", (-2.0, -1.5)):  # all is in view
            mesh = cliff_mesh(
                height, size * 0.6, Cliffs(vertices=9_000, blocks=0.0), view=(*eye, *ahead)
            )
        assert mesh.is_cut_short
        middle = across[:-1, :-1] + 0.5 * (ahead.sum()) / 48.0
        assert (mesh.cells & (middle < 0.0)).sum() > 4 * (mesh.cells & (middle > 0.03)).sum()


@pytest.mark.parametrize("vertices", [3_000, 6_000, 20_000])
def test_steep_ground_is_cut_once(vertices):
    """Its costs tell how many vertices it gets, or most of a landscape's time would go by cutting it again."""
    y, x = np.indices((65, 65)) * CELL
    random = np.random.default_rng(generator(f"cliffs cut once, {vertices}").randrange(1 << 32))
    angle, cuts, of = random.uniform(0.0, np.pi), [], cliff_meshes._Cuts.of
    wave = np.sin((x * np.cos(angle) + y * np.sin(angle)) / 70.0 + random.uniform(0.0, 6.0))
    height = np.clip(wave * 240.0, -90.0, 90.0) + random.uniform(-4.0, 4.0, x.shape)
    with mock.patch.object(
        cliff_meshes._Cuts, "of", lambda *given: cuts.append(of(*given)) or cuts[-1]
    ):
        mesh = mesh_of(height.astype(np.float32), vertices=vertices, blocks=0.0)
    assert len(cuts) == 1
    assert 0.5 * vertices < len(mesh.places) <= vertices or not mesh.is_cut_short


def test_gentle_ground_and_cells_that_are_not_allowed_have_none():
    height = bluff()
    assert not len(mesh_of(height * 0.1).places)
    allowed = np.zeros((24, 24), bool)
    mesh = cliff_mesh(height, CELL * 24, Cliffs(), allowed=allowed)
    assert not mesh.cells.any() and not len(mesh.places)


def test_cut_polygons_cover_the_same_ground():
    random = np.random.default_rng(5)
    y, x = np.indices((9, 9)).reshape(2, -1).astype(float)
    first = (np.arange(8)[:, np.newaxis] * 9 + np.arange(8)).reshape(-1)
    corners = np.stack((first, first + 1, first + 10, first + 9), axis=1).reshape(-1)
    grid = Polygons(np.column_stack((x, y)), corners, np.full(64, 4), np.arange(64) % 2)
    for _ in range(20):
        values = np.round(random.normal(size=81) * 3.0) / 2.0  # many lie on a level
        for kind in (None, 1):
            parts = cut(grid, values, np.arange(-5.0, 6.0), kind)
            a = parts.vertices[parts.corners]
            b = parts.vertices[parts.corners[parts.following]]
            area = np.bincount(parts.owners, a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0])
            assert area.min() > -1e-9 and area.sum() == pytest.approx(128.0)


LANDS = ("coast", "canyon", "high_plateau", "mesa")


@pytest.mark.parametrize("part", range(count_of(100)))
def test_cliffs_do_not_cut_themselves(part):
    draw = generator(f"cliffs {part}")
    for _ in range(10):
        recipe = Recipe.from_preset(draw.choice(LANDS), seed=draw.randrange(1 << 31))
        whole = recipe.evaluate(recipe.grid(33)).height
        row, column = draw.randrange(12), draw.randrange(12)
        height = np.ascontiguousarray(whole[row : row + 21, column : column + 21])
        # Between as steep as it is and four times as steep.
        size = recipe.size * 20.0 / 32.0 * draw.uniform(0.25, 1.0)
        cliffs = Cliffs(
            vertices=3000, cliffs_seed=draw.randrange(1 << 31), undercut=draw.uniform(0.0, 50.0)
        )
        mesh = cliff_mesh(height, size, cliffs)
        triangles = triangles_of(mesh.corners, mesh.counts)
        pairs = cutting_pairs(mesh.places, triangles) if len(triangles) else ()
        assert not len(pairs), (recipe.seed, row, column, size, cliffs)
