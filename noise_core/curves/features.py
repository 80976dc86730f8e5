# SPDX-License-Identifier: GPL-3.0-or-later
"""Curves as features of a land: how the ground falls away on both sides of a curve, and how rough it is there."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from .chains import TILT, Chain, Pieces, Table, chain_of
from .land_curve import LandCurve

FALL_LEFT, FALL_RIGHT, ROUGH_LEFT, ROUGH_RIGHT, SHAPES = range(TILT + 2, TILT + 7)
"""Columns of a table of vertices after those of all chains: fall over run on both sides, shares of the bumps there,
and 1 where the curve shapes the ground beside it, 0 where it tells nothing but heights."""

FINE, COARSE = 1.0 / 8192.0, 1.0 / 4096.0
"""By which straight pieces may miss a curve, in widths of a tile: where they count, and on the level of the membrane."""


@dataclass(frozen=True)
class Manner:
    """Ground beside curves of a kind.

    Attributes
    ----------
    falls : tuple of two floats
        Left and right of the curve, as fall over run; below 0 the ground rises.
    roughness : tuple of two floats
        Share of the bumps on both sides, from 0 to 1.
    shapes : bool
        Whether they act; a contour tells heights alone.
    by_inside : bool
        Whether left stands for the inside of closed curves, however they turn.
    """

    falls: tuple[float, float] = (0.0, 0.0)
    roughness: tuple[float, float] = (0.0, 0.0)
    shapes: bool = True
    by_inside: bool = False


def feature_pieces(
    kinds: Iterable[tuple[Sequence[LandCurve], Manner]], size: float, tolerance: float
) -> Pieces:
    """Return the straight pieces of curves, whose tables have columns for the ground beside them.

    Parameters
    ----------
    kinds : iterable of pairs
        Curves, and the ground beside them.
    size : float
        Width of a tile in meters.
    tolerance : float
        In widths of a tile.
    """
    chains = [
        _widen(chain_of(curve, size, tolerance * size), manner)
        for curves, manner in kinds
        for curve in curves
    ]
    return Pieces.of(chains, width=SHAPES + 1)


def _widen(chain: Chain, manner: Manner) -> Chain:
    """Return a chain with the columns of a kind."""
    is_turned = manner.by_inside and chain.closed and _area(chain.vertices) < 0.0
    order = -1 if is_turned else 1
    row = [*manner.falls[::order], *manner.roughness[::order], float(manner.shapes)]
    more = np.repeat(np.array([row]), len(chain.vertices), axis=0)
    return Chain(np.concatenate((chain.vertices, more), axis=1), chain.closed)


def _area(vertices: Table) -> float:
    """Return the area inside a closed chain, above 0 if that lies to its left."""
    x, y = vertices[:, 0] - vertices[0, 0], vertices[:, 1] - vertices[0, 1]
    return 0.5 * math.fsum((x[:-1] * y[1:] - x[1:] * y[:-1]).tolist())


def widest(kinds: Iterable[tuple[Sequence[LandCurve], Manner]]) -> float:
    """Return half of the width of the widest curve in meters."""
    widths = [point.width for curves, _ in kinds for curve in curves for point in curve.points]
    return 0.5 * max(widths, default=0.0)


def height_limits(
    kinds: Iterable[tuple[Sequence[LandCurve], Manner]], reach: float
) -> tuple[float, float]:
    """Return the lowest and the highest ground in meters, of slopes that go on for `reach` meters."""
    heights: list[float] = []
    for curves, manner in kinds:
        steepest = max(map(abs, manner.falls))
        for curve in curves:
            tilt = max(abs(math.tan(math.radians(point.tilt))) for point in curve.points)
            half = 0.5 * max(point.width for point in curve.points)
            beside = (steepest + tilt) * reach + tilt * half
            heights += (z + sign * beside for z in _heights(curve) for sign in (-1.0, 1.0))
    return min(heights, default=0.0), max(heights, default=0.0)


def _heights(curve: LandCurve) -> Iterator[float]:
    """Yield the heights of points and handles, which the curve does not leave."""
    for point in curve.points:
        yield point.z
        for handle in (point.left, point.right):
            if handle is not None:
                yield from handle[2:]
