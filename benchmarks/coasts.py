# SPDX-License-Identifier: GPL-3.0-or-later
"""Figures of coasts: platforms that waves have cut, and levees beside the arms of deltas, for docs/realism.md.

python -m benchmarks.coasts [--samples 1024] [--write]

Ground within half a wave's height of the sea is told apart by what it is, since a platform, a beach and a cliff's
foot lie at the same height: sand; ground that touches the cliff or the drop at the platform's outer edge; ground that no wave
has worn; and what remains, the platform. The slope of each is that of central differences.

References
----------
Sunamura, T. (1992). Geomorphology of Rocky Coasts: platforms fall by up to three degrees, from the cliff's foot to
where they drop into deep water.
"""

from __future__ import annotations

import argparse
import dataclasses
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt
from scipy import ndimage

from noise_core import Recipe
from noise_core.modifiers import CoastalErosion

Values = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]

DOCUMENT = Path(__file__).parents[1] / "docs" / "realism.md"
BEGIN, END = "<!-- coasts: python -m benchmarks.coasts --write -->\n", "<!-- end of coasts -->"

PRESETS = ("coast", "island", "river_delta")
DELTA = "river_delta"

FACE = 2.0
"""Meters above or below the band that waves reach from which on a neighbor belongs to a cliff."""

WORN, LAID = 0.3, 0.05
"""Meters that waves took or laid before a place counts as theirs."""

NARROW = 1300.0
"""Meters: water that a circle of this diameter does not fit into is an arm of a river."""

OPEN = 250.0
"""Meters from the sea and from lagoons within which ground tells nothing about the arms."""

MIDDLE, EXTENT = (0.5, 0.44), 0.22
"""Of the delta, in widths of its land: the shore beside it has no arms."""

BANK, CREST, PLAIN = 20.0, (40.0, 140.0), (400.0, 700.0)
"""Meters from the water's edge: where banks end, where levees stand, and where the ground behind them lies."""


@dataclasses.dataclass(frozen=True)
class Shore:
    """A preset's land with what waves did to it, in meters."""

    height: Values
    worn: Values
    beach: Values
    step: float
    sea: float
    reach: float


def shore_of(name: str, samples: int) -> Shore:
    """Return the shore of a preset."""
    recipe = Recipe.from_preset(name)
    waves = next(layer for layer in recipe.layers if isinstance(layer, CoastalErosion))
    calm = [
        dataclasses.replace(layer, strength=0.0) if layer is waves else layer
        for layer in recipe.layers
    ]
    grid = recipe.grid((samples, samples))
    made = recipe.evaluate(grid)
    before = dataclasses.replace(recipe, layers=calm).evaluate(grid).height
    height = made.height.astype(np.float64)
    beach = made.maps["beach"].astype(np.float64)
    return Shore(
        height,
        before - (height - beach),
        beach,
        recipe.size / (samples - 1),
        waves.sea_level,
        waves.wave_height / 2.0,
    )


def kinds(shore: Shore) -> dict[str, Mask]:
    """Return what the ground that waves reach is."""
    above = shore.height - shore.sea
    left = np.abs(above) < shore.reach
    highest, lowest = ndimage.maximum_filter(above, 3), ndimage.minimum_filter(above, 3)
    tests = {
        "cliff": highest > shore.reach + FACE,
        "outer edge": lowest < -shore.reach - FACE,
        "sand": ndimage.maximum_filter(shore.beach, 3) > LAID,
        "not worn": ndimage.minimum_filter(shore.worn, 3) < WORN,
        "platform": np.ones_like(left),
    }
    found = {}
    for kind, is_kind in tests.items():
        found[kind] = left & is_kind
        left = left & ~is_kind
    return found


def platform_rows(samples: int) -> Iterator[str]:
    """Yield a table of slopes by what the ground is."""
    yield "| | " + " | ".join(["platform", "sand", "cliff's foot", "outer edge", "not worn"]) + " |"
    yield "| --- | --- | --- | --- | --- | --- |"
    for name in PRESETS:
        shore = shore_of(name, samples)
        down, along = np.gradient(shore.height, shore.step)
        slopes = np.degrees(np.arctan(np.hypot(down, along)))
        found = kinds(shore)
        whole = sum(int(mask.sum()) for mask in found.values())
        cells = []
        for kind in ("platform", "sand", "cliff", "outer edge", "not worn"):
            own = slopes[found[kind]]
            middle, high = np.percentile(own, [50, 95]) if len(own) else (np.nan, np.nan)
            cells.append(f"{middle:.1f} / {high:.1f}, {100.0 * len(own) / whole:.0f} %")
        yield f"| {name} | {' | '.join(cells)} |"


def arms_and_banks(height: Values, step: float) -> tuple[Values, Mask]:
    """Return the distance of land from the arms of a delta in meters, and where it says something about them."""
    water = height < 0.0
    radius = NARROW / 2.0 / step
    wide = ndimage.distance_transform_edt(water) >= radius
    open_water = ndimage.distance_transform_edt(~wide) <= radius
    labels, _ = ndimage.label(water, np.ones((3, 3)))
    reaches_sea = np.isin(labels, np.unique(labels[wide & water]))
    arms = water & ~open_water & reaches_sea
    others = water & ~arms
    away = ndimage.distance_transform_edt(~arms) * step
    counts = ndimage.distance_transform_edt(~others) * step > OPEN
    return away, counts & ~water


def levee_rows(height: Values, step: float) -> Iterator[str]:
    """Yield medians of the height by the distance from the nearest arm, over the plain of the delta."""
    away, counts = arms_and_banks(height, step)
    y, x = (np.arange(count) / (count - 1) for count in height.shape)
    counts &= np.hypot(x - MIDDLE[0], y[:, np.newaxis] - MIDDLE[1]) < EXTENT
    yield "| distance from an arm, m | median height, m | quartiles, m |"
    yield "| --- | --- | --- |"
    for low, high in ((BANK, CREST[0]), CREST, (CREST[1], 250.0), (250.0, PLAIN[0]), PLAIN):
        own = height[counts & (away > low) & (away <= high)]
        first, middle, last = np.percentile(own, [25, 50, 75])
        yield f"| {low:.0f} to {high:.0f} | {middle:.1f} | {first:.1f} to {last:.1f} |"


def report(samples: int) -> str:
    """Return the section of the document."""
    shore = shore_of(DELTA, samples)
    lines = ["", *platform_rows(samples), "", *levee_rows(shore.height, shore.step), "", ""]
    return "\n".join(lines)


def main() -> None:
    """Measure and print, or write the section of the document."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.coasts",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--samples", type=int, default=1024)
    parser.add_argument("--write", action="store_true", help=f"into {DOCUMENT.name}")
    arguments = parser.parse_args()
    text = report(arguments.samples)
    print(text)
    if arguments.write:
        whole = DOCUMENT.read_text(encoding="utf-8")
        begin, end = whole.index(BEGIN) + len(BEGIN), whole.index(END)
        DOCUMENT.write_text(whole[:begin] + text + whole[end:], encoding="utf-8")


if __name__ == "__main__":
    main()
