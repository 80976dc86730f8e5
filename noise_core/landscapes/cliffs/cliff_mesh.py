# SPDX-License-Identifier: GPL-3.0-or-later
"""The mesh of cliffs: cells of a terrain, cut along joints and beds, and moved along their level normals.

A vertex moves only along the normal of its place, level and smoothed, and by less than the walls around
leave room for. So beds may overhang as far as they like in height, and yet a face never passes another: the
part of a face's area that looks along the normal does not change by the move. Where neighbors' normals
converge so much that it would turn, the move is halved until it does not.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...base.arrays import Field
from ...base.elementary import smooth_step
from ..scene import Cliffs
from . import cutting, fallen_blocks, moves, steep_ground
from .cutting import Flags, Numbers, Polygons, Reals
from .rock_beds import CliffBeds, Joints, Rock, bedding
from .steep_ground import SteepGround

_LEDGE = 0.8
"""Height of ledges in cells of the terrain, unless it is given."""

_JOINTS = 0.75
"""Distance of joints in ledges."""

_ROOM = 0.36
"""Of a cell, by which rock moves at most: what happens in the next but one is not met."""

_OF_COSTS = 0.85
"""Vertices over costs of all cells, blocks aside: on the shipped landscapes 0.75 to 0.85."""

_SETS = ((1.0, 0.0), (0.70710678, 0.70710678), (0.0, 1.0), (-0.70710678, 0.70710678))
"""Directions across the sets of joints: those of a wall are across its contour lines."""

_BESIDE = (0.70, 0.84)
"""Cosines of the angles to a view's middle: ground outside of the first counts as farther, inside of the second it does not."""

_AWAY = (-0.35, -0.10)
"""The same of walls that look away from a view: below the first they count as farther."""

_FARTHER = 6.0
"""How much farther ground beside a view, behind it and on the backs of walls counts."""


@dataclass(frozen=True)
class CliffMesh:
    """A finished mesh.

    Attributes
    ----------
    places : ndarray of shape (vertices, 3), float64
        Meters from the first sample of the terrain, east and north, and height.
    samples : ndarray of shape (vertices, 2), float64
        Row and column of the terrain below, between its samples, before the move.
    corners, counts : ndarray of int64
        Vertices of the faces, anticlockwise from outside, and their number for each face.
    cells : ndarray of shape (rows - 1, columns - 1), bool
        The cells of the terrain that the mesh replaces.
    border : ndarray of shape (vertices,), bool
        Vertices on the border of these cells.
    is_cut_short : bool
        Whether there is more steep ground than vertices are allowed for.
    """

    places: Reals
    samples: Reals
    corners: Numbers
    counts: Numbers
    cells: Flags
    border: Flags
    is_cut_short: bool


def cliff_mesh(
    height: Field,
    size: float,
    cliffs: Cliffs,
    *,
    view: tuple[float, ...] = (0.5, 0.5, 0.0, 0.0),
    allowed: Flags | None = None,
) -> CliffMesh:
    """Return the mesh of a terrain's cliffs and of the blocks below them.

    Parameters
    ----------
    height : ndarray of shape (rows, columns), float32
        Meters.
    size : float
        Width of the terrain in meters.
    cliffs : Cliffs
    view : tuple of four floats
        A place, in shares of the width from the first sample, and the level direction from there, a unit vector
        or 0. Where there are more cliffs than `cliffs.vertices` allow, those far from there, behind, or
        on the backs of walls stay as they are.
    allowed : ndarray of shape (rows - 1, columns - 1), bool, optional
        Cells that may be cliffs, or have blocks; all if not given.

    Examples
    --------
    >>> import numpy as np
    >>> from noise_core.landscapes.cliffs.cliff_mesh import cliff_mesh
    >>> from noise_core.landscapes.scene import Cliffs
    >>> height = np.zeros((17, 17), np.float32)
    >>> height[:, 8:] = np.minimum(np.arange(9) * 20.0, 60.0)
    >>> mesh = cliff_mesh(height, 160.0, Cliffs())
    >>> int(mesh.cells.sum()), bool(len(mesh.places) > 500)
    (80, True)
    """
    cell = size / (height.shape[1] - 1)
    ledge = cliffs.ledge or _LEDGE * cell
    steep = steep_ground.steep_cells(height, cell, cliffs, allowed)
    cost, distance = _costs(height, cell, ledge), _distances(height, size, view)
    budget = _fitting_budget(steep, cost, distance, cliffs.vertices, allowed)
    while True:
        kept = steep_ground.nearest_cells(steep, cost, distance, budget)
        ground = steep_ground.ground_around(height, cell, kept, allowed)
        taken = ground.cells if allowed is None else ground.cells | ~allowed
        numbers = fallen_blocks.resting_cells(
            height, cell, kept, taken, cliffs.blocks, cliffs.cliffs_seed + 31
        )
        cuts = _Cuts.of(height, cell, ledge, cliffs, ground)
        count = len(cuts.polygons.vertices) + 8 * len(numbers)
        if count <= cliffs.vertices:
            break
        budget *= 0.97 * cliffs.vertices / count
    places = _moved(cuts, Rock(cuts.beds, cliffs), height, cell)
    blocks = fallen_blocks.blocks_on(height, cell, numbers, cliffs.cliffs_seed + 41)
    is_cut_short = bool((steep & ~kept).any())
    return _with_blocks(cuts.polygons, places, ground.cells, blocks, cell, is_cut_short)


def _fitting_budget(
    steep: Flags, cost: Reals, distance: Reals, vertices: int, allowed: Flags | None
) -> float:
    """Return the costs of steep cells that, with the ring around them, get no more than so many vertices, by estimate.

    A cut only to count its vertices would take a third of the time of all.
    """
    budget = float(vertices)
    while True:
        kept = steep_ground.nearest_cells(steep, cost, distance, budget)
        cells = steep_ground.with_ring(kept, allowed)
        count = (
            _OF_COSTS * float(np.cumsum(cost[cells], dtype=np.float64)[-1]) if cells.any() else 0.0
        )
        if count <= vertices:
            return budget
        budget *= 0.995 * vertices / count


def _costs(height: Field, cell: float, ledge: float) -> Reals:
    """Return about how many vertices each cell gets."""
    corners = np.stack((height[:-1, :-1], height[1:, :-1], height[:-1, 1:], height[1:, 1:]))
    rise = (corners.max(axis=0) - corners.min(axis=0)).astype(np.float64)
    cost: Reals = 1.2 * (1.0 + 5.0 * rise / ledge) * (1.0 + 2.0 * cell / (_JOINTS * ledge))
    return cost


def _distances(height: Field, size: float, view: tuple[float, ...]) -> Reals:
    """Return the distances of the middles of cells from a place: what is not in its view counts as farther."""
    rows, columns = height.shape
    cell = size / (columns - 1)
    x = (np.arange(columns - 1, dtype=np.float64) + 0.5) * cell - view[0] * size
    y = ((np.arange(rows - 1, dtype=np.float64) + 0.5) * cell - view[1] * size)[:, np.newaxis]
    distance: Reals = np.sqrt(x * x + y * y)
    if view[2] == view[3] == 0.0:
        return distance
    ahead = (x * view[2] + y * view[3]) / np.maximum(distance, 1e-9)
    seen = _share(ahead, _BESIDE) * _share(steep_ground.facing(height, x, y), _AWAY)
    result: Reals = distance * (1.0 + (_FARTHER - 1.0) * (1.0 - seen))
    return result


def _share(values: Reals, ends: tuple[float, float]) -> Reals:
    """Return a smooth step from 0 to 1 between two values."""
    result: Reals = smooth_step(np.clip((values - ends[0]) / (ends[1] - ends[0]), 0.0, 1.0))
    return result


@dataclass(frozen=True)
class _Fields:
    """Values of the terrain's vertices that vertices of the mesh carry, by their columns."""

    PLACE = slice(0, 3)
    SAMPLE = slice(3, 5)
    FREE, TANGENT = 5, 6
    OUTWARDS = slice(7, 9)


@dataclass(frozen=True)
class _Cuts:
    """Steep cells that are cut along the joints and beds of their rock."""

    polygons: Polygons
    joints: tuple[Joints, ...]
    beds: CliffBeds

    @classmethod
    def of(
        cls, height: Field, cell: float, ledge: float, cliffs: Cliffs, ground: SteepGround
    ) -> _Cuts:
        """Return the cuts of the cells of some ground."""
        polygons = _cells(height, cell, ground)
        seed, apart = cliffs.cliffs_seed, _JOINTS * ledge
        joints = []
        for kind, direction in enumerate(_SETS):
            place = polygons.vertices[:, :2] @ np.array(direction)
            joints.append(Joints.between(*_ends(place), apart, seed + kind))
            levels = joints[kind].levels()
            polygons = cutting.cut(
                polygons, cutting.snap(place, levels, 0.03 * apart), levels, kind
            )
        vertices = _smoothed(polygons.vertices, height, cell)
        across = bedding(vertices[:, _Fields.PLACE], ledge, seed)
        beds = CliffBeds.between(*_ends(across), ledge, seed)
        across = cutting.snap(across, beds.levels, 0.02 * ledge)
        columns = np.column_stack((vertices, across))
        polygons = Polygons(columns, polygons.corners, polygons.counts, polygons.kinds)
        polygons = cutting.cut(polygons, across, beds.levels)
        polygons = cutting.star(polygons, polygons.counts > 4)
        return cls(_used(cutting.turn_quads(polygons)), tuple(joints), beds)


def _ends(values: Reals) -> tuple[float, float]:
    return (float(np.min(values)), float(np.max(values))) if len(values) else (0.0, 0.0)


def _cells(height: Field, cell: float, ground: SteepGround) -> Polygons:
    """Return the cells of the terrain as quads, of the kind of their joints."""
    numbers = steep_ground.corner_numbers(ground.cells)
    used, corners = np.unique(numbers, return_inverse=True)
    row, column = np.divmod(used, height.shape[1])
    outwards = ground.outwards[row, column] * ground.strength[row, column][:, np.newaxis]
    vertices = np.column_stack(
        (
            *(column * cell, row * cell, height[row, column], row, column),
            *(ground.free[row, column], ground.tangent[row, column], outwards),
        )
    ).astype(np.float64)
    corners = corners.reshape(-1, 4)
    # Joints are across the contour lines of the cell.
    kinds = _sets_of(outwards[corners].sum(axis=1))
    counts = np.full(len(corners), 4, np.int64)
    return Polygons(vertices, corners.reshape(-1), counts, kinds)


def _smoothed(vertices: Reals, height: Field, cell: float) -> Reals:
    """Return vertices on the edges of cells raised to a smooth curve along them, but for the border.

    Cubics through four samples (Catmull & Rom, A Class of Local Interpolating Splines, 1974).
    """
    result = vertices.copy()
    sample, free = vertices[:, _Fields.SAMPLE], vertices[:, _Fields.FREE]
    whole = np.floor(sample + 1e-9)
    share = sample - whole
    rows, columns = height.shape
    for axis in (0, 1):
        chosen = np.flatnonzero(
            (share[:, axis] > 1e-6) & (share[:, 1 - axis] < 1e-6) & (free > 0.0)
        )
        at, t = whole[chosen].astype(np.int64), share[chosen, axis]
        four = []
        for offset in (-1, 0, 1, 2):
            row = np.clip(at[:, 0] + (offset if axis == 0 else 0), 0, rows - 1)
            column = np.clip(at[:, 1] + (offset if axis == 1 else 0), 0, columns - 1)
            four.append(height[row, column].astype(np.float64))
        a, b, c, d = four
        cubic = b + 0.5 * t * (
            c - a + t * (2.0 * a - 5.0 * b + 4.0 * c - d + t * (3.0 * (b - c) + d - a))
        )
        linear = b + t * (c - b)
        result[chosen, 2] = linear + (cubic - linear) * np.minimum(free[chosen], 1.0)
    return result


def _used(polygons: Polygons) -> Polygons:
    """Return polygons without vertices that are no corner of any."""
    used, corners = np.unique(polygons.corners, return_inverse=True)
    return Polygons(polygons.vertices[used], corners.reshape(-1), polygons.counts, polygons.kinds)


def _moved(cuts: _Cuts, rock: Rock, height: Field, cell: float) -> Reals:
    """Return the places of vertices after the move along their normals."""
    vertices = cuts.polygons.vertices
    points, outwards = vertices[:, _Fields.PLACE], vertices[:, _Fields.OUTWARDS]
    strength = np.sqrt(np.sum(outwards * outwards, axis=1))
    unit = outwards / np.maximum(strength, 1e-9)[:, np.newaxis]
    sets = _sets_of(unit)
    blocks = np.zeros(len(points), np.int64)
    for kind, joint in enumerate(cuts.joints):
        chosen = sets == kind
        blocks[chosen] = joint.blocks_of(points[chosen, :2] @ np.array(_SETS[kind]))
    relief = rock.relief(points, vertices[:, -1], blocks, sets, vertices[:, _Fields.TANGENT])
    room = _ROOM * cell
    free = smooth_step(np.clip(vertices[:, _Fields.FREE], 0.0, 1.0)) * np.minimum(strength, 1.0)
    move = np.clip(relief, -room, room) * free
    samples = vertices[:, _Fields.SAMPLE]
    move *= moves.room_share(samples, unit, move / cell, height)
    return moves.move_apart(cuts.polygons, points, samples, unit, move)


def _sets_of(outwards: Reals) -> Numbers:
    """Return the set of joints across a wall, whose contour lines are across its direction."""
    across = np.abs(outwards @ np.array([(-y, x) for x, y in _SETS]).T)
    result: Numbers = np.argmax(across, axis=1)
    return result


def _with_blocks(
    polygons: Polygons,
    places: Reals,
    cells: Flags,
    blocks: tuple[Reals, Numbers],
    cell: float,
    is_cut_short: bool,
) -> CliffMesh:
    """Return the mesh of moved faces and of fallen blocks."""
    vertices, faces = blocks
    border = polygons.vertices[:, _Fields.FREE] <= 0.0
    return CliffMesh(
        np.concatenate((places, vertices)),
        np.concatenate((polygons.vertices[:, _Fields.SAMPLE], vertices[:, 1::-1] / cell)),
        np.concatenate((polygons.corners, (faces + len(places)).reshape(-1))),
        np.concatenate((polygons.counts, np.full(len(faces), 4, np.int64))),
        cells,
        np.concatenate((border, np.zeros(len(vertices), np.bool_))),
        is_cut_short,
    )
