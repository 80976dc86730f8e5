# SPDX-License-Identifier: GPL-3.0-or-later
"""What noises for textures take beside fbm of Perlin noise."""

from __future__ import annotations

from collections.abc import Iterator

from noise_core.noises import Craters, Fractal, Gabor, Perlin, SparseConvolution, Wavelet

from .cases import single
from .measure import timed
from .tables import say, verdict

SIDE = 1024


def table(runs: int) -> Iterator[str]:
    """Yield the lines of this part of the report."""
    yield f"## Noises for textures, {SIDE}²\n"
    yield "With their defaults where nothing else is said, over Perlin fbm of 8 octaves from 8 cells on the same grid.\n"
    yield "| noise | ms | times fbm | must | reached |"
    yield "| --- | ---: | ---: | ---: | --- |"
    cases = [
        ("Gabor", Gabor(), 8.0),
        ("Gabor, 64 waves, all around", Gabor(frequency=64.0, spread=1.0), 8.0),
        ("Phasor, sine", Gabor(profile="sine"), 8.0),
        ("Sparse convolution", SparseConvolution(), None),
        ("Wavelet", Wavelet(), 2.0),
        ("Craters", Craters(), None),
    ]
    fbm = Fractal(source=Perlin(frequency=8.0), octaves=8)
    base, *times = timed(
        [single(noise, SIDE) for noise in (fbm, *(case[1] for case in cases))], runs
    )
    for (name, _, must), taken in zip(cases, times):
        ratio = taken.best / base.best
        line = f"| {name} | {taken.best * 1e3:.1f} | {ratio:.2f} "
        line += "| | |" if must is None else f"| {must:g} | {verdict(ratio, must)} |"
        say(line)
        yield line
    yield ""
