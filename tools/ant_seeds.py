#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Find the seed with which each preset `ant_...` looks most like A.N.T. Landscape's own.

    python tools/ant_pictures.py record FOLDER     where Blender's module 4.2 is installed
    python tools/ant_seeds.py [SEEDS [NAME ...]]   writes tools/ant_seeds.json
    python tools/ant_presets.py

Noises differ, so that a seed is another piece of the same kind of land here and there. Of so many here, one has its hills
about where A.N.T. Landscape has them, and is about as high and as steep.
"""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(Path(__file__).parent)]

from ant_pictures import RECORDED, flat_presets  # noqa: E402  (found through the path)

from noise_core.recipes.ant_landscape.recipe import recipe_from_ant  # noqa: E402

OUT = ROOT / "tools" / "ant_seeds.json"

SEEDS = 400
"""How many are tried; *Another Noise* is so unlike itself from seed to seed that it took 4000."""

SIDE, BLOCKS = 65, 16
"""Samples along a side, and means that stand for where hills lie."""

FIGURES = 0.5
"""Weight of height and steepness beside the places of hills."""


def main(count: int, *names: str) -> None:
    """Try so many seeds for the flat presets of these names, or for all."""
    seeds, recorded = json.loads(OUT.read_text("utf-8")) if names else {}, np.load(RECORDED)
    for name, settings in flat_presets().items():
        if names and name not in names:
            continue
        recipe = recipe_from_ant(settings).recipe
        target = recorded[name]
        target = target[:: len(target) // (SIDE - 1), :: len(target) // (SIDE - 1)]
        scores = [
            _distance(target, _square(candidate.evaluate(candidate.grid(SIDE)).height))
            for candidate in (replace(recipe, seed=seed) for seed in range(count))
        ]
        seeds[name] = int(np.argmin(scores))
        print(name, seeds[name], f"{min(scores):.2f}; on average {np.mean(scores):.2f}", flush=True)
    OUT.write_text(json.dumps(seeds, indent=1) + "\n", encoding="utf-8")


def _square(land: np.ndarray) -> np.ndarray:
    """Return land that may be deeper than wide at as many samples along both sides, as it was recorded."""
    rows, columns = (np.linspace(0, count - 1, SIDE).round().astype(int) for count in land.shape)
    return land[np.ix_(rows, columns)]


def _distance(recorded: np.ndarray, land: np.ndarray) -> float:
    """Return how unlike two pieces of land are: where hills lie, how high they are, and how steep."""
    spread = float(recorded.std())
    places = np.sqrt(np.mean((_means(recorded) - _means(land)) ** 2)) / spread
    figures = [abs(float(land.mean() - recorded.mean())) / spread]
    for measure in (np.std, lambda field: np.sqrt(np.mean(np.square(np.gradient(field))))):
        figures.append(abs(float(np.log(max(measure(land), 1e-9) / measure(recorded)))))
    return float(places) + FIGURES * sum(figures)


def _means(field: np.ndarray) -> np.ndarray:
    part = (SIDE - 1) // BLOCKS
    return field[:-1, :-1].reshape(BLOCKS, part, BLOCKS, part).mean((1, 3))


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else SEEDS, *sys.argv[2:])
