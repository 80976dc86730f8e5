# SPDX-License-Identifier: GPL-3.0-or-later
"""Golden digests: the reviewed output of every modifier, the same bits everywhere.

The ground that they are given is made of integers alone, so that nothing but the modifier counts.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import numpy as np

from noise_core import CurvePoint, Grid, LandCurve, Modifier, modifier_types
from noise_core.lattice.hash import hash_indices
from noise_core.noises import White

FILE = Path(__file__).parents[1] / "golden" / "modifiers.json"
SEED = 20260
GRIDS = {
    "tile": Grid(144, 160, size=3200.0),
    "seamless": Grid(160, 144, size=3200.0, wrap=True),
}


WITHOUT_PRODUCTS = {
    "noise": White(),
    "irregularity": 0.0,
    "bumps": 0.0,
    "rock_variation": 0.0,
    "folds": 0.0,
    "width_noise": 0.0,
}
"""Most noises add up otherwise on processors that fuse additions, such as arm64; what bends the layers of
strata and terraces is one, and so are the bumps of amplified land, hard and soft rock of coasts, and folds."""

CURVES = tuple(
    LandCurve(
        points=[CurvePoint(at=at, z=height, width=90.0) for *at, height in points], closed=closed
    )
    for points, closed in (
        (((0.1, 0.2, 150.0), (0.4, 0.35, 250.0), (0.55, 0.8, 200.0), (0.9, 0.7, 320.0)), False),
        (((0.6, 0.1, 220.0), (0.9, 0.15, 220.0), (0.75, 0.4, 220.0)), True),
    )
)
"""A road and an outline, for types that follow curves."""

SEA_LEVEL = 250.0
"""About half of the ground is lower."""


def ground(grid: Grid) -> np.ndarray:
    """Return heights up to 500 m: squares upon squares, smoothed by sums of four."""
    height = np.zeros(grid.shape, np.float32)
    rows, columns = (np.arange(count, dtype=np.int32) for count in grid.shape)
    for side, meters in ((48, 300.0), (16, 120.0), (8, 50.0), (2, 20.0), (1, 10.0)):
        squares = hash_indices([columns // side, (rows // side)[:, np.newaxis]], side)
        field = (squares >> np.uint32(8)).astype(np.float32) * np.float32(2.0**-24)
        for axis in (0, 1):
            for step in (1, side // 2 + 1):
                field = (field + np.roll(field, step, axis)) * np.float32(0.5)
        height += field * np.float32(meters)
    return height


def flood(modifier: Modifier) -> Modifier:
    """Return a modifier with a sea on the ground, if it knows any."""
    names = {parameter.name for parameter in modifier.parameters()}
    return modifier.with_values(sea_level=SEA_LEVEL) if "sea_level" in names else modifier


def curves_of(cls: type) -> dict[str, object]:
    """Return curves for the lists that a type has by default, and for its only list."""
    default = cls()
    return {
        one.name: CURVES
        for one in cls.parameters()
        if one.kind == "curves" and (getattr(default, one.name) or one.name == "curves")
    }


def digests(key: str) -> dict[str, str]:
    """Return one digest per grid and field of a modifier with its defaults, but for other noises."""
    cls = modifier_types()[key]
    modifier = flood(cls(**curves_of(cls)))
    names = {parameter.name for parameter in modifier.parameters()}
    modifier = modifier.with_values(
        **{name: value for name, value in WITHOUT_PRODUCTS.items() if name in names}
    )
    results = {}
    for name, grid in GRIDS.items():
        relief = modifier.apply(ground(grid), grid, SEED)
        for field, values in {"height": relief.height, **relief.maps}.items():
            plain = np.ascontiguousarray(values, "<f4") + np.float32(0.0)  # -0 is 0
            results[f"{name}.{field}"] = hashlib.sha256(plain.tobytes()).hexdigest()[:16]
    return results


def saved() -> dict[str, dict[str, str]]:
    """Return the digests that were saved, by modifier."""
    loaded: dict[str, dict[str, str]] = json.loads(FILE.read_text("utf-8"))
    return loaded


def save(all_digests: dict[str, dict[str, str]]) -> None:
    """Write the digests of all modifiers."""
    FILE.write_text(json.dumps(all_digests, indent=1) + "\n", "utf-8")
