# SPDX-License-Identifier: GPL-3.0-or-later
"""Freeze heights of mjlab's own sub-terrains, and the numbers that it drew, for `tests/core/test_sub_terrains.py`.

mjlab brings PyTorch and a hundred other packages, so that tests read what this tool has written. It needs MuJoCo,
NumPy and SciPy alone, and the unpacked wheel of mjlab:

    python tools/freeze_mjlab.py mjlab-1.6.0/ tests/golden/robots/mjlab.npz
"""

from __future__ import annotations

import sys
import types
from pathlib import Path

import mujoco
import numpy as np

DIFFICULTIES = (0.0, 0.37, 1.0)
RAYS = 1000
SIZE = 8.0
SEED = 5
STEP = 1e-4
"""Meters; heights are whole multiples of it."""

# Our kinds and the presets of mjlab's that they are.
KINDS = {
    "flat": "flat",
    "pyramid_stairs": "pyramid_stairs",
    "pyramid_stairs_inverted": "pyramid_stairs_inv",
    "pyramid_slope": "hf_pyramid_slope",
    "pyramid_slope_inverted": "hf_pyramid_slope_inv",
    "random_uniform": "random_rough",
    "waves": "wave_terrain",
    "discrete_obstacles": "discrete_obstacles",
    "perlin_noise": "perlin_noise",
    "random_grid": "box_random_grid",
    "random_spread": "random_spread_boxes",
    "open_stairs": "open_stairs",
    "random_stairs": "random_stairs",
    "stepping_stones": "stepping_stones",
    "narrow_beams": "narrow_beams",
    "nested_rings": "nested_rings",
    "tilted_grid": "tilted_grid",
}


class Recorder:
    """Random numbers that are written down: what was asked for, and the share of it from 0 to 1."""

    def __init__(self, seed):
        self._chance = np.random.default_rng(seed)
        self.calls = []

    def uniform(self, low, high, size=None):
        """Return numbers between two."""
        share = self._chance.random(size)
        self.calls.append(((low, high), share))
        return low + (high - low) * share

    def choice(self, options, size=None):
        """Return some of the options."""
        index = self._chance.integers(len(options), size=size)
        self.calls.append((len(options), (index + 0.5) / len(options)))
        return options[index]

    def integers(self, *arguments):
        """Return whole numbers, which name meshes alone."""
        return self._chance.integers(*arguments)

    def shuffle(self, values):
        """Shuffle an array."""
        self._chance.shuffle(values)
        self.calls.append((None, values.copy()))


def load(folder):
    """Return mjlab's presets, without what needs PyTorch."""
    for name in ("mjlab", "mjlab.terrains"):
        module = types.ModuleType(name)
        module.__path__ = [str(Path(folder, *name.split(".")))]
        sys.modules[name] = module
    entity = types.ModuleType("mjlab.terrains.terrain_entity")
    entity.TerrainEntity = entity.TerrainEntityCfg = None
    sys.modules[entity.__name__] = entity
    import mjlab.terrains.heightfield_terrains as fields
    import mjlab.terrains.primitive_terrains as boxes

    for module in (fields, boxes):
        for name in dir(module):
            if name.endswith("TerrainCfg"):
                setattr(sys.modules["mjlab.terrains"], name, getattr(module, name))
    from mjlab.terrains import config

    return config.ALL_TERRAIN_PRESETS


def cast(spec, x, y):
    """Return the heights that rays from above meet."""
    model = spec.compile()
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    geom = np.zeros(1, np.int32)
    down = np.array([0.0, 0.0, -1.0])
    heights = []
    for east, north in zip(x, y):
        start = np.array([east, north, 10.0])
        length = mujoco.mj_ray(model, data, start, down, None, 1, -1, geom, None)
        assert length > 0.0, (east, north)
        heights.append(10.0 - length)
    return np.array(heights)


def draws_of(kind, calls, config):
    """Return the shares by the names of our quantities; rows are y, which comes second in mjlab."""
    shares = [share for _, share in calls]
    if kind == "random_grid":
        return {"height": shares[0].T}
    if kind == "random_uniform":
        return {"level": shares[0]}
    if kind == "random_stairs":
        return {"height": np.array(shares)}
    if kind == "perlin_noise":
        return {"permutation": shares[0][:256]}
    if kind == "discrete_obstacles":
        table = np.array(shares).reshape(-1, 5).T
        return dict(zip(("height", "length", "width", "y", "x"), table))
    if kind == "random_spread":
        return _spread(shares, config)
    if kind == "tilted_grid":
        return _tilted(shares, config)
    return _stones(calls, shares) if kind == "stepping_stones" else {}


def _spread(shares, config):
    names = ("width", "length", "height", "x", "y", "turn")
    found = {name: [] for name in names}
    place = 0
    while place < len(shares):
        for name, share in zip(names, shares[place : place + 5]):
            found[name].append(share)
        width = 0.1 + 0.9 * shares[place]
        length = 0.1 + 1.9 * shares[place + 1]
        inner = 0.5 * SIZE - config.border_width
        x = abs(2.0 * shares[place + 3] - 1.0) * (inner - 0.5 * width) - 0.5 * width
        y = abs(2.0 * shares[place + 4] - 1.0) * (inner - 0.5 * length) - 0.5 * length
        is_skipped = max(x, y) <= 0.5 * config.platform_width
        found["turn"].append(0.0 if is_skipped else shares[place + 5])
        place += 5 if is_skipped else 7  # the color follows
    return {name: np.array(values) for name, values in found.items()}


def _tilted(shares, config):
    count = int((SIZE - 2.0 * config.border_width) / config.grid_width)
    found = {name: np.zeros((count, count)) for name in ("height", "tilt_x", "tilt_y")}
    left = iter(shares)
    for i in range(count):
        for j in range(count):
            middles = (abs(index + 0.5 - 0.5 * count) * config.grid_width for index in (i, j))
            if max(middles) > 0.5 * config.platform_width + 1e-9:
                for values in found.values():
                    values[j, i] = next(left)
                next(left)  # of the color
    return found


def _stones(calls, shares):
    stones, place = [], 0
    while place < len(calls):
        is_kept = place + 5 < len(calls) and calls[place + 5][0] == (0.4, 0.7)
        stones.append([*shares[place : place + 4], shares[place + 4] if is_kept else 0.0])
        place += 6 if is_kept else 4
    count = round(len(stones) ** 0.5)
    table = np.array(stones).reshape(count, count, 5)
    names = ("shift_x", "shift_y", "size_x", "size_y", "height")
    return {name: table[..., at].T for at, name in enumerate(names)}


def main(folder, result):
    """Freeze all kinds at all difficulties."""
    presets = load(folder)
    chance = np.random.default_rng(1)
    x, y = chance.uniform(-0.499 * SIZE, 0.499 * SIZE, (2, RAYS)).astype(np.float32)
    frozen = {"x": x, "y": y, "difficulties": np.array(DIFFICULTIES), "step": np.array(STEP)}
    for kind, name in KINDS.items():
        for at, difficulty in enumerate(DIFFICULTIES):
            config = presets[name](size=(SIZE, SIZE))
            spec, recorder = mujoco.MjSpec(), Recorder(SEED)
            spec.worldbody.add_body(name="terrain")
            output = config.function(difficulty, spec, recorder)
            heights = cast(spec, x + 0.5 * SIZE, y + 0.5 * SIZE)
            frozen[f"{kind}/{at}"] = np.rint(heights / STEP).astype(np.int16)
            frozen[f"{kind}/{at}/start"] = np.array(output.origin[2])
            for quantity, share in draws_of(kind, recorder.calls, config).items():
                is_order = quantity == "permutation"
                kept = share.astype(np.uint8) if is_order else share.astype(np.float32)
                frozen[f"{kind}/{at}/{quantity}"] = kept
            print(
                kind,
                difficulty,
                len(output.geometries),
                f"{heights.min():.3f} to {heights.max():.3f}",
            )
    np.savez_compressed(result, **frozen)


if __name__ == "__main__":
    main(*sys.argv[1:])
