# SPDX-License-Identifier: GPL-3.0-or-later
"""What a texture by example takes beside noise of as many samples."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from noise_core import Grid
from noise_core.base import blocks
from noise_core.materials.by_example.settings import ByExample
from noise_core.noises import Fractal, Perlin

from .measure import timed
from .tables import say

HEAD = """## Textures by example

A seamless image of 1024 x 1024 pixels in three channels of 8 bits, made of an example of 512 x 512, over eight octaves of Perlin noise of as many
samples, on one thread.
"""

EXAMPLE, SIDE = 512, 1024


def table(runs: int) -> Iterator[str]:
    """Yield the lines of this part of the report."""
    noise, grid = Fractal(source=Perlin(frequency=4.0), octaves=8), Grid(SIDE, SIDE, wrap=True)
    part = Grid(EXAMPLE, EXAMPLE)
    channels = [noise.sample_grid(part, seed) * 90.0 + 128.0 for seed in range(3)]
    example = np.clip(np.stack(channels, -1), 0.0, 255.0).astype(np.uint8)
    works = [lambda: noise.sample_grid(grid, 1), lambda: ByExample().paint(example, grid, 1)]
    with blocks.on_threads(1):
        base, made = (one.best for one in timed(works, runs))
    yield HEAD
    yield "| 1024² | ms | times the noise |"
    yield "| --- | ---: | ---: |"
    yield f"| eight octaves of Perlin noise | {1e3 * base:.0f} | 1 |"
    yield f"| texture by example | {1e3 * made:.0f} | {made / base:.1f} |"
    yield ""
    say(f"texture by example: {made / base:.1f} times the noise")
