# SPDX-License-Identifier: GPL-3.0-or-later
"""Beds along curves with cuttings and embankments beside them: the ground, raised and lowered into bounds.

Each piece of a curve says how high and how low the ground around may be, by the angles of banks. The bounds of all
pieces hold together, in any order. Banks steepen toward the reach, so that nothing changes beyond.

References
----------
E. Galin, A. Peytavie, N. Marechal, E. Guerin (2010). Procedural generation of roads. Computer Graphics Forum 29(2).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...base.arrays import Field
from ...curves.chains import HALF, ROUGH, TILT, Chain, Pieces, Table, Z
from ...curves.inside import chain_box, inside
from ...curves.survey import (
    SIDE,
    Indices,
    Pairs,
    Placed,
    Survey,
    Visit,
    survey,
    survey_parts,
    useful_reach,
)
from ...rasters.level import Level
from .profile import PathCourse

_LEAST_REACH = 1e-9
"""Meters, which keep 0 / 0 from happening."""


@dataclass(frozen=True)
class BankLaw:
    """How the ground beside a bed changes.

    Attributes
    ----------
    cut, fill : float
        Rise over run of cuttings and embankments.
    reach : float
        Meters beyond the edge of the bed within which anything changes.
    sides : {"both", "left", "right"}
        Which sides of the curve change.
    works : {"both", "cut", "fill"}
        Whether ground is cut, filled, or both.
    fills_inside : bool
        Whether the inside of closed curves is part of the bed.
    detail : float
        Share of the bumps of the ground that bed and banks keep.
    width_noise : float
        Share of the width by which it changes from place to place.
    depth : float
        Meters by which the inside is deeper than the curve, for a lake: as steep as cuttings at its shore.
    """

    cut: float
    fill: float
    reach: float
    sides: str
    works: str
    fills_inside: bool
    detail: float
    width_noise: float
    depth: float = 0.0


@dataclass(frozen=True, eq=False)
class BankGround:
    """What is known of a part of a land.

    Attributes
    ----------
    height : ndarray of shape level.shape, float32
    level : Level
    bumps : ndarray of shape level.shape, float32, optional
        By how much the height differs from that of smoother ground, in meters.
    widening : ndarray of shape level.shape, float32, optional
        In [-1, 1]: where beds are wider, and where narrower.
    """

    height: Field
    level: Level
    bumps: Field | None = None
    widening: Field | None = None


@dataclass(frozen=True, eq=False)
class _Beds:
    """Placed pieces of all courses, once for all parts of a level."""

    solid: Placed
    gaps: Placed
    reach: float
    widest: float
    law: BankLaw


def shape(ground: BankGround, courses: Sequence[PathCourse], law: BankLaw) -> tuple[Field, ...]:
    """Return the height with beds and banks, and the maps cut, fill, bed and gap.

    Parameters
    ----------
    ground : BankGround
    courses : sequence of PathCourse
    law : BankLaw
    """
    level = ground.level
    law = dataclasses.replace(law, reach=useful_reach(level, law.reach))
    chains = [_narrow(each.chain, useful_reach(level, np.inf)) for each in courses]
    solid = Pieces.of(chains, [~each.is_gap for each in courses])
    gaps = Pieces.of(chains, [each.is_gap for each in courses])
    halves = [each.vertices[:, HALF].max() for each in chains]
    widest = max(halves, default=0.0) * (1.0 + law.width_noise)
    reach = (widest + law.reach) / level.step_x + 1.0
    beds = _Beds(Placed.on(solid, level), Placed.on(gaps, level), reach, widest, law)
    height, bed, gap = ground.height.copy(), *np.zeros((2, *level.shape), np.float32)
    for part in survey_parts(level):
        rows, columns = part.within(level)
        here = BankGround(
            ground.height[rows, columns],
            part,
            None if ground.bumps is None else ground.bumps[rows, columns],
            None if ground.widening is None else ground.widening[rows, columns],
        )
        fields = (height[rows, columns], bed[rows, columns], gap[rows, columns])
        _shape_part(here, beds, *fields)
        if law.fills_inside:
            _fill_inside(here, courses, law, *fields[:2])
    cut = ground.height - height
    fill = np.maximum(-cut, np.float32(0.0))
    np.maximum(cut, np.float32(0.0), out=cut)
    np.subtract(gap, bed, out=gap)
    np.maximum(gap, np.float32(0.0), out=gap)
    return height, cut, fill, bed, gap


def _narrow(chain: Chain, most: float) -> Chain:
    """Return a chain whose half widths are no more than so many meters."""
    if not (chain.vertices[:, HALF] > most).any():
        return chain
    vertices = chain.vertices.copy()
    np.minimum(vertices[:, HALF], most, out=vertices[:, HALF])
    return Chain(vertices, chain.closed)


def _shape_part(ground: BankGround, beds: _Beds, height: Field, bed: Field, gap: Field) -> None:
    """Write the beds and banks of a part of a land."""
    level = ground.level
    bounds = _HeightBounds(ground, beds)
    found = survey(beds.solid, level, beds.reach, bounds.begin)
    if found is not None:
        changed, share = bounds.apply(found)
        found.paste(changed, height)
        found.paste(share, bed)
    if not beds.gaps.pieces.count:
        return
    over = survey(beds.gaps, level, beds.widest / level.step_x + 1.0, nearest_only=True)
    if over is not None:
        share = np.zeros(over.distance.shape, np.float32)
        near = np.flatnonzero(over.distance <= beds.widest / level.step_x + 1.0)
        half = over.interpolate(beds.gaps.pieces, HALF, near)
        distance = over.distance.take(near) * level.step_x
        share.reshape(-1)[near] = _bed_share(half, distance, level.step_x)
        over.paste(share, gap)


def _fill_inside(
    ground: BankGround, courses: Sequence[PathCourse], law: BankLaw, height: Field, bed: Field
) -> None:
    """Write the level ground, or the lakes, inside closed curves: the highest ground where they overlap."""
    top = np.full(height.shape, -np.inf, np.float32)
    for each in courses:
        if each.chain.closed:
            rows, columns = chain_box(each.chain, ground.level)
            count, across = rows.stop - rows.start, columns.stop - columns.start
            if count <= 0 or across <= 0:
                continue
            part = ground.level.part(rows.start, columns.start, count, across)
            part_top, floor = top[rows, columns], _floor(each.chain, part, law)
            np.maximum(part_top, floor, out=part_top, where=inside(each.chain, part))
    filled = top > -np.inf
    if law.works == "cut":
        np.minimum(top, ground.height, out=top)
    if law.works == "fill":
        np.maximum(top, ground.height, out=top)
    if ground.bumps is not None:
        top += np.float32(law.detail) * ground.bumps
    np.copyto(height, top, where=filled)
    np.copyto(bed, np.float32(1.0), where=filled)


def _floor(chain: Chain, level: Level, law: BankLaw) -> Field:
    """Return the heights inside a closed curve: level, or a bowl that is flat where it is deepest."""
    shore = np.float32(chain.vertices[0, Z])
    if law.depth <= 0.0:
        return np.broadcast_to(shore, level.shape)
    width, half = 2.0 * law.depth / law.cut, float(chain.vertices[:, HALF].max())
    beside = np.ones(level.shape, np.float32)
    reach = (width + half) / level.step_x + 1.0
    near = survey(Placed.on(Pieces.of([chain]), level), level, reach, nearest_only=True)
    if near is not None:
        share = np.clip((near.distance * level.step_x - half) / width, 0.0, 1.0)
        near.paste(share.astype(np.float32), beside)
    return shore - np.float32(law.depth) * beside * (np.float32(2.0) - beside)


def _bed_share(half: Table, distance: Table, step: float) -> Table:
    """Return which share of each sample lies on a bed: its edge is a sample wide."""
    share = (half - distance) / step
    share += 0.5
    return np.clip(share, 0.0, 1.0) * (half > 0.0)


class _HeightBounds:
    """Lowest and highest ground around the pieces of a part of a land.

    Parameters
    ----------
    ground : BankGround
    beds : _Beds
    """

    def __init__(self, ground: BankGround, beds: _Beds) -> None:
        self._ground, self._beds, self._law = ground, beds, beds.law
        pieces = beds.solid.pieces
        self._is_tilted = bool(
            (pieces.start[:, TILT] != 0.0).any() or (pieces.stop[:, TILT] != 0.0).any()
        )
        self._step = ground.level.step_x
        self._low: Table = np.empty(0)
        self._high: Table = np.empty(0)
        self._wider: Table | None = None

    def begin(self, found: Survey) -> Visit:
        """Return the function that takes pairs; see `survey`."""
        shape = (len(found.row), SIDE, SIDE)
        self._low, self._high = np.full(shape, -np.inf), np.full(shape, np.inf)
        if self._ground.widening is not None:
            self._wider = 1.0 + self._law.width_noise * found.cut(self._ground.widening)
        return self._add

    def _add(self, pairs: Pairs) -> None:
        """Take the bounds of one piece for each of the first blocks."""
        part, law = slice(0, len(pairs.piece)), self._law
        half = self._at(pairs, HALF)
        if self._wider is not None:
            half = half * self._wider[part]
        beside = pairs.distance * self._step
        beside -= half
        np.maximum(beside, 0.0, out=beside)
        reach = max(law.reach, _LEAST_REACH)
        share = beside * (1.0 / reach)
        np.minimum(share, 1.0, out=share)
        share *= share
        share *= share
        np.subtract(1.0, share, out=share)
        with np.errstate(divide="ignore"):
            beside /= share
        edge = self._edge(pairs, half)
        low = beside * -law.fill
        low += edge
        np.maximum(self._low[part], low, out=self._low[part])
        beside *= law.cut
        beside += edge
        np.minimum(self._high[part], beside, out=self._high[part])

    def _at(self, pairs: Pairs, column: int) -> Table:
        """Return a column of the vertices at the nearest points of pairs."""
        pieces = self._beds.solid.pieces
        start = pieces.start[pairs.piece, column][:, np.newaxis, np.newaxis]
        rise = pieces.stop[pairs.piece, column][:, np.newaxis, np.newaxis] - start
        values: Table = start + pairs.share * rise if rise.any() else start
        return values

    def _edge(self, pairs: Pairs, half: Table) -> Table:
        """Return the heights of the bed, or of its edges beside it."""
        height = self._at(pairs, Z)
        if not self._is_tilted:
            return height
        beside = np.clip(pairs.side * self._step, -half, half)
        return height + beside * self._at(pairs, TILT)

    def apply(self, found: Survey) -> tuple[Table, Field]:
        """Return the changed heights, and which share of each sample is bed."""
        law = self._law
        ground = found.cut(self._ground.height)
        changed = self._bound(ground)
        if self._ground.bumps is not None and law.detail:
            smooth = ground - found.cut(self._ground.bumps)
            moved = self._bound(smooth)
            moved -= smooth
            moved += ground
            changed += law.detail * (moved - changed)
        share = np.zeros(changed.shape, np.float32)
        near = np.flatnonzero(found.distance <= self._beds.widest / self._step + 1.0)
        half = _half_widths(found, self._beds.solid.pieces, near, self._wider)
        distance = found.distance.take(near) * self._step
        share.reshape(-1)[near] = _bed_share(half, distance, self._step)
        on_bed = distance <= half
        near, half = near[on_bed], half[on_bed]
        changed.reshape(-1)[near] = self._bed_heights(found, near, half)
        if law.works == "cut":
            np.minimum(changed, ground, out=changed)
        if law.works == "fill":
            np.maximum(changed, ground, out=changed)
        if law.sides != "both":
            other = found.side < 0.0 if law.sides == "left" else found.side > 0.0
            np.copyto(changed, ground, where=other)
            share[other] = 0.0
        return changed, share

    def _bound(self, heights: Table) -> Table:
        """Return heights within the bounds."""
        bounded: Table = np.maximum(heights, self._low)
        return np.minimum(bounded, self._high, out=bounded)

    def _bed_heights(self, found: Survey, where: Indices, half: Table) -> Table:
        """Return the heights of some samples on the bed."""
        pieces = self._beds.solid.pieces
        height = found.interpolate(pieces, Z, where)
        if self._is_tilted:
            beside = np.clip(found.side.take(where) * self._step, -half, half)
            height += beside * found.interpolate(pieces, TILT, where)
        if self._ground.bumps is not None:
            rough = found.interpolate(pieces, ROUGH, where)
            kept = np.maximum(rough, self._law.detail)
            height += kept * found.cut(self._ground.bumps).take(where)
        return height


def _half_widths(found: Survey, pieces: Pieces, where: Indices, wider: Table | None) -> Table:
    """Return half of the width of the bed at some samples, in meters."""
    half = found.interpolate(pieces, HALF, where)
    return half if wider is None else half * wider.take(where)
